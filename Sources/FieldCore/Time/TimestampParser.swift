/// Reads dates and times in the forms that open data and feeds have, where a text without a zone is
/// in the zone that the reader knows.
///
/// | form | for example |
/// |---|---|
/// | ISO 8601 and its kin | `2015-07-20T18:25:03.12`, `2018-12-21 11:27:25 +0800`, `2017/9/29` |
/// | digits alone | `20261008131602`, `20160516T180000Z`, `20160516`, `1150801` (Minguo) |
/// | US | `01/31/2001 12:00:00 AM`: month first, as Socrata writes |
/// | RFC 822 and 1123 | `Tue, 22 Jul 2025 20:42:19 GMT`, `22 Jul 25 20:42 EST` |
/// | RFC 850 | `Sunday, 06-Nov-94 08:49:37 GMT` |
/// | C and JavaScript | `Sun Nov  6 08:49:37 1994`, `Tue Jul 22 2025 20:42:19 GMT+0800 (Taipei)` |
/// | Minguo | `105/05/16 下午 03:20`, `115-09-28`, `民國105年5月16日`, `115年8月1日(六)` |
/// | Chinese | `2016年05月16日18時00分`, `週一, 28 九月 2026 00:00:00 +0800` |
///
/// Where a text could be read in two ways it is not read: `12/05/16` is nil. So is `31/01/2001`.
/// A year of three digits counts from 1911 (Minguo), and so does any shorter one before `年`; a
/// weekday may be wrong; `CST` is China Standard Time for a reader east of Greenwich, and American
/// for others. The other zones known by name are those of RFC 822, `HKT`, `SGT`, `JST` and `KST`; a
/// text with an unknown one (`IST` means several) is nil and not hours off. 24:00 and a 60th second
/// are the beginning of what comes next. The whole text has to be a date; nil otherwise.
package struct TimestampParser: Sendable {
  /// The zone of texts that state none.
  package let zone: FixedZone
  /// What two digits of a year may stand for at the latest; 2049, as RFC 2822 has it.
  package let latestShortYear: Int

  /// Makes a reader.
  package init(zone: FixedZone, latestShortYear: Int = 2049) {
    self.zone = zone
    self.latestShortYear = latestShortYear
  }

  /// The moment that a text stands for.
  package func instant(_ text: String) -> ParsedInstant? {
    text.withUTF8Span { instant($0) }
  }

  /// The moment that a text in UTF-8 stands for.
  package func instant(_ bytes: Span<UInt8>) -> ParsedInstant? {
    var cursor = ByteCursor(trimming: bytes)
    var fields = Fields()
    guard readDate(bytes, &cursor, &fields), cursor.isAtEnd else { return nil }
    return fields.instant(in: zone)
  }

  /// What has been read so far.
  struct Fields {
    var (year, month, day) = (0, 0, 0)
    var (hour, minute, second, nanoseconds) = (0, 0, 0, 0)
    var precision = ParsedInstant.Precision.day
    /// The stated seconds from UTC.
    var offset: Int?
    /// Whether the month is a name, as in RFC 822, whose zones may be single letters.
    var isMonthNamed = false

    func instant(in zone: FixedZone) -> ParsedInstant? {
      guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
        day <= 28 || day <= CivilCalendar.dayCount(year: year, month: month),
        minute <= 59, second <= 60,
        hour <= 23 || hour == 24 && minute == 0 && second == 0 && nanoseconds == 0
      else { return nil }
      var stated: FixedZone?
      if let offset {
        stated = FixedZone(validSeconds: offset)
        if stated == nil { return nil }
      }
      let days = CivilCalendar.days(year: year, month: month, day: day)
      let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
      return ParsedInstant(
        seconds: seconds - (stated ?? zone).secondsFromUTC, nanoseconds: nanoseconds,
        zone: stated ?? zone, isZoneStated: stated != nil, precision: precision)
    }
  }

  /// The era that a text names.
  enum Era { case common, minguo }

  // Every step below says whether it has read what it had to; after false the text is given up.

  private func readDate(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    let first = cursor.byte(bytes)
    if ByteCursor.isDigit(first) { return readNumbers(bytes, &cursor, &fields, era: nil) }
    if ByteCursor.isLetter(first) { return readWords(bytes, &cursor, &fields) }
    return first >= 0x80 && readChinese(bytes, &cursor, &fields)
  }

  /// Reads a date that begins with a number.
  func readNumbers(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields, era: Era?
  ) -> Bool {
    let start = cursor.at
    guard let first = cursor.number(bytes, upTo: 17) else { return false }
    let separator = cursor.byte(bytes)
    if first.digits <= 4,
      separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/")
        || separator == UInt8(ascii: ".")
    {
      if ByteCursor.isLetter(cursor.byte(bytes, ahead: 1)) {
        return readDayAndMonthName(first, bytes, &cursor, &fields)
      }
      cursor.at += 1
      guard let second = cursor.number(bytes, upTo: 2), cursor.take(separator, bytes),
        let third = cursor.number(bytes, upTo: 4)
      else { return false }
      if third.digits <= 2, let year = year(first, era, isMarked: era == .minguo) {
        (fields.year, fields.month, fields.day) = (year, second.value, third.value)
      } else if first.digits <= 2, third.digits == 4, separator == UInt8(ascii: "/"), era == nil {
        (fields.year, fields.month, fields.day) = (third.value, first.value, second.value)
      } else {
        return false
      }
      return readRest(bytes, &cursor, &fields, needsGap: true)
    }
    if first.digits >= 7 {
      return era == nil && readCompact(first, from: start, bytes, &cursor, &fields)
    }
    let hasGap = cursor.skipBlanks(bytes)
    if cursor.take("年", bytes) {
      guard let year = year(first, era, isMarked: true) else { return false }
      fields.year = year
      return readMonthAndDayMarks(bytes, &cursor, &fields)
    }
    return hasGap && era == nil && readDayAndMonthName(first, bytes, &cursor, &fields)
  }

  /// The year that a number means, or nil when that is not clear.
  private func year(_ number: (value: Int, digits: Int), _ era: Era?, isMarked: Bool) -> Int? {
    switch number.digits {
    case 4: era == .minguo ? nil : number.value
    case 1...3 where era == .common || number.value == 0: nil
    case 3: number.value + 1911
    case 1...2: isMarked ? number.value + 1911 : nil
    default: nil
    }
  }

  /// Reads a run of digits that holds year, month and day, and perhaps the time.
  private func readCompact(
    _ number: (value: Int, digits: Int), from start: Int, _ bytes: Span<UInt8>,
    _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    var value = number.value
    func takeLast(_ divisor: Int) -> Int {
      defer { value /= divisor }
      return value % divisor
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
    fields.year = number.digits == 7 ? value + 1911 : value
    if number.digits <= 8 { return readRest(bytes, &cursor, &fields, needsGap: true) }
    if number.digits == 14 { readFraction(bytes, &cursor, &fields) }
    return readZone(bytes, &cursor, &fields)
  }
}
