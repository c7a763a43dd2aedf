import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A cache of assets under stress", .timeLimit(.minutes(10)), .heavy)
struct AssetStressTests {
  private struct Tally {
    var given = 0
    var failed = 0
    var cancelled = 0
    var old = 0
    var largestDisk = 0
    var largestMemory = 0
  }

  @Test(
    "holds its limits and gives right bytes in 10,000 requests on 500 keys",
    arguments: [20_261_121, .random(in: 1...1_000_000)] as [UInt64])
  func stress(seed: UInt64) async throws {
    print("stress of the asset cache: seed \(seed)")
    let folder = try TemporaryFolder()
    let directory = folder.url.appending(path: "pictures.assets")
    let clock = SettableClock()
    let source = PictureSource { path in 100 + path.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 5_900 }
    }
    let faults = FaultTransport(
      source,
      .seeded(
        seed, rate: 0.2,
        [
          .drop(), .drop(.timeout), .status(404), .status(503), .cutBody(after: 50),
          .lostAnswer(), .truncatedBody(after: 0),
          .status(200, fields: ["Content-Type": "image/jpeg"], body: .text("<html>sorry</html>")),
        ]), clock: clock)
    let limits = AssetLimits(
      memoryBytes: 200_000, diskBytes: 400_000, largestAsset: 5_900, transfers: 8)
    func make() -> AssetCache {
      AssetCache(
        storage: .directory(folder.url), transport: faults, clock: clock, limits: limits,
        refresh: .every(.seconds(3600)))
    }
    var caches = [make(), make()]
    let tally = Lock(Tally())
    var chance = SeededGenerator(seed: seed)

    for round in 0..<100 {
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
            try Self.judge(await task.result, name, source, tally, seed)
          }
        }
        try await group.waitForAll()
      }
      try await check(caches, directory, limits, tally, "seed \(seed), round \(round)")
      let files = assetFiles(directory).keys.sorted()
      for _ in 0..<3 {
        guard let name = files.randomElement(using: &chance) else { break }
        try damage(directory.appending(path: name), &chance)
      }
      for _ in 0..<20 { source.change("/\(Int.random(in: 0..<500, using: &chance))") }
      clock.set(now: clock.now.addingTimeInterval(.random(in: 0..<1200, using: &chance)))
      switch round % 25 {
      case 7: caches[0].releaseMemory()
      case 11: caches[1] = make()
      case 15: try await caches[0].remove(.picture("1"))
      case 19: try FileManager.default.removeItem(at: directory)
      case 23: clock.set(now: clock.now.addingTimeInterval(-500_000))
      default: break
      }
    }
    let end = tally.withLock { $0 }
    let reports = [try await caches[0].report(), try await caches[1].report()]
    print(
      "stress of the asset cache: \(end), \(faults.requestCount) requests, \(reports[0].dropCount) drops"
    )
    #expect(end.given + end.failed + end.cancelled == 10_000, "seed \(seed)")
    #expect(end.given > 5_000 && end.failed > 100 && end.cancelled > 100 && end.old > 20)
    #expect(reports[0].dropCount > 0 && reports[0].evictions > 0 && reports[0].memoryHits > 0)
    #expect(reports[0].confirmations > 0 && reports[0].diskHits > 0)
    #expect(end.largestDisk > limits.diskBytes / 2 && end.largestMemory > limits.memoryBytes / 2)
  }

  private static func judge(
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
    _ caches: [AssetCache], _ directory: URL, _ limits: AssetLimits, _ tally: Lock<Tally>,
    _ place: Comment
  ) async throws {
    let disk = assetFiles(directory).values.reduce(0, +)
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

  /// Changes a byte, or cuts the file in the middle.
  private func damage(_ file: URL, _ chance: inout SeededGenerator) throws {
    var bytes = try Data(contentsOf: file)
    if Bool.random(using: &chance) {
      bytes[Int.random(in: bytes.indices, using: &chance)] ^= 0x55
    } else {
      bytes = bytes.prefix(.random(in: 0..<bytes.count, using: &chance))
    }
    try bytes.write(to: file)
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
