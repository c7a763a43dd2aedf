import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Oddly shaped rows of the source", .timeLimit(.minutes(60)))
struct SourceShapeTests {
  // C10 of Docs/old-apps.md
  @Test("one column with an app's URLs isn't cleared by another's null")
  func addresses() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let apple = "https://itunes.apple.com/tw/app/x/id1"
    try await directory.apply(
      Data(
        """
        [{"appId":"a","appName":"甲","appURL":"\(apple)","appIOSUrl":null},
         {"appId":"b","appName":"乙","appURL":"null","appIOSUrl":"\(apple)"},
         {"appId":"c","appName":"丙","appURL":"tw.c.c","appIOSUrl":""},
         {"appId":"d","appName":"丁","appURL":"tw.d.d","iosAppUrl":"\(apple)"}]
        """.utf8), to: .apps)
    #expect(try await directory.apps().map(\.iOSAddress) == [apple, apple, nil, apple])
    #expect(try await directory.apps().map(\.androidPackage) == [nil, nil, "tw.c.c", "tw.d.d"])
    // A column that says nothing takes away what it has given.
    try await directory.apply(
      Data(#"{"appId":"d","appURL":"tw.d.e","appIOSUrl":null}"#.utf8), to: .apps)
    #expect(try await directory.rows(CivicApp.self).last?.iOSAddress == nil)
    #expect(try await directory.rows(CivicApp.self).last?.androidPackage == "tw.d.e")
  }

  @Test("a C string's terminating zero isn't part of a text or a key")
  func zeros() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.apply(
      Data(#"{"unitId":"u1\u0000","name":"甲\u0000","tel":"\u0000"}"#.utf8), to: .units)
    let unit = try #require(try await directory.unit("u1")).unit
    #expect(unit.name == "甲")
    #expect(unit.phones.rawText.isEmpty)
  }

  @Test("a Mac's hidden files in a folder aren't tables")
  func macFiles() async throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("tainan-edm.json", "[]"), ("._tainan-edm.json", "\0\u{5}\u{16}\u{7}")] {
      try Data(text.utf8).write(to: folder.url.appending(path: name))
    }
    #expect(try await CivicTableFiles.read(folder.url) == [.banners: Data("[]".utf8)])
  }

  @Test("twenty thousand categories of one unit cause no trouble")
  func manyCategories() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let ids = (0..<20_000).map { UnitCategory.ID(rawValue: "c\($0)") }
    try await directory.edit { try $0.setCategories(ids + ids, of: "u") }
    #expect(try await directory.view().memberships.map(\.categoryID) == ids)
    try await directory.edit { try $0.setCategories(ids.reversed(), of: "u") }
    #expect(try await directory.view().memberships.map(\.categoryID) == ids.reversed())
  }

  // C6 of Docs/old-apps.md
  @Test("an imported history has the maximum length, with the newest texts")
  func longHistory() async throws {
    let directory = try CivicFixture(
      isFilled: false, options: CivicOptions(historyLimit: 3)
    ).directory
    let rows = (1...5).map { #"{"searchKeyword":"t\#($0)"}"# }.joined(separator: ",")
    try await directory.apply(Data("[\(rows)]".utf8), to: .searchHistory)
    let history = directory.searchHistory
    #expect(try await history.entries().map(\.text) == ["t3", "t4", "t5"])
    #expect(try await history.add("t4") == false)
    #expect(try await history.add("t1"))
    #expect(try await history.entries().map(\.text) == ["t4", "t5", "t1"])
    #expect(try await directory.rows(SearchEntry.self).map(\.text) == ["t4", "t5", "t1"])
  }
}
