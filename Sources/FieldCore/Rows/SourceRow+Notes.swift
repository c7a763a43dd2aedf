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
