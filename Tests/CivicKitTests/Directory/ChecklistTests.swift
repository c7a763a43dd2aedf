import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

/// What the old app could do (Docs/old-apps.md); C2 is in the tests of the sync too, C5 in those of the search,
/// C8 and C13 in those of the feeds and of the import.
@Suite("What the old city app did", .timeLimit(.minutes(60)))
struct CivicChecklistTests {
  // C1 of Docs/old-apps.md
  @Test("rows of every table are created, inserted or replaced, listed and deleted")
  func typedRows() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await Self.check(CivicUnit(id: "u", name: "甲"), CivicUnit(id: "u", name: "乙"), directory)
    try await Self.check(
      UnitCategory(id: "c", name: "甲"), UnitCategory(id: "c", name: "乙"), directory)
    let day = Date(timeIntervalSince1970: 9)
    try await Self.check(
      UnitMembership(unitID: "u", categoryID: "c"),
      UnitMembership(unitID: "u", categoryID: "c", updatedAt: day), directory)
    try await Self.check(
      CivicKeyword(id: "k", text: "甲"), CivicKeyword(id: "k", text: "甲", kind: .facility), directory
    )
    try await Self.check(
      KeywordLink(objectID: "c", keywordID: "k"),
      KeywordLink(objectID: "c", keywordID: "k", updatedAt: day), directory)
    let synonym = UnitSynonym(unitID: "u", text: "檢舉")
    try await Self.check(synonym, synonym, directory)
    try await Self.check(
      CivicBanner(id: "e", name: "甲"), CivicBanner(id: "e", name: "乙"), directory)
    try await Self.check(
      CityActivity(id: "h", title: "甲"), CityActivity(id: "h", title: "甲", isHidden: true),
      directory)
    try await Self.check(CivicApp(id: "a", name: "甲"), CivicApp(id: "a", name: "乙"), directory)
    try await Self.check(
      InstructionPage(id: 1, name: "start"), InstructionPage(id: 1, name: "start", isRead: true),
      directory)
    try await Self.check(SearchEntry("社會"), SearchEntry("社會"), directory)
  }

  // C1 of Docs/old-apps.md
  @Test(
    "the table of activities is filled by a feed, which replaces its own rows, and by rows"
  )
  func activityTable() async throws {
    func rss(_ title: String) -> String {
      "<rss version=\"2.0\"><channel><title>t</title><item><title>\(title)</title>"
        + "<link>https://example.tw/a?s=2</link></item></channel></rss>"
    }
    let transport = StubTransport { stubs in
      stubs.onRequest(
        where: { $0.method == .get },
        respond: .sequence(.text(rss("甲")), .text(rss("乙")), repeatingLast: true))
    }
    let feeds = FeedFixture.feeds(transport, feeds: [FeedFixture.activities])
    let directory = CivicDirectory(
      source: nil, repository: Storage.inMemory.store("civic"), feeds: feeds,
      pictures: AssetCache(storage: .inMemory, transport: transport),
      clock: ManualClock(now: CivicFixture.now))
    #expect(try await directory.activities().map(\.title) == ["甲"])
    try await directory.refresh()
    #expect(try await directory.activities().map(\.title) == ["乙"])
    try await directory.apply(Data(#"[{"id":1,"hotTitle":"丙"}]"#.utf8), to: .activities)
    #expect(try await feeds.storedActivities().map(\.title) == ["乙"])
    #expect(try await directory.activities().map(\.title).sorted() == ["丙", "乙"].sorted())
    try await directory.eraseAll()
    #expect(try await feeds.storedActivities().isEmpty)
    #expect(try await directory.view().activities.isEmpty)
  }

  private static func check<Row: CivicTableRow>(
    _ row: Row, _ changed: Row, _ directory: CivicDirectory
  ) async throws {
    try await directory.create(row)
    #expect(try await directory.rows(Row.self) == [row])
    let error = await #expect(throws: FieldError.self) { try await directory.create(changed) }
    #expect(error?.code == .civicRowExists, "\(Row.table)")
    try await directory.upsert(changed)
    #expect(try await directory.rows(Row.self) == [changed])
    #expect(try await directory.delete(Row.self, id: row.id))
    #expect(try await directory.delete(Row.self, id: row.id) == false)
    #expect(try await directory.rows(Row.self).isEmpty, "\(Row.table)")
  }

  // C1 of Docs/old-apps.md
  @Test("a row that can't be stored is rejected with the reason")
  func validated() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let error = await #expect(throws: FieldError.self) {
      try await directory.create(CivicUnit(id: " ", name: "null"))
    }
    #expect(error?.code == .invalidInput)
    #expect(error?.problems == ["unitId is blank", "name is blank"])
  }

  // C1 of Docs/old-apps.md
  @Test("an edit is one commit, or none if it throws")
  func edit() async throws {
    let fixture = try CivicFixture(isFilled: false)
    try await fixture.directory.edit { edit in
      try edit.create(CivicUnit(id: "u1", name: "市民服務台"))
      try edit.setCategories(["c1", "c2", "c1"], of: "u1")
    }
    let snapshot = try await fixture.snapshot()
    #expect(snapshot.revision.number == 1)
    #expect(try await fixture.directory.view().memberships.map(\.categoryID) == ["c1", "c2"])
    await #expect(throws: FieldError.self) {
      try await fixture.directory.edit { edit in
        try edit.upsert(CivicUnit(id: "u2", name: "乙"))
        try edit.create(CivicUnit(id: "u1", name: "甲"))
      }
    }
    #expect(try await fixture.snapshot().revision == snapshot.revision)
  }

  // C1 of Docs/old-apps.md
  @Test("two directories in one storage are separate stores if their names differ")
  func names() async throws {
    let storage = Storage.inMemory
    let one = CivicDirectory(name: "tainan", storage: storage, transport: FakeCivicService())
    let other = CivicDirectory(name: "chiayi", storage: storage, transport: FakeCivicService())
    try await one.edit { try $0.upsert(CivicUnit(id: "u", name: "甲")) }
    #expect(try await one.view().units.map(\.name) == ["甲"])
    #expect(try await other.view().units.isEmpty)
    try await other.edit { try $0.upsert(CivicUnit(id: "u", name: "乙")) }
    try await one.eraseAll()
    #expect(try await one.view().units.isEmpty)
    #expect(try await other.view().units.map(\.name) == ["乙"])
  }

  // C3 of Docs/old-apps.md
  @Test("tiles are listed by rank, and units by the same ranks")
  func ranks() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    #expect(try await fixture.directory.departments().map(\.name) == ["府本部"])
    #expect(try await fixture.directory.quickServices().map(\.name) == ["補助資訊"])
    #expect(try await fixture.directory.facilities().map(\.name) == ["廁所", "商店"])
    #expect(try await fixture.directory.units(of: .facility).map(\.id) == ["u3"])
    #expect(try await fixture.directory.categories(of: CategoryKind(rawValue: 9)).isEmpty)
  }

  // C3 of Docs/old-apps.md
  @Test("items tied to keywords of two ranks appear under both")
  func twoRanks() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let directory = fixture.directory
    // The same link in both orders: c1 gets the later rank second, c4 first.
    try await directory.upsert(KeywordLink(objectID: "c1", keywordID: "k2"))
    try await directory.upsert(KeywordLink(objectID: "c4", keywordID: "k1"))
    try await directory.upsert(KeywordLink(objectID: "u3", keywordID: "k2"))
    #expect(try await directory.departments().map(\.name) == ["府本部", "商店"])
    #expect(try await directory.quickServices().map(\.name) == ["府本部", "補助資訊"])
    #expect(try await directory.facilities().map(\.name) == ["廁所", "商店"])
    #expect(try await directory.units(of: .facility).map(\.id) == ["u3"])
    #expect(try await directory.units(of: .quickService).map(\.id) == ["u3"])
    // Two keywords of one rank are one tile.
    try await directory.upsert(CivicKeyword(id: "k4", text: "市府設施", kind: .facility))
    try await directory.upsert(KeywordLink(objectID: "c3", keywordID: "k4"))
    #expect(try await directory.facilities().map(\.name) == ["廁所", "商店"])
  }

  // C4 of Docs/old-apps.md
  @Test("units of a category keep the order of their table, whatever the order of the links")
  func shuffledLinks() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let units = ["d", "a", "c", "e", "b"]
    for id in units { try await directory.upsert(CivicUnit(id: .init(rawValue: id), name: id)) }
    for id in ["b", "c", "d", "a", "c", "b"] {
      try await directory.upsert(
        UnitMembership(unitID: .init(rawValue: id), categoryID: id == "a" ? "y" : "x"))
      try await directory.upsert(UnitMembership(unitID: .init(rawValue: id), categoryID: "z"))
    }
    #expect(try await directory.units(in: "x").map(\.id) == ["d", "c", "b"])
    #expect(try await directory.units(in: "z").map(\.id) == ["d", "a", "c", "b"])
    // A unit that changes stays where it is, and one that comes back goes to the end.
    try await directory.upsert(CivicUnit(id: "d", name: "z"))
    #expect(try await directory.units(in: "x").map(\.name) == ["z", "c", "b"])
    #expect(try await directory.delete(CivicUnit.self, id: "d"))
    try await directory.upsert(CivicUnit(id: "d", name: "d"))
    try await directory.upsert(UnitMembership(unitID: "d", categoryID: "x"))
    #expect(try await directory.units(in: "x").map(\.id) == ["c", "b", "d"])
  }

  // C4 of Docs/old-apps.md
  @Test("units of a category come through the links, each once, in the order of their table")
  func unitsOfCategory() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    #expect(try await fixture.directory.units(in: "c1").map(\.id) == ["u1", "u2", "u4"])
    #expect(try await fixture.directory.units(in: "c2").map(\.id) == ["u4"])
    #expect(try await fixture.directory.units(in: "c9").isEmpty)
    try await fixture.directory.upsert(UnitMembership(unitID: "nobody", categoryID: "c2"))
    #expect(try await fixture.directory.units(in: "c2").map(\.id) == ["u4"])
  }

  // C6 of Docs/old-apps.md
  @Test("the search history adds new entries and reports it, in order, within a limit, permanently")
  func history() async throws {
    let folder = try TemporaryFolder()
    let options = CivicOptions(historyLimit: 3)
    let fixture = try CivicFixture(storage: .directory(folder.url), options: options)
    let history = fixture.directory.searchHistory
    #expect(try await history.add("社會"))
    #expect(try await history.add(" 廁所\n"))
    #expect(try await history.add("社會 ") == false)
    #expect(try await history.add("  ") == false)
    #expect(try await history.entries().map(\.text) == ["社會", "廁所"])
    try await history.add("電梯")
    try await history.add("商店")
    #expect(try await history.entries().map(\.text) == ["廁所", "電梯", "商店"])
    try await fixture.directory.close()
    let again = try CivicFixture(storage: .directory(folder.url), options: options)
    #expect(
      try await again.directory.searchHistory.entries().map(\.text) == ["廁所", "電梯", "商店"])
    #expect(try await again.directory.searchHistory.remove("電梯"))
    #expect(try await again.directory.searchHistory.remove("電梯") == false)
    try await again.directory.searchHistory.clear()
    #expect(try await again.directory.searchHistory.entries().isEmpty)
  }

  // C7 of Docs/old-apps.md
  @Test("news arrives through the front door")
  func news() async throws {
    let rss =
      "<rss version=\"2.0\"><channel><title>t</title><item><title>市府新聞</title>"
      + "<link>https://example.tw/News_Content.aspx?n=1&amp;s=2</link></item></channel></rss>"
    let transport = StubTransport { stubs in
      stubs.onRequest(where: { $0.method == .get }, respond: .text(rss))
    }
    let directory = CivicDirectory(
      storage: .inMemory, transport: transport, clock: ManualClock(now: CivicFixture.now))
    try await directory.refresh()
    let news = try await directory.news()
    #expect(news.map(\.title) == ["市府新聞"])
    let activities = try await directory.activities()
    try await directory.hide(activities[0].id)
    #expect(try await directory.activities().isEmpty)
    #expect(try await directory.activities(includingHidden: true).count == 1)
    #expect(try await directory.searchEverything("新聞").news.count == 1)
  }

  // C9 of Docs/old-apps.md
  @Test("banners appear until the end of their last day in Taiwan; a pager stays within them")
  func banners() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    // 2017-03-20, 16:53 in Taiwan.
    #expect(try await fixture.directory.banners().map(\.name) == ["花燈"])
    #expect(try await fixture.directory.banners(includingPast: true).count == 2)
    fixture.clock.advance(by: .seconds(8 * 3600))
    #expect(try await fixture.directory.banners().isEmpty)
    var pager = BannerPager(count: 3)
    pager.move(by: -1)
    #expect(pager.index == 0)
    pager.move(by: 5)
    #expect(pager.index == 2)
    pager.move(by: .max)
    #expect(pager.index == 2)
    #expect(BannerPager(count: 0, index: 4).index == 0)
  }

  // C10 of Docs/old-apps.md
  @Test("apps have separate iOS and Android URLs")
  func apps() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let app = try #require(try await fixture.directory.apps().first)
    #expect(app.iOSURL?.absoluteString == "https://itunes.apple.com/tw/app/x/id1")
    #expect(
      app.androidURL?.absoluteString
        == "https://play.google.com/store/apps/details?id=tms.tw.governmentcase.TainanBus")
  }

  // C10 of Docs/old-apps.md
  @Test(
    "a URL goes to the right place, whatever its column is called",
    arguments: ["appURL", "appIOSUrl", "iosAppUrl"])
  func addresses(_ column: String) async throws {
    let directory = try CivicFixture(isFilled: false).directory
    for (id, address) in [
      ("a", "tw.gov.tncp&hl=zh_TW"), ("b", "itms://itunes.apple.com/x/id1"),
      ("c", "https://play.google.com/store/apps/details?hl=zh&id=tw.gov.x"), ("d", "null"),
    ] {
      try await directory.apply(
        Data(#"{"appId":"\#(id)","appName":"n","\#(column)":"\#(address)"}"#.utf8), to: .apps)
    }
    let apps = try await directory.apps()
    #expect(apps.map(\.androidPackage) == ["tw.gov.tncp", nil, "tw.gov.x", nil])
    #expect(apps.map { $0.iOSAddress != nil } == [false, true, false, false])
  }

  // C10 of Docs/old-apps.md
  @Test("a picture comes from the app's folder, or is downloaded once and kept")
  func pictures() async throws {
    let folder = try TemporaryFolder()
    let bundled = try TemporaryFolder()
    try Data(CivicFixture.png).write(to: bundled.url.appending(path: "e1.png"))
    let fixture = try CivicFixture(
      storage: .directory(folder.url), options: CivicOptions(pictureFolder: bundled.url))
    fixture.server.addPicture("a1.png", CivicFixture.png)
    try await fixture.directory.refresh()
    let asked = fixture.server.requests.count
    let banner = try #require(try await fixture.directory.banners().first)
    #expect(try await fixture.directory.image(for: banner)?.data == Data(CivicFixture.png))
    #expect(fixture.server.requests.count == asked)
    let app = try #require(try await fixture.directory.apps().first)
    for _ in 0..<2 {
      #expect(try await fixture.directory.image(for: app)?.data == Data(CivicFixture.png))
    }
    #expect(fixture.server.requests.count == asked + 1)
    #expect(
      fixture.server.requests.last?.url.path() == "/media/project/project_1450347754/a1.png")
    let unit = try #require(try await fixture.directory.unit("u1")).unit
    #expect(try await fixture.directory.icon(for: unit) == nil)
  }

  // C10 of Docs/old-apps.md
  @Test(
    "a name that leads to another folder is rejected",
    arguments: ["../a.png", "a/b", "..", "../\u{301}a.png", "a\0\u{301}.png"])
  func pictureNames(_ name: String) async throws {
    let fixture = try CivicFixture()
    let error = await #expect(throws: FieldError.self) {
      try await fixture.directory.image(for: CivicBanner(id: "e", name: "x", imageName: name))
    }
    #expect(error?.code == .invalidInput)
  }

  // C11 of Docs/old-apps.md
  @Test("a unit has its phones, floor, place, path, categories, ancestors and children")
  func detail() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    let detail = try #require(try await fixture.directory.unit("u4"))
    #expect(detail.unit.phones.map(\.description) == ["06-2991111#8492", "06-6322231#5026"])
    #expect(detail.unit.floor?.description == "1F")
    #expect(detail.unit.planPosition == PlanPosition(x: 10, y: 20))
    #expect(detail.categories.map(\.name) == ["府本部", "補助資訊"])
    #expect(detail.ancestors.map(\.id) == ["u2", "u1"])
    #expect(try await fixture.directory.unit("u1")?.children.map(\.id) == ["u2", "u3"])
    #expect(try await fixture.directory.unit("u5")?.parent == .missing("gone"))
    #expect(try await fixture.directory.unit("u1")?.parent == UnitParent.none)
    #expect(try await fixture.directory.unit("u9") == nil)
  }

  // C11 of Docs/old-apps.md
  @Test("a circular chain of parents ends")
  func cycle() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.upsert(CivicUnit(id: "a", name: "a", parentID: "b"))
    try await directory.upsert(CivicUnit(id: "b", name: "b", parentID: "c"))
    try await directory.upsert(CivicUnit(id: "c", name: "c", parentID: "b"))
    #expect(try await directory.unit("a")?.ancestors.map(\.id) == ["b", "c"])
    try await directory.upsert(CivicUnit(id: "a", name: "a", parentID: "a"))
    #expect(try await directory.unit("a")?.ancestors.isEmpty == true)
  }

  // C12 of Docs/old-apps.md
  @Test("pages of the guide are read once")
  func guide() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let json = #"[{"id":10,"name":"welcome","read":1},{"id":"3","name":"upDown","read":"0"}]"#
    try await directory.apply(Data(json.utf8), to: .instructions)
    #expect(try await directory.instructions().map(\.isRead) == [true, false])
    #expect(try await directory.markRead(3))
    #expect(try await directory.markRead(3) == false)
    #expect(try await directory.markRead(4) == false)
  }

  // C8, C11, C14 of Docs/old-apps.md
  @Test(
    "titles, labels, and questions exist in Chinese and English",
    arguments: [
      (CivicTexts.newsTitle, "市府訊息", "City Hall Messages"),
      (CivicTexts.activitiesTitle, "熱門活動", "Hot activities"),
      (CivicTexts.quickServicesTitle, "便民服務", "Services"),
      (CivicTexts.departmentsTitle, "局處導覽", "Department navigation"),
      (CivicTexts.facilitiesTitle, "市府設施", "City Hall facilities"),
      (CivicTexts.appsTitle, "市府APP專區", "City Hall APPs"),
      (CivicTexts.publishedLabel, "發布日期", "Published"),
      (CivicTexts.hideQuestion, "是否隱藏此活動訊息？", "Hide this activity?"),
      (CivicTexts.hiddenSwitch(isShowing: false), "顯示隱藏的活動訊息", "Show hidden activities"),
      (CivicTexts.hiddenSwitch(isShowing: true), "不顯示隱藏的活動訊息", "Do not show hidden activities"),
      (CivicTexts.positionAction, "位置", "Location"),
      (CivicTexts.guideAction, "導航", "Directions"),
    ])
  func titles(_ text: FieldText, _ chinese: String, _ english: String) {
    #expect(text.string(in: TextLanguage(rawValue: "zh-TW")) == chinese)
    #expect(text.string() == english)
  }

  // C2 of Docs/old-apps.md
  @Test("every status that the user must see has the old app's text, and the others have none")
  func statusTexts() {
    func failed(_ code: FieldError.Code) -> RefreshProgress.Outcome {
      .failed(FieldError(code, "x"))
    }
    for (outcome, chinese, english) in [
      (nil, "資料中下載中，請稍候...", "Downloading, please wait …"),
      (failed(.offline), "網路連線錯誤！", "Network error!"),
      (
        failed(.civicResult), "伺服器錯誤，顯示既有資料。",
        "The city's server has failed; old data is shown."
      ),
      (failed(.diskFull), "無法將資料儲存到此裝置。", "The data cannot be stored on this device."),
      (.finished(RefreshReport(outcome: .updated, date: CivicFixture.now)), nil, nil),
      (.cancelled, nil, nil),
    ] as [(RefreshProgress.Outcome?, String?, String?)] {
      let text = CivicTexts.text(
        for: RefreshProgress(
          kit: "civic", phase: .requesting, fractionCompleted: 0, outcome: outcome))
      #expect(text?.string(in: TextLanguage(rawValue: "zh-TW")) == chinese)
      #expect(text?.string() == english)
    }
    #expect(CivicTexts.title(of: .facility) == CivicTexts.facilitiesTitle)
    #expect(CivicTexts.title(of: .quickService) == CivicTexts.quickServicesTitle)
    #expect(CivicTexts.title(of: .administrative) == CivicTexts.departmentsTitle)
    #expect(CivicTexts.title(of: CategoryKind(rawValue: 4)) == nil)
  }
}
