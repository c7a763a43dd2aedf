public import FieldFoundation

/// The records read from the rows of a response, of a page of it, or of a file.
///
/// A batch is what a ``RecordSource`` and a ``PagedSource`` return. Reading one needs neither a store nor a catalog:
///
/// ```swift
/// let batch = try Batch<Tree>(reading: bytes)
/// print(batch.records.count, batch.failures, batch.repeatedIDs, batch.facts.rowCount)
/// ```
public struct Batch<Record: StoredRecord>: Sendable, Codable, Equatable {
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
  /// The columns of the record that no row has, and the names that aren't read; `nil` if there are none.
  package var missingColumns: MissingColumns?
  /// A Boolean value that indicates whether the rows seem to be the first part of a body that was truncated.
  var mayBeTruncated = false
  /// The facts about the rows besides the records, such as where they come from.
  public var facts: PageMetadata
  /// A Boolean value that indicates whether the reader has made sure that each record has an ID of its own.
  package var hasUniqueIDs = false

  private enum CodingKeys: String, CodingKey {
    case records, recordHashes, failures, failedIDs, unreadable, missingColumns, facts
  }

  /// The IDs that several records have, in the order of their first records.
  ///
  /// The last record with an ID is used. The refresh reports how many earlier ones there are.
  public var repeatedIDs: [Record.ID] {
    guard !hasUniqueIDs else { return [] }
    var counts: [Record.ID: Int] = [:]
    for record in records { counts[record.id, default: 0] += 1 }
    guard counts.count < records.count else { return [] }
    return records.map(\.id).uniqued().filter { counts[$0, default: 0] > 1 }
  }

  /// Creates a batch.
  ///
  /// By default, only the number of rows is known besides them: that of the records and the failures.
  public init(
    records: [Record], recordHashes: [UInt64] = [], failures: [RowFailure] = [],
    failedIDs: [Record.ID] = [], facts: PageMetadata? = nil
  ) {
    self.records = records
    self.recordHashes = recordHashes
    self.failures = failures
    self.failedIDs = failedIDs
    self.facts = facts ?? PageMetadata(rowCount: records.count + failures.count)
  }

  /// Returns a Boolean value that indicates whether two batches contain the same records, failures, and facts.
  public static func == (left: Self, right: Self) -> Bool {
    left.records == right.records && left.recordHashes == right.recordHashes
      && left.failures == right.failures && left.failedIDs == right.failedIDs
      && left.unreadable == right.unreadable && left.missingColumns == right.missingColumns
      && left.facts == right.facts
  }

  /// Returns a batch without records, with which a source confirms that nothing has changed.
  ///
  /// - Parameters:
  ///   - validators: The validators for the next request, by the exact requested URL.
  ///   - origin: The URL that responded, after redirects.
  public static func notModified(
    validators: [String: HTTPValidators] = [:], origin: URL? = nil
  ) -> Batch {
    Batch(
      records: [],
      facts: PageMetadata(
        rowCount: 0, origin: origin, validators: validators, isNotModified: true))
  }

  /// Returns the last record with each ID, in the order of the first ones, and the number of the others.
  func lastOfEach() -> (records: [Record], repeated: Int) {
    guard !hasUniqueIDs else { return (records, 0) }
    var last: [Record.ID: Int] = Dictionary(minimumCapacity: records.count)
    for (place, record) in records.enumerated() { last[record.id] = place }
    guard last.count < records.count else { return (records, 0) }
    let unique = records.map(\.id).uniqued().compactMap { id in last[id].map { records[$0] } }
    return (unique, records.count - unique.count)
  }

  /// Adds the rows of a further page of the same source.
  package mutating func append(_ page: Batch) {
    let count = facts.rowCount
    // A column is missing only if all pages with rows lack it.
    if count == 0 {
      missingColumns = page.missingColumns
    } else if page.facts.rowCount > 0 {
      missingColumns = missingColumns?.intersection(page.missingColumns)
    }
    mayBeTruncated = mayBeTruncated || page.mayBeTruncated
    records += page.records
    failures += page.failures.map { $0.shifted(by: count) }
    failedIDs += page.failedIDs
    if let later = page.unreadable {
      var cells = unreadable ?? UnreadableCells()
      cells.add(later, shiftedBy: count)
      unreadable = cells
    }
    (recordHashes, hasUniqueIDs) = ([], false)
    facts.rowCount += page.facts.rowCount
    facts.rowHashes += page.facts.rowHashes
    facts.end = page.facts.end ?? facts.end
    facts.isLast = page.facts.isLast
    if facts.validators != page.facts.validators { facts.validators = [:] }
    facts.notices = (facts.notices + page.facts.notices).uniqued()
  }

  /// A Boolean value that indicates whether the IDs of all rows are known.
  ///
  /// Rows with an unreadable ID may be those of any stored record, so nothing is removed then.
  var isWhole: Bool { failedIDs.count == failures.count }
}
