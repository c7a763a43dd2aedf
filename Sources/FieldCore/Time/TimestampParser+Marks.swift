extension TimestampParser {
  /// Reads a date that begins with the name of an era.
  func readEra(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard let era = Era.names.first(where: { cursor.take($0.name, bytes) })?.era else {
      return false
    }
    cursor.skipBlanks(bytes)
    fields.isMarked = true
    if era != .common && cursor.take("元年", bytes) {
      fields.year = era.yearBeforeFirst + 1
      return readMonthAndDayMarks(bytes, &cursor, &fields)
    }
    return readNumbers(bytes, &cursor, &fields, era: era)
  }

  /// Reads a date that begins with the letter of a Japanese era: `R6.1.5`, `H31/4/30`.
  func readEraLetter(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    let letter = cursor.byte(bytes)
    guard ByteCursor.isDigit(cursor.byte(bytes, ahead: 1)),
      let era = Era.letters.first(where: { $0.letter == letter })?.era
    else { return false }
    cursor.at += 1
    return readNumbers(bytes, &cursor, &fields, era: era)
  }

  /// Continues after `年`: `5月16日`, possibly with blanks, and the time.
  func readMonthAndDayMarks(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard let month = takeMarkedNumber("月", bytes, &cursor),
      let day = takeMarkedNumber("日", bytes, &cursor)
    else { return false }
    (fields.month, fields.day) = (month, day)
    return readRest(bytes, &cursor, &fields, needsGap: false)
  }

  /// Continues after the hour: `時00分`, `時00分03秒`, `時00`, and `時` alone.
  func readTimeMarks(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    var ahead = cursor
    ahead.skipBlanks(bytes)
    guard ahead.take("時", bytes) else { return false }
    cursor = ahead
    fields.isMarked = true
    fields.precision = .hour
    ahead.skipBlanks(bytes)
    guard let minute = ahead.number(bytes, upTo: 2) else { return true }
    let isMarked = takeMark("分", bytes, &ahead)
    guard isMarked || minute.digits == 2 else { return true }
    (fields.minute, fields.precision) = (minute.value, .minute)
    cursor = ahead
    guard isMarked, let second = takeMarkedNumber("秒", bytes, &ahead) else { return true }
    (fields.second, fields.precision) = (second, .second)
    cursor = ahead
    return true
  }

  /// Skips a number with its mark, such as `9月`, and returns the number.
  func takeMarkedNumber(
    _ mark: String, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor
  ) -> Int? {
    cursor.skipBlanks(bytes)
    guard let number = cursor.number(bytes, upTo: 2) else { return nil }
    return takeMark(mark, bytes, &cursor) ? number.value : nil
  }

  private func takeMark(_ mark: String, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    var ahead = cursor
    ahead.skipBlanks(bytes)
    guard ahead.take(mark, bytes) else { return false }
    cursor = ahead
    return true
  }

  /// The era that a text names.
  enum Era {
    case common, minguo, reiwa, heisei, showa, taisho, meiji

    /// The year of the common era that precedes the era's first year.
    var yearBeforeFirst: Int {
      switch self {
      case .common: 0
      case .minguo, .taisho: 1911
      case .reiwa: 2018
      case .heisei: 1988
      case .showa: 1925
      case .meiji: 1867
      }
    }

    static let names: [(name: String, era: Era)] = [
      ("中華民國", .minguo), ("民國", .minguo), ("西元", .common), ("公元", .common),
      ("ROC", .minguo), ("R.O.C.", .minguo), ("令和", .reiwa),
      ("平成", .heisei), ("昭和", .showa), ("大正", .taisho), ("明治", .meiji),
    ]

    static let letters: [(letter: UInt8, era: Era)] = [
      (UInt8(ascii: "R"), .reiwa), (UInt8(ascii: "H"), .heisei), (UInt8(ascii: "S"), .showa),
      (UInt8(ascii: "T"), .taisho), (UInt8(ascii: "M"), .meiji),
    ]
  }
}
