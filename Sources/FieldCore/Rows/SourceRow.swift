public import FieldFoundation

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

// MARK: - Columns

/// Accessors by the names of columns, which find a cell without a search if rows read the same columns in the same order.
extension SourceRow {
  /// Returns the text of a cell as written, or the raw text of a number or a Boolean value.
  ///
  /// The text is `nil` if the cell is missing, `null`, or blank, contains `null`, `NULL`, `NA`,
  /// `N/A`, or `-`, or is an array or an object.
  ///
  /// In a text of more than 1,024 bytes, U+034F separates combining marks if more than 30 follow each
  /// other (UAX #15, section 13), because Swift hashes and compares such runs in quadratic time.
  public func text(_ column: some CodingKey) -> String? { text(position(of: column)) }

  /// Returns the text of a cell without surrounding space and byte-order marks, or `nil` as in
  /// ``text(_:)``.
  public func trimmedText(_ column: some CodingKey) -> String? {
    trimmedText(position(of: column))
  }

  /// Returns the ID in a cell, or `nil` as in ``text(_:)``.
  ///
  /// The ID is the trimmed text without the `.0` that spreadsheets and pandas append to whole
  /// numbers. `NA`, the code of Namibia, is an ID if no other row has it, and most of the other IDs
  /// are capital letters.
  public func id(_ column: some CodingKey) -> String? { id(position(of: column)) }

  /// Returns the number in a cell, correctly rounded, or `nil` if there is none or it isn't finite.
  ///
  /// The number may be written as a number or as text. In CSV, it may have a comma before the
  /// fraction, as in `21,5`, and blanks between thousands, as in `60 000 000`, if other cells of the
  /// column leave no doubt.
  public func double(_ column: some CodingKey) -> Double? { double(position(of: column)) }

  /// Returns the integer in a cell, or `nil` if there is none, it has a fraction, or it doesn't
  /// fit.
  ///
  /// The integer may be written as a number or as text; `1880.0` and `1e3` are integers, too.
  public func integer(_ column: some CodingKey) -> Int? { integer(position(of: column)) }

  /// Returns the Boolean value in a cell, or `nil` if there is none.
  ///
  /// It is `true` for `true`, `yes`, `y`, `t`, `1`, `是`, and `有`, and `false` for `false`, `no`, `n`, `f`, `0`, `否`, `無`, and
  /// `无`, regardless of case and width.
  public func bool(_ column: some CodingKey) -> Bool? { bool(position(of: column)) }

  /// Returns the location in two cells in degrees, or `nil` if one has no number or the location is
  /// invalid.
  ///
  /// If one of the cells contains the whole location, as ``coordinate(_:)`` reads it, that location
  /// is returned.
  public func coordinate<Column: CodingKey>(latitude: Column, longitude: Column) -> Coordinate? {
    coordinate(latitude: position(of: latitude), longitude: position(of: longitude))
  }

  /// Returns the location in one cell, or `nil` if there is none, or if it is unreadable or invalid.
  ///
  /// The cell may contain well-known text (`POINT (6.08 50.77)`), GeoJSON as an object or as text,
  /// a latitude and a longitude (`(50.77, 6.08)`), possibly after an address, or an object with
  /// `latitude` and `longitude` or `x` and `y`. A shape with several positions has no location. Use
  /// ``rawText(_:)`` to keep a location that can't be read.
  public func coordinate(_ column: some CodingKey) -> Coordinate? {
    coordinate(position(of: column))
  }

  /// Returns the web address in a cell, or `nil` if there is none.
  ///
  /// Only `http` and `https` URLs with a host are web addresses. Spaces, Chinese, and other characters
  /// that an address can't contain are encoded.
  public func webAddress(_ column: some CodingKey) -> URL? { webAddress(position(of: column)) }

  /// Returns the date in a cell, in any of the formats that open data uses, or `nil` if there is
  /// none.
  ///
  /// A date that can be read in two ways, such as `03/04/2026`, is `nil` unless other cells of the
  /// column, such as `25/03/2026`, leave no doubt. A range is its start. A day with a time zone but
  /// without a time, such as `2026-03-25+08:00`, is `nil`.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - zone: The time zone of dates that don't state one.
  public func date(_ column: some CodingKey, in zone: FixedZone) -> Date? {
    date(position(of: column), in: zone)
  }

  /// Returns the text of a cell, or the JSON of an array or an object, or `nil` if the cell is
  /// empty.
  ///
  /// Use it to keep values that can't be interpreted.
  public func rawText(_ column: some CodingKey) -> String? { rawText(position(of: column)) }
}

extension SourceRow {
  /// Returns the usual name of a column.
  func name(of column: Int) -> String {
    guard survey.columns.indices.contains(column), let name = survey.columns[column].names.first
    else { return "\(column)" }
    return name
  }

  /// Returns the position of a column, or -1 if there is no such column, which is noted.
  private func position(of key: some CodingKey) -> Int {
    let finder = reading.finder ?? ColumnFinder(of: survey)
    if reading.finder == nil { reading.finder = finder }
    let column = finder.column(at: finder.place(of: key.stringValue))
    if column < 0 { notes.misusedName = key.stringValue }
    return column
  }
}

