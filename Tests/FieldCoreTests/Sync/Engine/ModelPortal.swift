@testable import FieldCore
import Foundation

/// A record of the tests: what the portal says of it, and a note of the user's own.
struct PortalStone: StoredRecord, Hashable {
  var id: String
  var value: Int
  var note: String?
}

/// A portal in memory that keeps its rows by hidden numbers and gives them page by page, as the engine
/// asks for them. It is written apart from the engine: positions are looked up, not trusted.
final class ModelPortal: PagedSource {
  struct Row: Sendable {
    var stone: PortalStone
    var stamp: Int
    var visibleFrom: Int
  }

  struct State: Sendable {
    /// Milliseconds since 2026.
    var now = 0
    var rows: [Int: Row] = [:]
    var lastNumber = 0
    var cap = Int.max
    var lag = 0
    var version = 0
    var requests: [PageRequest] = []
    var keyRequests = 0
    /// Called before each answer, with the number of the request.
    var beforeAnswer: (@Sendable (_ request: Int, _ state: inout State) throws -> Void)?

    var visible: [(number: Int, row: Row)] {
      rows.filter { $0.value.visibleFrom <= now }.map { (number: $0.key, row: $0.value) }
    }

    mutating func put(_ stone: PortalStone, after step: Int = 1) {
      now += step
      version += 1
      let number =
        rows.first { $0.value.stone.id == stone.id }?.key
        ?? {
          lastNumber += 1
          return lastNumber
        }()
      rows[number] = Row(stone: stone, stamp: now, visibleFrom: now + lag)
    }

    mutating func delete(_ id: String) {
      now += 1
      version += 1
      rows = rows.filter { $0.value.stone.id != id }
    }

    /// Every row goes and comes back with a new number and a new time.
    mutating func replaceAll() {
      let stones = rows.sorted { $0.key < $1.key }.map(\.value.stone)
      rows = [:]
      now += 1
      for stone in stones { put(stone, after: 0) }
    }
  }

  let fingerprint: String
  let options: SyncOptions
  let isIncremental: Bool
  private let reportsVersion: Bool
  private let state = Lock(State())

  init(
    pageSize: Int = 10, overlap: Duration = .seconds(60), fingerprint: String = "model",
    isIncremental: Bool = true, reportsVersion: Bool = false, smallestPage: Int = 1,
    pageLimit: Int = 1_000
  ) {
    self.fingerprint = fingerprint
    self.isIncremental = isIncremental
    self.reportsVersion = reportsVersion
    options = SyncOptions(
      pageSize: pageSize, smallestPage: smallestPage, overlap: overlap, pageLimit: pageLimit)
  }

  /// Changes the portal.
  func change<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try state.withLock(body)
  }

  var requestCount: Int { state.withLock { $0.requests.count } }

  /// What a store should have after a refresh.
  var stones: Set<PortalStone> { state.withLock { Set($0.rows.values.map(\.stone)) } }

  /// Returns a portal with many rows of one time, so that pages end within them.
  static func filled(_ count: Int, pageSize: Int) -> ModelPortal {
    let portal = ModelPortal(pageSize: pageSize)
    portal.change { state in
      for number in 0..<count {
        state.put(
          PortalStone(id: "s\(number)", value: number), after: number.isMultiple(of: 7) ? 1_000 : 0)
      }
    }
    return portal
  }

  // MARK: PagedSource

  func page(_ request: PageRequest) async throws -> Batch<PortalStone> {
    let rows = try answer(to: request)
    return Batch(records: rows.rows.map(\.row.stone), facts: rows.facts)
  }

  func keys(_ request: PageRequest) async throws -> KeyPage<String> {
    state.withLock { $0.keyRequests += 1 }
    let rows = try answer(to: request)
    return KeyPage(ids: rows.rows.map(\.row.stone.id), facts: rows.facts)
  }

  func count() async throws -> Int? { state.withLock { $0.visible.count } }

  private func answer(
    to request: PageRequest
  ) throws -> (rows: [(number: Int, row: Row)], facts: PageMetadata) {
    try state.withLock { state in
      state.requests.append(request)
      try state.beforeAnswer?(state.requests.count, &state)
      let number = request.position?.key.flatMap(Self.number)
      var rows = state.visible
      switch request.order {
      case .byChange:
        rows.sort { ($0.row.stamp, $0.number) < ($1.row.stamp, $1.number) }
        if let stamp = request.position?.stamp.flatMap(Self.time) {
          rows.removeAll { row in
            row.row.stamp < stamp
              || row.row.stamp == stamp && number.map { row.number <= $0 } ?? true
          }
        }
      case .byKey(let from):
        rows.sort { $0.number < $1.number }
        if let number { rows.removeAll { $0.number <= number } }
        if let from = from.flatMap(Self.time) { rows.removeAll { $0.row.stamp < from } }
      }
      rows = Array(rows.prefix(min(request.size, state.cap)))
      let end = rows.last.map {
        SyncPosition(stamp: Self.stamp($0.row.stamp), key: Self.key($0.number))
      }
      return (
        rows,
        PageMetadata(
          rowCount: rows.count, rowHashes: rows.map { UInt64($0.number) }, end: end,
          dataVersion: reportsVersion ? String(state.version) : nil,
          serverDate: Self.date(state.now))
      )
    }
  }

  // MARK: Words

  /// The digits backwards, so that the texts of numbers are in another order than the numbers.
  static func key(_ number: Int) -> String { "row-" + String(String(number).reversed()) }

  static func number(_ key: String) -> Int? { Int(String(key.dropFirst(4).reversed())) }

  static func date(_ time: Int) -> Date {
    Date(timeIntervalSince1970: 1_767_225_600 + Double(time) / 1_000)
  }

  static func stamp(_ time: Int) -> String { TimestampWriter.iso8601(date(time)) }

  static func time(_ stamp: String) -> Int? {
    TimestampParser(zone: .utc).instant(stamp).map {
      Int($0.seconds - 1_767_225_600) * 1_000 + $0.nanoseconds / 1_000_000
    }
  }
}
