import CivicKit
import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Two cities in one storage", .timeLimit(.minutes(60)))
struct NamedDirectoryTests {
  private static func city(
    _ name: String, storage: Storage, picture: UInt8
  ) throws -> (directory: CivicDirectory, server: FakeCivicService) {
    let tables = FakeCivicService()
    tables.addPicture("e1.png", CivicFixture.png + [picture])
    try tables.put("administrativeUnit", #"{"unitId":"u","name":"\#(name)"}"#)
    let transport = StubTransport { stubs in
      stubs.on("civic.feed", respond: .text(FeedFixture.rss(FeedFixture.item(1, name))))
      stubs.onRequest(where: { _ in true }, respond: .answering { try await tables.send($0) })
    }
    let directory = CivicDirectory(
      name: name,
      service: CivicService(
        baseURL: tables.baseURL, mediaURL: tables.mediaURL, project: tables.project),
      feeds: [FeedFixture.news, FeedFixture.activities], storage: storage, transport: transport,
      clock: ManualClock(now: FeedFixture.now))
    return (directory, tables)
  }

  @Test(
    "two cities in one storage share nothing, in memory and on disk, whatever they are called",
    arguments: [
      ("civic", "chiayi"), ("feeds", "civic"), ("tainan", "tainan-feeds"), ("a", "a.a"),
      ("civic-feeds", "civic"), ("store", "civic"), ("civic.feeds", "feeds"),
    ], [true, false])
  func apart(_ names: (String, String), _ isOnDisk: Bool) async throws {
    let folder = try TemporaryFolder()
    let storage = isOnDisk ? Storage.directory(folder.url) : .inMemory
    let one = try Self.city(names.0, storage: storage, picture: 1).directory
    let other = try Self.city(names.1, storage: storage, picture: 2).directory
    let banner = CivicBanner(id: "e", name: "花燈", imageName: "e1.png")
    for (directory, number) in [(one, UInt8(1)), (other, 2)] {
      try await directory.refresh()
      #expect(try await directory.claimFirstLaunch(of: .app))
      #expect(try await directory.searchHistory.add("社會"))
      #expect(try await directory.image(for: banner)?.data.last == number)
      let name = directory.name
      #expect(try await directory.activities().map(\.title) == [name])
      #expect(try await directory.news().map(\.title) == [name])
      #expect(try await directory.view().units.map(\.name) == [name])
    }
    #expect([one.name, other.name] == [names.0, names.1])
    try await one.hide(try await one.activities()[0].id)
    #expect(try await other.activities().count == 1)
    try await one.eraseAll()
    #expect(try await other.view().units.count == 1)
    #expect(try await other.searchEverything(names.1).news.count == 1)
    #expect(try await other.image(for: banner)?.data.last == 2)
    #expect(try await one.view().units.isEmpty)
    try await one.close()
    try await other.close()
  }

  @Test("two cities in one storage have separate files; those of the default name keep their names")
  func files() async throws {
    let folder = try TemporaryFolder()
    for name in ["civic", "chiayi"] {
      let directory = try Self.city(name, storage: .directory(folder.url), picture: 1).directory
      try await directory.refresh()
      try await directory.close()
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(
      names.filter { $0.hasSuffix(".store") }.sorted() == [
        "civic-feeds.chiayi.store", "civic-feeds.store", "civic.chiayi.store", "civic.store",
      ])
  }

  @Test("a city can't have a name that isn't valid for a file", arguments: ["a/b", "臺南", "a b"])
  func badName(_ name: String) async throws {
    let directory = CivicDirectory(
      name: name, storage: .inMemory, transport: FakeCivicService())
    let error = await #expect(throws: FieldError.self) { try await directory.open() }
    #expect(error?.code == .invalidInput)
  }
}
