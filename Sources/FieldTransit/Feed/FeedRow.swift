internal import FieldCore

/// A row of a feed's file, whose cells are ranges of its bytes.
@safe
struct FeedRow {
  /// The index in the file, from 0.
  let index: Int
  /// The range in the file.
  let range: Range<Int>
  private let table: CSVTable
  private let bytes: UnsafeBufferPointer<UInt8>
  private let cells: UnsafeBufferPointer<CSVTable.Cell>

  /// Creates a row, which is valid while the closure that receives it runs.
  init(
    _ index: Int, _ range: Range<Int>, _ table: CSVTable, _ bytes: UnsafeBufferPointer<UInt8>,
    _ cells: UnsafeBufferPointer<CSVTable.Cell>
  ) {
    (self.index, self.range, self.table) = (index, range, table)
    unsafe (self.bytes, self.cells) = (bytes, cells)
  }

  /// Returns the range of a cell.
  @inline(__always)
  private func cell(_ column: Int) -> CSVTable.Cell { unsafe cells[column] }

  @inline(__always)
  func isEmpty(_ column: Int) -> Bool { cell(column).isEmpty }

  /// Returns the text of a cell.
  func text(_ column: Int) -> String { table.text(of: cell(column)) }

  /// Returns the beginning of the row, for a report.
  var excerpt: String { table.excerpt(range) }

  /// Calls a closure with the bytes of a cell.
  @inline(__always)
  func withBytes<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let cell = cell(column)
    if cell.isQuoted { return text(column).withUTF8Span(body) }
    return body(unsafe bytes.span.extracting(cell.start..<cell.end))
  }

  /// Returns a whole number, or `nil` if the cell contains something else.
  ///
  /// `2.0` is one, too: tools write it where a column of numbers has empty cells.
  @inline(__always)
  func number(_ column: Int) -> Int32? {
    let cell = cell(column)
    var (at, value) = (cell.start, 0)
    guard at < cell.end, cell.end &- at <= 9 else { return nil }
    while at < cell.end {
      let digit = unsafe bytes[at] &- 0x30
      guard digit < 10 else {
        let decimals = at &+ 1..<cell.end
        guard at > cell.start, unsafe bytes[at] == UInt8(ascii: "."),
          decimals.allSatisfy({ unsafe bytes[$0] == UInt8(ascii: "0") })
        else { return nil }
        break
      }
      value = value &* 10 &+ Int(digit)
      at &+= 1
    }
    return Int32(truncatingIfNeeded: value)
  }

  /// Returns the seconds of a time such as `25:10:00`, or `nil` if the cell contains something else.
  @inline(__always)
  func seconds(_ column: Int) -> Int32? {
    let cell = cell(column)
    var at = cell.start
    var total = 0
    for part in 0..<3 {
      let start = at
      var value = 0
      while at < cell.end, case let digit = unsafe bytes[at] &- 0x30, digit < 10 {
        value = value &* 10 &+ Int(digit)
        at &+= 1
      }
      guard at > start, at &- start <= (part == 0 ? 4 : 2), part == 0 || value < 60 else {
        return nil
      }
      total = total &* 60 &+ value
      if at == cell.end {
        // `8:10` is a time, too, and `8` isn't.
        guard part > 0 else { return nil }
        return Int32(truncatingIfNeeded: part == 1 ? total &* 60 : total)
      }
      guard part < 2, unsafe bytes[at] == UInt8(ascii: ":") else { return nil }
      at &+= 1
    }
    return nil
  }

  /// Returns a day in the form `20241218`, or `nil` if the cell contains something else.
  func day(_ column: Int) -> Int32? {
    let cell = cell(column)
    guard cell.end - cell.start == 8, let number = number(column) else { return nil }
    return CalendarDay(
      validYear: Int(number / 10_000), month: Int(number / 100 % 100), day: Int(number % 100)
    )?.dayNumber
  }

  /// Returns degrees, in units of 1e-7, or `nil` if the cell contains something else.
  func degrees(_ column: Int, upTo limit: Double) -> Int32? {
    guard !isEmpty(column), let value = Double(text(column)), abs(value) <= limit else {
      return nil
    }
    return Int32(limiting: value * 1e7)
  }
}

extension CalendarDay {
  private static let epoch = CalendarDay.newYear(1970)

  /// The days since 1 January 1970.
  var dayNumber: Int32 { Int32(truncatingIfNeeded: Self.epoch.days(until: self)) }

  /// Creates the day that is a number of days after 1 January 1970.
  init(dayNumber: Int32) { self = Self.epoch.adding(days: Int(dayNumber)) }
}
