internal import FieldFoundation

/// The cells of a row, of an object in a cell, or of an array in a cell, as a decoder reads them.
///
/// A cell is asked for by its place: that of its key among the keys that were asked for, or its position in an array.
final class RowCells {
  // Decoders run on one thread and call nothing of a record's while they change these properties. Checking that in each
  // access took an eighth of the time of reading rows.
  /// The cells of the current row.
  @safe @exclusivity(unchecked) var row: SourceRow
  /// The names of the cells; `nil` for an array.
  let finder: ColumnFinder?
  /// The time zone of dates that don't state one.
  let zone: FixedZone?
  /// The names and positions that lead to the cells from the row; empty for the row itself.
  let path: [String]
  /// The probe for which values are made up, instead of being read from cells.
  let probe: KeyProbe?
  /// The type that the rows are read as.
  let type: ObjectIdentifier?
  /// A Boolean value that indicates whether a key was asked for that isn't among the columns, although others might be.
  private(set) var lacksColumns = false

  private let form: RowForm?
  /// The row whose cell contains these cells, and the position of the cell.
  let whole: RowCells?
  let wholeColumn: Int

  /// Creates the cells of the rows of a body.
  init<Value: RowReadable>(of row: borrowing SourceRow, as type: Value.Type) {
    let form = RowForm.of(type)
    (self.form, self.type, zone) = (form, ObjectIdentifier(type), Value.timeZone)
    self.row = SourceRow(beside: row)
    finder = ColumnFinder(of: row.survey, id: form.id)
    (path, probe, whole, wholeColumn) = ([], nil, nil, -1)
  }

  /// Creates the cells of an array or an object in a cell.
  private init(_ nested: NestedCells, in outer: RowCells, at place: Int) {
    row = SourceRow(bytes: nested.bytes, cells: nested.cells)
    finder = nested.names.map { ColumnFinder(members: $0) }
    (form, type, probe, zone) = (nil, nil, nil, outer.zone)
    path = outer.path(to: place)
    whole = outer.whole ?? outer
    wholeColumn = outer.whole == nil ? outer.column(at: place) : outer.wholeColumn
  }

  /// Creates cells for which values are made up.
  init(probe: KeyProbe, path: [String], isArray: Bool = false) {
    row = SourceRow(bytes: [], cells: [])
    finder = isArray ? nil : ColumnFinder(members: [])
    (self.probe, self.path) = (probe, path)
    (form, type, zone, whole, wholeColumn) = (nil, nil, nil, nil, -1)
  }

  // MARK: places

  /// Returns the place of a key.
  @inline(__always)
  func place(of name: String) -> Int { finder?.place(of: name) ?? -1 }

  /// Returns the position of the cell at a place, or -1 if there is none.
  @inline(__always)
  func column(at place: Int) -> Int {
    guard let finder else { return place < row.cells.count ? place : -1 }
    let column = finder.column(at: place)
    if column < 0 { noteMissingColumn() }
    return column
  }

  private func noteMissingColumn() {
    if form != nil, !row.survey.isOpen { lacksColumns = true }
  }

  /// Returns the names and positions that lead to a place.
  func path(to place: Int) -> [String] { path + [name(at: place)] }

  /// Returns the name of a place.
  func name(at place: Int) -> String {
    guard let finder else { return "\(place)" }
    return finder.entries[place].name
  }

  /// The keys that lead to the cells.
  var codingPath: [any CodingKey] { path.map { PathKey(stringValue: $0) } }

  /// The names of the cells that the row has.
  var names: [String] {
    if let probe {
      probe.openKeys(of: self)
      return []
    }
    noteMissingColumn()
    guard let finder else { return [] }
    return finder.names.enumerated()
      .filter { row.cells.indices.contains($0.offset) && row.cells[$0.offset].kind != .missing }
      .map(\.element)
  }

  /// Returns whether the row has a cell at a place, even one that is null or blank.
  func hasCell(at place: Int) -> Bool {
    if let probe { return probe.hasValue(at: place, of: self) }
    let column = column(at: place)
    return row.cells.indices.contains(column) && row.cells[column].kind != .missing
  }

