public import FieldFoundation

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
