/// A hyphen after a date or a time may separate the two, begin an offset from UTC, or separate the
/// ends of a range. No zone follows a bare date, none follows a dash, and none is more than 12 hours
/// behind UTC. What may be read in two ways isn't read.
extension TimestampParser {
  /// Continues at a hyphen or tilde after a date: `20240105-153000`, `4 Aug 2015 - 11:20 PM`, and
  /// the ranges `2024/01/05-2024/01/07`, `2024/1/5~1/7`.
  func readAfterMark(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields, hasGap: Bool
  ) -> Bool {
    let start = cursor
    let isHyphen = cursor.byte(bytes) == UInt8(ascii: "-")
    if readRange(bytes, &cursor, &fields) { return true }
    guard isHyphen, !fields.hasTime else { return false }
    cursor = start
    cursor.at += 1
    if cursor.skipBlanks(bytes) != hasGap { return false }
    if !hasGap && isOffsetOfDay(bytes, start, fields) || isDay(bytes, cursor, fields)
      || isDayOrTime(bytes, cursor, fields)
    {
      return false
    }
    return readTime(bytes, &cursor, &fields, isHourEnough: false)
      && readZone(bytes, &cursor, &fields)
  }

  /// Returns whether what follows a day may be its offset in XML Schema, as in `2024-01-05-05:00`,
  /// or one in digits alone.
  private func isOffsetOfDay(
    _ bytes: Span<UInt8>, _ cursor: ByteCursor, _ fields: Fields
  ) -> Bool {
    var (ahead, offset) = (cursor, fields)
    guard readOffset(bytes, &ahead, &offset), ahead.isAtEnd else { return false }
    let hasColon = (cursor.at..<cursor.end).contains { bytes[$0] == UInt8(ascii: ":") }
    return !hasColon || fields.separator == UInt8(ascii: "-") && !fields.isYearLast
  }

  /// Returns whether four digits after a date in digits may be the month and day of its end, as in
  /// `20240105-1231`.
  private func isDay(_ bytes: Span<UInt8>, _ cursor: ByteCursor, _ fields: Fields) -> Bool {
    guard fields.separator == 0, !fields.isMonthNamed, !fields.isMarked else { return false }
    var ahead = cursor
    guard let number = ahead.number(bytes, upTo: 6), number.digits == 4 else { return false }
    return (1...12).contains(number.value / 100) && (1...31).contains(number.value % 100)
  }

  /// Continues at a sign or tilde after a time.
  func readZoneOrRange(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields, hasGap: Bool
  ) -> Bool {
    let start = cursor
    var (ahead, offset) = (cursor, fields)
    let isOffset =
      cursor.byte(bytes) == UInt8(ascii: "-") && readOffset(bytes, &ahead, &offset)
      && ahead.isAtEnd
    if isOffset, fields.isEnd || isZoneMeant(bytes, start, fields, hasGap: hasGap) {
      (cursor, fields) = (ahead, offset)
      return true
    }
    guard !isOffset || isRangeMeant(bytes, start, fields) else { return false }
    guard readRange(bytes, &cursor, &fields) else { return false }
    return cursor.at == start.at || hasGap || !isBackward(bytes, start, fields)
  }

  /// Returns whether the time after a hyphen is earlier than the start, and hardly of the next
  /// morning: `09:00:00-08:00:00` isn't a range.
  private func isBackward(_ bytes: Span<UInt8>, _ cursor: ByteCursor, _ fields: Fields) -> Bool {
    var (ahead, end) = (cursor, Fields())
    ahead.at += 1
    guard fields.hour < 17, !fields.hasPeriod, cursor.byte(bytes) == UInt8(ascii: "-"),
      readTime(bytes, &ahead, &end, isHourEnough: false), ahead.isAtEnd
    else { return false }
    return (end.hour, end.minute, end.second) < (fields.hour, fields.minute, fields.second)
  }