  /// Returns whether there is a value at a place.
  func isPresent(_ place: Int) -> Bool {
    if let probe { return probe.hasValue(at: place, of: self) }
    let column = column(at: place)
    return column >= 0
      && (row.isPresent(column) || isIdentifier(place) && row.id(column) != nil)
  }

  /// Returns whether the column at a place contains the ID.
  @inline(__always)
  func isIdentifier(_ place: Int) -> Bool {
    guard let finder else { return false }
    return finder.entries[place].isID || finder.entries[place].isIdentifier == true
  }

  /// Returns where the location at a place may be; `nil` in an array.
  func location(at place: Int) -> LocationColumns? {
    guard let finder else { return nil }
    let isOnly = form == nil || form?.location == finder.entries[place].name
    return finder.location(at: place, isOnly: isOnly)
  }

  /// The number of cells of an array.
  var count: Int { probe == nil ? row.cells.count : path.count < 4 ? 1 : 0 }

  // MARK: nested cells

  /// Returns the cells of the object, or of the array, in the cell at a place.
  func nested(at place: Int, isArray: Bool) throws -> RowCells {
    if let probe { return RowCells(probe: probe, path: path(to: place), isArray: isArray) }
    let column = column(at: place)
    guard column >= 0, let nested = NestedCells(row, column), (nested.names == nil) == isArray
    else { throw problem(isArray ? "an array" : "an object", at: place) }
    return RowCells(nested, in: self, at: place)
  }
}

extension SourceRow {
  /// Returns a value that is decoded from the row's cells by its coding keys.
  func decoded<Value: RowReadable & Decodable>(
    as type: Value.Type
  ) throws(RowProblem) -> Value {
    if notes.isTrial {
      notes.decodedType = ObjectIdentifier(type)
      throw RowProblem("")
    }
    let cells = cells(for: type)
    cells.row.cells = self.cells
    // Otherwise the next row would have to copy its cells.
    defer { cells.row.cells = [] }
    do {
      return try Value(from: WholeDecoder(cells: cells))
    } catch {
      throw RowCells.problem(of: error)
    }
  }

  /// A Boolean value that indicates whether a decoder has asked for columns that aren't read.
  var lacksColumns: Bool { reading.cells?.lacksColumns ?? false }

  private func cells<Value: RowReadable>(for type: Value.Type) -> RowCells {
    if let cells = reading.cells, cells.type == ObjectIdentifier(type) { return cells }
    let cells = RowCells(of: self, as: type)
    reading.cells = cells
    return cells
  }
}

// MARK: - Problems

/// Why a value can't be read, beside the error that decoders throw.
struct CellProblem: Error {
  /// The problem of the row.
  var problem: RowProblem
  /// The names that lead to the cell.
  var path: [String]
  /// What was expected, such as `a number`; `nil` if there is no value.
  var expected: String?
}

extension RowCells {
  // MARK: notes

  /// Passes notes about the cells of an array or an object on to its row.
  @inline(__always)
  func passNotes() {
    if let whole, row.notes.hasUnreadable { passNotes(to: whole) }
  }

  @inline(never)
  private func passNotes(to whole: RowCells) {
    let names = finder?.names
    for var cell in row.takeUnreadable() {
      let name = names.map { $0.indices.contains(cell.column) ? $0[cell.column] : "?" }
      cell.path = suffix(of: path.dropFirst() + [name ?? "\(cell.column)"])
      cell.column = wholeColumn
      whole.row.notes.add(cell)
    }
  }

  /// Notes that the optional value at a place can't be read.
  @inline(never)
  func note(_ error: any Error, at place: Int) {
    let column = column(at: place)
    guard column >= 0 else { return }
    let problem = RowCells.cellProblem(of: error)
    if let problem, problem.path == path(to: place) {
      guard let expected = problem.expected else { return }
      row.note(column, isNot: expected)
    } else {
      row.note(column, isNot: "readable (\(problem?.problem.reason ?? RowCells.text(of: error)))")
    }
    passNotes()
  }

  // MARK: errors

  /// Returns the way to a value after the name of its column, such as `.street` and `[2]`.
  private func suffix(of path: some Sequence<String>) -> String {
    path.map { Int($0) == nil ? "." + $0 : "[\($0)]" }.joined()
  }

