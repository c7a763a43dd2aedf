/// A reader of large files of separated values whose columns are found by name, such as those of GTFS.
///
/// The cells are ranges of ``bytes``, so nothing is allocated for a row. The header may have a byte-order mark and blanks
/// around its names; other encodings than UTF-8 are converted as for other rows.
package struct CSVTable: Sendable {
  /// A cell of a row.
  package struct Cell: Sendable {
    /// The range in the table's bytes, without blanks around it.
    package internal(set) var start = 0, end = 0
    /// A Boolean value that indicates whether the text contains quotes to be undone with ``CSVTable/text(of:)``.
    package internal(set) var isQuoted = false

    @inline(__always)
    package var isEmpty: Bool { start == end }
  }

  /// A problem of a row that can't be read.
  package enum Problem: Sendable { case excess, brokenQuotes, encoding }

  /// The whole file, in UTF-8.
  package let bytes: [UInt8]
  /// The names of the columns.
  package let names: [String]
  /// The offset of the first row.
  private let first: Int

  /// Reads the header.
  ///
  /// - Throws: ``FieldError`` if the file is empty, is a web page, or ends in its header.
  package init(_ body: [UInt8]) throws(FieldError) {
    var text = body
    if let wide = try UTF16Text.utf8(body) {
      text = wide
    } else if let found = body.withByteSpan({ TextEncoding.find(in: $0, charset: nil) }) {
      text = found.utf8(body, damage: 0xFF)
    }
    let header = try text.withByteSpan { span throws(FieldError) in
      var scanner = CSVScanner(separator: UInt8(ascii: ","), at: try ForeignBody.check(span))
      var names: [String] = []
      var ending = CSVScanner.Ending.separator
      while ending == .separator {
        let cell: RowCell
        (cell, ending) = scanner.cell(span)
        let name = String(decoding: RowText.decoded(span, cell), as: UTF8.self)
        names.append(Array(name.utf8).withByteSpan { $0.text($0.trimmed($0.indices)) })
      }
      guard ending != .openQuote else {
        throw FieldError(.cut, "The file ends in its header. Request it again.")
      }
      return (names: names, end: scanner.at)
    }
    bytes = text
    (names, first) = (header.names, header.end)
  }

  /// Returns the position of a column, or `nil` if there is none.
  package func column(_ name: String) -> Int? { names.firstIndex(of: name) }

  /// Calls a closure with each row that isn't blank.
  ///
  /// Cells that are missing at the end of a row are empty.
  ///
  /// - Parameters:
  ///   - columns: The positions of the wanted columns; the cells of those that are `nil` are empty.
  ///   - body: A closure that takes the index of the row, its range in ``bytes``, its wanted cells, and what prevents
  ///     reading it.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/cut`` if the file ends inside quotes.
  package func forEachRow(
    _ columns: [Int?],
    _ body: (Int, Range<Int>, UnsafeBufferPointer<Cell>, Problem?) -> Void
  ) throws(FieldError) {
    // The position in `columns` for each column of the file.
    var places = [Int](repeating: -1, count: names.count)
    for (place, column) in columns.enumerated() {
      if let column, places.indices.contains(column) { places[column] = place }
    }
    var cells = [Cell](repeating: Cell(), count: columns.count)
    let open = bytes.withByteSpan { span in
      unsafe cells.withUnsafeMutableBufferPointer { cells in
        unsafe places.withUnsafeBufferPointer { places in
          unsafe read(span, cells, places, body)
        }
      }
    }
    if let open {
      throw FieldError(
        .cut, "The file ends inside quotes, in row \(open). Request it again.")
    }
  }

  /// Reads all rows, and returns the index of one that ends inside quotes.
  private func read(
    _ bytes: Span<UInt8>, _ cells: UnsafeMutableBufferPointer<Cell>,
    _ places: UnsafeBufferPointer<Int>,
    _ body: (Int, Range<Int>, UnsafeBufferPointer<Cell>, Problem?) -> Void
  ) -> Int? {
    let end = RowScan.endOfText(bytes)
    let text = bytes.extracting(0..<end)
    var scanner = CSVScanner(separator: UInt8(ascii: ","), at: first)
    var row = 0
    while scanner.at < end {
      let start = scanner.at
      for place in cells.indices { unsafe cells[place] = Cell() }
      scanner.beginRecord()
      var position = 0
      var problem: Problem?
      var isBlank = true
      var ending = CSVScanner.Ending.separator
      while ending == .separator {
        let cell: RowCell
        (cell, ending) = scanner.cell(text)
        if cell.start < cell.end { isBlank = false }
        if position < places.count {
          let place = unsafe places[position]
          if place >= 0 { unsafe cells[place] = Self.trimmed(cell, text) }
        } else if cell.start < cell.end {
          problem = .excess
        }
        position &+= 1
      }
      if ending == .openQuote { return row }
      if isBlank { continue }
      if scanner.isBroken { problem = .brokenQuotes }
      if ByteTest.high(scanner.seen) != 0, !UTF8Check.isValid(text, start..<scanner.at) {
        problem = .encoding
      }
      unsafe body(row, start..<scanner.at, UnsafeBufferPointer(cells), problem)
      row &+= 1
    }
    return nil
  }

  @inline(__always)
  private static func trimmed(_ cell: RowCell, _ bytes: Span<UInt8>) -> Cell {
    var range = cell.range
    if range.lowerBound < range.upperBound {
      let (low, high) = (bytes[range.lowerBound], bytes[range.upperBound &- 1])
      // Only blanks and what isn't ASCII can be trimmed.
      if low &- 0x21 > 0x5D || high &- 0x21 > 0x5D { range = bytes.trimmed(range) }
    }
    return Cell(
      start: range.lowerBound, end: range.upperBound, isQuoted: cell.encoding == .doubledQuotes)
  }

  /// Returns the text of a cell.
  package func text(of cell: Cell) -> String {
    bytes.withByteSpan { span in
      guard cell.isQuoted else { return span.text(cell.start..<cell.end) }
      let plain = RowCell(
        kind: .text, encoding: .doubledQuotes, start: cell.start, end: cell.end)
      return String(decoding: RowText.decoded(span, plain), as: UTF8.self).streamSafe
    }
  }

  /// Returns the beginning of a range of the bytes, at most 200 characters.
  package func excerpt(_ range: Range<Int>) -> String {
    bytes.withByteSpan { $0.excerpt($0.trimmed(range)) }
  }

  /// Returns the number of the line in which an offset is, from 1, counting from an earlier offset whose line is known.
  package func line(of offset: Int, after known: (offset: Int, line: Int) = (0, 1)) -> Int {
    bytes.withByteSpan { span in
      var (at, line) = known
      while true {
        at = span.firstOffset(of: 0x0A, from: at) + 1
        if at > offset || at > span.count { return line }
        line += 1
      }
    }
  }
}
