import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("An old asset", .timeLimit(.minutes(60)))
struct AssetFreshnessTests {
  private let folder: TemporaryFolder
  private let source = PictureSource()
  private let clock = ManualClock()
  private let day = Duration.seconds(86_400)

  init() throws { folder = try TemporaryFolder() }

  private func cache(inMemory: Bool = false) -> AssetCache {
    AssetCache(
      storage: inMemory ? .inMemory : .directory(folder.url), transport: source, clock: clock,
      refresh: .every(day))
  }

  @Test("an old asset is confirmed by its source with its validators", arguments: [true, false])
  func confirmed(inMemory: Bool) async throws {
    let cache = cache(inMemory: inMemory)
    let first = try await cache.asset(for: .picture("a"))
    clock.advance(by: day)
    #expect(try await cache.asset(for: .picture("a")).confirmedAt == first.confirmedAt)
    #expect(source.count == 1, "exactly the interval is still fresh")
    clock.advance(by: .seconds(1))
    let second = try await cache.asset(for: .picture("a"))
    #expect(source.requests.last?.fields["If-None-Match"] == "\"0\"")
    #expect(second.data == first.data)
    #expect(second.origin == .memory)
    #expect(second.fetchedAt == first.fetchedAt)
    #expect(second.confirmedAt == clock.now)
    #expect(second.refreshFailure == nil)
    let report = try await cache.report()
    #expect(report.confirmations == 1 && report.downloads == 1)
    // The confirmation is in the file as well.
    if !inMemory {
      let asset = try await self.cache().asset(for: .picture("a"))
      #expect(asset.origin == .disk && asset.confirmedAt == clock.now)
      #expect(source.count == 2)
    }
  }

  @Test("an old asset is replaced if its source has a newer one")
  func replaced() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a"))
    source.change("/a")
    clock.advance(by: day * 2)
    let new = try await cache.asset(for: .picture("a"))
    #expect(new.data == source.picture("/a", version: 1))
    #expect(new.origin == .network && new.fetchedAt == clock.now)
    #expect(try await self.cache().cached(.picture("a"))?.data == new.data)
    #expect(try await cache.report().diskCount == 1)
  }

  @Test("an old asset is requested immediately if the user asks for it")
  func now() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a"))
    source.change("/a")
    #expect(try await cache.asset(for: .picture("a")).origin == .memory)
    let new = try await cache.asset(for: .picture("a"), refresh: .now)
    #expect(new.data == source.picture("/a", version: 1))
    #expect(source.count == 2)
  }

  @Test(
    "an old asset is returned with its age if its source fails, which isn't queried each time",
    arguments: [FieldError.Code.offline, .timeout, .status, .transport])
  func failing(code: FieldError.Code) async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a"))
    clock.advance(by: day * 3)
    source.fail(code)
    for _ in 0..<3 {
      let old = try await cache.asset(for: .picture("a"))
      #expect(old.data == source.picture("/a"))
      #expect(old.refreshFailure?.code == code)
      #expect(old.age(at: clock.now) == day * 3)
    }
    #expect(source.count == 2, "the next attempt waits a minute")
    #expect(try await cache.cached(.picture("a"))?.refreshFailure?.code == code)
    source.fail(nil)
    clock.advance(by: .seconds(60))
    let asset = try await cache.asset(for: .picture("a"))
    #expect(asset.refreshFailure == nil && asset.age(at: clock.now) == .zero)
    #expect(source.count == 3)
  }

  @Test("an old asset is returned if its source no longer has it, with that failure")
  func gone() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a"))
    source.remove("/a")
    clock.advance(by: day * 2)
    let old = try await cache.asset(for: .picture("a"))
    #expect(old.data == source.picture("/a"))
    #expect(old.refreshFailure?.code == .notFound)
  }

  @Test("an old asset is requested again after the clock was set back")
  func clockSetBack() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a"))
    clock.set(now: Date(timeIntervalSince1970: 1_000_000_000))
    let asset = try await cache.asset(for: .picture("a"))
    #expect(source.count == 2)
    #expect(asset.age(at: clock.now) == .zero)
    #expect(try await cache.asset(for: .picture("a")).origin == .memory)
    #expect(source.count == 2)
  }

  @Test("an asset's validators are sent only to the URL that returned them")
  func otherAddress() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a", key: "one"))
    clock.advance(by: day * 2)
    let moved = try await cache.asset(for: .picture("b", key: "one"))
    #expect(source.requests.last?.fields["If-None-Match"] == nil)
    #expect(moved.data == source.picture("/b"))
  }

  @Test("a removed asset stays removed, even if a running request returns it")
  func removal() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a"))
    _ = try await cache.asset(for: .picture("b"))
    try await cache.remove(.picture("a"))
    #expect(try await cache.cached(.picture("a")) == nil)
    #expect(try await cache.cached(.picture("b")) != nil)
    try await cache.removeAll()
    #expect(try await cache.cached(.picture("b")) == nil)
    let report = try await cache.report()
    #expect(report.diskCount == 0 && report.memoryBytes == 0 && report.diskBytes == 0)

    for removesAll in [true, false] {
      let gate = GatedTransport()
      let slow = AssetCache(storage: .directory(folder.url), transport: gate, clock: clock)
      let task = Task { try await slow.asset(for: .picture("c")) }
      try await eventually { gate.openCount == 1 }
      if removesAll { try await slow.removeAll() } else { try await slow.remove(.picture("c")) }
      gate.end(.success(TransportResponse(status: 200, body: .data(source.picture("/c")))))
      #expect(try await task.value.data == source.picture("/c"), "who waits gets it")
      #expect(try await slow.cached(.picture("c")) == nil)
      #expect(assetFiles(folder.url.appending(path: "pictures.assets")).isEmpty)
    }
  }
}
