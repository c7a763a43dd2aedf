/// The cells of an array or an object in a cell, which is JSON, or a text that contains JSON.
struct NestedCells {
  let bytes: [UInt8]
  private(set) var cells: [RowCell] = []
  /// The keys of the object; `nil` for an array.
  private(set) var names: [String]?

  /// Reads the cells, or returns `nil` if the cell contains neither.
  init?(_ row: borrowing SourceRow, _ column: Int) {
    var start = 0
    if row.isNested(column) {
      (bytes, start) = (row.bytes, row.cells[column].start)
    } else {
      guard let text = row.lentText(column) else { return nil }
      bytes = Array(text.owner[text.range])
    }
    do throws(JSONFault) {
      guard try read(from: start, isWhole: !row.isNested(column)) else { return nil }
    } catch {
      return nil
    }
  }

  private mutating func read(from start: Int, isWhole: Bool) throws(JSONFault) -> Bool {
    var (cells, names) = ([RowCell](), [String]())
    let isObject = try bytes.withByteSpan { bytes throws(JSONFault) -> Bool? in
      var scanner = JSONScanner(at: start)
      scanner.allowsNonFinite = true
      scanner.skipSpace(bytes)
      let isObject = scanner.peek(bytes) == UInt8(ascii: "{")
      guard isObject || scanner.peek(bytes) == UInt8(ascii: "[") else { return nil }
      let closer = UInt8(ascii: isObject ? "}" : "]")
      if try scanner.enter(bytes, until: closer) {
        repeat {
          if isObject { names.append(JSONValue.text(bytes, try scanner.key(bytes))) }
          cells.append(try scanner.cell(bytes))
        } while try scanner.another(bytes, until: closer)
      }
      if isWhole { try scanner.expectEnd(bytes) }
      return isObject
    }
    guard let isObject else { return false }
    self.cells = cells
    self.names = isObject ? names : nil
    return true
  }
}
