package import FieldFoundation

/// A row of a source in any format: a JSON object, a positional array, a line of CSV, or a GeoJSON
/// feature.
///
/// A `Decodable` type is read from rows by its coding keys, without a call of these methods: see ``RowReadable``. In an initializer of your
/// own, you read cells by the names of their columns in ``RowReadable/columns``:
///
/// ```swift
/// enum Columns: String, CodingKey { case id = "sno", name = "sna", bikes = "sbi" }
///
/// init(row: borrowing SourceRow) throws(RowProblem) {
///   guard let id = row.id(Columns.id) else { throw RowProblem("The row has no number.") }
///   self.id = id
///   name = row.text(Columns.name) ?? ""
///   bikes = row.integer(Columns.bikes)
/// }
/// ```
///
/// The accessors are tolerant: a number may be written as text, and a cell that is missing, blank,
/// `null`, `NULL`, `NA`, `N/A`, or `-` is `nil`. Reading a column that ``RowReadable/columns`` doesn't
/// contain fails the row, even if the value is optional. A row reads directly from the source's bytes and
/// is reused for the next one, so don't keep it.
///
/// A number, a date, a location, or a web address that is present but can't be read is `nil`, too. The
/// report of the refresh has the notice ``RefreshReport/Notice/Code/unreadableValues`` about such values,
/// except for those that the record then reads in another way, such as ``rawText(_:)``.
public struct SourceRow: ~Copyable {
  /// The format of the body.
  package internal(set) var format: RowFormat
  /// The position of the row in its body, from 0, not counting the header.
  package internal(set) var index = 0

  /// The range of the row in the body.
  var range = 0..<0

  @usableFromInline
  let bytes: [UInt8]
  var cells: [RowCell]
  let notes: RowNotes
  /// What is kept from row to row for reading by names.
  let reading = RowReading()
  /// A Boolean value that indicates whether a point may separate thousands, because the body is CSV
  /// and contains commas that don't separate its cells.
  var mayHaveDecimalCommas = false
  let survey: ColumnSurvey

  init(bytes: [UInt8], columns: [RowColumn], format: RowFormat) {
    self.bytes = bytes
    self.format = format
    cells = Array(repeating: RowCell(), count: columns.count)
    survey = ColumnSurvey(bytes, columns: columns, format: format)
    notes = RowNotes()
  }

  /// Creates a row of the same body, whose notes are those of the row, and whose cells are set later.
  init(beside row: borrowing SourceRow) {
    (bytes, format, survey, notes) = (row.bytes, row.format, row.survey, row.notes)
    mayHaveDecimalCommas = row.mayHaveDecimalCommas
    cells = []
  }

  /// Creates the row of the cells of an array or an object.
  init(bytes: [UInt8], cells: [RowCell]) {
    self.init(bytes: bytes, columns: [], format: .jsonArray)
    self.cells = cells
  }

  /// Returns a cell, or an empty one if there is no such column, which is noted.
  @inline(__always)
  func cell(_ column: Int) -> RowCell {
    guard column >= 0, column < cells.count else {
      notes.misusedColumn = column
      return RowCell()
    }
    return cells[column]
  }

  /// Throws an error if a cell of this row was read from a column that doesn't exist.
  ///
  /// Call it after reading a row with code from outside of the package, before the result is used.
  @usableFromInline
  package func checkColumns() throws(RowProblem) {
    guard let problem = takeColumnProblem() else { return }
    throw problem
  }

  /// Returns the misuse of a column by the reader of this row, and forgets it.
  func takeColumnProblem() -> RowProblem? {
    if let name = notes.misusedName {
      (notes.misusedName, notes.misusedColumn) = (nil, nil)
      return RowProblem(
        "The column \(name) was read, but `columns` doesn't contain it. Add it there.")
    }
    guard let column = notes.misusedColumn else { return nil }
    notes.misusedColumn = nil
    return RowProblem(
      "Column \(column) was read, but the columns are numbered from 0 through \(cells.count - 1). "
        + "Check the numbers in the initializer, or add the column to `columns`.")
  }

  // The accessors by name, which are public, say what these read.

  package func text(_ column: Int) -> String? {
    let cell = cell(column)
    switch cell.kind {
    case .missing, .null, .nested: return nil
    case .bool, .number, .text: break
    }
    forgetNote(of: column)
    return withDecoded(cell) { bytes, range in
      RowText.isVoid(bytes, range) ? nil : bytes.text(range)
    }
  }