  /// Returns the error that a value is missing, or isn't of the expected kind, such as `a number`.
  @inline(never)
  func problem(_ expected: String, at place: Int) -> DecodingError {
    let column = column(at: place)
    if column >= 0, row.isPresent(column) {
      let text = (row.rawText(column) ?? "").prefix(200)
      return error("isn't \(expected): \"\(text)\"", expected: expected, at: place)
    }
    let word = column < 0 ? nil : row.writtenText(column)
    return error("has no value" + (word.map { $0.isEmpty ? "" : ": \"\($0)\"" } ?? ""), at: place)
  }

  /// Returns an error about a place from a text after its name.
  func error(_ text: String, expected: String? = nil, at place: Int) -> DecodingError {
    let path = path(to: place)
    let reason = "\(path[0])\(suffix(of: path.dropFirst())) \(text)"
    return .dataCorrupted(
      .init(
        codingPath: path.map { PathKey(stringValue: $0) }, debugDescription: reason,
        underlyingError: CellProblem(
          problem: RowProblem(reason), path: path, expected: expected)))
  }

  /// Returns the error of a type's own `init(from:)` as one that names the cell and its value.
  @inline(never)
  func named(_ error: any Error, _ type: Any.Type, at place: Int) -> any Error {
    if RowCells.cellProblem(of: error) != nil || error is RowProblem { return error }
    if type is any RawRepresentable.Type, error is DecodingError {
      return problem("a known value", at: place)
    }
    return problem("readable (\(RowCells.text(of: error)))", at: place)
  }

  private static func cellProblem(of error: any Error) -> CellProblem? {
    guard case .dataCorrupted(let context) = error as? DecodingError else { return nil }
    return context.underlyingError as? CellProblem
  }

  /// Returns any error of a type's `init(from:)` as the problem of its row.
  @inline(never)
  static func problem(of error: any Error) -> RowProblem {
    cellProblem(of: error)?.problem ?? error as? RowProblem ?? RowProblem(text(of: error))
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case let error as RowProblem: return error.reason
    case let error as FieldError: return error.message.withoutPeriod
    case let error as DecodingError:
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        return context.debugDescription.withoutPeriod
      @unknown default: return "\(error)"
      }
    default: return "\(error)"
    }
  }
}

// MARK: - Values

/// A type of ID that is read from a cell like the ID of the row.
private protocol TextIdentifier {}
extension RecordID: TextIdentifier {}

// The functions are compiled for each type of the standard library, for which the comparisons of types cost nothing.
extension RowCells {
  /// Returns the value at a place.
  @inline(__always)
  func value<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> Value {
    if let probe { return try probe.value(type, at: place, of: self) }
    guard let plain = plainValue(type, at: place) else { return try ownValue(type, at: place) }
    guard let value = plain else { throw missing(type, at: place) }
    return value
  }

  /// Returns the value at a place, or `nil` if there is none, or if it can't be read, which is noted.
  @inline(__always)
  func optionalValue<Value: Decodable>(_ type: Value.Type, at place: Int) -> Value? {
    if let probe { return probe.optionalValue(type, at: place, of: self) }
    if let plain = plainValue(type, at: place) { return plain }
    learnIdentifier(type, at: place)
    guard isPresent(place) else { return nil }
    do {
      return try ownValue(type, at: place)
    } catch {
      note(error, at: place)
      return nil
    }
  }

  /// Returns the error that there is no value at a place, or none that can be read.
  @inline(never)
  private func missing(_ type: Any.Type, at place: Int) -> DecodingError {
    let column = column(at: place)
    // A location may be in cells with other names.
    if type == Coordinate.self, let cell = row.notes.unreadable.last(where: { $0.column == column })
    {
      return error(
        "isn't \(cell.expected): \"\(cell.text.prefix(200))\"", expected: cell.expected, at: place)
    }
    return problem(RowCells.expectation(type), at: place)
  }

