extension RowScan {
  /// Reads Socrata's `rows.json`: the columns are in `meta.view.columns`, the rows in `data`, in
  /// either order.
  ///
  /// A column is identified by its `fieldName`, because two columns can have one `name`, such as
  /// `:id` and `id`.
  mutating func readPositional(_ bytes: Span<UInt8>, _ body: Body) throws(JSONFault) {
    rowsAreMissing = true
    scanner.skipSpace(bytes)
    guard scanner.peek(bytes) == UInt8(ascii: "{") else { return try scanner.skipValue(bytes) }
    guard try scanner.enter(bytes, until: UInt8(ascii: "}")) else { return }
    var matches: [RowSchema.Match?]?
    var early: JSONScanner?
    repeat {
      let key = try scanner.key(bytes)
      if matches == nil, JSONKey.matches("meta", bytes, key) {
        matches = readColumns(try JSONValue.read(bytes, with: &scanner))
      } else if JSONKey.matches("data", bytes, key), scanner.peek(bytes) == UInt8(ascii: "["),
        rowsAreMissing, early == nil
      {
        if let matches {
          rowsAreMissing = false
          try readElements(bytes, of: .positional(matches), body)
        } else {
          early = try skipEarlyRows(bytes)
        }
      } else {
        try scanner.skipValue(bytes)
      }
    } while try scanner.another(bytes, until: UInt8(ascii: "}"))
    guard let early, let matches else { return }
    rowsAreMissing = false
    let outside = scanner
    scanner = early
    try readElements(bytes, of: .positional(matches), body)
    scanner = outside
  }

  /// Moves past rows whose columns aren't known yet, and returns the scanner with which to return
  /// to them.
  private mutating func skipEarlyRows(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONScanner {
    let early = scanner
    try scanner.skipRows(bytes)
    let end = scanner.at
    // The strings of the rows are judged the second time.
    scanner = early
    scanner.at = end
    return early
  }

  /// Returns the matches of the columns in order, or `nil` if the document has none.
  private mutating func readColumns(_ meta: JSONValue) -> [RowSchema.Match?]? {
    guard let columns = meta["view"]?["columns"]?.elements else { return nil }
    return columns.map { column in
      if let cached = column["cachedContents"], let filled = cached["non_null"]?.integer {
        let (rows, overflow) = filled.addingReportingOverflow(cached["null"]?.integer ?? 0)
        if !overflow { summary.announcedRows = max(summary.announcedRows ?? 0, rows) }
      }
      return column["fieldName"]?.string.flatMap { resolve($0) }
    }
  }

  /// Reads the next positional row.
  mutating func readCells(
    _ bytes: Span<UInt8>, _ matches: [RowSchema.Match?], _ body: Body
  ) throws(JSONFault) {
    let start = scanner.at
    beginRow()
    guard scanner.peek(bytes) == UInt8(ascii: "[") else {
      return try skipRow(bytes, "an array of cells was expected")
    }
    var position = 0
    if try scanner.enter(bytes, until: UInt8(ascii: "]")) {
      repeat {
        if position < matches.count, let match = matches[position] {
          var cell = try scanner.cell(bytes)
          cell.rank = match.rank
          place(cell, match.column, bytes)
        } else {
          try scanner.skipValue(bytes)
        }
        position &+= 1
      } while try scanner.another(bytes, until: UInt8(ascii: "]"))
    }
    guard position == matches.count else {
      return refuseRow(
        bytes, start..<scanner.at,
        "it has \(position) cells, but there are \(matches.count) columns")
    }
    endRow(bytes, start..<scanner.at, body)
  }
}
