/// A page of rows that have been read.
public struct RecordPage<Record: StoredRecord>: Sendable, Codable {
  /// The records in the order of the source; of two with the same ID, the later one is used.
  public var records: [Record]
  /// A number for each record that distinguishes its row, such as a hash of the portal's own key.
  ///
  /// The array is empty if two rows can't have the same ID. A repeated row is thus distinguished
  /// from another row with the same ID.
  public var recordHashes: [UInt64]
  /// The rows that couldn't be used.
  public var failures: [RowFailure]
  /// The IDs of the rows that couldn't be used, if they could be read.
  ///
  /// Their stored records are kept. If there are failures without an ID, nothing counts as deleted.
  public var failedIDs: [Record.ID]
  /// The values in the rows that the records lack, because they can't be read; `nil` if there are none.
  package var unreadable: UnreadableCells?
  /// The facts about the page besides its records.
  public var facts: PageMetadata

  /// The IDs that several records have, in the order of their first records.
  ///
  /// The last record with an ID is used. The refresh reports how many earlier ones there are.
  public var repeatedIDs: [Record.ID] {
    var counts: [Record.ID: Int] = [:]
    for record in records { counts[record.id, default: 0] += 1 }
    guard counts.count < records.count else { return [] }
    return records.map(\.id).uniqued().filter { counts[$0, default: 0] > 1 }
  }

  /// Creates a page.
  public init(
    records: [Record], recordHashes: [UInt64] = [], failures: [RowFailure] = [],
    failedIDs: [Record.ID] = [], facts: PageMetadata
  ) {
    self.records = records
    self.recordHashes = recordHashes
    self.failures = failures
    self.failedIDs = failedIDs
    self.facts = facts
  }
}
