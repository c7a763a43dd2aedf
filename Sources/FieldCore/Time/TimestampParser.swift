/// A parser for the dates and times that open data and feeds contain.
///
/// A text that states no zone is read in the parser's zone.
///
/// | Form | Examples |
/// |---|---|
/// | ISO 8601 | `2015-07-20T18:25:03.12`, `2024-W01-5`, `2024-005` |
/// | Relatives of ISO 8601 | `2018-12-21 11:27:25 +0800`, `2017/9/29` |
/// | RFC 9557 | `2024-01-05T10:00:00+08:00[Asia/Taipei]` |
/// | Digits alone | `20261008131602`, `20160516T180000Z`, `20160516`, `1150801` (Minguo) |
/// | US | `01/31/2001 12:00:00 AM`, `1/31/2001, 3:04 PM`: month first, as Socrata writes |
/// | Day first | `31.12.2023 15:04`, `31/12/2023`, `31-12-2023` |
/// | Since 1970 | `1774418829`, `1774418829000`, `@1774418829` |
/// | RFC 822 and 1123 | `Tue, 22 Jul 2025 20:42:19 GMT`, `22 Jul, 25 20:42 EST` |
/// | RFC 850, logs | `Sunday, 06-Nov-94 08:49:37 GMT`, `29/Jan/2024:10:00:00 +0000` |
/// | C, Twitter | `Sun Nov  6 08:49:37 1994`, `Mon Jan 29 00:00:00 +0000 2024` |
/// | JavaScript, .NET | `Tue Jul 22 2025 20:42:19 GMT+0800 (Taipei)`, `/Date(1390000000000+0800)/` |
/// | Minguo | `105/05/16 下午 03:20`, `115-09-28`, `民國105年5月16日`, `115年8月1日(六)` |
/// | Chinese | `2016年05月16日18時00分`, `二〇一三年一月二十七日`, `週一, 28 九月 2026 00:00:00` |
/// | Japanese, Korean | `令和6年1月5日 15時04分`, `2024년 1월 5일 오후 3시`, `2024. 1. 5.` |
///
/// ``DateSpelling`` lists the other spellings of the same forms: full-width characters, Chinese
/// numerals, quotes, and month names in several languages.
///
/// A range is its start: `2024/01/05 09:00-17:00`, `2024-01-05 至 2024-01-07`. Its last day is
/// ``ParsedInstant/lastDay``. A label such as `發布日期：` is skipped.
///
/// A zone follows a time, and never a bare date: `2024-01-05+08:00`, `2024-01-05Z`, and
/// `2024-01-05 EST` are `nil`. In `2024-01-05T09:00-10:00`, which ISO 8601 defines, and after
/// seconds, a hyphen or the minus sign begins an offset, even if a source may mean a range. A dash
/// (`–`, `—`) never does: `2024-01-05T09:00–10:00` is a range.
///
/// An ambiguous text isn't read: `12/05/16` is `nil`, and so are `03/04/2026`, unless ``order``
/// settles it or `AM` or `PM` follows, `09:00-10:00`, which may be a range or a time with its zone,
/// and `晚上12點`. Dates without a day (`2015-07`) are `nil`. A three-digit year counts from 1911
/// (Minguo), and so does any shorter year before `年`. The weekday may be wrong. The hour 24:00 and
/// second 60 are the beginning of the next day or minute. The whole text must be a date, and days
/// that don't exist are `nil`. ``ZoneName`` documents the names of zones.
package struct TimestampParser: Sendable {
  /// The zone of texts that don't state one.
  package let zone: FixedZone
  /// The latest year that two digits may mean, which defaults to 2049, as in RFC 2822.
  package let latestShortYear: Int
  /// The order that the other dates of the same column or feed have, for ambiguous ones.
  package let order: DateOrder
  /// Where the rewritten text has a hyphen that was a dash, which is never the sign of an offset.
  private(set) var dashes: [Int] = []

  /// Creates a parser.
  package init(zone: FixedZone, latestShortYear: Int = 2049, order: DateOrder = DateOrder()) {
    self.zone = zone
    self.latestShortYear = latestShortYear
    self.order = order
  }

  /// Returns the moment that a text states.
  package func instant(_ text: String) -> ParsedInstant? {
    text.withUTF8Span { instant($0) }
  }

  /// Returns the moment that a text states, and notes what the text says about the order of day and
  /// month.
  package func instant(_ text: String, noting order: inout DateOrder) -> ParsedInstant? {
    text.withUTF8Span { instant($0, noting: &order) }
  }

  /// Returns the moment that a text in UTF-8 states.
  package func instant(_ bytes: Span<UInt8>) -> ParsedInstant? {
    var noted = DateOrder()
    return instant(bytes, noting: &noted)
  }

  /// Returns the moment that a text in UTF-8 states, and notes what the text says about the order of
  /// day and month.
  package func instant(_ bytes: Span<UInt8>, noting order: inout DateOrder) -> ParsedInstant? {
    if let instant = plainInstant(bytes, &order) { return instant }
    return respelledInstant(bytes, &order)
  }

  @inline(__always)
  private func plainInstant(_ bytes: Span<UInt8>, _ noted: inout DateOrder) -> ParsedInstant? {
    var cursor = ByteCursor(trimming: bytes)
    var fields = Fields()
    guard readDate(bytes, &cursor, &fields), cursor.isAtEnd, fields.resolve(order, &noted) else {
      return nil
    }
    return fields.instant(in: zone)
  }

  @inline(never)
  private func respelledInstant(
    _ bytes: Span<UInt8>, _ noted: inout DateOrder
  ) -> ParsedInstant? {
    guard let (text, dashes) = DateSpelling.plain(bytes) else { return nil }
    var parser = self
    parser.dashes = dashes
    return text.withByteSpan { parser.plainInstant($0, &noted) }
  }

  /// The parts of a date that have been read.
  struct Fields {
    var (year, month, day) = (0, 0, 0)
    var (hour, minute, second, nanoseconds) = (0, 0, 0, 0)
    var precision = ParsedInstant.Precision.day
    /// The stated zone.
    var zone: ZoneName?
    /// A Boolean value that indicates whether a month's name follows the day, as in RFC 822,
    /// whose zones may be single letters.
    var isMonthNamed = false
    /// What separates year, month, and day; 0 unless they are numbers with a separator.
    var separator: UInt8 = 0
    /// A Boolean value that indicates whether the year is last, so that day and month may have
    /// either order. They are stored as if the month were first.
    var isYearLast = false
    /// A Boolean value that indicates whether the text is digits alone that may count from 1970.
    var isCount = false
    /// A Boolean value that indicates whether the digits may also be a date and time.
    var isAmbiguousCount = false
    /// The hour and minute as a machine writes them: after a `T`, or with seconds.
    var isMachineTime = false
    /// A Boolean value that indicates whether a ``DayPeriod`` determines the hour.
    var hasPeriod = false
    /// A Boolean value that indicates whether the text has the marks of Chinese dates or times.
    var isMarked = false
    /// A Boolean value that indicates whether these are the parts of the end of a range.
    var isEnd = false
    /// What the end of a range says about the order of day and month.
    var endOrder = DateOrder()
    /// The last day of a range; the month is 0 if the text is none or the day is unclear.
    var lastDay = (year: 0, month: 0, day: 0)
    /// A Boolean value that indicates whether day and month of the last day have the order of the
    /// first, which isn't known yet.
    var isEndOrderOpen = false
    /// A Boolean value that indicates whether only the end of a range states the zone.
    var isZoneOfEnd = false

    var hasTime: Bool {
      if case .day = precision { false } else { true }
    }

    func instant(in zone: FixedZone) -> ParsedInstant? {
      guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
        day <= 28 || day <= CivilCalendar.dayCount(year: year, month: month),
        minute <= 59, second <= 60,
        hour <= 23 || hour == 24 && minute == 0 && second == 0 && nanoseconds == 0
      else { return nil }
      let days = CivilCalendar.days(year: year, month: month, day: day)
      let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
      var stated: FixedZone?
      if let name = self.zone {
        // No zone follows a bare date: one may be meant, or a time, or nothing.
        guard hasTime || isZoneOfEnd else { return nil }
        stated = FixedZone(validSeconds: name.secondsFromUTC(at: seconds))
        if stated == nil { return nil }
      }
      return ParsedInstant(
        seconds: seconds - Int64((stated ?? zone).secondsFromUTC), nanoseconds: nanoseconds,
        zone: stated ?? zone, isZoneStated: stated != nil, precision: precision,
        lastDay: lastDay.month == 0 ? nil : checkedLastDay(days))
    }

    /// Returns the last day of a range, unless it doesn't exist or precedes the first.
    private func checkedLastDay(_ first: Int) -> CalendarDay? {
      let (year, month, day) = lastDay
      guard !isEndOrderOpen, (0...9999).contains(year), (1...12).contains(month), day >= 1,
        day <= CivilCalendar.dayCount(year: year, month: month)
      else { return nil }
      let days = CivilCalendar.days(year: year, month: month, day: day)
      return days < first ? nil : CalendarDay(clamping: days)
    }
  }

  // Each step below returns whether it succeeded; after `false`, the text isn't read.

  func readDate(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    let first = cursor.byte(bytes)
    if ByteCursor.isDigit(first) { return readNumbers(bytes, &cursor, &fields, era: nil) }
    if ByteCursor.isLetter(first) { return readWords(bytes, &cursor, &fields) }
    if first == UInt8(ascii: "@") { return readCount(bytes, &cursor, &fields) }
    return first >= 0x80
      ? readEra(bytes, &cursor, &fields) : readMilliseconds(bytes, &cursor, &fields)
  }

  /// Reads a date that begins with a number.
  func readNumbers(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields, era: Era?
  ) -> Bool {
    let start = cursor.at
    guard let number = cursor.longNumber(bytes, upTo: 17) else { return false }
    if number.digits >= 7 {
      guard era == nil else { return false }
      if number.digits == 10 || number.digits == 13 {
        fields.isCount = true
        return readCount(number, bytes, &cursor, &fields)
      }
      return readCompact(number, bytes, &cursor, &fields)
    }
    let first = (value: Int(number.value), digits: number.digits)
    let separator = cursor.byte(bytes)
    if first.digits <= 4,
      separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/")
        || separator == UInt8(ascii: ".")
    {
      if ByteCursor.isLetter(cursor.byte(bytes, ahead: 1)) {
        return era == nil && readNumberAndWord(first, bytes, &cursor, &fields)
      }
      cursor.at += 1
      // Koreans and Hungarians write `2024. 1. 5.`.
      let isPoint = separator == UInt8(ascii: ".")
      if isPoint && cursor.skipBlanks(bytes) && ByteCursor.isLetter(cursor.byte(bytes)) {
        return era == nil && readNumberAndWord(first, bytes, &cursor, &fields)
      }
      let behind = cursor.at
      guard let second = cursor.number(bytes, upTo: 2), cursor.take(separator, bytes) else {
        cursor.at = behind
        return era == nil && readDayOfYear(first, separator, bytes, &cursor, &fields)
      }
      if isPoint { cursor.skipBlanks(bytes) }
      guard let third = cursor.number(bytes, upTo: 4) else { return false }
      if third.digits <= 2, let year = year(first, era, isMarked: false) {
        (fields.year, fields.month, fields.day) = (year, second.value, third.value)
        fields.isMarked = fields.isMarked || year != first.value
      } else if first.digits <= 2, third.digits == 4, era == nil {
        (fields.year, fields.month, fields.day) = (third.value, first.value, second.value)
        fields.isYearLast = true
      } else {
        return false
      }
      fields.separator = separator
      if cursor.isAtEnd { return true }
      if isPoint { _ = cursor.take(separator, bytes) }
      return readRest(bytes, &cursor, &fields, needsGap: true)
    }
    return readMarks(first, from: start, bytes, &cursor, &fields, era: era)
  }

  /// Continues after a number that is followed by `年`, a colon, or a name.
  private func readMarks(
    _ first: (value: Int, digits: Int), from start: Int, _ bytes: Span<UInt8>,
    _ cursor: inout ByteCursor, _ fields: inout Fields, era: Era?
  ) -> Bool {
    cursor.skipBlanks(bytes)
    if cursor.take("年", bytes) {
      guard let year = year(first, era, isMarked: true) else { return false }
      fields.year = year
      fields.isMarked = true
      return readMonthAndDayMarks(bytes, &cursor, &fields)
    }
    guard era == nil else { return false }
    if cursor.byte(bytes) == UInt8(ascii: ":") {
      if first.digits == 4 { return readPhotoDate(first, bytes, &cursor, &fields) }
      cursor.at = start
      return readTimeFirst(bytes, &cursor, &fields)
    }
    if first.digits == 4, ByteCursor.isDigit(cursor.byte(bytes)) {
      return readSpacedDate(first.value, bytes, &cursor, &fields)
    }
    return readNumberAndWord(first, bytes, &cursor, &fields)
  }

  /// Returns the year that a number means, or `nil` if it is ambiguous.
  private func year(_ number: (value: Int, digits: Int), _ era: Era?, isMarked: Bool) -> Int? {
    if number.digits == 4 { return era == nil || era == .common ? number.value : nil }
    guard number.digits == 3 || isMarked && number.digits <= 2 || era != nil, number.digits <= 3,
      number.value > 0, era != .common
    else { return nil }
    return number.value + (era ?? .minguo).yearBeforeFirst
  }

  /// Reads a run of digits that contains year, month, and day, and possibly the time.
  private func readCompact(
    _ number: (value: Int64, digits: Int), _ bytes: Span<UInt8>, _ cursor: inout ByteCursor,
    _ fields: inout Fields
  ) -> Bool {
    var value = number.value
    func takeLast(_ divisor: Int64) -> Int {
      defer { value /= divisor }
      return Int(value % divisor)
    }
    if number.digits == 17 {
      fields.nanoseconds = takeLast(1000) * 1_000_000
      fields.precision = .fraction(digits: 3)
    }
    if number.digits == 17 || number.digits == 14 {
      fields.second = takeLast(100)
      if number.digits == 14 { fields.precision = .second }
    }
    if number.digits == 17 || number.digits == 14 || number.digits == 12 {
      fields.minute = takeLast(100)
      fields.hour = takeLast(100)
      if number.digits == 12 { fields.precision = .minute }
    } else if number.digits != 8 && number.digits != 7 {
      return false
    }
    fields.day = takeLast(100)
    fields.month = takeLast(100)
    if number.digits == 7 && value == 0 { return false }
    // At most four digits are left.
    fields.year = Int(value) + (number.digits == 7 ? 1911 : 0)
    if number.digits <= 8 { return readRest(bytes, &cursor, &fields, needsGap: true) }
    if cursor.isAtEnd { return true }
    if number.digits == 14 { readFraction(bytes, &cursor, &fields) }
    // In `202401050900-1000`, 10:00 may be the end.
    fields.isMachineTime = number.digits != 12
    return readZone(bytes, &cursor, &fields)
  }
}
