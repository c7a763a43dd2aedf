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
