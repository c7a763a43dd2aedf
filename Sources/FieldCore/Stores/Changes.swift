/// A batch of changes to a store, applied whole or not at all.
///
/// The steps are applied in the order in which they were added, so the last word on an id wins.
public struct Changes<Record: StoredRecord>: Sendable {
  /// Steps of one kind that stand one after another.
  @usableFromInline
  package enum Run: Sendable {
    case upserts([Record])
    case removals([Record.ID])
    case removeAll
  }

  @usableFromInline
  package private(set) var runs: [Run] = []

  /// How many steps the batch has.
  public private(set) var count = 0

  /// Makes an empty batch.
  public init() {}

  /// Makes a batch that inserts or replaces `records`.
  public init(upserting records: some Sequence<Record>) {
    let records = Array(records)
    count = records.count
    if count > 0 { runs = [.upserts(records)] }
  }

  /// Inserts the record, or replaces the one of its id.
  public mutating func upsert(_ record: Record) {
    count += 1
    guard case .upserts(var records)? = runs.last else { return runs.append(.upserts([record])) }
    runs[runs.count - 1] = .removeAll  // so that `records` is the only reference and grows in place
    records.append(record)
    runs[runs.count - 1] = .upserts(records)
  }

  /// Removes the record of this id, when there is one.
  public mutating func remove(_ id: Record.ID) {
    count += 1
    guard case .removals(var ids)? = runs.last else { return runs.append(.removals([id])) }
    runs[runs.count - 1] = .removeAll  // as above
    ids.append(id)
    runs[runs.count - 1] = .removals(ids)
  }

  /// Removes every record; steps that were added before have no effect.
  public mutating func removeAll() {
    runs = [.removeAll]
    count = 1
  }

  /// Whether the batch changes nothing.
  public var isEmpty: Bool { runs.isEmpty }
}
