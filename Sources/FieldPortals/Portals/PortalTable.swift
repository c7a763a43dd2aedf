internal import FieldCore
internal import FieldFoundation

/// A table of a portal that is read in the order of a key, which grows with every new row.
///
/// Rows are requested by the key of the last one, because offsets move with the rows: a row that is removed between two pages makes
/// the next offset skip another, and an inserted one makes it repeat one. No row's key changes, so pages by key lose and double none.
protocol PortalTable: Sendable {
  /// The API's URL of the table, which identifies it in fingerprints and validators.
  var address: URL { get }
  /// The name and version of the reader, for fingerprints.
  var reader: String { get }

  /// Returns the version of the rows, if the portal states it reliably.
  ///
  /// - Parameter isNew: Whether to ask the portal, even if it has been asked before.
  func version(isNew: Bool) async throws -> String?

  /// Returns the rows after a key.
  ///
  /// - Parameters:
  ///   - key: The key of the last row; `nil` for the beginning.
  ///   - size: The maximum number of rows.
  func page(after key: Int64?, size: Int, operation: String) async throws -> PortalPage

  /// Returns rows with a column that contains the ID, at least, for finding removed ones.
  func keys(
    after key: Int64?, size: Int, of column: RowColumn, operation: String
  ) async throws -> PortalPage

  /// Returns the number of rows.
  func count(operation: String) async throws -> Int?
}

/// The rows of a response in the form of a JSON array of flat objects.
struct PortalPage: Sendable {
  /// The array; empty if there are no rows.
  var rows: [UInt8] = []
  /// The positions of the rows in the response.
  var indexes: [Int] = []
  /// The keys of all rows, including those that couldn't be read, as far as they are known.
  var keys: [Int64] = []
  /// The rows that couldn't be read at all.
  var failures: [RowFailure] = []
  /// The position of the next page, if it isn't after the last key.
  var end: Int64?
  var isLast: Bool?
  var announcedCount: Int?
  var serverDate: Date?
  /// The date that the portal states for the rows.
  var sourceDate: Date?
  var origin: URL?
  var notices: [RefreshReport.Notice] = []

  var rowCount: Int { indexes.count + failures.count }

  /// Returns the facts about the page.
  func facts() -> PageMetadata {
    let last = end ?? keys.max()
    return PageMetadata(
      rowCount: rowCount, rowHashes: keys.map { UInt64(bitPattern: $0) },
      end: last.map { SyncPosition(key: String($0)) }, isLast: isLast,
      announcedCount: announcedCount, serverDate: serverDate, sourceDate: sourceDate,
      origin: origin, notices: notices)
  }

  /// Reads the rows into records.
  func batch<Record: StoredRecord & RowReadable>(
    of type: Record.Type
  ) throws(FieldError) -> Batch<Record> {
    var batch =
      indexes.isEmpty ? Batch<Record>(records: []) : try Batch<Record>(reading: rows)
    var facts = facts()
    // The keys distinguish rows with the same ID from a row that is read again.
    facts.rowCount = batch.facts.rowCount + failures.count
    batch.failures = batch.failures.map { failure in
      var failure = failure
      if indexes.indices.contains(failure.index) { failure.index = indexes[failure.index] }
      return failure
    }
    batch.failures = (batch.failures + failures).sorted { $0.index < $1.index }
    batch.facts = facts
    return batch
  }
}

extension PortalPage {
  /// The rule for keys that aren't after the last row of the page before.
  enum Overlap {
    /// An error: the portal ignores the position, and would return the same rows forever.
    case refused
    /// The rows are skipped.
    case skipped
  }

  /// Reads the rows of a response.
  ///
  /// - Parameters:
  ///   - body: The response's body.
  ///   - format: The place of the rows in it.
  ///   - key: The column with the key.
  ///   - last: The key of the last row of the page before.
  ///   - overlap: The rule for rows up to that one.
  ///   - limit: The number of rows after which the others are skipped.
  ///   - isOrdered: Whether the rows must be in the order of their keys.
  ///   - isUnique: Whether no two rows may have the same key.
  ///   - isKeyRequired: Whether a row without a key is a failure.
  ///   - rewrite: A closure that appends a flat object for a row; by default, rows are copied.
  init(
    reading body: [UInt8], as format: RowFormat, key: String, after last: Int64?,
    overlap: Overlap = .refused, limit: Int = .max, isOrdered: Bool = true,
    isUnique: Bool = true, isKeyRequired: Bool = true,
    rewriting rewrite: ((borrowing SourceRow, inout [UInt8]) -> Void)? = nil
  ) throws(FieldError) {
    self.init()
    rows.reserveCapacity(rewrite == nil ? body.count : body.count / 2)
    var disorder: Int64?
    var previous = last
    let summary = try RowReader.forEachRow(
      of: body, columns: [RowColumn(key)], key: 0, watching: [0], format: format
    ) { row throws(RowProblem) in
      let stated = row.id(0).flatMap({ Int64($0) })
      guard let number = stated else {
        guard !isKeyRequired, indexes.count < limit else {
          throw RowProblem("it has no \(key), which orders the rows")
        }
        rows.append(UInt8(ascii: rows.isEmpty ? "[" : ","))
        if let rewrite { rewrite(row, &rows) } else { rows += row.source }
        indexes.append(row.index)
        return
      }
      if let last, number <= last {
        if overlap == .refused { disorder = disorder ?? number }
        return
      }
      if isOrdered, let previous, isUnique ? number <= previous : number < previous {
        disorder = disorder ?? number
      }
      previous = number
      guard indexes.count < limit else { return }
      rows.append(UInt8(ascii: rows.isEmpty ? "[" : ","))
      if let rewrite { rewrite(row, &rows) } else { rows += row.source }
      indexes.append(row.index)
      keys.append(number)
    }
    if let disorder {
      throw FieldError(
        .disordered,
        "The row with the \(key) \(disorder) follows one with \(previous ?? last ?? 0), so the portal "
          + "ignores the requested order or position. The store is unchanged.")
    }
    if !rows.isEmpty { rows.append(UInt8(ascii: "]")) }
    failures = summary.failures
    for cells in summary.watchedCells {
      if let number = cells[0]?.integer, last.map({ Int64(number) > $0 }) ?? true {
        keys.append(Int64(number))
      }
    }
  }
}