  /// Returns a value that the type's own `init(from:)` reads.
  private func ownValue<Value: Decodable>(_ type: Value.Type, at place: Int) throws -> Value {
    learnIdentifier(type, at: place)
    do {
      return try Value(from: CellDecoder(cells: self, place: place))
    } catch {
      throw named(error, type, at: place)
    }
  }

  private func learnIdentifier<Value>(_ type: Value.Type, at place: Int) {
    guard let finder, finder.entries[place].isIdentifier == nil else { return }
    finder.setIdentifier(type is any TextIdentifier.Type, at: place)
  }

  /// Returns the value at a place as the accessors of rows read it, or `nil` if the type reads its values by itself.
  @inline(__always)
  private func plainValue<Value>(_ type: Value.Type, at place: Int) -> Value?? {
    if type == String.self { return same(text(at: place), as: type) }
    if type == Double.self { return same(number(at: place, DecimalText.double), as: type) }
    if type == Int.self { return same(integer(Int.self, at: place), as: type) }
    if type == Bool.self { return same(read(at: place) { $0.bool($1) }, as: type) }
    return rareValue(type, at: place)
  }

  @inline(__always)
  private func rareValue<Value>(_ type: Value.Type, at place: Int) -> Value?? {
    if type == Float.self { return same(float(at: place), as: type) }
    if type == Int8.self { return same(integer(Int8.self, at: place), as: type) }
    if type == Int16.self { return same(integer(Int16.self, at: place), as: type) }
    if type == Int32.self { return same(integer(Int32.self, at: place), as: type) }
    if type == Int64.self { return same(integer(Int64.self, at: place), as: type) }
    if type == Int128.self { return same(integer(Int128.self, at: place), as: type) }
    if type == UInt.self { return same(integer(UInt.self, at: place), as: type) }
    if type == UInt8.self { return same(integer(UInt8.self, at: place), as: type) }
    if type == UInt16.self { return same(integer(UInt16.self, at: place), as: type) }
    if type == UInt32.self { return same(integer(UInt32.self, at: place), as: type) }
    if type == UInt64.self { return same(integer(UInt64.self, at: place), as: type) }
    if type == UInt128.self { return same(integer(UInt128.self, at: place), as: type) }
    if type == Coordinate.self { return same(coordinate(at: place), as: type) }
    if type == Date.self { return same(date(at: place), as: type) }
    if type == CalendarDay.self { return same(day(at: place), as: type) }
    if type == URL.self { return same(read(at: place) { $0.webAddress($1) }, as: type) }
    if type == Decimal.self { return same(number(at: place, DecimalText.decimal), as: type) }
    if type == Data.self { return same(data(at: place), as: type) }
    return nil
  }

  /// Returns a value as one of its own type, in a context that doesn't know it.
  ///
  /// A cast takes as long as reading the value.
  @inline(__always)
  private func same<Known, Value>(_ value: Known?, as type: Value.Type) -> Value?? {
    .some(unsafe unsafeBitCast(value, to: Value?.self))
  }

  /// Returns what a type reads, for messages.
  private static func expectation(_ type: Any.Type) -> String {
    if type == String.self { return "text" }
    if type == Bool.self { return "a Boolean value" }
    if type == Coordinate.self { return "a location" }
    if type == Date.self { return "a date with a time zone" }
    if type == CalendarDay.self { return "a date" }
    if type == URL.self { return "a web address" }
    if type == Data.self { return "Base64" }
    guard let type = type as? any FixedWidthInteger.Type, type != Int.self else {
      return type == Int.self ? "an integer" : "a number"
    }
    return range(of: type)
  }

  private static func range<Number: FixedWidthInteger>(of type: Number.Type) -> String {
    "an integer from \(Number.min) through \(Number.max)"
  }

  // MARK: kinds

  /// Reads a cell by one of the row's accessors.
  @inline(__always)
  private func read<Value>(at place: Int, _ body: (borrowing SourceRow, Int) -> Value?) -> Value? {
    let column = column(at: place)
    guard column >= 0 else { return nil }
    let value = body(row, column)
    passNotes()
    return value
  }

  @inline(__always)
  private func text(at place: Int) -> String? {
    let column = column(at: place)
    guard column >= 0 else { return nil }
    if isIdentifier(place) { return row.id(column) }
    row.forgetNote(of: column)
    if let text = row.trimmedText(column) { return text }
    return read(at: place) { $0.noteNested($1, isNot: "text") }
  }

