/// Rows of text in columns, numbers to the right. On a terminal, cells are cut to what fits.
struct Table {
  private var rows: [[String]]

  init(_ head: String...) { rows = [head] }

  mutating func add(_ cells: String...) { rows.append(cells) }

  func print() {
    let widths = Self.fitted(
      rows[0].indices.map { column in rows.map { Self.width($0[column]) }.max() ?? 0 })
    for (number, row) in rows.enumerated() {
      let cells = row.indices.map { Self.pad(Self.cut(row[$0], to: widths[$0]), to: widths[$0]) }
      let line = "  " + cells.joined(separator: "  ")
      Swift.print(number == 0 ? Terminal.standard.styled(line, .bold) : line)
      if number == 0 {
        Swift.print("  " + widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "))
      }
    }
    Swift.print()
  }

  /// Takes columns from the widest until the table fits the terminal.
  private static func fitted(_ natural: [Int]) -> [Int] {
    var widths = natural
    guard let columns = Terminal.standard.columns else { return widths }
    while widths.reduce(0, +) + 2 * widths.count > columns,
      let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 4
    {
      widths[widest] -= 1
    }
    return widths
  }

  private static func cut(_ cell: String, to width: Int) -> String {
    guard self.width(cell) > width else { return cell }
    var rest = cell
    while self.width(rest) > width - 1 { rest.removeLast() }
    return rest + "…"
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
