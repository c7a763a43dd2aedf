extension TimestampParser {
  /// Reads what may follow a date: the time, unless it came first, and the zone.
  ///
  /// - Parameter needsGap: A Boolean value that indicates whether a `T` or a blank must separate
  ///   the time from the date.
  func readRest(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields, needsGap: Bool
  ) -> Bool {
    if cursor.isAtEnd { return true }
    if fields.hasTime { return readZone(bytes, &cursor, &fields) }
    let hasT =
      cursor.byte(bytes) | 0x20 == UInt8(ascii: "t")
      && cursor.byte(bytes, ahead: 1) | 0x20 != UInt8(ascii: "o")
    if hasT {
      cursor.at += 1
      fields.isMachineTime = true
    }
    let hasGap = cursor.skipBlanks(bytes) || hasT
    let next = cursor.byte(bytes)
    if next >= 0x80 || ByteCursor.isDigit(next) || isDayPeriod(bytes, cursor) {
      guard hasGap || !needsGap || next >= 0x80 else { return false }
      return readTime(bytes, &cursor, &fields, isHourEnough: hasT)
        && readZone(bytes, &cursor, &fields)
    }
    if hasT { return false }
    if ByteCursor.isRangeMark(next) {
      return readAfterMark(bytes, &cursor, &fields, hasGap: hasGap)
    }
    // `1/31/2001, 3:04 PM`, `20240105_030405`, and in logs `29/Jan/2024:10:00:00`.
    if next == UInt8(ascii: ",") || next == UInt8(ascii: "_") || next == UInt8(ascii: ":") {
      cursor.at += 1
      if next == UInt8(ascii: ",") { cursor.skipBlanks(bytes) }
      return readTime(bytes, &cursor, &fields, isHourEnough: false)
        && readZone(bytes, &cursor, &fields)
    }
    // `AT` could be Atlantic time, but `at` is a word: `January 5, 2024 at 3:04 PM`.
    let isUniversal = next == UInt8(ascii: "G") || next == UInt8(ascii: "U")
    guard readZone(bytes, &cursor, &fields) else { return false }
    // The long Chinese form of ICU has the zone first: `2024年1月5日 GMT+8 15:04:05`.
    return cursor.isAtEnd
      || hasGap && isUniversal && readTime(bytes, &cursor, &fields, isHourEnough: false)
  }

  /// Reads a time of day: `18:25`, `18:25:03.12`, `18.25`, `1825`, `182503`, `18時25分3秒`, with a
  /// ``DayPeriod`` before or after it.
  ///
  /// - Parameter isHourEnough: A Boolean value that indicates whether two digits may be the whole
  ///   time. One or two digits next to a period of the day always may.
  func readTime(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields, isHourEnough: Bool
  ) -> Bool {
    let start = cursor.at
    var period = takeDayPeriod(bytes, &cursor)
    if period != nil { cursor.skipBlanks(bytes) }
    guard let first = cursor.number(bytes, upTo: 6) else {
      guard period == .noon, !ByteCursor.isDigit(cursor.byte(bytes)) else { return false }
      (fields.hour, fields.precision) = (12, .hour)
      return true
    }
    var isComplete = true
    switch first.digits {
    case 1, 2:
      fields.hour = first.value
      let separator = cursor.byte(bytes)
      if separator == UInt8(ascii: ":") || separator == UInt8(ascii: ".") {
        cursor.at += 1
        let isPadded = first.digits == 2 && first.value < 10
        guard readMinute(separator, isPadded, bytes, &cursor, &fields) else { return false }
      } else if !readTimeMarks(bytes, &cursor, &fields) {
        fields.precision = .hour
        isComplete = isHourEnough && first.digits == 2
      }
    case 4:
      (fields.hour, fields.minute) = (first.value / 100, first.value % 100)
      fields.precision = .minute
    case 6:
      (fields.hour, fields.minute) = (first.value / 10_000, first.value / 100 % 100)
      fields.second = first.value % 100
      fields.precision = .second
      fields.isMachineTime = true
      readFraction(bytes, &cursor, &fields)
    default:
      return false
    }
    if period == nil && !cursor.isAtEnd {
      var ahead = cursor
      ahead.skipBlanks(bytes)
      period = takeDayPeriod(bytes, &ahead)
      if period != nil { cursor = ahead }
    }
    guard let period else { return isComplete }
    fields.hasPeriod = true
    fields.isMachineTime = false
    // Chinese words of at least six bytes begin or end the time.
    if bytes[start] >= 0x80 || bytes[cursor.at - 1] >= 0x80 { fields.isMarked = true }
    guard let hour = period.hour(fields.hour) else { return false }
    fields.hour = hour
    return true
  }

  /// Reads the minute after `18:`, and the second if the separator is repeated.
  ///
  /// - Parameter isPadded: A Boolean value that indicates whether the hour has a leading zero, so
  ///   that a single digit at the end of the text is the rest of a number that was cut off.
  private func readMinute(
    _ separator: UInt8, _ isPadded: Bool, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor,
    _ fields: inout Fields
  ) -> Bool {
    guard let minute = sixtieth(after: separator, isPadded, bytes, &cursor) else { return false }
    fields.minute = minute.value
    fields.precision = .minute
    guard cursor.take(separator, bytes) else { return true }
    let isMinutePadded = minute.digits == 2 && minute.value < 10
    guard let second = sixtieth(after: separator, isMinutePadded, bytes, &cursor) else {
      return false
    }
    fields.second = second.value
    fields.precision = .second
    fields.isMachineTime = true
    // Some clocks write the point of the fraction in any case: `14:07:09.+08:00`.
    if cursor.byte(bytes) == UInt8(ascii: "."),
      [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "Z")]
        .contains(cursor.byte(bytes, ahead: 1))
    {
      cursor.at += 1
    }
    readFraction(bytes, &cursor, &fields)
    return true
  }

  /// Reads a minute or second, which has one digit in `7:9:23`, and a blank instead of another in
  /// `0: 0: 0.0`.
  private func sixtieth(
    after separator: UInt8, _ isPadded: Bool, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor
  ) -> (value: Int, digits: Int)? {
    let isColon = separator == UInt8(ascii: ":")
    let hasBlank = isColon && cursor.take(UInt8(ascii: " "), bytes)
    guard let number = cursor.number(bytes, upTo: 2) else { return nil }
    if number.digits == 2 { return hasBlank ? nil : number }
    guard isColon, !cursor.isAtEnd || !isPadded && hasSingleDigit(bytes, cursor) else { return nil }
    return number
  }

  /// Returns whether another number has one digit, so that the last one isn't the rest of a number
  /// that was cut off, as in `2024-01-05 15:30:4`.
  private func hasSingleDigit(_ bytes: Span<UInt8>, _ cursor: ByteCursor) -> Bool {
    var count = 0
    for index in 0..<cursor.at - 1 {
      if ByteCursor.isDigit(bytes[index]) {
        count += 1
      } else if count == 1 {
        return true
      } else {
        count = 0
      }
    }
    return false
  }

  /// Reads a fraction of a second if one is next: any number of digits after a point or comma.
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

  private func isDayPeriod(_ bytes: Span<UInt8>, _ cursor: ByteCursor) -> Bool {
    var ahead = cursor
    return takeDayPeriod(bytes, &ahead) != nil
  }

  /// Skips `AM`, `p.m.`, `上午`, and the like; returns `nil` if none is next.
  private func takeDayPeriod(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> DayPeriod? {
    let first = cursor.byte(bytes)
    if first >= 0x80 {
      for (word, period) in DayPeriod.words where cursor.take(word, bytes) { return period }
      return nil
    }
    let letter = first | 0x20
    guard letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") else { return nil }
    var ahead = cursor
    ahead.at += 1
    let hasPoint = ahead.take(UInt8(ascii: "."), bytes)
    if hasPoint { ahead.skipBlanks(bytes) }
    guard ahead.byte(bytes) | 0x20 == UInt8(ascii: "m") else { return nil }
    ahead.at += 1
    _ = ahead.take(UInt8(ascii: "."), bytes)
    guard !ByteCursor.isLetter(ahead.byte(bytes)) else { return nil }
    cursor = ahead
    return letter == UInt8(ascii: "p") ? .afternoon : .morning
  }
}