  @inline(__always)
  private func number<Number>(
    at place: Int, _ body: (Span<UInt8>, Range<Int>) -> Number?
  ) -> Number? {
    let column = column(at: place)
    guard column >= 0 else { return nil }
    if let number = row.number(column, body) { return number }
    return unreadable(column, "a number")
  }

  /// Notes that a cell can't be read, if it contains a value.
  @inline(never)
  private func unreadable<Value>(_ column: Int, _ expected: String) -> Value? {
    row.note(column, isNot: expected)
    passNotes()
    return nil
  }

  @inline(__always)
  private func integer<Number: FixedWidthInteger>(
    _ type: Number.Type, at place: Int
  ) -> Number? {
    let column = column(at: place)
    guard column >= 0 else { return nil }
    if let number = row.number(column, DecimalText.integer), let exact = Number(exactly: number) {
      return exact
    }
    return wideInteger(type, column)
  }

  /// Returns a number that `Int64` can't represent, although the type can.
  @inline(never)
  private func wideInteger<Number: FixedWidthInteger>(
    _ type: Number.Type, _ column: Int
  ) -> Number? {
    if Number.max > Int64.max,
      let number = row.number(column, { Number($0.text($0.trimmed($1))) })
    {
      return number
    }
    return unreadable(column, RowCells.expectation(type))
  }

  private func float(at place: Int) -> Float? {
    guard let number = number(at: place, DecimalText.double) else { return nil }
    let float = Float(number)
    return float.isFinite ? float : unreadable(column(at: place), "a number")
  }

  private func date(at place: Int) -> Date? {
    let column = column(at: place)
    guard column >= 0 else { return nil }
    if let instant = row.instant(column, in: zone ?? .utc) {
      if zone != nil || instant.isZoneStated { return instant.date }
      return unreadable(column, "a date with a time zone")
    }
    passNotes()
    return nil
  }

  private func day(at place: Int) -> CalendarDay? {
    let column = column(at: place)
    guard column >= 0 else { return nil }
    if let day = row.instant(column, in: zone ?? .utc)?.day { return day }
    // Such as a day of the first years, which aren't those of open data.
    if let text = row.trimmedText(column), let day = try? CalendarDay(text) {
      row.forgetNote(of: column)
      return day
    }
    passNotes()
    return nil
  }

  private func data(at place: Int) -> Data? {
    let column = column(at: place)
    guard column >= 0, let text = row.trimmedText(column) else { return nil }
    return Data(base64Encoded: text) ?? unreadable(column, "Base64")
  }

  private func coordinate(at place: Int) -> Coordinate? {
    guard let columns = location(at: place) else {
      return read(at: place) { $0.coordinate($1) }
    }
    func whole(_ column: Int) -> Coordinate? {
      row.json(column).flatMap(Geolocation.coordinate)
    }
    if columns.own >= 0, let found = whole(columns.own) { return found }
    for pair in columns.pairs {
      if let found = row.coordinateOfPair(pair.latitude, pair.longitude) { return found }
    }
    for column in columns.others {
      if let found = whole(column) { return found }
    }
    noteLocation(columns)
    return nil
  }

  /// Notes the first cells that seem to contain a location, by the name that it is asked for.
  @inline(never)
  private func noteLocation(_ columns: LocationColumns) {
    defer { passNotes() }
    let count = row.notes.unreadable.count
    if columns.own >= 0 { _ = row.coordinate(columns.own) }
    for pair in columns.pairs where row.notes.unreadable.count == count {
      _ = row.coordinate(latitude: pair.latitude, longitude: pair.longitude)
    }
    for column in columns.others where row.notes.unreadable.count == count {
      // A text called `location` may be an address.
      let text = row.isNested(column) ? nil : row.text(column)
      if text.map({ !Geolocation.isFreeText($0) }) ?? true { _ = row.coordinate(column) }
    }
    if columns.own >= 0, row.notes.unreadable.count > count {
      row.notes.unreadable[count].column = columns.own
    }
  }
}
