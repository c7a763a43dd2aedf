/// A batch of changes to a store, applied whole or not at all.
///
/// The steps are applied in the order in which they were added, so the last word on an id wins.
public struct Changes<Record: StoredRecord>: Sendable {
  @usableFromInline
  package enum Step: Sendable {
    case upsert(Record)
    case remove(Record.ID)
    case removeAll
  }

  @usableFromInline
  package private(set) var steps: [Step] = []

  /// Makes an empty batch.
  public init() {}

  /// Makes a batch that inserts or replaces `records`.
  @inlinable
  public init(upserting records: some Sequence<Record>) {
    steps = records.map { .upsert($0) }
  }

  /// Inserts the record, or replaces the one of its id.
  @inlinable
  public mutating func upsert(_ record: Record) { steps.append(.upsert(record)) }

  /// Removes the record of this id, when there is one.
  public mutating func remove(_ id: Record.ID) { steps.append(.remove(id)) }

  /// Removes every record; steps that were added before have no effect.
  public mutating func removeAll() { steps = [.removeAll] }

  /// Whether the batch changes nothing.
  public var isEmpty: Bool { steps.isEmpty }

  /// How many steps the batch has.
  public var count: Int { steps.count }
}
