extension TimestampParser {
  /// Reads what may follow a date: a weekday, in brackets or in Chinese, the time, the zone.
  ///
  /// - Parameter needsGap: Whether a `T` or a blank has to part a time from the date.
  func readRest(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields, needsGap: Bool
  ) -> Bool {
    if cursor.isAtEnd { return true }
    guard readBracketedWeekday(bytes, &cursor) else { return false }
    let hasT = cursor.byte(bytes) | 0x20 == UInt8(ascii: "t")
    if hasT { cursor.at += 1 }
    var hasGap = cursor.skipBlanks(bytes) || hasT
    // Here brackets may as well hold a comment, which is left for later.
    var ahead = cursor
    if !hasT, readBracketedWeekday(bytes, &ahead), ahead.at > cursor.at {
      cursor = ahead
      if cursor.isAtEnd { return true }
      cursor.skipBlanks(bytes)
    }
    if !hasT, cursor.byte(bytes) >= 0x80, takeWeekday(bytes, &cursor) {
      if cursor.isAtEnd { return true }
      hasGap = cursor.skipBlanks(bytes)
    }
    let next = cursor.byte(bytes)
    if next >= 0x80 || isHalfOfDay(bytes, cursor) || ByteCursor.isDigit(next) {
      guard hasGap || !needsGap || next >= 0x80 else { return false }
      return readTime(bytes, &cursor, &fields) && readZone(bytes, &cursor, &fields)
    }
    return !hasT && readZone(bytes, &cursor, &fields)
  }

  /// Reads a time of day: `18:25`, `18:25:03.12`, `1825`, `182503`, `18時25分3秒`, with `AM`, `PM`,
  /// `上午` or
  /// `下午` before or behind it.
  func readTime(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    var isAfternoon = takeHalfOfDay(bytes, &cursor)
    if isAfternoon != nil { cursor.skipBlanks(bytes) }
    guard let first = cursor.number(bytes, upTo: 6) else { return false }
    switch first.digits {
    case 1, 2:
      fields.hour = first.value
      if takeColon(bytes, &cursor) {
        guard let minute = cursor.number(bytes, upTo: 2), minute.digits == 2 else { return false }
        fields.minute = minute.value
        fields.precision = .minute
        if takeColon(bytes, &cursor) {
          guard let second = cursor.number(bytes, upTo: 2), second.digits == 2 else { return false }
          fields.second = second.value
          fields.precision = .second
          readFraction(bytes, &cursor, &fields)
        }
      } else if !readTimeMarks(bytes, &cursor, &fields) {
        return false
      }
    case 4:
      (fields.hour, fields.minute) = (first.value / 100, first.value % 100)
      fields.precision = .minute
    case 6:
      (fields.hour, fields.minute) = (first.value / 10_000, first.value / 100 % 100)
      fields.second = first.value % 100
      fields.precision = .second
      readFraction(bytes, &cursor, &fields)
    default:
      return false
    }
    if isAfternoon == nil && !cursor.isAtEnd {
      var ahead = cursor
      ahead.skipBlanks(bytes)
      isAfternoon = takeHalfOfDay(bytes, &ahead)
      if isAfternoon != nil { cursor = ahead }
    }
    if let isAfternoon {
      // A time like 下午 15:20 is said twice over, and clear; 上午 15:20 is not.
      if fields.hour > 12 && !isAfternoon { return false }
      if fields.hour == 12 { fields.hour = 0 }
      if fields.hour < 12 && isAfternoon { fields.hour += 12 }
    }
    return true
  }

  /// Reads a fraction of a second, if one is next: any number of digits behind a point or comma.
  func readFraction(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields) {
    let sign = cursor.byte(bytes)
    guard sign == UInt8(ascii: ".") || sign == UInt8(ascii: ","),
      ByteCursor.isDigit(cursor.byte(bytes, ahead: 1))
    else { return }
    cursor.at += 1
    let start = cursor.at
    var unit = 100_000_000
    while case let digit = cursor.byte(bytes) &- 0x30, digit < 10 {
      fields.nanoseconds += Int(digit) * unit
      unit /= 10
      cursor.at += 1
    }
    fields.precision = .fraction(digits: cursor.at - start)
  }

  private func takeColon(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    cursor.take(UInt8(ascii: ":"), bytes) || cursor.byte(bytes) == 0xEF && cursor.take("：", bytes)
  }

  private func isHalfOfDay(_ bytes: Span<UInt8>, _ cursor: ByteCursor) -> Bool {
    var ahead = cursor
    return takeHalfOfDay(bytes, &ahead) != nil
  }

  /// Steps over `AM`, `p.m.`, `上午` and the like; true for the afternoon, nil when none is next.
  private func takeHalfOfDay(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool? {
    let first = cursor.byte(bytes)
    if first >= 0x80 {
      if cursor.take("上午", bytes) { return false }
      return cursor.take("下午", bytes) ? true : nil
    }
    let letter = first | 0x20
    guard letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") else { return nil }
    var ahead = cursor
    ahead.at += 1
    let hasPoint = ahead.take(UInt8(ascii: "."), bytes)
    guard ahead.byte(bytes) | 0x20 == UInt8(ascii: "m") else { return nil }
    ahead.at += 1
    if hasPoint { _ = ahead.take(UInt8(ascii: "."), bytes) }
    guard !ByteCursor.isLetter(ahead.byte(bytes)) else { return nil }
    cursor = ahead
    return letter == UInt8(ascii: "p")
  }

  /// Reads a zone, if one is next: `Z`, `+08:00`, `+0800`, `+08`, `GMT`, `UTC+8`, `EST`, and a
  /// comment.
  func readZone(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    cursor.skipBlanks(bytes)
    if cursor.isAtEnd { return true }
    let start = cursor.at
    if ByteCursor.isLetter(cursor.byte(bytes)) {
      guard let seconds = takeZoneName(bytes, &cursor, fields) else { return false }
      fields.offset = seconds
    }
    let sign = cursor.byte(bytes)
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      // Of the names only UTC and the like may be followed by a distance, not `Z`.
      guard fields.offset ?? 0 == 0, cursor.at - start != 1 else { return false }
      cursor.at += 1
      guard let first = cursor.number(bytes, upTo: 4), first.digits != 3 else { return false }
      var (hours, minutes) = (first.value, 0)
      if first.digits == 4 {
        (hours, minutes) = (first.value / 100, first.value % 100)
      } else if cursor.take(UInt8(ascii: ":"), bytes) {
        guard let second = cursor.number(bytes, upTo: 2), second.digits == 2 else { return false }
        minutes = second.value
      }
      guard minutes <= 59 else { return false }
      let seconds = hours * 3600 + minutes * 60
      fields.offset = sign == UInt8(ascii: "-") ? -seconds : seconds
    }
    cursor.skipBlanks(bytes)
    return skipComment(bytes, &cursor)
  }

  /// Steps over the names in brackets that RFC 822 allows, and JavaScript writes.
  private func skipComment(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    guard cursor.take(UInt8(ascii: "("), bytes) else { return true }
    while !cursor.isAtEnd && cursor.byte(bytes) != UInt8(ascii: ")") { cursor.at += 1 }
    return cursor.take(UInt8(ascii: ")"), bytes)
  }
}
