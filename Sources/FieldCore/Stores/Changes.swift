/// A batch of changes to a store, applied atomically.
///
/// The steps are applied in the order in which they were added, so the last step for an ID wins.
public struct Changes<Record: StoredRecord>: Sendable {
  /// A sequence of steps of the same kind.
  @usableFromInline
  package enum Run: Sendable {
    case upserts([Record])
    case removals([Record.ID])
    case removeAll
  }

  @usableFromInline
  package private(set) var runs: [Run] = []

  /// The number of steps in the batch.
  public private(set) var count = 0

  /// Creates an empty batch.
  public init() {}

  /// Creates a batch that inserts or replaces `records`.
  public init(upserting records: some Sequence<Record>) {
    let records = Array(records)
    count = records.count
    if count > 0 { runs = [.upserts(records)] }
  }

  /// Inserts the record, or replaces the one with its ID.
  public mutating func upsert(_ record: Record) {
    count += 1
    guard case .upserts(var records)? = runs.last else { return runs.append(.upserts([record])) }
    runs[runs.count - 1] = .removeAll  // so that `records` is the only reference and grows in place
    records.append(record)
    runs[runs.count - 1] = .upserts(records)
  }

  /// Removes the record with this ID, if there is one.
  public mutating func remove(_ id: Record.ID) {
    count += 1
    guard case .removals(var ids)? = runs.last else { return runs.append(.removals([id])) }
    runs[runs.count - 1] = .removeAll  // as above
    ids.append(id)
    runs[runs.count - 1] = .removals(ids)
  }

  /// Removes every record; previously added steps have no effect.
  public mutating func removeAll() {
    runs = [.removeAll]
    count = 1
  }

  /// A Boolean value that indicates whether the batch changes nothing.
  public var isEmpty: Bool { runs.isEmpty }
}