  /// Returns whether a valid offset is one, and not the end of a range.
  private func isZoneMeant(
    _ bytes: Span<UInt8>, _ cursor: ByteCursor, _ fields: Fields, hasGap: Bool
  ) -> Bool {
    if fields.isMarked { return false }
    if fields.isMachineTime { return true }
    var ahead = cursor
    ahead.at += 1
    guard let hours = ahead.number(bytes, upTo: 6) else { return false }
    // RFC 822 has `20:42 -0500`, but in `0900-1000`, both may be times.
    if hours.digits >= 3 {
      return hasGap
        || fields.isMonthNamed && bytes[max(cursor.at - 3, 0)] == UInt8(ascii: ":")
    }
    let isISO = fields.separator == UInt8(ascii: "-") && !fields.isYearLast && !fields.hasPeriod
    guard isISO, hours.digits == 2 else { return false }
    // A range that ends before it starts is an offset, unless it may last until the next morning.
    return fields.hour < 17 && (hours.value, minutes(bytes, ahead)) < (fields.hour, fields.minute)
  }

  /// Returns whether what might be an offset is the end of a range.
  private func isRangeMeant(
    _ bytes: Span<UInt8>, _ cursor: ByteCursor, _ fields: Fields
  ) -> Bool {
    if fields.isMarked { return true }
    var ahead = cursor
    ahead.at += 1
    guard let hours = ahead.number(bytes, upTo: 6), hours.digits <= 2,
      ahead.byte(bytes) == UInt8(ascii: ":")
    else { return false }
    return hours.digits == 1 || minutes(bytes, ahead) % 15 != 0
  }

  /// Returns the minutes after a colon, or 0.
  private func minutes(_ bytes: Span<UInt8>, _ cursor: ByteCursor) -> Int {
    var ahead = cursor
    guard ahead.take(UInt8(ascii: ":"), bytes) else { return 0 }
    return ahead.number(bytes, upTo: 2)?.value ?? 0
  }

  /// Reads the end of a range if a mark is next, and succeeds without one.
  ///
  /// The end must be a date, a part of one, or a time. Its zone applies to the start unless that
  /// states its own.
  func readRange(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    cursor.skipBlanks(bytes)
    let mark = cursor.byte(bytes)
    guard takeRangeMark(bytes, &cursor) else { return true }
    cursor.skipBlanks(bytes)
    if fields.isEnd || cursor.isAtEnd { return false }
    var (ahead, end) = (cursor, Fields())
    end.isEnd = true
    if readDate(bytes, &ahead, &end), ahead.isAtEnd {
      return finishRange(end, isWholeDate: true, ahead, &cursor, &fields)
    }
    (ahead, end) = (cursor, fields.dayAlone)
    // After a time, the start is the same in either case. After `~`, no time follows a date.
    let isDayOrTime = isDayOrTime(bytes, cursor, fields)
    if isDayOrTime && !fields.hasTime && mark == UInt8(ascii: "-") { return false }
    if readPartOfDate(bytes, &ahead, &end, allowsDay: !fields.hasTime), ahead.isAtEnd {
      guard finishRange(end, isWholeDate: true, ahead, &cursor, &fields) else { return false }
      if isDayOrTime && fields.hasTime { fields.lastDay.month = 0 }
      return true
    }
    (ahead, end) = (cursor, fields.dayAlone)
    guard fields.hasTime, readTime(bytes, &ahead, &end, isHourEnough: false),
      readZone(bytes, &ahead, &end), ahead.isAtEnd
    else { return false }
    return finishRange(end, isWholeDate: false, ahead, &cursor, &fields)
  }

  /// Returns whether the rest of a text may be both a day and a time: `11.20` in
  /// `2024.01.05 - 11.20`, `11.04` in `13.01.2024 - 11.04`.
  private func isDayOrTime(
    _ bytes: Span<UInt8>, _ cursor: ByteCursor, _ fields: Fields
  ) -> Bool {
    var ahead = cursor
    guard fields.separator == UInt8(ascii: "."), let first = ahead.number(bytes, upTo: 2),
      ahead.take(UInt8(ascii: "."), bytes), let second = ahead.number(bytes, upTo: 2), ahead.isAtEnd
    else { return false }
    let (month, day) =
      fields.isYearLast ? (second.value, first.value) : (first.value, second.value)
    return (1...12).contains(month) && (1...31).contains(day) && first.value <= 24
  }

  /// Skips `~`, a hyphen, `to`, or the slash of ISO 8601 before a date.
  private func takeRangeMark(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) -> Bool {
    if ByteCursor.isRangeMark(cursor.byte(bytes)) {
      cursor.at += 1
      // `->` and `--` are arrows and dashes.
      if cursor.byte(bytes) == UInt8(ascii: ">") || cursor.byte(bytes) == UInt8(ascii: "-") {
        cursor.at += 1
      }
      return true
    }
    return cursor.take("to ", bytes) || cursor.take("until ", bytes)
      || ByteCursor.isDigit(cursor.byte(bytes, ahead: 4))
        && cursor.take(UInt8(ascii: "/"), bytes)
  }

