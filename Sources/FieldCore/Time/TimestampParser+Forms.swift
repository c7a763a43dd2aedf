extension TimestampParser {
  /// Continues after `2024-` in the ordinal date `2024-005`, and in `2024-005-12`, where a
  /// superfluous zero precedes the month.
  func readDayOfYear(
    _ year: (value: Int, digits: Int), _ separator: UInt8, _ bytes: Span<UInt8>,
    _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard year.digits == 4, separator == UInt8(ascii: "-"),
      let number = cursor.number(bytes, upTo: 3), number.digits == 3
    else { return false }
    fields.year = year.value
    if cursor.take(separator, bytes) {
      guard let day = cursor.number(bytes, upTo: 2) else { return false }
      (fields.month, fields.day) = (number.value, day.value)
    } else {
      guard number.value >= 1, number.value <= (CivilCalendar.isLeap(year.value) ? 366 : 365) else {
        return false
      }
      setDay(CivilCalendar.days(year: year.value, month: 1, day: number.value), &fields)
    }
    return readRest(bytes, &cursor, &fields, needsGap: true)
  }

  /// Continues after `2024-` or `2024` in the ISO 8601 week dates `2024-W01-5` and `2024W015`.
  func readWeek(
    of year: Int, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard cursor.byte(bytes) | 0x20 == UInt8(ascii: "w") else { return false }
    cursor.at += 1
    guard var week = cursor.number(bytes, upTo: 3) else { return false }
    var weekday = week.value % 10
    if week.digits == 3 {
      week.value /= 10
    } else {
      guard week.digits == 2, cursor.take(UInt8(ascii: "-"), bytes),
        let day = cursor.number(bytes, upTo: 1)
      else { return false }
      weekday = day.value
    }
    /// Returns the Monday of a year's first week, which contains 4 January.
    func firstMonday(_ year: Int) -> Int {
      let days = CivilCalendar.days(year: year, month: 1, day: 4)
      // 5 January 1970 was a Monday.
      return days - CivilCalendar.remainder(days - 4, 7)
    }
    let days = firstMonday(year) + (week.value - 1) * 7 + weekday - 1
    guard week.value >= 1, (1...7).contains(weekday), days < firstMonday(year + 1) else {
      return false
    }
    setDay(days, &fields)
    return readRest(bytes, &cursor, &fields, needsGap: true)
  }

  /// Continues after the year in `2024:01:05 03:04:05`, as cameras write dates (Exif).
  func readPhotoDate(
    _ year: (value: Int, digits: Int), _ bytes: Span<UInt8>, _ cursor: inout ByteCursor,
    _ fields: inout Fields
  ) -> Bool {
    guard cursor.take(UInt8(ascii: ":"), bytes), let month = cursor.number(bytes, upTo: 2),
      cursor.take(UInt8(ascii: ":"), bytes), let day = cursor.number(bytes, upTo: 2),
      month.digits == 2, day.digits == 2
    else { return false }
    (fields.year, fields.month, fields.day) = (year.value, month.value, day.value)
    return readRest(bytes, &cursor, &fields, needsGap: true)
  }

  /// Continues after the year in `2023 01 24 14:40:21`.
  func readSpacedDate(
    _ year: Int, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard let month = cursor.number(bytes, upTo: 2), cursor.skipBlanks(bytes),
      let day = cursor.number(bytes, upTo: 2)
    else { return false }
    (fields.year, fields.month, fields.day) = (year, month.value, day.value)
    return readRest(bytes, &cursor, &fields, needsGap: true)
  }

  /// Reads a date that begins with its time: `10:00, 29 January 2024 (UTC)`, `15:04 2024-01-05`.
  func readTimeFirst(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard !fields.hasTime, readTime(bytes, &cursor, &fields, isHourEnough: false) else {
      return false
    }
    _ = cursor.take(UInt8(ascii: ","), bytes)
    guard cursor.skipBlanks(bytes) else { return false }
    if ByteCursor.isLetter(cursor.byte(bytes)) { return readWords(bytes, &cursor, &fields) }
    return readNumbers(bytes, &cursor, &fields, era: nil)
  }

  /// Reads milliseconds since 1970 in the form of .NET: `/Date(1390000000000+0800)/`. The offset doesn't
  /// change the moment.
  func readMilliseconds(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    _ = cursor.take(UInt8(ascii: "\\"), bytes)
    guard cursor.take("/Date(", bytes) else { return false }
    let isNegative = cursor.take(UInt8(ascii: "-"), bytes)
    guard let number = cursor.longNumber(bytes, upTo: 15) else { return false }
    let milliseconds = isNegative ? -number.value : number.value
    fields.zone = .universal
    if cursor.byte(bytes) != UInt8(ascii: ")") {
      guard takeZone(bytes, &cursor, &fields) else { return false }
    }
    guard cursor.take(UInt8(ascii: ")"), bytes) else { return false }
    _ = cursor.take(UInt8(ascii: "\\"), bytes)
    guard cursor.take(UInt8(ascii: "/"), bytes) else { return false }
    setMoment(CivilCalendar.floor(milliseconds, 1000), &fields)
    fields.nanoseconds = Int(CivilCalendar.remainder(milliseconds, 1000)) * 1_000_000
    fields.precision = .fraction(digits: 3)
    return true
  }

  /// Reads seconds since 1970 as GNU writes them: `@1774418829`, `@-1.5`.
  func readCount(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard cursor.take(UInt8(ascii: "@"), bytes) else { return false }
    let isNegative = cursor.take(UInt8(ascii: "-"), bytes)
    guard let number = cursor.longNumber(bytes, upTo: 10) else { return false }
    fields.zone = .fixed(zone.secondsFromUTC)
    setMoment(isNegative ? -number.value : number.value, &fields)
    fields.precision = .second
    if !isNegative { readFraction(bytes, &cursor, &fields) }
    return true
  }

  /// Continues after the seconds or milliseconds since 1970 in `1774418829`, `1774418829.5`, and
  /// `1774418829000`.
  ///
  /// Years after 2100 are hardly meant.
  func readCount(
    _ number: (value: Int64, digits: Int), _ bytes: Span<UInt8>, _ cursor: inout ByteCursor,
    _ fields: inout Fields
  ) -> Bool {
    let isMilliseconds = number.digits == 13
    let seconds = isMilliseconds ? number.value / 1000 : number.value
    guard seconds / 10 >= 100_000_000, seconds / 10 < 410_244_480 else { return false }
    fields.isAmbiguousCount = isCompactTime(number)
    fields.zone = .fixed(zone.secondsFromUTC)
    setMoment(seconds, &fields)
    fields.precision = .second
    if isMilliseconds {
      fields.nanoseconds = Int(number.value % 1000) * 1_000_000
      fields.precision = .fraction(digits: 3)
    } else {
      readFraction(bytes, &cursor, &fields)
    }
    return true
  }

  /// Returns whether a number of seconds or milliseconds may also be a date and time in digits:
  /// `2024010510`, `2401051030`, or `1130105150405` (Minguo).
  private func isCompactTime(_ number: (value: Int64, digits: Int)) -> Bool {
    func isTime(_ year: Int64, _ parts: Int64, _ limits: [Int64]) -> Bool {
      var rest = parts
      for limit in limits.reversed() {
        guard rest % 100 < limit else { return false }
        rest /= 100
      }
      return (1...12).contains(rest / 100) && rest % 100 >= 1
        && rest % 100 <= CivilCalendar.dayCount(year: Int(year), month: Int(rest / 100))
    }
    let value = number.value
    let isMilliseconds = number.digits == 13
    // Whatever follows a day in digits may be a part of something else: `2024010599`.
    let leading = isMilliseconds ? value / 1000 : value
    if isTime(leading / 1_000_000, leading % 1_000_000, [100]) { return true }
    guard isMilliseconds else {
      return isTime(2000 + value / 100_000_000, value % 100_000_000, [24, 60])
    }
    let year = value / 10_000 / 1_000_000 + 1911
    return year <= Int64(latestShortYear)
      && isTime(year, value - (year - 1911) * 10_000 * 1_000_000, [24, 60, 60])
  }

  /// Stores a moment in the zone of the fields, which is fixed.
  private func setMoment(_ moment: Int64, _ fields: inout Fields) {
    let seconds = moment + Int64(fields.zone?.secondsFromUTC(at: 0) ?? 0)
    setDay(CivilCalendar.days(ofSeconds: seconds), &fields)
    let time = CivilCalendar.secondOfDay(seconds)
    (fields.hour, fields.minute, fields.second) = (time / 3600, time / 60 % 60, time % 60)
  }

  private func setDay(_ days: Int, _ fields: inout Fields) {
    (fields.year, fields.month, fields.day) = CivilCalendar.date(ofDays: days)
  }
}
