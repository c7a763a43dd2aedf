internal import FieldFoundation

extension Batch where Record: RowReadable {
  /// Creates a page from the rows of a response, in any of the formats that ``RowReadable`` names.
  ///
  /// ```swift
  /// var page = try Batch<Fountain>(reading: try await transport.send(request))
  /// let rows = page.facts.rowCount
  /// page.facts.end = rows == 0 ? nil : SyncPosition(key: String(offset + rows))
  /// ```
  ///
  /// Besides what the initializer for bytes does, it checks the status, and takes the
  /// ``PageMetadata/serverDate`` and the ``PageMetadata/origin`` from the response.
  ///
  /// - Parameters:
  ///   - response: The response to an unconditional request.
  ///   - position: A closure that returns the position after a row. By default, you set the end.
  /// - Throws: ``FieldError`` if the status isn't a success, or if the body isn't rows.
  public init(
    reading response: TransportResponse,
    position: ((borrowing SourceRow) -> SyncPosition?)? = nil
  ) throws {
    do {
      try response.checkStatus(operation: "")
      guard response.isSuccess else {
        throw FieldError(.status, "The server responded with \(response.status) instead of rows.")
      }
      try self.init(
        reading: response.body.bytes(), charset: response.charset, position: position)
    } catch var error as FieldError {
      // The kit knows the operation.
      error.operation = nil
      error.response = response.head
      throw error
    }
    facts.origin = response.url
    facts.serverDate = response.serverDate
  }

  /// Creates a page from the rows of a response's body, in any of the formats that ``RowReadable``
  /// names.
  ///
  /// A row that can't be used becomes a failure. If its ID can be read, it is in ``failedIDs``, so that only its own record is
  /// protected from deletion; a record with an initializer of its own must have the ID in the first column for this. The records may
  /// repeat an ID; the last one is used. The refresh reports values that can't be read.
  ///
  /// ```swift
  /// let page = try Batch<Tree>(reading: bytes)
  /// print(page.records.count, page.failures, page.repeatedIDs)
  /// ```
  ///
  /// A column that isn't a property, such as the time of a change, is read if it is among the record's columns:
  ///
  /// ```swift
  /// static let columns = [RowColumn(":updated_at")]
  /// enum Columns: String, CodingKey { case id = "treeid", changed = ":updated_at" }
  /// …
  /// let page = try Batch<Tree>(reading: bytes) { row in
  ///   row.text(Tree.Columns.changed).map { SyncPosition(stamp: $0, key: row.id(Tree.Columns.id)) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: The body. Check the status of the response before.
  ///   - position: A closure that returns the position after a row, for sources that are ordered by
  ///     a time or a key. The last one becomes the end of the page, even if the row can't be used.
  ///     By default, the end is `nil`, and you set it.
  /// - Throws: ``FieldError`` if the body isn't rows: it is empty, truncated, malformed, an HTML page,
  ///   an error message, or has none of the columns.
  public init(
    reading bytes: [UInt8], position: ((borrowing SourceRow) -> SyncPosition?)? = nil
  ) throws(FieldError) {
    try self.init(reading: bytes, charset: nil, position: position)
  }

  /// Reads the rows of a body in the encoding that its header names, unless the bytes contradict it.
  init(
    reading bytes: [UInt8], charset: String?,
    position: ((borrowing SourceRow) -> SyncPosition?)? = nil
  ) throws(FieldError) {
    let form = RowForm.of(Record.self)
    if let page = try Self(bytes, charset, as: form, position) {
      self = page
    } else {
      RowForm.open(Record.self)
      var open = form
      open.isOpen = true
      guard let page = try Self(bytes, charset, as: open, position) else {
        throw FieldError(.schema, "The columns that a record reads change with every reading.")
      }
      self = page
    }
  }

  /// Reads the rows, or returns `nil` if a record asks for columns that aren't read.
  private init?(
    _ bytes: [UInt8], _ charset: String?, as form: RowForm,
    _ position: ((borrowing SourceRow) -> SyncPosition?)?
  ) throws(FieldError) {
    var records: [Record] = []
    var (recordHashes, rowHashes) = ([UInt64](), [UInt64]())
    var end: SyncPosition?
    var unreadable = UnreadableCells()
    var lacksColumns = false
    let summary = try RowReader.forEachRow(
      of: bytes, columns: form.columns, key: 0, charset: charset, isOpen: form.isOpen
    ) { row throws(RowProblem) in
      let hash = row.contentHash
      rowHashes.append(hash)
      if let position { end = position(row) ?? end }
      // Cells that the position is read from may have any form.
      row.forgetUnreadable()
      defer { lacksColumns = lacksColumns || row.lacksColumns }
      let record = try Record(row: row)
      try row.checkColumns()
      let cells = row.takeUnreadable()
      if !cells.isEmpty { unreadable.add(cells, of: row) }
      if records.isEmpty {
        records.reserveCapacity(row.expectedCount)
        recordHashes.reserveCapacity(row.expectedCount)
      }
      records.append(record)
      recordHashes.append(hash)
    }
    guard !lacksColumns else { return nil }
    self.init(
      records: records, recordHashes: recordHashes,
      failures: summary.failures(expecting: form.expected),
      failedIDs: try Self.failedIDs(summary.failures, in: bytes, charset, form, beside: records),
      facts: PageMetadata(
        rowCount: summary.rowCount, rowHashes: rowHashes, end: end,
        announcedCount: summary.announcedRows))
    if unreadable.count > 0 { self.unreadable = unreadable }
    mayBeTruncated = summary.mayBeTruncated
    let missing = form.missingColumns(of: summary)
    if !missing.isEmpty {
      missingColumns = MissingColumns(names: missing, others: summary.unknownColumns)
    }
  }

  /// Returns the IDs of the rows that couldn't be used, as far as they are certain.
  ///
  /// Only the record's initializer knows how an ID is made of a row. If the first column, read as an
  /// ID, is the ID of all rows that could be used, it is that of the others, too.
  private static func failedIDs(
    _ failures: [RowFailure], in bytes: [UInt8], _ charset: String?, _ form: RowForm,
    beside records: [Record]
  ) throws(FieldError) -> [Record.ID] {
    guard !failures.isEmpty, !records.isEmpty else { return [] }
    let ids = failures.compactMap { failure in
      failure.wholeKey.flatMap { RowKey.id(of: $0, as: Record.ID.self) }
    }
    guard !ids.isEmpty else { return [] }
    let failed = Set(failures.map(\.index))
    var (next, isCertain) = (0, true)
    _ = try RowReader.forEachRow(
      of: bytes, columns: form.columns, key: 0, charset: charset, isOpen: form.isOpen
    ) { row in
      guard isCertain, next < records.count, !failed.contains(row.index) else { return }
      isCertain = row.id(0).flatMap { RowKey.id(of: $0, as: Record.ID.self) } == records[next].id
      next += 1
    }
    return isCertain ? ids : []
  }
}
