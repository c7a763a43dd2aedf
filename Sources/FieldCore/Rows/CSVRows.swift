extension RowScan {
  /// Reads separated values under a header line whose columns may have any order.
  mutating func readCSV(_ bytes: Span<UInt8>, _ body: Body) throws(FieldError) {
    guard let header = CSVHeader.find(bytes, from: scanner.at, schema) else {
      throw ForeignBody.noHeader(bytes, from: scanner.at, columns: schema.names)
    }
    guard header.isWhole else {
      throw FieldError(.cut, "the body ends in its header line; ask for it again")
    }
    let matches = header.names.map { name in name.isEmpty ? nil : schema.resolve(name) }
    var csv = CSVScanner(separator: header.separator, at: header.end)
    while csv.at < bytes.count { try readRecord(bytes, &csv, matches, body) }
  }

  private mutating func readRecord(
    _ bytes: Span<UInt8>, _ csv: inout CSVScanner, _ matches: [RowSchema.Match?], _ body: Body
  ) throws(FieldError) {
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
          place(cell, match.column)
        }
      } else if cell.start < cell.end {
        hasTextPastLast = true
      }
      position &+= 1
    }
    if ending == .openQuote {
      throw FieldError(
        .cut,
        "the body ends inside quotes, in row \(summary.rowCount), which begins at byte \(start); "
          + "ask for it again")
    }
    if ByteTest.high(csv.seen) != 0 {
      scanner.sawNonASCII = true
      if !UTF8Check.isValid(bytes, start..<csv.at) { scanner.badUTF8 = start }
    }
    if position == matches.count || position > matches.count && !hasTextPastLast, !csv.isBroken {
      return endRow(bytes, start..<end, body)
    }
    if position == 1, isBlank(bytes, start..<csv.at) { return scanner.forgetText() }
    if position < matches.count, ending == .body {
      throw FieldError(
        .cut,
        "the body ends in row \(summary.rowCount), which has \(position) cells where the header has "
          + "\(matches.count); ask for it again")
    }
    countFailure(
      bytes, start..<end,
      csv.isBroken
        ? "text follows a closing quote in it"
        : "it has \(position) cells where the header has \(matches.count)",
      hasWrongBytes: scanner.badUTF8 != nil)
    scanner.forgetText()
  }

  private func isBlank(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    RowText.trimmed(bytes, range).isEmpty
  }
}
