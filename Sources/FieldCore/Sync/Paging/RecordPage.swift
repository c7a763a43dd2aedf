/// A page of rows, read.
public struct RecordPage<Record: StoredRecord>: Sendable {
  /// The records in the order of the source; of two with the same id the later one is used.
  public var records: [Record]
  /// For each record what tells its row from others, such as a hash of the portal's own key; empty where
  /// an id cannot be in two rows. By it a row that comes again is told from another with the same id.
  public var recordHashes: [UInt64]
  /// The rows that could not be used.
  public var failures: [RowFailure]
  /// The ids of the rows that could not be used, as far as those could be read: what is stored of them
  /// stays. While there are failures without an id nothing counts as gone.
  public var failedIDs: [Record.ID]
  /// What is known of the page besides its records.
  public var facts: PageMetadata

  /// Makes a page.
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
