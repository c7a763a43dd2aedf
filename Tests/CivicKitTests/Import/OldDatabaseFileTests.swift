#if SQLite
  import CivicKit
  import FieldCore
  import Foundation
  import TestSupport
  import Testing

  @Suite(
    "The old app's database on a device", .timeLimit(.minutes(60)),
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  struct OldDatabaseFileTests {
    private static let table =
      "create table administrativeUnit (unitId text, name text, lastUpdateTime int);"

    /// A database that a program makes at the path `p`.
    private static func database(_ program: String, in folder: TemporaryFolder) throws -> URL {
      let url = folder.url.appending(path: "itriTainan.sqlite")
      try Tool.run(
        "python3", "-c", "import os, shutil, sqlite3, sys\np = sys.argv[1]\n" + program, url.path)
      return url
    }

    private static func content(of folder: TemporaryFolder) throws -> [String: Data] {
      var content: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
        content[name] = try Data(contentsOf: folder.url.appending(path: name))
      }
      return content
    }

    private static func names(in url: URL) async throws -> [String] {
      let rows = try await LegacyCivicDatabase(url).tables()[.units] ?? Data("[]".utf8)
      struct Row: Decodable { var name: String }
      return try JSONDecoder().decode([Row].self, from: rows).map(\.name)
    }

    // C13 of Docs/old-apps.md
    @Test("the old app's database is read with its log, without writing to either or beside them")
    func log() async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        """
        d = sqlite3.connect(p + '.x')
        d.execute('pragma journal_mode = wal'); d.execute('pragma wal_autocheckpoint = 0')
        d.executescript("\(Self.table)")
        d.execute("insert into administrativeUnit values ('u1', '在日誌裡', 5)"); d.commit()
        shutil.copy(p + '.x', p); shutil.copy(p + '.x-wal', p + '-wal')
        d.close(); os.remove(p + '.x')
        """, in: folder)
      let before = try Self.content(of: folder)
      #expect(before.count == 2)
      #expect(try await Self.names(in: url) == ["在日誌裡"])
      #expect(try Self.content(of: folder) == before)
    }

    // C13 of Docs/old-apps.md
    @Test(
      "the old app's database has stream-safe texts and names of columns, which are hashed in time")
    func marks() async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        """
        d = sqlite3.connect(p); m = 'x' + '\\u035a\\u0345' * 20000
        d.execute('create table administrativeUnit (unitId text, name text, "' + m + '" text)')
        d.execute('insert into administrativeUnit values (?, ?, ?)', ('u1', m, m)); d.commit()
        """, in: folder)
      let name = try #require(try await Self.names(in: url).first)
      #expect(name.utf8.count > 80_000)
      #expect(name.utf8.elementsEqual(name.streamSafe.utf8))
    }

    // C13 of Docs/old-apps.md
    @Test(
      "the old app's database in write-ahead mode is read without a log, and no log is created")
    func withoutLog() async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        """
        d = sqlite3.connect(p); d.execute('pragma journal_mode = wal')
        d.executescript("\(Self.table)")
        d.execute("insert into administrativeUnit values ('u1', '甲', 5)"); d.commit(); d.close()
        """, in: folder)
      let before = try Self.content(of: folder)
      #expect(try await Self.names(in: url) == ["甲"])
      #expect(try Self.content(of: folder) == before)
    }

    // C13 of Docs/old-apps.md
    @Test("the old app's database interrupted during a change is read as it was before the change")
    func journal() async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        """
        d = sqlite3.connect(p + '.x'); d.execute('pragma cache_size = 5')
        d.executescript("\(Self.table)")
        d.execute("insert into administrativeUnit values ('u1', '之前', 5)"); d.commit()
        d.execute("update administrativeUnit set name = '之後'")
        d.executemany("insert into administrativeUnit values (?, ?, 5)",
            [('x%d' % n, 'n' * 100) for n in range(3000)])
        shutil.copy(p + '.x', p); shutil.copy(p + '.x-journal', p + '-journal')
        d.rollback(); d.close(); os.remove(p + '.x')
        """, in: folder)
      let before = try Self.content(of: folder)
      #expect(before.count == 2)
      #expect(try await Self.names(in: url) == ["之前"])
      #expect(try Self.content(of: folder) == before)
    }

    // C13 of Docs/old-apps.md
    @Test(
      "the old app's database in any encoding is read, including text stored as bytes",
      arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func encodings(_ encoding: String) async throws {
      let folder = try TemporaryFolder()
      let url = try Self.database(
        """
        d = sqlite3.connect(p); d.execute("pragma encoding = '\(encoding)'")
        d.executescript("\(Self.table)")
        d.execute("insert into administrativeUnit values ('u1', '臺南😀', 5)")
        d.execute("insert into administrativeUnit values ('u2', ?, 5)", ('市政府'.encode(),))
        d.commit(); d.close()
        """, in: folder)
      #expect(try await Self.names(in: url) == ["臺南😀", "市政府"])
    }

    // C13 of Docs/old-apps.md
    @Test("the old database returns rows of one moment while another process writes, or is busy")
    func written() async throws {
      #if os(macOS) || os(Linux)
        let folder = try TemporaryFolder()
        let url = try Self.database(
          "d = sqlite3.connect(p); d.executescript(\"\(Self.table)\"); d.close()", in: folder)
        let end = folder.url.appending(path: "end")
        let writer = Process()
        writer.executableURL = URL(filePath: "/usr/bin/env")
        writer.arguments = [
          "python3", "-c",
          """
          import os, sqlite3, sys
          d = sqlite3.connect(sys.argv[1], timeout=60); n = 0
          while not os.path.exists(sys.argv[2]):
              n += 1; d.execute('delete from administrativeUnit')
              d.executemany('insert into administrativeUnit values (?, ?, 5)',
                  [('x%d' % i, 'n%d' % n) for i in range(200)])
              d.commit()
          """, url.path, end.path,
        ]
        try writer.run()
        defer {
          try? Data().write(to: end)
          writer.waitUntilExit()
        }
        for _ in 0..<60 {
          do {
            let names = try await Self.names(in: url)
            #expect([0, 200].contains(names.count))
            #expect(Set(names).count <= 1)
          } catch let error as FieldError {
            #expect(error.code == .io, "\(error)")
          }
        }
      #endif
    }
  }
#endif
