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
  /// The range of the header up to the end of its last cell.
  var text: Range<Int>
  /// The offset after the header's line break.
  var end: Int
  /// A Boolean value that indicates whether a line break ends the header.
  var isWhole: Bool

  /// Returns the first record that names several columns, read with the separator that yields the
  /// most, or else the first that names one, or `nil` if there is none.
  ///
  /// A title may be the name of one column.
  static func find(
    _ bytes: Span<UInt8>, from start: Int, _ schema: RowSchema
  ) -> CSVHeader? {
    var starts = Array(repeating: start, count: separators.count)
    var best: CSVHeader?
    var most = 0
    for _ in 0..<mostRecords where most < 2 {
      for (position, separator) in separators.enumerated() {
        let header = CSVHeader(bytes, at: starts[position], separator: separator)
        starts[position] = header.end
        let columns = Set(header.names.compactMap { schema.match($0)?.column }).count
        if columns > most { (best, most) = (header, columns) }
      }
    }
    return best
  }

  /// Returns the header of a body all of whose columns are read, whatever their names are, or `nil`
  /// if it has fewer than two columns.
  ///
  /// It is the record with as many cells as most of those after it, unlike a title, and unlike the
  /// header read with a wrong separator. Empty cells at an end don't count: some exports end rows,
  /// but not the header, with a separator.
  static func findUnknown(_ bytes: Span<UInt8>, from start: Int) -> CSVHeader? {
    var best: CSVHeader?
    var most = (followers: -1, place: 0, names: 0)
    for separator in separators {
      var (records, at) = ([CSVHeader](), start)
      while records.count < 2 * mostRecords, at < bytes.count {
        records.append(CSVHeader(bytes, at: at, separator: separator))
        at = records[records.count - 1].end
      }
      for (place, record) in records.prefix(mostRecords).enumerated() {
        let names = Set(record.names.map(RowSchema.fold)).subtracting([""]).count
        guard names > 1 else { continue }
        let followers = records[(place + 1)...].count { record.isAsLong(as: $0) }
        if (followers, -place, names) > most {
          (best, most) = (record, (followers, -place, names))
        }
      }
    }
    return best
  }

  private init(_ bytes: Span<UInt8>, at start: Int, separator: UInt8) {
    self.separator = separator
    names = []
    text = start..<start
    var scanner = CSVScanner(separator: separator, at: start)
    var ending = CSVScanner.Ending.separator
    while ending == .separator {
      let cell: RowCell
      (cell, ending) = scanner.cell(bytes)
      text = start..<cell.end
      guard names.count < Self.mostNames else {
        names = []
        scanner.at = bytes.count
        break
      }
      names.append(
        cell.encoding == .plain
          ? bytes.text(cell.range)
          : String(decoding: RowText.decoded(bytes, cell), as: UTF8.self).streamSafe)
    }
    end = scanner.at
    isWhole = ending == .line
  }

  /// Returns whether a record has as many cells, apart from empty ones at the end of one of them.
  private func isAsLong(as other: CSVHeader) -> Bool {
    let count = min(names.count, other.names.count)
    return names.dropFirst(count).allSatisfy(\.isEmpty)
      && other.names.dropFirst(count).allSatisfy(\.isEmpty)
  }

  /// Returns whether a record is the header once more, possibly after a byte-order mark.
  func isRepeated(_ bytes: Span<UInt8>, _ record: Range<Int>) -> Bool {
    let start = record.upperBound - text.count
    return names.count > 1
      && (start == record.lowerBound
        || start == record.lowerBound + 3 && ForeignBody.isMark(bytes, record.lowerBound))
      && text.allSatisfy { bytes[$0] == bytes[start + $0 - text.lowerBound] }
  }
}
