internal import FieldCore
internal import FieldFoundation

/// A store under test.
struct StoreProbe: Sendable {
  let store: any RecordStore<ConformanceRecord>
  let clock: any FieldClock = .system

  /// Commits the changes that `make` adds to a batch, for any revision.
  @discardableResult
  func commit(
    _ checkpoint: Checkpoint? = nil, expecting: Revision? = nil,
    _ make: (inout Changes<ConformanceRecord>) -> Void
  ) async throws -> Revision {
    var changes = Changes<ConformanceRecord>()
    make(&changes)
    return try await store.commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  @discardableResult
  func upsert(
    _ records: [ConformanceRecord], _ checkpoint: Checkpoint? = nil
  ) async throws -> Revision {
    try await store.commit(Changes(upserting: records), checkpoint: checkpoint, expecting: nil)
  }

  /// Throws unless the store contains exactly these records, in this order.
  @discardableResult
  func requireContent(
    _ expected: [ConformanceRecord], _ when: String
  ) async throws -> Snapshot<ConformanceRecord> {
    let snapshot = try await store.snapshot()
    try Self.requireRecords(expected, in: snapshot, when)
    return snapshot
  }

  /// Throws unless the snapshot contains exactly these records, in this order.
  static func requireRecords(
    _ expected: [ConformanceRecord], in snapshot: Snapshot<ConformanceRecord>, _ when: String
  ) throws {
    let seen = Array(snapshot)
    if seen == expected { return }
    guard seen.map(\.id) == expected.map(\.id) else {
      throw ConformanceMiss(
        "\(when) the ids are \(Self.list(seen.map(\.id))), not \(Self.list(expected.map(\.id)))")
    }
    let wrong = zip(seen, expected).first { $0 != $1 }
    throw ConformanceMiss(
      "\(when) there is \(wrong.map { "\($0)" } ?? "-"), not \(wrong.map { "\($1)" } ?? "-")")
  }

  private static func list(_ ids: [String]) -> String {
    let shown = ids.prefix(12).joined(separator: ", ")
    return ids.count > 12 ? "[\(shown), … \(ids.count)]" : "[\(shown)]"
  }
}

extension ConformanceRecord {
  /// Returns records with their position, whose IDs begin with `name`.
  static func numbered(_ range: Range<Int>, _ name: String = "r") -> [ConformanceRecord] {
    range.map { ConformanceRecord(id: "\(name)\($0)", text: "text \($0)", number: $0) }
  }
}

/// Calls a closure with a new folder, which is removed afterward.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "fieldkit-conformance-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer {
    // Leftovers in the temporary folder aren't failures.
    try? FileManager.default.removeItem(at: folder)
  }
  try await body(folder)
}
