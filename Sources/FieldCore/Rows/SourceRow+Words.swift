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
