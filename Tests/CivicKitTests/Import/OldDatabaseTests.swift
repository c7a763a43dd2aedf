#if SQLite
  import CivicKit
  import FieldCore
  import FieldFakes
  import Foundation
  import TestSupport
  import Testing

  @Suite("The old app's database", .timeLimit(.minutes(60)))
  struct OldDatabaseTests {
    private static let hasPython = Tool.isThere("python3")

    /// A database that Python's SQLite makes of statements.
    private static func database(_ statements: String, in folder: TemporaryFolder) throws -> URL {
      let url = folder.url.appending(path: "it 100%?#.sqlite")
      try Tool.run(
        "python3", "-c",
        "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.executescript(sys.stdin.read()); d.close()",
        url.path, input: Data(statements.utf8))
      return url
    }

    private static func directory(_ storage: Storage = .inMemory) -> CivicDirectory {
      CivicDirectory(
        service: nil, feeds: [FeedFixture.news, FeedFixture.activities], storage: storage,
        transport: CityServer(), clock: ManualClock(now: FeedFixture.now))
    }

    private static let common = """
      create table AdministrativeUnit (unitId text, name text, tel text, x int, y int, lastUpdateTime int);
      insert into AdministrativeUnit values ('u1', '市民服務台', '06-2991111', 10, 20, 5),
        ('u2', ' 社會局 ', 'null', 0, 0, 6);
      create table administrativeunitcategory (categoryId text, name text, lastUpdateTime int);
      insert into administrativeunitcategory values ('c1', '廁所', 5);
      create table administrativeUnitInCategory (unitId, categoryId, lastUpdateTime);
      insert into administrativeUnitInCategory values ('u1', 'c1', 5), ('u2', 'c1', 5);
      create table keyword (keywordId, keyword, rank int, lastUpdateTime);
      insert into keyword values ('k3', '市府設施', 3, 5);
      """

    // C13 of Docs/old-apps.md
    @Test(
      "the old database is imported in both spellings of its columns, in tables of any case",
      .enabled(if: hasPython, "python3 isn't installed"),
      arguments: [
        ("lastUpdateTIme", "appURL"), ("lastUpdateTime", "iosAppUrl"),
        ("lastUpdateTime", "appIOSUrl"),
      ])
    func spellings(time: String, address: String) async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        Self.common + """
          create table inkeyword (id, keywordId, \(time));
          insert into inkeyword values ('c1', 'k3', 5);
          create table mobileapp (appId, appName, \(address), appImage, lastUpdateTime);
          insert into mobileapp values ('a1', '大台南公車', 'tms.tw.TainanBus&hl=zh_TW', 'a1.png', 5);
          create table mappingKeyword (unitId, keyword);
          insert into mappingKeyword values ('u1', '檢舉'), ('u1', '記者');
          create table searchCache (searchKeyword);
          insert into searchCache values ('社會'), ('廁所');
          pragma user_version = 2;
          """, in: folder)
      let directory = Self.directory()
      let report = try await directory.importTables(of: LegacyCivicDatabase(url))
      #expect(report.failures.isEmpty)
      let tiles = try await directory.facilities()
      #expect(tiles.map(\.name) == ["廁所"])
      #expect(try await directory.units(in: tiles[0].id).map(\.name) == ["市民服務台", "社會局"])
      #expect(try await directory.apps().map(\.androidPackage) == ["tms.tw.TainanBus"])
      #expect(try await directory.searchHistory.entries().count == 2)
      let again = try await directory.importTables(of: LegacyCivicDatabase(url))
      #expect(again.added == 0)
      #expect(again.outcome == .unchanged)
    }

    // C13 of Docs/old-apps.md
    @Test(
      "hidden activities of the old app's database stay hidden, with their dates as moments",
      .enabled(if: hasPython, "python3 isn't installed"))
    func activities() async throws {
      let folder = try TemporaryFolder()
      let link = "http://city.example.tw/News_Content.aspx?n=10&s="
      let url = try Self.database(
        """
        create table hot (id integer primary key, hotDate, hotTitle, hotDescription, hotLink, isDelete int);
        insert into hot values (1, 'Optional(2017-06-05 16:00:00 +0000)', '甲', '<p>x</p>', '\(link)1', 1),
          (2, 'Optional(2017-06-06 16:00:00 +0000)', '乙', '', '\(link)2', 0),
          (3, 'nil', '甲二', '', '\(link)1', 0);
        """, in: folder)
      let feeds = FeedFixture.feeds(
        CityServer(activities: FeedFixture.rss(FeedFixture.item(1, "今天的"), FeedFixture.item(3))))
      #expect(try await feeds.importLegacyActivities(of: LegacyCivicDatabase(url)) == 2)
      #expect(try await feeds.importLegacyActivities(of: LegacyCivicDatabase(url)) == 0)
      let stored = try await feeds.storedActivities()
      #expect(stored.map(\.title) == ["乙"])
      #expect(
        stored[0].published.map { TimestampWriter.iso8601($0) } == "2017-06-06T16:00:00.000Z")
      // The feed's own words replace the old ones, and what was hidden stays so.
      #expect(try await feeds.visitActivities().map(\.title) == ["第3則", "乙"])
      #expect(try await feeds.visitActivities(includingHidden: true).map(\.title).contains("今天的"))
    }

    /// A database with a row in each of the eleven tables, its names spelled by `spell`.
    private static func eleven(
      _ spell: (String) -> String, time: String, address: String
    ) -> String {
      let link = "http://city.example.tw/News_Content.aspx?n=10&s="
      let tables: [(name: String, columns: [String], rows: [[String]])] = [
        (
          "administrativeUnit",
          [
            "x", "y", "fieldId", "unitId", "parentUnitId", "name", "tel", "fax", "email", "website",
            "description", "iconName", "createTime", time, "nearByPathId", "keyword",
          ],
          [
            [
              "409", "729", "field_1450776651", "u1", "0", "一樓廁所", "06-2991111#1408", "null",
              "a@b.tw ", "null", "文", "u.png", "5", "6", "path_1", "民治",
            ]
          ]
        ),
        (
          "administrativeUnitCategory",
          ["categoryId", "name", "description", "iconName", "createTime", time, "keyword"],
          [["c1", "廁所", "null", "c.png", "5", "6", "null"]]
        ),
        ("administrativeUnitInCategory", ["unitId", "categoryId", time], [["u1", "c1", "7"]]),
        (
          "keyword", ["keywordId", "keyword", "rank", "description", "createTime", time],
          [["k3", "市府設施", "3", "說明", "5", "6"]]
        ),
        ("inKeyword", ["id", "keywordId", time], [["c1", "k3", "8"], ["u1", "k3", "8"]]),
        ("mappingKeyword", ["unitId", "keyword"], [["u1", "檢舉"], ["u1", "記者"]]),
        (
          "edm", ["edmId", "edmName", "edmURL", "edmImage", "edmEndDay", time],
          [["e1", "花燈", "http://a.tw/", "e.jpg", "2018-12-31", "9"]]
        ),
        (
          "hot", ["id", "hotDate", "hotTitle", "hotDescription", "hotLink", "isDelete"],
          [
            ["1", "Optional(2017-06-05 16:00:00 +0000)", "甲", "<p>x</p>", link + "1", "1"],
            ["2", "Optional(2017-06-06 16:00:00 +0000)", "乙", "", link + "2", "0"],
            ["3", "nil", "甲二", "", link + "1", "0"],
          ]
        ),
        (
          "mobileApp", ["appId", "appName", address, "appImage", time],
          [["a1", "公車", "tms.tw.Bus&hl=zh_TW", "a.png", "10"]]
        ),
        ("instruction", ["id", "name", "read"], [["1", "start", "1"], ["3", "upDown", "0"]]),
        ("searchCache", ["searchKeyword"], [["社會"], ["廁所"]]),
      ]
      return tables.map { table in
        let columns = table.columns.map { "\"\(spell($0))\"" }.joined(separator: ",")
        let rows = table.rows.map { row in
          "(" + row.map { Int($0) == nil ? "'\($0)'" : $0 }.joined(separator: ",") + ")"
        }
        return "create table \(spell(table.name)) (\(columns)); insert into \(spell(table.name)) "
          + "values \(rows.joined(separator: ","));"
      }.joined() + "pragma user_version = 2;"
    }

    // C13 of Docs/old-apps.md
    @Test(
      "all eleven tables of the old app are imported in one commit, including hot, in any spelling",
      .enabled(if: hasPython, "python3 isn't installed"),
      arguments: [
        ("lastUpdateTIme", "appURL"), ("lastUpdateTime", "iosAppUrl"),
        ("lastUpdateTime", "appIOSUrl"),
      ], [0, 1, 2])
    func everyTable(columns: (time: String, address: String), letters: Int) async throws {
      let folder = try TemporaryFolder()
      let spell = [{ $0 }, { $0.lowercased() }, { $0.uppercased() }] as [(String) -> String]
      let url = try Self.database(
        Self.eleven(spell[letters], time: columns.time, address: columns.address), in: folder)
      let storage = Storage.inMemory
      let directory = Self.directory(storage)
      let report = try await directory.importTables(of: LegacyCivicDatabase(url))
      #expect((report.rows, report.failureCount) == (17, 0))
      let snapshot = try await storage.store("civic", of: CivicRecord.self).snapshot()
      #expect(snapshot.revision.number == 1)
      for table in ["administrativeUnit", "inKeyword", "mobileApp"] {
        #expect(snapshot.checkpoint?.cursors["table.\(table)"] != nil, "\(table)")
      }
      #expect(snapshot.checkpoint?.cursors["table.hot"] == nil)
      let view = try await directory.view()
      let unit = try #require(view.units.first)
      #expect(unit.planPosition == PlanPosition(x: 409, y: 729) && unit.nearbyPathID == "path_1")
      #expect(unit.phones.map(\.dialString) == ["062991111,1408"] && unit.email == "a@b.tw")
      #expect(unit.updatedAt == Date(timeIntervalSince1970: 6) && unit.keywords == ["民治"])
      #expect(view.categories(of: .facility).map(\.name) == ["廁所"])
      #expect(view.units(in: "c1").map(\.id) == ["u1"] && view.units(of: .facility).count == 1)
      #expect(view.memberships[0].updatedAt == Date(timeIntervalSince1970: 7))
      #expect(view.keywords.map(\.details) == ["說明"])
      #expect(view.keywordLinks.map(\.objectID) == ["c1", "u1"])
      #expect(view.keywordLinks[1].updatedAt == Date(timeIntervalSince1970: 8))
      #expect(view.synonyms.map(\.text) == ["檢舉", "記者"])
      #expect(view.banners.map(\.lastDay?.description) == ["2018-12-31"])
      #expect(view.apps.map(\.androidPackage) == ["tms.tw.Bus"])
      #expect(view.instructions.map(\.isRead) == [true, false])
      #expect(view.searchHistory.map(\.text) == ["社會", "廁所"])
      // Of two rows with one link the later counts, and one that is hidden hides it.
      #expect(view.activities.map(\.title) == ["甲二", "乙"])
      #expect(view.activities.map(\.isHidden) == [true, false])
      #expect(
        view.activities[1].published.map { TimestampWriter.iso8601($0) }
          == "2017-06-06T16:00:00.000Z")
      try await directory.unhide(view.activities[0].id)
      #expect(try await directory.importTables(of: LegacyCivicDatabase(url)).outcome == .unchanged)
      #expect(try await directory.view().activities.map(\.isHidden) == [false, false])
    }

    // C13 of Docs/old-apps.md
    @Test(
      "activities of the old database match those of the feed, and hidden ones stay hidden",
      .enabled(if: hasPython, "python3 isn't installed"))
    func hiddenInFeed() async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        Self.eleven({ $0 }, time: "lastUpdateTime", address: "appURL"), in: folder)
      let directory = CivicDirectory(
        service: nil, feeds: [FeedFixture.activities], storage: .inMemory,
        transport: CityServer(
          activities: FeedFixture.rss(FeedFixture.item(1, "今天的"), FeedFixture.item(3))),
        clock: ManualClock(now: FeedFixture.now))
      try await directory.importTables(of: LegacyCivicDatabase(url))
      try await directory.refresh()
      #expect(try await directory.activities().map(\.title) == ["第3則", "乙"])
      #expect(try await directory.activities(includingHidden: true).map(\.title).contains("今天的"))
    }

    // C13 of Docs/old-apps.md
    @Test(
      "rows of the old database without a key don't keep the others out, nor does a server",
      .enabled(if: hasPython, "python3 isn't installed"))
    func keyless() async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        Self.common + """
          create table inKeyword (id, keywordId, lastUpdateTime);
          insert into inKeyword values ('', 'k3', 5), ('', 'k3', 9);
          create table hot (id integer primary key, hotDate, hotTitle, hotDescription, hotLink, isDelete);
          insert into hot values (4, null, null, null, null, 0);
          """, in: folder)
      let storage = Storage.inMemory
      let directory = Self.directory(storage)
      let report = try await directory.importTables(of: LegacyCivicDatabase(url))
      #expect(report.failureCount == 2)
      #expect(try await directory.view().units.count == 2)
      #expect(try await directory.view().activities.map(\.id) == ["4"])
      let cursors = try await storage.store("civic", of: CivicRecord.self).snapshot().checkpoint?
        .cursors
      #expect(cursors?["table.inKeyword"] == nil && cursors?["table.administrativeUnit"] == "6")
    }

    // C13 of Docs/old-apps.md
    @Test(
      "the tables of the real old database contain the values of their JSON",
      .enabled(if: hasPython && SharedData.isThere, "python3 or ../shared is missing"))
    func captures() async throws {
      let folder = try TemporaryFolder()
      let url = folder.url.appending(path: "tainan2.sqlite")
      let program = """
        import glob, json, os, sqlite3, sys
        d = sqlite3.connect(sys.argv[2])
        for path in glob.glob(os.path.join(sys.argv[1], 'tainan-*.json')):
            rows = json.load(open(path, encoding='utf-8'))
            if isinstance(rows, dict): rows = rows['data']
            name = os.path.basename(path)[7:-5]
            columns = list(rows[0])
            d.execute('create table "%s" (%s)' % (name, ','.join('"%s"' % c for c in columns)))
            d.executemany('insert into "%s" values (%s)' % (name, ','.join('?' * len(columns))),
                [[r.get(c) for c in columns] for r in rows])
        d.execute('pragma user_version = 2'); d.commit(); d.close()
        """
      try Tool.run("python3", "-c", program, SharedData.url("civic").path, url.path)
      let imported = Self.directory()
      try await imported.importTables(of: LegacyCivicDatabase(url))
      let read = Self.directory()
      try await read.importTables(in: SharedData.url("civic"))
      #expect(try await imported.view().units.count == 406)
      #expect(try await imported.facilities().count == 6)
      #expect(try await imported.departments().count == 24)
      #expect(Set(try await imported.view().units) == Set(try await read.view().units))
      #expect(Set(try await imported.view().apps) == Set(try await read.view().apps))
      #expect(try await imported.search("社會").count == (try await read.search("社會").count))
    }

    @Test(
      "a file that isn't a database is a typed error, and the directory is unchanged",
      arguments: ["", "text", "key"])
    func noDatabase(content: String) async throws {
      let folder = try TemporaryFolder()
      let url = folder.url.appending(path: "x.sqlite")
      var bytes = Array(content.utf8)
      // An encrypted database looks like noise.
      if content == "key" {
        var random = SeededGenerator(seed: 5)
        bytes = (0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      try Data(bytes).write(to: url)
      let directory = Self.directory()
      let error = await #expect(throws: FieldError.self) {
        try await directory.importTables(of: LegacyCivicDatabase(url))
      }
      #expect(error?.code == .notADatabase)
      #expect(try await directory.view().units.isEmpty)
    }

    @Test("an old database that doesn't exist is a typed error")
    func missing() async throws {
      let error = await #expect(throws: FieldError.self) {
        try await LegacyCivicDatabase(URL(filePath: "/nowhere/x.sqlite")).tables()
      }
      #expect(error?.code == .io)
    }

    @Test(
      "an old database of a newer version or with other tables is a typed error",
      .enabled(if: hasPython, "python3 isn't installed"),
      arguments: [
        (common + "pragma user_version = 3;", FieldError.Code.newerDatabase),
        ("create table other (a);", .notADatabase),
        ("create view keyword as select 1;", .notADatabase),
      ])
    func refused(statements: String, code: FieldError.Code) async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(statements, in: folder)
      let error = await #expect(throws: FieldError.self) {
        try await LegacyCivicDatabase(url).tables()
      }
      #expect(error?.code == code)
    }

    @Test(
      "a damaged old database is a typed error or read, and never crashes the process", .heavy,
      .enabled(if: hasPython, "python3 isn't installed"))
    func damaged() async throws {
      let folder = try TemporaryFolder()
      let rows = (0..<400).map { "('u\($0)', '單位\($0)', '', 1, 1, 1)" }.joined(separator: ",")
      let url = try Self.database(
        Self.common + "insert into AdministrativeUnit values \(rows);", in: folder)
      let whole = [UInt8](try Data(contentsOf: url))
      var random = SeededGenerator(seed: 6)
      var refused = 0
      for turn in 0..<120 {
        var bytes = whole
        if turn.isMultiple(of: 3) {
          bytes = Array(bytes.prefix(Int.random(in: 16..<bytes.count, using: &random)))
        } else {
          for _ in 0..<40 {
            bytes[Int.random(in: 16..<bytes.count, using: &random)] =
              UInt8.random(in: 0...255, using: &random)
          }
        }
        let copy = folder.url.appending(path: "copy.sqlite")
        try Data(bytes).write(to: copy)
        do {
          _ = try await LegacyCivicDatabase(copy).tables()
        } catch let error as FieldError {
          refused += 1
          #expect(
            [.damagedDatabase, .notADatabase, .newerDatabase, .io].contains(error.code), "\(error)")
        }
      }
      #expect(refused > 40)
    }

    @Test(
      "an imported old database isn't written to, nor is anything beside it",
      .enabled(if: hasPython, "python3 isn't installed"))
    func untouched() async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(Self.common, in: folder)
      let before = try Data(contentsOf: url)
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
      let tables = try await LegacyCivicDatabase(url).tables()
      #expect(Set(tables.keys) == [.units, .categories, .memberships, .keywords])
      #expect(try Data(contentsOf: url) == before)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
          == [url.lastPathComponent])
    }
  }
#endif
