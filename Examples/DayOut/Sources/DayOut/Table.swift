/// Rows of text in columns, numbers to the right.
struct Table {
  private var rows: [[String]]

  init(_ head: String...) { rows = [head] }

  mutating func add(_ cells: String...) { rows.append(cells) }

  func print() {
    let widths = rows[0].indices.map { column in rows.map { Self.width($0[column]) }.max() ?? 0 }
    for (number, row) in rows.enumerated() {
      let cells = row.indices.map { Self.pad(row[$0], to: widths[$0]) }
      Swift.print("  " + cells.joined(separator: "  "))
      if number == 0 {
        Swift.print("  " + widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "))
      }
    }
    Swift.print()
  }

  private static func pad(_ cell: String, to width: Int) -> String {
    let blanks = String(repeating: " ", count: max(0, width - Self.width(cell)))
    // Only of ASCII: 七 is a number as well, and 七張 a station.
    let digit = cell.drop { $0 == "-" }.first
    return digit?.isASCII == true && digit?.isNumber == true ? blanks + cell : cell + blanks
  }

  /// East Asian characters are two columns wide in a terminal.
  static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) {
      $0 + ((0x1100...0xFFDC).contains($1.value) && $1.value >= 0x2E80 ? 2 : 1)
    }
  }
}
