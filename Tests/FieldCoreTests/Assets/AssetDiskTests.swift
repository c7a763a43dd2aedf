import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The files of a cache of assets", .heavy, .timeLimit(.minutes(60)))
struct AssetDiskTests {
  private let folder: TemporaryFolder
  private let source = PictureSource()
  private let clock = ManualClock()
  private var directory: URL { folder.url.appending(path: "pictures.assets") }

  init() throws { folder = try TemporaryFolder() }

  private func cache(
    _ transport: (any Transport)? = nil, limits: AssetLimits = AssetLimits()
  ) -> AssetCache {
    AssetCache(
      storage: .directory(folder.url), transport: transport ?? source, clock: clock,
      limits: limits)
  }

  private var offline: ScriptedTransport { ScriptedTransport(ScriptedTransport.error(.offline)) }

  private func total() -> Int { assetFiles(directory).values.reduce(0, +) }

  private func held(_ cache: AssetCache, _ names: [String]) async throws -> [String] {
    var held: [String] = []
    for name in names where try await cache.cached(.picture(name)) != nil { held.append(name) }
    return held
  }

  @Test(
    "the files of an asset cache return the right bytes or none, whatever byte of one is changed")
  func flips() async throws {
    _ = try await cache().asset(for: .picture("a"))
    let file = directory.appending(path: try #require(assetFiles(directory).keys.first))
    let good = try Data(contentsOf: file)
    let cache = cache(offline)
    var drops = 0
    for place in Sample.of(good.indices, 40) {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var bad = good
        bad[place] ^= mask
        try bad.write(to: file)
        cache.releaseMemory()
        #expect(try await cache.cached(.picture("a")) == nil, "byte \(place), \(mask)")
        #expect(!FileManager.default.fileExists(atPath: file.path), "byte \(place), \(mask)")
        drops += 1
      }
    }
    let report = try await cache.report()
    #expect(report.dropCount == drops && drops > 100)
    #expect(report.drops.count == 100)
    #expect(report.drops.last?.file.lastPathComponent == file.lastPathComponent)
    #expect(report.diskCount == 0)
    try good.write(to: file)
    #expect(try await cache.cached(.picture("a"))?.data == source.picture("/a"))
  }

