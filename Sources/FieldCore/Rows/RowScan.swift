/// The state of reading one body, which the readers of all formats share.
struct RowScan: ~Copyable {
  typealias Body = (borrowing SourceRow) throws(RowProblem) -> Void

  var scanner: JSONScanner
  var row: SourceRow
  var schema: RowSchema
  var keys = KnownKeys()
  var summary: RowSummary
  /// A Boolean value that indicates whether the body is JSON without an array of rows where it
  /// should be.
  var rowsAreMissing = false
  /// The key of the current row in an object of rows, for rows without a cell in the key column.
  var rowName: RowCell?
  /// The encoding of the body before it was converted to UTF-8; `nil` if it wasn't.
  var encoding: TextEncoding?
  /// A Boolean value that indicates whether to find the IDs of rows that fail.
  var namesFailures = true
  /// The number of rows of separated values with fewer cells than the header.
  var shortRowCount = 0
  let key: Int
  private let watched: [Int]
  private let start: Int
  private var rowsOfWrongBytes = 0
  private var rowsBeyondASCII = 0

  init(
    _ bytes: [UInt8], columns: [RowColumn], key: Int, watching watched: [Int] = [],
    format: RowFormat, start: Int, isOpen: Bool = false
  ) {
    scanner = JSONScanner(at: start)
    scanner.allowsNonFinite = true
    row = SourceRow(bytes: bytes, columns: columns, format: format)
    row.survey.isOpen = isOpen
    schema = RowSchema(columns, isOpen: isOpen)
    summary = RowSummary(format: format)
    self.key = key
    self.watched = watched
    self.start = start
  }

  /// Reads the whole body.
  mutating func run(_ bytes: Span<UInt8>, _ body: Body) throws(FieldError) {
    switch summary.format {
    case .csv:
      try readCSV(bytes, body)
    case .jsonArray, .ndjson, .positionalJSON, .geoJSON, .envelope:
      do throws(JSONFault) {
        try readJSON(bytes, body)
      } catch {
        throw bodyError(error, bytes)
      }
      if rowsAreMissing { throw ForeignBody.noRows(bytes, from: start, for: summary.format) }
    }
    try checkEncoding()
    summary.unknownColumns = schema.unknown
    summary.givenColumns = schema.given
    if summary.rowCount > 0 || summary.format == .csv || summary.format == .positionalJSON {
      summary.missingColumns = schema.missing
    }
  }

  private mutating func readJSON(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    switch summary.format {
    case .ndjson: return try readLines(bytes, body)
    case .positionalJSON: try readPositional(bytes, body)
    case .geoJSON: try readEnvelope(bytes, path: ["features"], of: .feature, body)
    case .envelope(let path): try readEnvelope(bytes, path: path, of: .object, body)
    case .jsonArray, .csv:
      scanner.skipSpace(bytes)
      try readElements(bytes, of: .object, body)
    }
    try scanner.expectEnd(bytes)
    try refuseWrongBytesOutsideRows()
  }

  /// Strings outside of any row can only fail the body.
  func refuseWrongBytesOutsideRows() throws(JSONFault) {
    if let offset = scanner.badUTF8 { throw JSONFault(offset: offset, reason: .notUnicode) }
  }

  // MARK: rows

  /// Forgets the cells of the previous row.
  @inline(__always)
  mutating func beginRow() {
    for column in row.cells.indices { row.cells[column] = RowCell() }
    if let rowName, row.cells.indices.contains(key) { row.cells[key] = rowName }
  }

  /// Passes the row on, or makes it a failure if its strings aren't text.
  @inline(__always)
  mutating func endRow(_ bytes: Span<UInt8>, _ range: Range<Int>, _ body: Body) {
    row.index = summary.rowCount
    row.range = range
    if scanner.sawNonASCII {
      guard isText(bytes, range) else { return }
    }
    summary.rowCount &+= 1
    row.forgetUnreadable()
    do throws(RowProblem) {
      try body(row)
    } catch {
      // An initializer that gets nothing from a wrong column complains about a missing value.
      fail(bytes, range, (row.takeColumnProblem() ?? error).reason)
    }
  }