  /// Reads the end of a range as far as it differs from the start: `1/7`, `1月7日`, `7日`, and
  /// `7` with a time or none.
  private func readPartOfDate(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ end: inout Fields, allowsDay: Bool
  ) -> Bool {
    guard let first = cursor.number(bytes, upTo: 2) else { return false }
    let mark = cursor.byte(bytes)
    if cursor.take("月", bytes) {
      guard let day = takeMarkedNumber("日", bytes, &cursor) else { return false }
      (end.month, end.day) = (first.value, day)
    } else if cursor.take("日", bytes) {
      end.day = first.value
    } else if end.separator != 0, mark == end.separator, !end.isYearLast {
      cursor.at += 1
      guard let day = cursor.number(bytes, upTo: 2) else { return false }
      (end.month, end.day) = (first.value, day.value)
    } else {
      // A time may follow the hyphen in `05-Jan-2024-15:04`, and a part of anything in `20130127-01`.
      guard allowsDay, end.separator == UInt8(ascii: "/") || end.separator == UInt8(ascii: "."),
        mark == 0 || ByteCursor.isBlank(mark), first.value > end.day
      else { return false }
      end.day = first.value
    }
    return readRest(bytes, &cursor, &end, needsGap: mark < 0x80)
  }

  /// Checks the end of a range, and applies it to the start.
  private func finishRange(
    _ end: Fields, isWholeDate: Bool, _ behind: ByteCursor, _ cursor: inout ByteCursor,
    _ start: inout Fields
  ) -> Bool {
    var (end, noted, isOrderOpen) = (end, DateOrder(), false)
    // In `2:00-4:00 PM`, both may be in the afternoon, or the first in the morning.
    if end.hasPeriod, !start.hasPeriod, start.hasTime, !isWholeDate, (1...12).contains(start.hour) {
      return false
    }
    if !end.isYearLast || end.resolve(order, &noted) {
      guard end.instant(in: zone) != nil else { return false }
    } else {
      // The start and the end are written in the same order, which the start must settle.
      guard start.isYearLast, (1...12).contains(end.month), (1...12).contains(end.day) else {
        return false
      }
      isOrderOpen = true
    }
    start.endOrder = noted
    if start.zone == nil, end.zone != nil {
      start.zone = end.zone
      start.isZoneOfEnd = true
    }
    start.setLastDay(end, isOrderOpen: isOrderOpen, hasDay: isWholeDate)
    cursor = behind
    return true
  }
}

extension TimestampParser.Fields {
  /// The day without its time, which the end of a range may share.
  fileprivate var dayAlone: Self {
    var end = Self()
    (end.year, end.month, end.day) = (year, month, day)
    (end.separator, end.isYearLast, end.isMarked) = (separator, isYearLast, isMarked)
    end.isEnd = true
    return end
  }

  /// Stores the last day of a range.
  ///
  /// - Parameters:
  ///   - end: The end of the range.
  ///   - isOrderOpen: A Boolean value that indicates whether the start settles the order of day and
  ///     month.
  ///   - hasDay: A Boolean value that indicates whether the end states its day.
  fileprivate mutating func setLastDay(_ end: Self, isOrderOpen: Bool, hasDay: Bool) {
    (lastDay, isEndOrderOpen) = ((end.year, end.month, end.day), isOrderOpen)
    // In `下午2:00-4:00`, the end is in the afternoon, too.
    let isAfternoon = hasPeriod && !end.hasPeriod && hour >= 12 && end.hour < 12
    let endHour = end.hour + (isAfternoon ? 12 : 0)
    guard !hasDay, (endHour, end.minute, end.second) < (hour, minute, second) else { return }
    // Only an evening is likely to last until the next morning.
    guard hour >= 17, !isOrderOpen else { return lastDay.month = 0 }
    lastDay = CivilCalendar.date(
      ofDays: CivilCalendar.days(year: end.year, month: end.month, day: end.day) + 1)
  }
}

extension ByteCursor {
  /// Returns whether a byte may separate the ends of a range.
  static func isRangeMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "~") || byte == UInt8(ascii: "-")
  }
}
