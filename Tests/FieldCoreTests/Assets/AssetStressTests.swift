import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A cache of assets under stress", .timeLimit(.minutes(60)), .heavy(seconds: 2))
struct AssetStressTests {
  private struct Tally {
    var given = 0
    var failed = 0
    var cancelled = 0
    var old = 0
    var largestDisk = 0
    var largestMemory = 0
  }

  @Test("an asset cache stays within its limits and returns right bytes in thousands of requests")
  func inMemory() async throws {
    try await stress(
      seed: Sample.seed(), rounds: Sample.rounds(100, 25, inDebug: 10), AssetGround(nil))
  }

  @Test("an asset cache on a disk stays within its limits and returns right bytes under stress")
  func onDisk() async throws {
    let folder = try TemporaryFolder()
    try await stress(
      seed: Sample.seed(), rounds: Sample.rounds(100, 10), AssetGround(folder.url))
  }

  private func stress(seed: UInt64, rounds: Int, _ ground: AssetGround) async throws {
    let clock = SettableClock()
    let source = PictureSource { path in 100 + path.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 5_900 }
    }
    let faults = FaultTransport(
      source,
      .seeded(
        seed, rate: 0.2,
        [
          .drop(), .drop(.timeout), .status(404), .status(503), .cutBody(after: 50),
          .lostResponse(), .truncatedBody(after: 0),
          .status(200, fields: ["Content-Type": "image/jpeg"], body: .text("<html>sorry</html>")),
        ]), clock: clock)
    let limits = AssetLimits(
      memoryBytes: 200_000, diskBytes: 400_000, largestAsset: 5_900, transfers: 8)
    func make() -> AssetCache {
      AssetCache(
        place: .success(AssetDirectory(ground.directory)), transport: faults, clock: clock,
        limits: limits, refresh: .every(.seconds(3600)), fileSystem: ground.files)
    }
    var caches = [make(), make()]
    let tally = Lock(Tally())
    var chance = SeededGenerator(seed: seed)