  /// Returns whether the row's strings are text; otherwise, the row becomes a failure.
  private mutating func isText(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    defer { scanner.forgetText() }
    if let offset = scanner.badUTF8 {
      countFailure(
        bytes, range,
        encoding.map { "its text contains bytes that \($0.name) doesn't define" }
          ?? "its text isn't UTF-8 (byte \(offset) of the body)", hasWrongBytes: true)
      return false
    }
    if let offset = scanner.halfPair {
      countFailure(
        bytes, range, "its text contains half of a surrogate pair (byte \(offset) of the body)")
      return false
    }
    rowsBeyondASCII += 1
    return true
  }

  /// Counts a row that couldn't be read, and reports it.
  mutating func countFailure(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ reason: String, hasWrongBytes: Bool = false
  ) {
    if hasWrongBytes { rowsOfWrongBytes += 1 }
    row.index = summary.rowCount
    summary.rowCount += 1
    fail(bytes, range, reason)
  }

  /// Counts a row of the wrong form, and reports it; its text no longer matters.
  mutating func refuseRow(_ bytes: Span<UInt8>, _ range: Range<Int>, _ reason: String) {
    countFailure(bytes, range, reason, hasWrongBytes: scanner.badUTF8 != nil)
    scanner.forgetText()
  }

  @inline(never)
  private mutating func fail(_ bytes: Span<UInt8>, _ range: Range<Int>, _ reason: String) {
    summary.failures.append(
      RowFailure(
        index: row.index,
        key: namesFailures && row.cells.indices.contains(key) ? row.id(key) : nil,
        excerpt: bytes.excerpt(range), reason: reason))
    if !watched.isEmpty { summary.watchedCells.append(row.values(of: watched)) }
  }

  /// Returns the match of a key, and adds a cell to the row if the key becomes a column.
  mutating func resolve(_ key: String) -> RowSchema.Match? {
    defer { addCells() }
    return schema.resolve(key)
  }

  /// Returns the match of a GeoJSON feature's own member as ``resolve(_:)`` does.
  mutating func resolveFeatureMember(_ key: String) -> RowSchema.Match? {
    defer { addCells() }
    return schema.resolveFeatureMember(key)
  }

  private mutating func addCells() {
    // With `-sanitize=thread`, Swift 6.3 can't compile a change through a property of `row`, which isn't copyable.
    let survey = row.survey
    while row.cells.count < schema.columns.count {
      survey.columns.append(schema.columns[row.cells.count])
      row.cells.append(RowCell())
    }
  }

  /// Counts a key with valid text beyond ASCII, which is checked once, not in every row.
  mutating func noteTextKey() { rowsBeyondASCII += 1 }

  // MARK: the body

  /// Refuses a body whose rows show that it is in another encoding.
  private func checkEncoding() throws(FieldError) {
    guard rowsBeyondASCII * 20 <= rowsOfWrongBytes,
      rowsOfWrongBytes >= 3 || rowsOfWrongBytes * 2 > summary.rowCount
    else { return }
    if let encoding {
      throw FieldError(
        .encoding,
        "The body isn't \(encoding.name): \(rowsOfWrongBytes) of \(summary.rowCount) rows contain "
          + "bytes that the encoding doesn't define. Convert it to UTF-8.")
    }
    throw FieldError(
      .encoding,
      "The body isn't UTF-8: \(rowsOfWrongBytes) of \(summary.rowCount) rows contain bytes in "
        + "another encoding, such as Big5 or Windows-1251. Convert it to UTF-8.")
  }

  /// Returns the error about the body for a fault of JSON.
  private func bodyError(_ fault: JSONFault, _ bytes: Span<UInt8>) -> FieldError {
    var error = fault.fieldError
    error.message += " Rows before it: \(summary.rowCount)."
    // A syntax error may be the second half of a character in another encoding, such as a backslash
    // in Big5.
    if error.code == .malformed, rowsBeyondASCII == 0, !UTF8Check.isValid(bytes, 0..<bytes.count) {
      error = ForeignBody.otherEncoding
      error.message += " Parsed as JSON, it breaks at byte \(fault.offset)."
    }
    return error
  }
}
