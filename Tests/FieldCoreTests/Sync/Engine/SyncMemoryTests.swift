import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The memory of the sync engine", .heavy)
struct SyncMemoryTests {
  /// How many rows are synced; `FIELDKIT_ROWS=100000 swift test --filter SyncMemoryTests` takes another
  /// number, to compare the figures.
  static let rows =
    Int(ProcessInfo.processInfo.environment["FIELDKIT_ROWS"] ?? "")
    ?? Sample.rounds(1_000_000, 60_000)

  // S52 of Docs/old-apps.md
  @Test(
    "the sync engine holds at most two pages plus one set of IDs, however many rows there are",
    arguments: [1_000, 10_000])
  func twoPages(pageSize: Int) async throws {
    let live = LiveCount()
    let source = GeneratedSource(rows: Self.rows, pageSize: pageSize, live: live)
    let before = ResidentMemory.kilobytes
    let report = try await SyncEngine(
      source: source, store: ForgetfulStore(), deletion: .never,
      clock: ImmediateClock()
    ).run()
    #expect(report.rows == Self.rows)
    #expect(live.most <= 2 * pageSize)
    #expect(live.now == 0)
    if let before, let most = live.mostKilobytes {
      print(
        "S52: \(Self.rows) rows, pages of \(pageSize): at most \(most - before) kB more than before"
      )
    }
  }

  #if os(Linux)
    // S52 of Docs/old-apps.md
    /// In a process of its own, because the memory of other tests would count. The IDs of a million rows
    /// take some 100 bytes each; what else grows with the rows would take more.
    @Test("the process of a sync grows by less than 64 MiB and 300 bytes per row")
    func growth() async {
      await #expect(processExitsWith: .success) {
        let before = try #require(ResidentMemory.kilobytes)
        let live = LiveCount()
        let source = GeneratedSource(rows: SyncMemoryTests.rows, pageSize: 1_000, live: live)
        let report = try await SyncEngine(
          source: source, store: ForgetfulStore(), deletion: .never, clock: ImmediateClock()
        ).run()
        #expect(report.rows == SyncMemoryTests.rows)
        let most = try #require(live.mostKilobytes)
        #expect(most - before < 64 * 1_024 + SyncMemoryTests.rows * 300 / 1_024)
      }
    }
  #endif
}

/// What Linux says of the process; nil elsewhere.
private enum ResidentMemory {
  static var kilobytes: Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS") })
    else { return nil }
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
}

/// Counts the records that are alive.
private final class LiveCount: Sendable {
  private let state = Lock((now: 0, most: 0))
  private let kilobytes = Lock<Int?>(nil)
  var now: Int { state.withLock(\.now) }
  var most: Int { state.withLock(\.most) }

  /// The most memory that the process had at the end of a page.
  var mostKilobytes: Int? { kilobytes.withLock { $0 } }

  func measure() {
    guard let now = ResidentMemory.kilobytes else { return }
    kilobytes.withLock { $0 = max($0 ?? 0, now) }
  }

  func add(_ number: Int) {
    state.withLock { state in
      state.now += number
      state.most = max(state.most, state.now)
    }
  }
}

/// Tells when it goes.
private final class LiveToken: Sendable {
  private let count: LiveCount

  init(_ count: LiveCount) {
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }
}

/// A record that is counted as long as it is in memory.
private struct CountedRecord: StoredRecord {
  var id: Int
  private var token: LiveToken?

  init(id: Int, live: LiveCount) {
    self.id = id
    token = LiveToken(live)
  }

  init(from decoder: any Decoder) throws {
    id = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(id)
  }

  static func == (left: Self, right: Self) -> Bool { left.id == right.id }
}

/// A store that keeps its checkpoint and none of its records, so that all that stays is the engine's.
private final class ForgetfulStore: RecordStore {
  private let state = Lock(Snapshot<CountedRecord>([]))

  func snapshot() async throws -> Snapshot<CountedRecord> { state.withLock { $0 } }

  func commit(
    _ changes: Changes<CountedRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    state.withLock { snapshot in
      snapshot = Snapshot(
        [], revision: snapshot.revision, checkpoint: checkpoint ?? snapshot.checkpoint)
      return snapshot.revision
    }
  }

  func updates() -> SnapshotUpdates<CountedRecord> { InMemoryStore<CountedRecord>().updates() }
}

/// Rows that are made as they are asked for.
private struct GeneratedSource: PagedSource {
  let rows: Int
  let pageSize: Int
  let live: LiveCount
  var fingerprint: String { "generated" }
  var options: SyncOptions { SyncOptions(pageSize: pageSize) }

  func page(_ request: PageRequest) async throws -> Batch<CountedRecord> {
    let first = request.position?.key.flatMap { Int($0) } ?? 0
    let numbers = first..<min(rows, first + request.size)
    defer { live.measure() }
    return Batch(
      records: numbers.map { CountedRecord(id: $0, live: live) },
      facts: PageMetadata(
        rowCount: numbers.count, rowHashes: numbers.map { UInt64($0) },
        end: numbers.isEmpty
          ? nil
          : SyncPosition(
            stamp: "2015-10-29T18:35:34.000Z", key: String(numbers.upperBound))))
  }
}
