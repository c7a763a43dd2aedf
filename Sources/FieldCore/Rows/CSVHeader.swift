/// The header line of separated values.
struct CSVHeader {
  /// The number of records to check: some exports have a title line before the header.
  private static let mostRecords = 5
  /// A record with more cells than this isn't a header, so that thousands of separators cost no
  /// time.
  private static let mostNames = 10_000
  static let separators = [
    UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|"),
  ]

  var separator: UInt8
  var names: [String]
  /// The offset after the header's line break.
  var end: Int
  /// A Boolean value that indicates whether a line break ends the header.
  var isWhole: Bool

  /// Returns the first record that names a column, read with the separator that yields the most
  /// columns, or `nil` if there is none.
  static func find(
    _ bytes: Span<UInt8>, from start: Int, _ schema: RowSchema
  ) -> CSVHeader? {
    var starts = Array(repeating: start, count: separators.count)
    for _ in 0..<mostRecords {
      var best: CSVHeader?
      var most = 0
      for (position, separator) in separators.enumerated() where starts[position] < bytes.count {
        let header = CSVHeader(bytes, at: starts[position], separator: separator)
        starts[position] = header.end
        let columns = Set(header.names.compactMap { schema.match($0)?.column }).count
        if columns > most { (best, most) = (header, columns) }
      }
      if let best { return best }
    }
    return nil
  }

  private init(_ bytes: Span<UInt8>, at start: Int, separator: UInt8) {
    self.separator = separator
    names = []
    var scanner = CSVScanner(separator: separator, at: start)
    var ending = CSVScanner.Ending.separator
    while ending == .separator {
      let cell: RowCell
      (cell, ending) = scanner.cell(bytes)
      guard names.count < Self.mostNames else {
        names = []
        scanner.at = bytes.count
        break
      }
      names.append(
        cell.encoding == .plain
          ? bytes.text(cell.range)
          : String(decoding: RowText.decoded(bytes, cell), as: UTF8.self))
    }
    end = scanner.at
    isWhole = ending == .line
  }
}
