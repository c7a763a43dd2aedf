import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

// C12 of Docs/old-apps.md
@Suite("A first launch", .timeLimit(.minutes(60)))
struct LaunchTests {
  // C12 of Docs/old-apps.md
  @Test("a first launch is claimed once by many concurrent callers")
  func manyCallers() async throws {
    let folder = try TemporaryFolder()
    let directory = try CivicFixture(storage: .directory(folder.url), isFilled: false).directory
    let claims = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { try await directory.claimFirstLaunch(of: .app) } }
      return try await group.reduce(into: [Bool]()) { $0.append($1) }
    }
    #expect(claims.count { $0 } == 1)
  }

  // C12 of Docs/old-apps.md
  @Test(
    "a first launch is claimed once by two stores that share only a directory, like two processes",
    .timeLimit(.minutes(60)))
  func twoProcesses() async throws {
    for _ in 0..<10 {
      let folder = try TemporaryFolder()
      let path = folder.url.appending(path: "civic.store").path
      // Stores that share nothing, as if they were in two processes.
      let first = Self.directory(FileStore<CivicRecord>(unsharedPath: path))
      let second = Self.directory(FileStore<CivicRecord>(unsharedPath: path))
      async let one = first.claimFirstLaunch(of: .app)
      async let other = second.claimFirstLaunch(of: .app)
      let claims = try await [one, other]
      #expect(claims.count { $0 } == 1)
    }
  }

  // C12 of Docs/old-apps.md
  @Test("a first launch stays claimed after a crash")
  func crash() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "civic.store").path
    #expect(
      try await Self.directory(FileStore(unsharedPath: path)).claimFirstLaunch(of: .map))
    // Nothing was closed: what the next process finds is what was on the disk.
    let next = Self.directory(FileStore(unsharedPath: path))
    #expect(try await next.claimFirstLaunch(of: .map) == false)
  }

  // C12 of Docs/old-apps.md
  @Test("a first launch isn't claimed if it can't be recorded")
  func notNoted() async throws {
    let folder = try TemporaryFolder()
    let writer = try CivicFixture(storage: .directory(folder.url), isFilled: false).directory
    try await writer.open()
    let reader = CivicFixture.directory(
      of: FakeCivicService(), storage: .directory(folder.url, access: .readOnly),
      clock: ManualClock(now: CivicFixture.now))
    let error = await #expect(throws: FieldError.self) {
      try await reader.claimFirstLaunch(of: .app)
    }
    #expect(error?.code == .readOnly)
    #expect(try await writer.claimFirstLaunch(of: .app))
  }

  private static func directory(_ store: FileStore<CivicRecord>) -> CivicDirectory {
    let server = FakeCivicService()
    return CivicDirectory(
      source: nil, repository: store,
      feeds: CityFeeds(storage: .inMemory, transport: server, feeds: []),
      pictures: AssetCache(storage: .inMemory, transport: server))
  }

  // C12 of Docs/old-apps.md
  @Test(
    "old launch flags are imported from a dictionary",
    arguments: [
      (["isAppLaunchBefore": true], [LaunchFlag.app]),
      (["isMessageLaunchBefore": true, "isMapLaunchBefore": true], [.messages, .map]),
      (["isFacilityLaunchBefore": true, "isAppLaunchBefore": false], [.facilities]),
      (["isAppFirstLaunch": false], [.app]),
      (["isAppFirstLaunch": true, "other": true], []),
    ])
  func dictionary(_ values: [String: Bool], _ flags: [LaunchFlag]) async throws {
    let old = LegacyLaunchFlags(values)
    #expect(old.launched == Set(flags))
    let directory = try CivicFixture(isFilled: false).directory
    #expect(try await directory.importLegacyData(old) == Set(flags))
    #expect(try await directory.importLegacyData(old).isEmpty)
    for flag in flags { #expect(try await directory.claimFirstLaunch(of: flag) == false) }
  }

  // C12 of Docs/old-apps.md
  @Test("old launch flags are imported from a property list", arguments: [true, false])
  func propertyList(_ isBinary: Bool) throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: [
        "isAppLaunchBefore": true, "isMapLaunchBefore": 1, "isMessageLaunchBefore": false,
        "language": "zh",
      ], format: isBinary ? .binary : .xml, options: 0)
    #expect(try LegacyLaunchFlags(propertyList: data).launched == [.app, .map])
    let error = #expect(throws: FieldError.self) {
      try LegacyLaunchFlags(propertyList: Data("no list".utf8))
    }
    #expect(error?.code == .malformed)
  }
}
