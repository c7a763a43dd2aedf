internal import FieldFoundation

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