  package func trimmedText(_ column: Int) -> String? {
    withUTF8(column) { $0.text($0.trimmed($0.indices)) }
  }

  package func id(_ column: Int) -> String? {
    if let text = trimmedText(column) { return RowText.plainID(text) }
    guard let text = writtenText(column), text == "NA", survey.hasCodes(column) else { return nil }
    return text
  }

  /// Returns the text of a cell without surrounding space, even if it stands for a missing value;
  /// `nil` for anything but text and numbers.
  func writtenText(_ column: Int) -> String? {
    let cell = cell(column)
    guard cell.kind == .text || cell.kind == .number, cell.end > cell.start else { return nil }
    return withDecoded(cell) { bytes, range in bytes.text(bytes.trimmed(range)) }
  }

  package func double(_ column: Int) -> Double? {
    if let number = number(column, DecimalText.double) { return number }
    note(column, isNot: "a number")
    return nil
  }

  package func integer(_ column: Int) -> Int? {
    if let number = number(column, DecimalText.integer), let exact = Int(exactly: number) {
      return exact
    }
    note(column, isNot: "an integer")
    return nil
  }

  @inline(__always)
  func number<Number>(
    _ column: Int, _ read: (Span<UInt8>, Range<Int>) -> Number?
  ) -> Number? {
    let cell = cell(column)
    guard cell.kind == .number || cell.kind == .text else { return nil }
    forgetNote(of: column)
    if mayHaveDecimalCommas, let number = numberInForm(column, read) { return number }
    return withDecoded(cell, read) ?? (cell.end > cell.start ? numberInForm(column, read) : nil)
  }

  /// Returns the number in a cell of CSV that is written in the form of its column, or `nil` if it
  /// is one that every column may have.
  @inline(never)
  private func numberInForm<Number>(
    _ column: Int, _ read: (Span<UInt8>, Range<Int>) -> Number?
  ) -> Number? {
    guard format == .csv, hasSeparators(column) else { return nil }
    let form = survey.numberForm(column)
    guard form.hasDecimalComma || form.hasBlanks, let text = writtenText(column) else { return nil }
    return form.plainText(text)?.withUTF8Span { read($0, $0.indices) }
  }