/// What reading rows by names keeps from one row of a body to the next.
final class RowReading {
  /// The columns by name, for initializers that call a row's accessors.
  var finder: ColumnFinder?
  /// The cells of the current row as a decoder reads them.
  var cells: RowCells?
}

// MARK: - Notes

extension SourceRow {
  /// Notes that a cell can't be read, if it contains a value.
  @inline(never)
  func note(_ column: Int, isNot expected: String, _ text: String? = nil) {
    guard cells.indices.contains(column), cells[column].end > cells[column].start,
      let found = text ?? rawText(column), !Self.isNotANumber(found)
    else { return }
    forgetNote(of: column)
    notes.add(UnreadableCells.Cell(column: column, expected: expected, text: found))
  }

  /// Notes that a cell can't be read if it contains an array or an object, and returns `nil`.
  func noteNested<Value>(_ column: Int, isNot expected: String) -> Value? {
    if isNested(column) { note(column, isNot: expected) }
    return nil
  }

  /// Forgets that a cell couldn't be read, because it is read in another way.
  @inline(__always)
  func forgetNote(of column: Int) {
    if notes.hasUnreadable { notes.forget(column) }
  }

  /// Returns whether a text is what programs write instead of a missing number.
  static func isNotANumber(_ text: String) -> Bool {
    text.utf8.count < 16 && text.lowercased().filter { !$0.isWhitespace } == "nan"
  }

  /// Forgets all cells that couldn't be read.
  @inline(__always)
  func forgetUnreadable() {
    if notes.hasUnreadable { notes.forget(nil) }
  }

  /// Returns the cells that couldn't be read since the last call.
  func takeUnreadable() -> [UnreadableCells.Cell] {
    guard notes.hasUnreadable else { return [] }
    defer { notes.forget(nil) }
    return notes.unreadable
  }
}

/// Notes about the reading of a row, shared by the row and its copies.
final class RowNotes {
  /// A column that was read although it doesn't exist.
  var misusedColumn: Int?
  /// The name by which a column was read that doesn't exist.
  var misusedName: String?
  /// A Boolean value that indicates whether the row has no cells, and is only there to learn whether a type is read by its coding keys.
  var isTrial = false
  /// The type that the trial has shown to be.
  var decodedType: ObjectIdentifier?
  /// The cells with values that couldn't be read.
  var unreadable: [UnreadableCells.Cell] = []
  /// A Boolean value that indicates whether there are such cells.
  // For the reason, see ``RowCells``.
  @safe @exclusivity(unchecked) var hasUnreadable = false

  /// Adds a cell.
  func add(_ cell: UnreadableCells.Cell) {
    unreadable.append(cell)
    hasUnreadable = true
  }

  /// Forgets a cell, or all of them.
  @inline(never)
  func forget(_ column: Int?) {
    unreadable.removeAll { column == nil || $0.column == column }
    hasUnreadable = !unreadable.isEmpty
  }
}

// MARK: - Words

/// Accessors that create no string: for columns with a few known words, and for numeric keys.
extension SourceRow {
  /// Returns whether a cell's text is exactly a word, which has no character to escape.
  package func isText(_ column: Int, _ word: StaticString) -> Bool {
    let cell = cell(column)
    guard cell.kind == .text, cell.encoding == .plain,
      cell.end - cell.start == word.utf8CodeUnitCount
    else { return false }
    return withBytes { bytes in bytes.begins(with: word, at: cell.start) }
  }

  /// Returns the Boolean value in a cell: see ``bool(_:)``.
  package func bool(_ column: Int) -> Bool? {
    guard let text = text(column) else { return noteNested(column, isNot: "a Boolean value") }
    switch RowSchema.fold(text) {
    case "true", "yes", "y", "t", "1", "是", "有": return true
    case "false", "no", "n", "f", "0", "否", "無", "无": return false
    default:
      note(column, isNot: "a Boolean value")
      return nil
    }
  }

  /// Returns the number in a cell with up to 18 digits, written as `String(number)` would, or `nil`
  /// for anything else, such as `007` and `1.0`.
  package func plainNumber(_ column: Int) -> UInt64? {
    let cell = cell(column)
    guard cell.kind == .text || cell.kind == .number, cell.encoding == .plain,
      (1...18).contains(cell.end - cell.start)
    else { return nil }
    return withBytes { bytes in
      if bytes[cell.start] == UInt8(ascii: "0"), cell.end - cell.start > 1 { return nil }
      var number: UInt64 = 0
      for offset in cell.range {
        let digit = bytes[offset] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        number = number &* 10 &+ UInt64(digit)
      }
      return number
    }
  }
}

extension SourceRow {
  /// The estimated number of rows in the body, for reserving capacity.
  @usableFromInline
  package var expectedCount: Int {
    let present = cells.filter { $0.kind != .missing }
    guard let start = present.map(\.start).min(), let end = present.map(\.end).max() else {
      return 0
    }
    return bytes.count / max(end - start, 64) + 1
  }
}