  @Test(
    "the files of an asset cache return the right bytes or none, wherever one is cut or extended")
  func cuts() async throws {
    _ = try await cache().asset(for: .picture("a"))
    let file = directory.appending(path: try #require(assetFiles(directory).keys.first))
    let good = try Data(contentsOf: file)
    let cache = cache(offline)
    for count in Sample.of(0...(good.count + 3), 60) where count != good.count {
      try (good + Data([0, 0, 0])).prefix(count).write(to: file)
      cache.releaseMemory()
      #expect(try await cache.cached(.picture("a")) == nil, "\(count) bytes")
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
    // The file of another asset under this name is none of this one.
    try good.write(to: file)
    let other = directory.appending(path: "\(String(repeating: "a", count: 64)).asset")
    try FileManager.default.moveItem(at: file, to: other)
    _ = try await self.cache().asset(for: .picture("b"))
    let b = try #require(assetFiles(directory).keys.first { $0 != other.lastPathComponent })
    try Data(contentsOf: other).write(to: directory.appending(path: b))
    cache.releaseMemory()
    #expect(try await cache.cached(.picture("b")) == nil)
    #expect(try await cache.report().drops.last?.reason.contains("another asset") == true)
  }

  @Test("the files of an asset cache that are damaged are fetched again")
  func healing() async throws {
    let cache = cache()
    _ = try await cache.asset(for: .picture("a"))
    let file = directory.appending(path: try #require(assetFiles(directory).keys.first))
    try Data("rubbish".utf8).write(to: file)
    cache.releaseMemory()
    let asset = try await cache.asset(for: .picture("a"))
    #expect(asset.origin == .network && asset.data == source.picture("/a"))
    let report = try await cache.report()
    #expect(report.dropCount == 1 && report.diskCount == 1)
    cache.releaseMemory()
    #expect(try await cache.asset(for: .picture("a")).origin == .disk)
  }

  @Test("the files of an asset cache make room for new ones in order of last use, as does memory")
  func eviction() async throws {
    let size = 1000 + 250  // a picture, and more than its header
    let source = PictureSource { _ in 1000 }
    let limits = AssetLimits(memoryBytes: 2 * 1512, diskBytes: 4 * size)
    let cache = AssetCache(
      storage: .directory(folder.url), transport: source, clock: clock, limits: limits)
    for name in ["a", "b", "c", "d"] { _ = try await cache.asset(for: .picture(name)) }
    #expect(try await cache.report().memoryCount == 2)
    _ = try await cache.asset(for: .picture("a"))
    _ = try await cache.asset(for: .picture("e"))
    #expect(try await held(cache, ["a", "b", "c", "d", "e"]) == ["a", "c", "d", "e"])
    let report = try await cache.report()
    #expect(report.evictions == 1 && report.diskCount == 4)
    #expect(report.diskBytes == total() && total() <= limits.diskBytes)
    #expect(report.memoryCount == 2 && report.memoryBytes == 2 * 1512)
  }

  @Test("an asset cache doesn't keep an asset that exceeds a limit, and removes its older file")
  func tooLargeForLimits() async throws {
    let sizes = Lock(100)
    let source = PictureSource { _ in sizes.withLock { $0 } }
    let cache = AssetCache(
      storage: .directory(folder.url), transport: source, clock: clock,
      limits: AssetLimits(memoryBytes: 2000, diskBytes: 3000))
    _ = try await cache.asset(for: .picture("a"))
    sizes.withLock { $0 = 5000 }
    source.change("/a")
    #expect(try await cache.asset(for: .picture("a"), refresh: .now).data.count == 5000)
    let report = try await cache.report()
    #expect(report.memoryCount == 0 && report.diskCount == 0 && total() == 0)
    #expect(report.diskFailure == nil)
    let nothing = AssetCache(
      storage: .directory(folder.url), transport: source, clock: clock,
      limits: AssetLimits(memoryBytes: 0, diskBytes: 0))
    #expect(try await nothing.asset(for: .picture("b")).origin == .network)
    #expect(try await nothing.asset(for: .picture("b")).origin == .network)
  }

  @Test("the files of an asset cache can have any limits")
  func anyLimits() async throws {
    var limits = AssetLimits(
      memoryBytes: .max, diskBytes: .max, largestAsset: .max, transfers: .max)
    #expect(try await cache(limits: limits).prefetch([.picture("a"), .picture("b")]).fetched == 2)
    limits.transfers = 0
    let next = cache(limits: limits)
    #expect(try await next.asset(for: .picture("a")).origin == .disk)
    #expect(try await next.prefetch([.picture("c")]).fetched == 1)
  }

  @Test(
    "the files of an asset cache keep an asset that fills the limit exactly", arguments: [0, 1])
  func exactLimit(missing: Int) async throws {
    _ = try await cache().asset(for: .picture("a"))
    let other = try TemporaryFolder()
    let small = AssetCache(
      storage: .directory(other.url), transport: source, clock: clock,
      limits: AssetLimits(diskBytes: total() - missing))
    _ = try await small.asset(for: .picture("a"))
    #expect(try await small.report().diskCount == 1 - missing)
  }

  @Test(
    "an asset cache removes files at opening if the limit is smaller, least recently used first")
  func restart() async throws {
    let first = cache()
    for name in ["a", "b", "c", "d"] {
      _ = try await first.asset(for: .picture(name))
      clock.advance(by: .seconds(2 * 3600))
    }
    _ = try await first.asset(for: .picture("a"))
    let one = total() / 4
    try Data("left".utf8).write(to: directory.appending(path: ".new"))
    try Data("mine".utf8).write(to: directory.appending(path: "README"))
    let second = cache(offline, limits: AssetLimits(diskBytes: one * 2))
    let report = try await second.open()
    #expect(report.diskCount == 2 && report.diskBytes == total() && total() <= one * 2)
    #expect(try await held(second, ["a", "b", "c", "d"]) == ["a", "d"])
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names.contains("README") && !names.contains(".new"))
  }

  @Test("the files of an asset cache keep their order if the clock was set back")
  func clockSetBack() async throws {
    let first = cache()
    _ = try await first.asset(for: .picture("future"))
    clock.set(now: Date(timeIntervalSince1970: 1_000_000_000))
    let second = cache()
    _ = try await second.asset(for: .picture("x"))
    clock.advance(by: .seconds(7200))
    _ = try await second.asset(for: .picture("y"))
    let one = total() / 3 + 10
    let third = cache(offline, limits: AssetLimits(diskBytes: one * 2))
    try await third.open()
    // What was used in a time that has not come counts as used now, and not for ever.
    #expect(try await held(third, ["future", "x", "y"]) == ["future", "y"])
    clock.advance(by: .seconds(7200))
    _ = try await third.cached(.picture("y"))
    let fourth = cache(offline, limits: AssetLimits(diskBytes: one))
    try await fourth.open()
    #expect(try await held(fourth, ["future", "x", "y"]) == ["y"])
  }

  @Test("the files of two asset caches in one directory stay within one limit together")
  func twoCaches() async throws {
    let source = PictureSource { _ in 1000 }
    let limits = AssetLimits(diskBytes: 10_000)
    let caches = (0..<2).map { _ in
      AssetCache(storage: .directory(folder.url), transport: source, limits: limits)
    }
    _ = try await caches[0].asset(for: .picture("shared"))
    #expect(try await caches[1].asset(for: .picture("shared")).origin == .disk)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let asset = try await caches[number % 2].asset(for: .picture("\(number)"))
          #expect(asset.data == source.picture("/\(number)"))
          #expect(total() <= limits.diskBytes)
        }
      }
      try await group.waitForAll()
    }
    let reports = [try await caches[0].report(), try await caches[1].report()]
    for report in reports {
      #expect(report.diskBytes == total() && report.diskCount == assetFiles(directory).count)
      #expect(report.dropCount == 0 && report.diskFailure == nil)
    }
    #expect(reports[0].evictions > 0 && reports[1].evictions > 0)
  }

  @Test("the files of an asset cache can be deleted by the system at any time")
  func purged() async throws {
    let cache = cache()
    for name in ["a", "b"] { _ = try await cache.asset(for: .picture(name)) }
    try FileManager.default.removeItem(at: directory)
    #expect(try await cache.asset(for: .picture("a")).origin == .memory)
    cache.releaseMemory()
    #expect(try await cache.asset(for: .picture("a")).origin == .network)
    let report = try await cache.report()
    #expect(report.diskCount == 1 && report.diskBytes == total() && report.diskFailure == nil)
    try FileManager.default.removeItem(at: folder.url)
    _ = try await cache.asset(for: .picture("c"))
    #expect(assetFiles(directory).count == 1)
    #expect(try await cache.report().diskCount == 1)
  }
}

