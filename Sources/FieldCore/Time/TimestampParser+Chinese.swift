extension TimestampParser {
  /// Reads a date that begins with a Chinese word: a weekday or an era.
  func readChinese(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    if takeWeekday(bytes, &cursor) {
      _ = cursor.take(UInt8(ascii: ","), bytes) || cursor.take("，", bytes)
      cursor.skipBlanks(bytes)
    }
    var era: Era?
    if cursor.take("中華民國", bytes) || cursor.take("民國", bytes) {
      era = .minguo
    } else if cursor.take("西元", bytes) || cursor.take("公元", bytes) {
      era = .common
    }
    cursor.skipBlanks(bytes)
    if era == .minguo && cursor.take("元年", bytes) {
      fields.year = 1912
      return readMonthAndDayMarks(bytes, &cursor, &fields)
    }
    return readNumbers(bytes, &cursor, &fields, era: era)
  }

  /// Reads on behind `年`: `5月16日`, with blanks between and a time behind.
  func readMonthAndDayMarks(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard let month = takeMarkedNumber("月", bytes, &cursor),
      let day = takeMarkedNumber("日", bytes, &cursor)
    else { return false }
    (fields.month, fields.day) = (month, day)
    return readRest(bytes, &cursor, &fields, needsGap: false)
  }

  /// Reads on behind the hour: `時00分` or `時00分03秒`, and `時` alone.
  func readTimeMarks(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard cursor.take("時", bytes) || cursor.take("点", bytes) || cursor.take("點", bytes) else {
      return false
    }
    fields.precision = .hour
    var ahead = cursor
    guard let minute = takeMarkedNumber("分", bytes, &ahead) else { return true }
    (fields.minute, fields.precision) = (minute, .minute)
    cursor = ahead
    guard let second = takeMarkedNumber("秒", bytes, &ahead) else { return true }
    (fields.second, fields.precision) = (second, .second)
    cursor = ahead
    return true
  }

  private func takeMarkedNumber(
    _ mark: String, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor
  ) -> Int? {
    cursor.skipBlanks(bytes)
    guard let number = cursor.number(bytes, upTo: 2) else { return nil }
    cursor.skipBlanks(bytes)
    return cursor.take(mark, bytes) ? number.value : nil
  }

  /// Steps over `九月` or `9月`; gives the month.
  func takeChineseMonth(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Int? {
    var month = 0
    if let number = cursor.number(bytes, upTo: 2) {
      month = number.value
    } else {
      if cursor.take("十", bytes) { month = 10 }
      month += takeOneOf(["一", "二", "三", "四", "五", "六", "七", "八", "九"], bytes, &cursor) ?? 0
    }
    return cursor.take("月", bytes) && (1...12).contains(month) ? month : nil
  }

  /// Steps over `週一`, `星期一` or `禮拜一`, if one is next.
  func takeWeekday(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    var ahead = cursor
    guard
      ahead.take("週", bytes) || ahead.take("周", bytes) || ahead.take("星期", bytes)
        || ahead.take("禮拜", bytes)
    else { return false }
    guard takeOneOf(Self.weekdays, bytes, &ahead) != nil else { return false }
    cursor = ahead
    return true
  }

  /// Steps over a weekday in brackets behind a date, `(六)` or `（星期六）`; false when the brackets hold
  /// something else.
  func readBracketedWeekday(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    guard cursor.byte(bytes) == UInt8(ascii: "(") || cursor.byte(bytes) == 0xEF else { return true }
    guard cursor.take(UInt8(ascii: "("), bytes) || cursor.take("（", bytes) else { return true }
    guard takeWeekday(bytes, &cursor) || takeOneOf(Self.weekdays, bytes, &cursor) != nil else {
      return false
    }
    return cursor.take(UInt8(ascii: ")"), bytes) || cursor.take("）", bytes)
  }

  private func takeOneOf(
    _ words: [String], _ bytes: Span<UInt8>, _ cursor: inout ByteCursor
  ) -> Int? {
    for (index, word) in words.enumerated() where cursor.take(word, bytes) { return index + 1 }
    return nil
  }

  private static let weekdays: [String] = ["一", "二", "三", "四", "五", "六", "日", "天"]
}