  /// Returns whether a cell contains a sign that may separate thousands or a fraction.
  private func hasSeparators(_ column: Int) -> Bool {
    let cell = cells[column]
    return withBytes { bytes in
      cell.range.contains { offset in
        let byte = bytes[offset]
        return byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "'")
          || byte >= 0x80 || byte == UInt8(ascii: ".") && mayHaveDecimalCommas
      }
    }
  }

  /// Returns whether a cell contains anything: `false` if ``text(_:)`` is `nil`, but `true` for an
  /// array or an object.
  package func isPresent(_ column: Int) -> Bool {
    cell(column).kind == .nested || placeOfText(column) != nil
  }

  /// Returns whether a cell contains an array or an object.
  package func isNested(_ column: Int) -> Bool { cell(column).kind == .nested }

  package func coordinate(latitude: Int, longitude: Int) -> Coordinate? {
    if let coordinate = coordinateOfPair(latitude, longitude) { return coordinate }
    let isFirst = hasNumberOrLocation(latitude)
    guard isFirst || hasNumberOrLocation(longitude) else { return nil }
    let text = "\(rawText(latitude) ?? ""), \(rawText(longitude) ?? "")"
    note(isFirst ? latitude : longitude, isNot: "a location", text)
    return nil
  }

  /// Returns the location in two cells, or in one of them, without a note if there is none.
  func coordinateOfPair(_ latitude: Int, _ longitude: Int) -> Coordinate? {
    if let latitude = number(latitude, DecimalText.double),
      let longitude = number(longitude, DecimalText.double)
    {
      return Coordinate(validLatitude: latitude, longitude: longitude)
    }
    return json(latitude).flatMap(Geolocation.coordinate)
      ?? json(longitude).flatMap(Geolocation.coordinate)
  }

  /// Returns whether a cell contains a number, or anything else but an empty location.
  private func hasNumberOrLocation(_ column: Int) -> Bool {
    guard let text = rawText(column), !Self.isNotANumber(text) else { return false }
    return json(column).map(Geolocation.isAttempted) ?? false
  }

  package func coordinate(_ column: Int) -> Coordinate? {
    guard let value = json(column) else { return nil }
    forgetNote(of: column)
    if let coordinate = Geolocation.coordinate(in: value) { return coordinate }
    if hasNumberOrLocation(column) { note(column, isNot: "a location") }
    return nil
  }

  package func webAddress(_ column: Int) -> URL? {
    guard let text = text(column) else { return noteNested(column, isNot: "a web address") }
    let url = PercentEncoding.webAddress(text)
    if url == nil { note(column, isNot: "a web address") }
    return url
  }

  package func date(_ column: Int, in zone: FixedZone) -> Date? { instant(column, in: zone)?.date }

  /// Returns the date in a cell as ``date(_:in:)`` does, with its precision and zone.
  package func instant(_ column: Int, in zone: FixedZone) -> ParsedInstant? {
    guard let text = text(column) else { return noteNested(column, isNot: "a date") }
    var order = DateOrder()
    var instant = TimestampParser(zone: zone).instant(text, noting: &order)
    if order.isAmbiguous {
      instant = TimestampParser(zone: zone, order: survey.dateOrder(column)).instant(text)
    }
    if instant == nil { note(column, isNot: "a date") }
    return instant
  }

  package func rawText(_ column: Int) -> String? {
    let cell = cell(column)
    guard cell.kind == .nested else { return text(column) }
    forgetNote(of: column)
    return withBytes { bytes in bytes.text(cell.range) }
  }

  /// Passes the bytes of a cell's text to a closure, with escapes replaced, without creating a
  /// string.
  ///
  /// The result is `nil`, without a call, if ``text(_:)`` is `nil`.
  @inlinable
  package func withUTF8<Result, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    guard let place = placeOfText(column) else { return nil }
    // There are two branches, because a variable for either array would count references for each
    // cell.
    if let decoded = place.decoded {
      return try unsafe decoded.withUnsafeBufferPointer { buffer throws(Failure) in
        try body(unsafe buffer.span)
      }
    }
    return try unsafe bytes.withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe buffer.span.extracting(place.range))
    }
  }

  /// Returns the bytes of a cell's text, in the body or unescaped, or `nil` if ``text(_:)`` is
  /// `nil`.
  package func lentText(_ column: Int) -> (owner: [UInt8], range: Range<Int>)? {
    placeOfText(column).map { ($0.decoded ?? bytes, $0.range) }
  }

  /// Returns the location of a cell's text in the body or in a decoded copy, or `nil` if
  /// ``text(_:)`` is `nil`.
  @usableFromInline
  func placeOfText(_ column: Int) -> (decoded: [UInt8]?, range: Range<Int>)? {
    let cell = cell(column)
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
        return text.withByteSpan { RowText.isVoid($0, range) } ? nil : (text, range)
      }
    }
  }

  /// Returns the complete value of a cell, or `nil` if the cell is missing.
  ///
  /// In CSV, every cell is a string.
  package func json(_ column: Int) -> JSONValue? {
    let cell = cell(column)
    switch cell.kind {
    case .missing: return nil
    case .text: return withDecoded(cell) { bytes, range in .string(bytes.text(range)) }
    case .null, .bool, .number, .nested:
      return withBytes { bytes in JSONValue.read(bytes, from: cell.start) }
    }
  }

  /// Returns the values of some cells, kept for a failed row, which is rare and shouldn't slow down
  /// the others.
  @inline(never)
  func values(of columns: [Int]) -> [JSONValue?] {
    var values: [JSONValue?] = []
    for column in columns { values.append(json(column)) }
    return values
  }

  /// The complete row, for rows whose columns aren't known beforehand; `nil` for a row of CSV.
  package var object: JSONValue? {
    format == .csv ? nil : withBytes { bytes in JSONValue.read(bytes, from: range.lowerBound) }
  }

  /// The bytes of the row as written.
  package var source: ArraySlice<UInt8> { bytes[range] }

  /// A hash of the row as written, to distinguish it from others.
  package var contentHash: UInt64 { UInt64(CRC32C.checksum(bytes, range)) }

  /// Passes the bytes of a cell to a closure: those of the body if they are the text, otherwise a
  /// decoded copy.
  @inline(__always)
  private func withDecoded<Result>(
    _ cell: RowCell, _ body: (Span<UInt8>, Range<Int>) -> Result?
  ) -> Result? {
    withBytes { bytes in
      if cell.encoding == .plain { return body(bytes, cell.range) }
      let text = RowText.decoded(bytes, cell)
      return text.withByteSpan { body($0, 0..<text.count) }
    }
  }

  /// Passes the body to a closure.
  @inline(__always)
  func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    bytes.withByteSpan(body)
  }
}
