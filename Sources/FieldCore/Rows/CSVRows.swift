extension RowScan {
  /// Reads separated values under a header line whose columns may have any order.
  ///
  /// Cells that are missing at the end of a row are empty, because spreadsheets leave them out; only if no other row lacks any, and no
  /// line break ends the last row, has the body been truncated. A
  /// row may have more cells than the header only if those are empty. A line of nothing but
  /// separators is no row, and one that repeats the header, where files were joined, fails.
  mutating func readCSV(_ whole: Span<UInt8>, _ body: Body) throws(FieldError) {
    let end = Self.endOfText(whole)
    let bytes = whole.extracting(0..<end)
    let known = CSVHeader.find(bytes, from: scanner.at, schema)
    guard
      let header = known
        ?? (schema.isOpen ? CSVHeader.findUnknown(bytes, from: scanner.at) : nil)
    else {
      throw ForeignBody.noHeader(bytes, from: scanner.at, columns: schema.names)
    }
    guard header.isWhole || end < whole.count else {
      throw FieldError(.cut, "The body ends in its header line. Request it again.")
    }
    let matches = header.names.map { name in name.isEmpty ? nil : resolve(name) }
    row.mayHaveDecimalCommas =
      header.separator != UInt8(ascii: ",")
      && bytes.firstOffset(of: UInt8(ascii: ","), from: header.end) < bytes.count
    var csv = CSVScanner(separator: header.separator, at: header.end)
    var misfits = 0
    while csv.at < bytes.count {
      if try !readRecord(bytes, &csv, header, matches, of: whole.count, body) { misfits += 1 }
    }
    guard misfits == 0 || misfits < summary.rowCount else {
      throw FieldError(
        .schema,
        "No row fits the header, which names \(matches.count) columns. Check that the header names every "
          + "column and is separated as the rows are.",
        problems: summary.failures.prefix(20).map(\.description))
    }
  }

  /// Returns the offset of the Ctrl-Z that DOS and old spreadsheets write at the end of a text, or
  /// the length if there is none.
  static func endOfText(_ bytes: Span<UInt8>) -> Int {
    var end = bytes.count
    var at = end
    while at > 0, bytes[at - 1] == 0x1A || bytes[at - 1] == 0x0A || bytes[at - 1] == 0x0D {
      at -= 1
      if bytes[at] == 0x1A { end = at }
    }
    return end
  }

  /// Reads a record; returns `false` if it fails, or if it seems to have a different separator from
  /// the header.
  private mutating func readRecord(
    _ bytes: Span<UInt8>, _ csv: inout CSVScanner, _ header: CSVHeader,
    _ matches: [RowSchema.Match?], of whole: Int, _ body: Body
  ) throws(FieldError) -> Bool {
    let start = csv.at
    var end = start
    var position = 0
    var hasTextPastLast = false
    var ending = CSVScanner.Ending.separator
    csv.beginRecord()
    beginRow()
    while ending == .separator {
      var cell: RowCell
      (cell, ending) = csv.cell(bytes)
      end = cell.end
      if position < matches.count {
        if let match = matches[position] {
          cell.rank = match.rank
          place(cell, match.column, bytes)
        }
      } else if cell.start < cell.end {
        hasTextPastLast = true
      }
      position &+= 1
    }
    if ending == .openQuote {
      throw FieldError(
        .cut,
        "The body ends inside quotes, in row \(summary.rowCount), which begins at byte \(start). "
          + "Request it again.")
    }
    if ByteTest.high(csv.seen) != 0 {
      scanner.sawNonASCII = true
      if !UTF8Check.isValid(bytes, start..<csv.at) { scanner.badUTF8 = start }
    }
    if position == 1 || csv.mayBeBlank, Self.isBlank(bytes, start..<csv.at, csv.separator) {
      scanner.forgetText()
      return true
    }
    let excess = end &- start &- header.text.count
    if excess == 0 || excess == 3, header.isRepeated(bytes, start..<end) {
      countFailure(bytes, start..<end, "it repeats the header")
      scanner.forgetText()
      return true
    }
    if position < matches.count {
      // The row of which a truncated body has a part, unless rows lack cells in this file.
      if ending == .body, end == whole, shortRowCount == 0, summary.rowCount >= 10 {
        // It may stand for any of the rows that would follow, so its ID protects nothing.
        if row.cells.indices.contains(key) { row.cells[key] = RowCell() }
        summary.mayBeTruncated = true
        refuseRow(
          bytes, start..<end,
          "it is the last row, has \(position) of \(matches.count) cells, and no line break ends it, so the "
            + "body may be truncated")
        return true
      }
      shortRowCount += 1
    }
    guard hasTextPastLast || csv.isBroken else {
      endRow(bytes, start..<end, body)
      return position > 1 || !Self.hasOtherSeparator(bytes, start..<end, matches.count)
    }
    refuseRow(
      bytes, start..<end,
      csv.isBroken
        ? "text follows quotes around a line break"
        : "it has \(position) cells, but the header has \(matches.count)")
    return false
  }

  private static func isBlank(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ separator: UInt8
  ) -> Bool {
    range.allSatisfy {
      bytes[$0] == separator || bytes[$0] == 0x20 || (0x09...0x0D).contains(bytes[$0])
    } || bytes.trimmed(range).isEmpty
  }

  /// Returns whether a separator divides a record of one cell into as many cells as the header has.
  private static func hasOtherSeparator(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ count: Int
  ) -> Bool {
    count > 1
      && CSVHeader.separators.contains { separator in
        range.count { bytes[$0] == separator } == count - 1
      }
  }
}
