import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

/// What went wrong in the old app (Docs/old-apps.md). Lines 5, 7, 9, 10 and 16 are in the tests of the sync
/// too, 12 and 13 in those of the feeds.
@Suite("What the old city app got wrong", .timeLimit(.minutes(60)))
struct CivicOldFaultTests {
  // 5.6-1 of Docs/old-apps.md
  @Test("tiles by rank are typed, also where a column is empty, and aren't always empty")
  func typedRanks() async throws {
    let fixture = try CivicFixture(isFilled: false)
    let directory = fixture.directory
    try await directory.apply(
      Data(#"[{"categoryId":"c","name":null,"iconName":"null"}]"#.utf8), to: .categories)
    try await directory.apply(
      Data(#"[{"keywordId":"k","keyword":null,"rank":"3"}]"#.utf8), to: .keywords)
    try await directory.apply(Data(#"[{"id":"c","keywordId":"k"}]"#.utf8), to: .keywordLinks)
    let tiles = try await directory.facilities()
    #expect(tiles == [UnitCategory(id: "c", name: "")])
  }

  // 5.6-2 of Docs/old-apps.md
  @Test("units by category join the link table, and a unit may be in several categories")
  func join() async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    #expect(try await fixture.directory.units(in: "c1").contains { $0.id == "u4" })
    #expect(try await fixture.directory.units(in: "c2").contains { $0.id == "u4" })
  }

  // 5.6-3 of Docs/old-apps.md
  @Test(
    "a search needs no quotes, and treats % and _ as characters",
    arguments: [("社會", 2), ("%", 1), ("_", 1), ("'", 1), (" \n", 0), ("", 0), ("社%會", 0)])
  func literal(_ text: String, _ count: Int) async throws {
    let fixture = try CivicFixture()
    try await fixture.directory.refresh()
    try await fixture.directory.upsert(CivicUnit(id: "x", name: "a%b_c'd"))
    #expect(try await fixture.directory.search(CivicSearch(text, fields: .name)).count == count)
  }

  // 5.6-4 of Docs/old-apps.md
  @Test("the search history works in a store without tables")
  func historyInNewStore() async throws {
    let folder = try TemporaryFolder()
    let fixture = try CivicFixture(storage: .directory(folder.url), isFilled: false)
    #expect(try await fixture.directory.searchHistory.add("社會"))
    #expect(try await fixture.directory.searchHistory.entries() == [SearchEntry("社會")])
  }

  // 5.6-5 of Docs/old-apps.md
  @Test("links of units are stored as links, and create no categories without a key")
  func linksOfUnits() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.apply(
      Data(#"{"result":0,"data":[{"unitId":"u","categoryId":"c","isDelete":0}]}"#.utf8),
      to: .memberships)
    #expect(try await directory.view().memberships.count == 1)
    #expect(try await directory.view().categories.isEmpty)
  }

  // 5.6-6 of Docs/old-apps.md
  @Test("keyword links are stored by ID, and their time may be misspelled as in the old one")
  func keywordLinks() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.apply(
      Data(#"[{"id":"c","keywordId":"k","lastUpdateTIme":1466400260}]"#.utf8), to: .keywordLinks)
    #expect(
      try await directory.rows(KeywordLink.self) == [
        KeywordLink(
          objectID: "c", keywordID: "k", updatedAt: Date(timeIntervalSince1970: 1_466_400_260))
      ])
  }

  // 5.6-7 of Docs/old-apps.md
  @Test("a unit keeps all its links and synonyms, not the last of each")
  func sets() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let links = (1...4).map { #"{"unitId":"u","categoryId":"c\#($0)"}"# }.joined(separator: ",")
    try await directory.apply(Data("[\(links)]".utf8), to: .memberships)
    try await directory.apply(
      Data(#"[{"unitId":"a09","keyword":"檢舉"},{"unitId":"a09","keyword":"舉發"}]"#.utf8),
      to: .synonyms)
    #expect(try await directory.view().memberships.count == 4)
    #expect(try await directory.view().synonyms.map(\.text) == ["檢舉", "舉發"])
    try await directory.apply(
      Data(#"[{"unitId":"u","categoryId":"c2","isDelete":1}]"#.utf8), to: .memberships)
    #expect(try await directory.view().memberships.map(\.categoryID) == ["c1", "c3", "c4"])
    try await directory.apply(
      Data(#"[{"unitId":"u","categoryId":"c9"}]"#.utf8), to: .memberships)
    #expect(try await directory.view().memberships.map(\.categoryID) == ["c9"])
    try await directory.apply(Data(#"[{"unitId":"u","isDelete":"1"}]"#.utf8), to: .memberships)
    #expect(try await directory.view().memberships.isEmpty)
  }

  // 5.6-8 of Docs/old-apps.md
  @Test("keys are unique, even with many concurrent writes")
  func uniqueKeys() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { try? await directory.upsert(CivicUnit(id: "u", name: "n\(number)")) }
      }
    }
    #expect(try await directory.rows(CivicUnit.self).count == 1)
  }

  // 5.6-8 of Docs/old-apps.md
  @Test("a store that can't be read throws instead of looking empty")
  func failureIsNotEmpty() async throws {
    let folder = try TemporaryFolder()
    try Data("this is no store, but a file of somebody else".utf8)
      .write(to: folder.url.appending(path: "civic.store"))
    let directory = CivicDirectory(
      storage: .directory(folder.url), transport: FakeCivicService(),
      clock: ManualClock(now: CivicFixture.now))
    await #expect(throws: FieldError.self) { try await directory.facilities() }
    await #expect(throws: FieldError.self) { try await directory.search("社會") }
    await #expect(throws: FieldError.self) { try await directory.searchHistory.entries() }
  }

  // 5.6-9 of Docs/old-apps.md
  @Test("a response without a result isn't a success")
  func missingResult() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    let error = await #expect(throws: FieldError.self) {
      try await directory.apply(Data(#"{"data":[{"unitId":"u","name":"n"}]}"#.utf8), to: .units)
    }
    #expect(error?.code == .civicResult)
    #expect(try await directory.view().units.isEmpty)
  }

  // 5.6-11 of Docs/old-apps.md
  @Test("all parts of the app read the same store of their storage")
  func oneStore() async throws {
    let folder = try TemporaryFolder()
    let writer = try CivicFixture(storage: .directory(folder.url))
    try await writer.directory.refresh()
    let reader = try CivicFixture(storage: .directory(folder.url))
    #expect(try await reader.directory.facilities().count == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    // The feeds have a store of their own, which is opened with the directory.
    #expect(
      Set(names.filter { $0.hasSuffix(".store") }) == ["civic.store", "civic-feeds.store"])
  }

  // 5.6-11 of Docs/old-apps.md
  @Test("an empty directory has no tiles, and nothing traps")
  func emptyTiles() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    #expect(try await directory.quickServices().isEmpty)
    #expect(try await directory.departments().isEmpty)
    #expect(try await directory.search("社會").isEmpty)
    #expect(try await directory.searchEverything("社會").isEmpty)
  }

  // 5.6-14 of Docs/old-apps.md
  @Test(
    "a banner has a name, and store URLs and pictures belong to the app's own row")
  func ownRows() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    try await directory.apply(
      Data(#"[{"edmId":"e","edmName":"花燈","edmEndDay":"2018-12-31 00:00:00"}]"#.utf8),
      to: .banners)
    try await directory.apply(
      Data(#"[{"appId":"b","appName":"乙","appURL":"tw.b.b","appImage":"b.png"}]"#.utf8), to: .apps)
    try await directory.apply(
      Data(#"[{"appId":"a","appName":"甲","appURL":"tw.a.a","appImage":"a.png"}]"#.utf8), to: .apps)
    let banner = try #require(try await directory.banners().first)
    #expect(banner.name == "花燈")
    #expect(banner.lastDay == (try CalendarDay("2018-12-31")))
    for app in try await directory.apps() {
      #expect(app.imageName == "\(app.id).png")
      #expect(app.androidPackage == "tw.\(app.id).\(app.id)")
    }
  }

  // 5.6-15 of Docs/old-apps.md
  @Test("the first launch of each screen is reported once, independently")
  func launches() async throws {
    let directory = try CivicFixture(isFilled: false).directory
    for flag in [LaunchFlag.app, .messages, .facilities, .map, "services"] {
      #expect(try await directory.claimFirstLaunch(of: flag))
      #expect(try await directory.claimFirstLaunch(of: flag) == false)
    }
  }
}
