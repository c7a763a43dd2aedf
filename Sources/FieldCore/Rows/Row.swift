/// One row of a body, whatever its format: a JSON object, a positional array, a record of CSV, a
/// GeoJSON feature.
///
/// Cells are asked for by the position of their column in ``RowRecord/rowColumns``. A row reads
/// straight from the body's bytes and is reused for the next one, hence it is only lent.
package struct Row: ~Copyable {
  /// How the body is written.
  package internal(set) var format: RowFormat
  /// The position of the row in its body, from 0, the header not counted.
  package internal(set) var index = 0

  let bytes: [UInt8]
  var cells: [RowCell]

  init(bytes: [UInt8], columns: Int, format: RowFormat) {
    self.bytes = bytes
    self.format = format
    cells = Array(repeating: RowCell(), count: columns)
  }

  /// The text of a cell as it stands, untrimmed; a number or a Boolean gives its raw text.
  ///
  /// Missing, null, blank and `null` as text are nil, and so is an array or an object.
  package func text(_ column: Int) -> String? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested: return nil
    case .bool, .number, .text: break
    }
    return withBytes { bytes in
      if cell.encoding == .plain {
        return RowText.isVoid(bytes, cell.range) ? nil : bytes.text(cell.range)
      }
      return RowText.decoded(bytes, cell) { text in
        RowText.isVoid(text, 0..<text.count) ? nil : text.text(0..<text.count)
      }
    }
  }

  /// The text of a cell without the space and byte-order marks around it; nil as for ``text(_:)``.
  package func trimmedText(_ column: Int) -> String? {
    withUTF8(column) { text in text.text(RowText.trimmed(text, 0..<text.count)) }
  }

  /// The number in a cell, whether a JSON number or its decimal text with space around it, rounded
  /// correctly; nil when there is none or it is not finite (`NaN`, `1e999`).
  package func double(_ column: Int) -> Double? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested, .bool: return nil
    case .number, .text: break
    }
    return withBytes { bytes in
      if cell.encoding == .plain { return DecimalText.double(bytes, cell.range) }
      return RowText.decoded(bytes, cell) { text in DecimalText.double(text, 0..<text.count) }
    }
  }

  /// The whole number in a cell, whether a JSON number or its text; `1880.0` and `1e3` are whole too.
  /// Nil when there is none, it has a fraction, or it does not fit.
  package func integer(_ column: Int) -> Int? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested, .bool: return nil
    case .number, .text: break
    }
    return withBytes { bytes in
      if cell.encoding == .plain { return DecimalText.integer(bytes, cell.range) }
      return RowText.decoded(bytes, cell) { text in DecimalText.integer(text, 0..<text.count) }
    }
  }

  /// Whether a cell holds anything: false where ``text(_:)`` is nil, but true for an array or an
  /// object.
  package func isPresent(_ column: Int) -> Bool {
    if cells[column].kind == .nested { return true }
    return withUTF8(column) { _ in true } ?? false
  }

  /// What a cell holds, to be kept when it could not be read: its text, or the JSON of an array or an
  /// object as it stands; nil when the cell holds nothing.
  package func rawText(_ column: Int) -> String? {
    let cell = cells[column]
    guard cell.kind == .nested else { return text(column) }
    return withBytes { bytes in bytes.text(cell.range) }
  }

  /// Lends the bytes of a cell's text, escapes replaced, without making a string; nil, without a call,
  /// where ``text(_:)`` is nil.
  package func withUTF8<Result, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let cell = cells[column]
    switch cell.kind {
    case .missing, .null, .nested: return nil
    case .bool, .number, .text: break
    }
    return try withBytes { bytes throws(Failure) in
      try RowText.decoded(bytes, cell) { text throws(Failure) in
        RowText.isVoid(text, 0..<text.count) ? nil : try body(text)
      }
    }
  }

  /// The value of a cell with everything in it; nil when the cell is missing. In CSV every cell is a
  /// string.
  package func json(_ column: Int) -> JSONValue? {
    let cell = cells[column]
    switch cell.kind {
    case .missing: return nil
    case .text where cell.encoding == .plain:
      return withBytes { bytes in .string(bytes.text(cell.range)) }
    case .text:
      return withBytes { bytes in
        RowText.decoded(bytes, cell) { text in .string(text.text(0..<text.count)) }
      }
    case .null, .bool, .number, .nested:
      return withBytes { bytes in JSONValue.read(bytes, from: cell.start) }
    }
  }

  /// Lends the body.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // `Array.span` would do, but it is newer than the oldest Apple systems of the package.
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe buffer.span)
    }
  }
}
