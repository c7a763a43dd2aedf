extension TimestampParser {
  /// Reads a date that begins with an English word: a weekday or a month, or the letter of a
  /// Japanese era.
  func readWords(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    if let month = takeName(of: Self.months, bytes, &cursor) {
      return readMonthFirst(month, bytes, &cursor, &fields)
    }
    guard takeName(of: Self.weekdays, bytes, &cursor) != nil else {
      return readEraLetter(bytes, &cursor, &fields) || readEra(bytes, &cursor, &fields)
    }
    _ = cursor.take(UInt8(ascii: "."), bytes)
    cursor.skipBlanks(bytes)
    _ = cursor.take(UInt8(ascii: ","), bytes)
    cursor.skipBlanks(bytes)
    if let month = takeName(of: Self.months, bytes, &cursor) {
      return readMonthFirst(month, bytes, &cursor, &fields)
    }
    return readNumbers(bytes, &cursor, &fields, era: nil)
  }

  /// Continues after a number that a name follows: `22` in `22 Jul 2025 20:42:19 GMT`, `06-Nov-94`,
  /// and `28 9月 2026`, or `2024` in `2024-Jan-05` and `2024-W01-5`.
  func readNumberAndWord(
    _ number: (value: Int, digits: Int), _ bytes: Span<UInt8>, _ cursor: inout ByteCursor,
    _ fields: inout Fields
  ) -> Bool {
    skipGap(bytes, &cursor)
    guard number.digits <= 2 || number.digits == 4 else { return false }
    guard
      let month = takeName(of: Self.months, bytes, &cursor)
        ?? takeMarkedNumber("月", bytes, &cursor)
    else { return number.digits == 4 && readWeek(of: number.value, bytes, &cursor, &fields) }
    skipGap(bytes, &cursor)
    (fields.month, fields.isMonthNamed) = (month, number.digits <= 2)
    if number.digits == 4 {
      guard let day = cursor.number(bytes, upTo: 2) else { return false }
      (fields.year, fields.day) = (number.value, day.value)
      _ = cursor.take(UInt8(ascii: "."), bytes)
    } else {
      guard let year = cursor.number(bytes, upTo: 4), setYear(year, &fields) else { return false }
      fields.day = number.value
    }
    return readRest(bytes, &cursor, &fields, needsGap: true)
  }

  /// Continues after `Nov` in `Nov  6 08:49:37 1994`, `Jul 22 2025 20:42:19 GMT+0800`, `Jul 22
  /// 20:42:19 UTC 2025`, and `Jan 29 00:00:00 +0000 2024`.
  private func readMonthFirst(
    _ month: Int, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    skipGap(bytes, &cursor)
    guard let day = cursor.number(bytes, upTo: 2) else { return false }
    (fields.month, fields.day) = (month, day.value)
    guard skipGap(bytes, &cursor) else { return false }
    var ahead = cursor
    if let year = ahead.number(bytes, upTo: 4), year.digits == 4,
      ahead.byte(bytes) != UInt8(ascii: ":")
    {
      cursor = ahead
      return setYear(year, &fields) && readRest(bytes, &cursor, &fields, needsGap: true)
    }
    guard !fields.hasTime, readTime(bytes, &cursor, &fields, isHourEnough: false),
      cursor.skipBlanks(bytes)
    else { return false }
    if !ByteCursor.isDigit(cursor.byte(bytes)) {
      guard takeZone(bytes, &cursor, &fields), cursor.skipBlanks(bytes) else { return false }
    }
    guard let year = cursor.number(bytes, upTo: 4), year.digits == 4 else { return false }
    // A second zone wouldn't be at the end of the text.
    return setYear(year, &fields) && (fields.zone != nil || readZone(bytes, &cursor, &fields))
  }

  /// Stores a year: two digits mean the latest allowed year; three count from 1900 (RFC 2822).
  private func setYear(_ year: (value: Int, digits: Int), _ fields: inout Fields) -> Bool {
    switch year.digits {
    case 4: fields.year = year.value
    case 3: fields.year = year.value + 1900
    case 2:
      fields.year = latestShortYear - CivilCalendar.remainder(latestShortYear - year.value, 100)
    default: return false
    }
    return true
  }

  /// Skips anything that may separate the parts of a date with a month's name: blanks, and one
  /// comma, point, hyphen, or slash.
  @discardableResult
  private func skipGap(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    let start = cursor.at
    cursor.skipBlanks(bytes)
    switch cursor.byte(bytes) {
    case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "/"):
      cursor.at += 1
      cursor.skipBlanks(bytes)
    default: break
    }
    return cursor.at > start
  }

  /// Skips a name in the list, or at least its first three letters, and returns its number from 1.
  private func takeName(
    of names: Names, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor
  ) -> Int? {
    let key = Names.key(
      cursor.byte(bytes), cursor.byte(bytes, ahead: 1), cursor.byte(bytes, ahead: 2))
    guard let index = names.keys.firstIndex(of: key) else { return nil }
    cursor.at += 3
    for byte in names.tails[index].utf8 where ByteCursor.isLetter(cursor.byte(bytes)) {
      guard cursor.byte(bytes) | 0x20 == byte else { return nil }
      cursor.at += 1
    }
    return ByteCursor.isLetter(cursor.byte(bytes)) ? nil : index + 1
  }

  /// Names that differ in their first three letters.
  private struct Names {
    let keys: [UInt32]
    /// The rest of each name, which may follow those letters.
    let tails: [String]

    init(_ names: [String]) {
      keys = names.map { name in name.utf8.prefix(3).reduce(0) { $0 << 8 | UInt32($1) } }
      tails = names.map { String($0.dropFirst(3)) }
    }

    static func key(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
      UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
    }
  }

  private static let months = Names([
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ])

  private static let weekdays = Names([
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ])
}

// MARK: - Marks

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