@Suite("A cache of assets on a failing disk", .heavy, .timeLimit(.minutes(60)))
struct AssetFaultTests {
  private let source = PictureSource()
  private let clock = ManualClock()
  private let names = ["a", "b", "c", "d"]

  private func cache(
    _ fileSystem: MemoryFileSystem, _ transport: (any Transport)? = nil
  ) -> AssetCache {
    AssetCache(
      place: .success(AssetDirectory(URL(filePath: "/cache"))), transport: transport ?? source,
      clock: clock, limits: AssetLimits(diskBytes: 1000),
      refresh: .every(.seconds(86_400)), fileSystem: fileSystem)
  }

  private func run(_ fileSystem: MemoryFileSystem, _ source: PictureSource) async throws {
    let cache = cache(fileSystem, source)
    for name in names {
      #expect(try await cache.asset(for: .picture(name)).data == source.picture("/\(name)"))
    }
    source.change("/d")
    #expect(
      try await cache.asset(for: .picture("d"), refresh: .now).data.starts(with: [0xFF, 0xD8]))
  }

  @Test(
    "an asset cache returns only whole pictures after a kill or a power failure at any call",
    arguments: [nil, 1, 2, 3] as [UInt64?])
  func crash(seed: UInt64?) async throws {
    let offline = ScriptedTransport(ScriptedTransport.error(.offline))
    var last = 0
    for call in Sample.steps(from: 1, apart: 1, inDebug: 4) {
      last = call
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .crash)
      let source = PictureSource()
      try await run(fileSystem, source)
      if fileSystem.callCount < call { break }
      let after = fileSystem.afterCrash(seed: seed.map { $0 &* 7919 &+ UInt64(call) })
      let next = cache(after, offline)
      for name in names {
        guard let asset = try await next.cached(.picture(name)) else { continue }
        #expect(
          source.isPicture(asset.data, "/\(name)"), "seed \(seed ?? 0), call \(call), \(name)")
      }
      let report = try await next.report()
      // Who is killed leaves no half file; a loss of power may, and its checksum tells.
      if seed == nil { #expect(report.dropCount == 0, "call \(call)") }
      #expect(report.diskFailure == nil && report.diskBytes <= 1000)
      #expect(!after.paths.contains("/cache/.new"), "call \(call)")
      let healed = cache(after)
      _ = try await healed.asset(for: .picture("e"))
      #expect(try await cache(after, offline).cached(.picture("e"))?.data == source.picture("/e"))
    }
    #expect(last > 40)
  }

  @Test(
    "an asset cache on a failing disk returns every picture and reports what failed",
    arguments: [ENOSPC, EIO])
  func failures(error: Int32) async throws {
    var last = 0
    var failures = 0
    for call in Sample.steps(from: 1, apart: 1, inDebug: 2) {
      last = call
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .partialFailure(error))
      let cache = cache(fileSystem)
      for name in names {
        #expect(try await cache.asset(for: .picture(name)).data.starts(with: [0xFF, 0xD8]))
        #expect(try await cache.cached(.picture(name)) != nil)
        // The report works on the disk as well, and may be what fails.
      }
      if fileSystem.callCount < call { break }
      let report = try await cache.report()
      if let failure = report.diskFailure {
        failures += 1
        #expect([.io, .diskFull].contains(failure.code), "call \(call)")
      }
      _ = try await cache.asset(for: .picture("z"))
      let end = try await cache.report()
      #expect(end.diskFailure == nil, "call \(call)")
      let files = fileSystem.paths.filter { $0.hasSuffix(".asset") }
      #expect(end.diskCount == files.count, "call \(call)")
      #expect(end.diskBytes == files.reduce(0) { $0 + (fileSystem[$1]?.count ?? 0) })
      #expect(end.diskBytes <= 1000 && fileSystem.openCount <= 1, "call \(call)")
    }
    #expect(last > 30 && failures > 0)
  }

  @Test(
    "an asset cache on a full disk returns pictures from memory, reports it, and keeps them later")
  func full() async throws {
    let fileSystem = MemoryFileSystem()
    let cache = cache(fileSystem)
    _ = try await cache.asset(for: .picture("a"))
    fileSystem.failAlways("write", ENOSPC)
    #expect(try await cache.asset(for: .picture("b")).origin == .network)
    #expect(try await cache.asset(for: .picture("b")).origin == .memory)
    #expect(try await cache.report().diskFailure?.code == .diskFull)
    #expect(fileSystem.paths.filter { $0.hasSuffix(".asset") }.count == 1)
    fileSystem.failAlways(nil)
    _ = try await cache.asset(for: .picture("c"))
    let report = try await cache.report()
    #expect(report.diskFailure == nil && report.diskCount == 2)
  }

  @Test("an asset cache on a disk that can't be read queries the source, and reports it")
  func unreadable() async throws {
    let fileSystem = MemoryFileSystem()
    let cache = cache(fileSystem)
    _ = try await cache.asset(for: .picture("a"))
    cache.releaseMemory()
    fileSystem.failAlways("read", EIO)
    #expect(try await cache.cached(.picture("a")) == nil)
    #expect(try await cache.asset(for: .picture("a")).origin == .network)
    #expect(try await cache.report().diskFailure?.code == .io)
    fileSystem.failAlways(nil)
    cache.releaseMemory()
    #expect(try await cache.asset(for: .picture("a")).origin == .disk)
  }
}