    for round in 0..<rounds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          // Some keys are asked for much more often than others.
          let name =
            "\(Int.random(in: 0..<500, using: &chance) * Int.random(in: 0..<500, using: &chance) / 500)"
          let cache = caches[Int.random(in: 0..<2, using: &chance)]
          let isCancelled = Int.random(in: 0..<8, using: &chance) == 0
          let turns = Int.random(in: 0..<4, using: &chance)
          let trigger: RefreshTrigger = Int.random(in: 0..<10, using: &chance) == 0 ? .now : .ifDue
          group.addTask {
            let task = Task { try await cache.asset(for: .picture(name), refresh: trigger) }
            if isCancelled {
              for _ in 0..<turns { await Task.yield() }
              task.cancel()
            }
            try Self.check(await task.result, name, source, tally, seed)
          }
        }
        try await group.waitForAll()
      }
      try await check(caches, ground, limits, tally, "seed \(seed), round \(round)")
      let files = ground.sizes().keys.sorted()
      for _ in 0..<3 {
        guard let path = files.randomElement(using: &chance) else { break }
        try ground.damage(path, &chance)
      }
      for _ in 0..<20 { source.change("/\(Int.random(in: 0..<500, using: &chance))") }
      clock.set(now: clock.now.addingTimeInterval(.random(in: 0..<1200, using: &chance)))
      switch (round + Int(seed % 25)) % 25 {
      case 7: caches[0].releaseMemory()
      case 11: caches[1] = make()
      case 15: try await caches[0].remove(.picture("1"))
      case 19: try ground.removeAll()
      case 23: clock.set(now: clock.now.addingTimeInterval(-500_000))
      default: break
      }
    }
    let end = tally.withLock { $0 }
    let reports = [try await caches[0].report(), try await caches[1].report()]
    #expect(end.given + end.failed + end.cancelled == rounds * 100, "seed \(seed)")
    #expect(end.given > rounds * 50 && end.failed > rounds && end.cancelled > rounds)
    // How many answers are old depends on the order in which the tasks run.
    if Sample.isWhole { #expect(end.old > rounds / 5, "seed \(seed): \(end)") }
    #expect(reports[0].dropCount > 0 && reports[0].evictions > 0 && reports[0].memoryHits > 0)
    #expect(reports[0].confirmations > 0 && reports[0].diskHits > 0)
    #expect(end.largestDisk > limits.diskBytes / 2 && end.largestMemory > limits.memoryBytes / 2)
  }

  private static func check(
    _ result: Result<Asset, any Error>, _ name: String, _ source: PictureSource,
    _ tally: Lock<Tally>, _ seed: UInt64
  ) throws {
    switch result {
    case .success(let asset):
      #expect(source.isPicture(asset.data, "/\(name)"), "seed \(seed), \(name)")
      tally.withLock { tally in
        tally.given += 1
        if asset.refreshFailure != nil { tally.old += 1 }
      }
    case .failure(let error as FieldError):
      let known: Set<FieldError.Code> = [
        .connectionLost, .timeout, .notFound, .status, .bodyCut, .emptyBody, .assetFormat,
      ]
      #expect(known.contains(error.code), "seed \(seed): \(error)")
      tally.withLock { $0.failed += 1 }
    case .failure(is CancellationError): tally.withLock { $0.cancelled += 1 }
    case .failure(let error): throw error
    }
  }

  private func check(
    _ caches: [AssetCache], _ ground: AssetGround, _ limits: AssetLimits, _ tally: Lock<Tally>,
    _ place: Comment
  ) async throws {
    let disk = ground.sizes().values.reduce(0, +)
    #expect(disk <= limits.diskBytes, place)
    for cache in caches {
      let report = try await cache.report()
      #expect(report.memoryBytes <= limits.memoryBytes, place)
      #expect(report.diskBytes == disk, place)
      #expect(report.diskFailure == nil, place)
      tally.withLock { tally in
        tally.largestDisk = max(tally.largestDisk, disk)
        tally.largestMemory = max(tally.largestMemory, report.memoryBytes)
      }
    }
  }
}

/// The files of a cache of assets, in memory or on a disk.
private struct AssetGround {
  let directory: URL
  let files: any FileSystem

  /// In a folder of the disk; in memory when there is none.
  init(_ folder: URL?) {
    directory = (folder ?? URL(filePath: "/cache")).appending(path: "pictures.assets")
    files = folder == nil ? MemoryFileSystem() : PosixFileSystem()
  }

  /// The paths of the assets, and their sizes.
  func sizes() -> [String: Int] {
    var sizes: [String: Int] = [:]
    for name in (try? files.names(in: directory.path)) ?? [] where name.hasSuffix(".asset") {
      let path = directory.appending(path: name).path
      sizes[path] = (try? files.status(at: path))?.size
    }
    return sizes
  }

  /// Changes a byte, or cuts the file in the middle.
  func damage(_ path: String, _ chance: inout SeededGenerator) throws {
    let file = try files.openFile(path, .writing)
    defer { try? files.closeFile(file) }
    let bytes = try files.readAll(file)
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &chance)
    if Bool.random(using: &chance) {
      try files.write([bytes[place] ^ 0x55], to: file, at: place)
    } else {
      try files.truncate(file, to: place)
    }
  }

  /// Takes away what is there, as a system does that needs room.
  func removeAll() throws {
    if files is PosixFileSystem { return try FileManager.default.removeItem(at: directory) }
    for name in try files.names(in: directory.path) {
      try files.remove(directory.appending(path: name).path)
    }
  }
}

/// A clock whose date is set by a test, and whose sleeps are real: caches that share a directory wait for
/// each other.
private final class SettableClock: FieldClock {
  private let date = Lock(Date(timeIntervalSince1970: 1_767_225_600))

  var now: Date { date.withLock { $0 } }
  var uptime: Duration { SystemClock().uptime }
  func set(now: Date) { date.withLock { $0 = now } }
  func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
