/// One row of a body, whatever its format: a JSON object, a positional array, a record of CSV, a
/// GeoJSON feature.
///
/// Cells are asked for by the position of their column in ``RowRecord/rowColumns``. A row reads
/// straight from the body's bytes and is reused for the next one, hence it is only lent.
@usableFromInline
package struct Row: ~Copyable {
  /// How the body is written.
  package internal(set) var format: RowFormat
  /// The position of the row in its body, from 0, the header not counted.
  package internal(set) var index = 0

  /// Where the row stands in the body.
  var range = 0..<0

  @usableFromInline
  let bytes: [UInt8]
  var cells: [RowCell]

  init(bytes: [UInt8], columns: Int, format: RowFormat) {
    self.bytes = bytes
    self.format = format
    cells = Array(repeating: RowCell(), count: columns)
  }

  /// The text of a cell as it stands, untrimmed; a number or a Boolean gives its raw text.
  ///
  /// Missing, null and blank are nil, and so are `null`, `NULL`, `NA`, `N/A` and `-` as text, and an array
  /// or an object.
  package func text(_ column: Int) -> String? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested: return nil
    case .bool, .number, .text: break
    }
    return withDecoded(cell) { bytes, range in
      RowText.isVoid(bytes, range) ? nil : bytes.text(range)
    }
  }

  /// The text of a cell without the space and byte-order marks around it; nil as for ``text(_:)``.
  package func trimmedText(_ column: Int) -> String? {
    withUTF8(column) { $0.text(RowText.trimmed($0, $0.indices)) }
  }

  /// The ID in a cell: its trimmed text, without the `.0` that spreadsheets and pandas append to whole
  /// numbers; nil as for ``text(_:)``.
  package func id(_ column: Int) -> String? { trimmedText(column).map(RowText.plainID) }

  /// The number in a cell, whether a JSON number or its decimal text with space around it, rounded
  /// correctly; nil when there is none or it is not finite (`NaN`, `1e999`).
  package func double(_ column: Int) -> Double? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested, .bool: return nil
    case .number, .text: break
    }
    return withDecoded(cell, DecimalText.double)
  }

  /// The whole number in a cell, whether a JSON number or its text; `1880.0` and `1e3` are whole too.
  /// Nil when there is none, it has a fraction, or it does not fit.
  package func integer(_ column: Int) -> Int? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested, .bool: return nil
    case .number, .text: break
    }
    return withDecoded(cell, DecimalText.integer)
  }

  /// Whether a cell holds anything: false where ``text(_:)`` is nil, but true for an array or an
  /// object.
  package func isPresent(_ column: Int) -> Bool {
    cells[column].kind == .nested || placeOfText(column) != nil
  }

  /// Whether a cell holds an array or an object.
  package func isNested(_ column: Int) -> Bool { cells[column].kind == .nested }

  /// What a cell holds, to be kept when it could not be read: its text, or the JSON of an array or an
  /// object as it stands; nil when the cell holds nothing.
  package func rawText(_ column: Int) -> String? {
    let cell = cells[column]
    guard cell.kind == .nested else { return text(column) }
    return withBytes { bytes in bytes.text(cell.range) }
  }

  /// Lends the bytes of a cell's text, escapes replaced, without making a string; nil, without a call,
  /// where ``text(_:)`` is nil.
  @inlinable
  package func withUTF8<Result, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let place = placeOfText(column) else { return nil }
    // Two ways, since a variable for either array would count references for each cell.
    if let decoded = place.decoded {
      return try unsafe decoded.withUnsafeBufferPointer { buffer throws(Failure) in
        try body(unsafe buffer.span)
      }
    }
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe buffer.span.extracting(place.range))
    }
  }

  /// The bytes of a cell's text, to be kept: in the body or unescaped; nil where ``text(_:)`` is nil.
  package func lentText(_ column: Int) -> (owner: [UInt8], range: Range<Int>)? {
    placeOfText(column).map { ($0.decoded ?? bytes, $0.range) }
  }

  /// Where the bytes of a cell's text are: in the body, or in a copy that was decoded; nil where
  /// ``text(_:)`` is nil.
  @usableFromInline
  func placeOfText(_ column: Int) -> (decoded: [UInt8]?, range: Range<Int>)? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested: return nil
    case .bool, .number, .text: break
    }
    return withBytes { bytes in
      switch cell.encoding {
      case .plain:
        return RowText.isVoid(bytes, cell.range) ? nil : (nil, cell.range)
      case .escapes, .doubledQuotes:
        let text = RowText.decoded(bytes, cell)
        let range = 0..<text.count
        return text.withBytes { RowText.isVoid($0, range) } ? nil : (text, range)
      }
    }
  }

  /// The value of a cell with everything in it; nil when the cell is missing. In CSV every cell is a
  /// string.
  package func json(_ column: Int) -> JSONValue? {
    let cell = cells[column]
    switch cell.kind {
    case .missing: return nil
    case .text: return withDecoded(cell) { bytes, range in .string(bytes.text(range)) }
    case .null, .bool, .number, .nested:
      return withBytes { bytes in JSONValue.read(bytes, from: cell.start) }
    }
  }

  /// The values of some cells, kept of a row that fails: rare, and out of the way of those that do not.
  @inline(never)
  func values(of columns: [Int]) -> [JSONValue?] {
    var values: [JSONValue?] = []
    for column in columns { values.append(json(column)) }
    return values
  }

  /// The whole row with everything in it, for rows whose columns are not known beforehand; nil for a row
  /// of CSV.
  package var object: JSONValue? {
    format == .csv ? nil : withBytes { bytes in JSONValue.read(bytes, from: range.lowerBound) }
  }

  /// Lends the bytes of a cell: those of the body where they are the text, else a decoded copy.
  @inline(__always)
  private func withDecoded<Result>(
    _ cell: RowCell, _ body: (Span<UInt8>, Range<Int>) -> Result?
  ) -> Result? {
    withBytes { bytes in
      if cell.encoding == .plain { return body(bytes, cell.range) }
      let text = RowText.decoded(bytes, cell)
      return text.withBytes { body($0, 0..<text.count) }
    }
  }

  /// Lends the body.
  @inline(__always)
  func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    bytes.withBytes(body)
  }
}
