extension TimestampParser {
  /// Reads a date that begins with an English word: a weekday or a month.
  func readWords(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    if let month = takeName(of: Self.months, bytes, &cursor) {
      return readMonthFirst(month, bytes, &cursor, &fields)
    }
    guard takeName(of: Self.weekdays, bytes, &cursor) != nil else { return false }
    _ = cursor.take(UInt8(ascii: "."), bytes)
    _ = cursor.take(UInt8(ascii: ","), bytes)
    cursor.skipBlanks(bytes)
    if let month = takeName(of: Self.months, bytes, &cursor) {
      return readMonthFirst(month, bytes, &cursor, &fields)
    }
    return readNumbers(bytes, &cursor, &fields, era: nil)
  }

  /// Reads on behind `22` in `22 Jul 2025 20:42:19 GMT`, `06-Nov-94 …` and `28 九月 2026 …`.
  func readDayAndMonthName(
    _ day: (value: Int, digits: Int), _ bytes: Span<UInt8>, _ cursor: inout ByteCursor,
    _ fields: inout Fields
  ) -> Bool {
    guard day.digits <= 2 else { return false }
    skipGap(bytes, &cursor)
    guard
      let month = takeName(of: Self.months, bytes, &cursor) ?? takeChineseMonth(bytes, &cursor)
    else { return false }
    skipGap(bytes, &cursor)
    guard let year = cursor.number(bytes, upTo: 4) else { return false }
    (fields.month, fields.day, fields.isMonthNamed) = (month, day.value, true)
    return setYear(year, &fields) && readRest(bytes, &cursor, &fields, needsGap: true)
  }

  /// Reads on behind `Nov` in `Nov  6 08:49:37 1994`, `Jul 22 2025 20:42:19 GMT+0800` and
  /// `Jul 22 20:42:19 UTC 2025`.
  private func readMonthFirst(
    _ month: Int, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    _ = cursor.take(UInt8(ascii: "."), bytes)
    guard cursor.skipBlanks(bytes), let day = cursor.number(bytes, upTo: 2) else { return false }
    (fields.month, fields.day) = (month, day.value)
    _ = cursor.take(UInt8(ascii: ","), bytes)
    guard cursor.skipBlanks(bytes) else { return false }
    var ahead = cursor
    if let year = ahead.number(bytes, upTo: 4), year.digits == 4,
      ahead.byte(bytes) != UInt8(ascii: ":")
    {
      cursor = ahead
      _ = cursor.take(UInt8(ascii: ","), bytes)
      return setYear(year, &fields) && readRest(bytes, &cursor, &fields, needsGap: true)
    }
    guard readTime(bytes, &cursor, &fields), cursor.skipBlanks(bytes) else { return false }
    if ByteCursor.isLetter(cursor.byte(bytes)) {
      guard let offset = takeZoneName(bytes, &cursor, fields), cursor.skipBlanks(bytes) else {
        return false
      }
      fields.offset = offset
    }
    guard let year = cursor.number(bytes, upTo: 4), year.digits == 4 else { return false }
    return setYear(year, &fields)
  }

  /// A year of two digits is the latest that may be meant; one of three counts from 1900 (RFC
  /// 2822).
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

  private func skipGap(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) {
    if !cursor.skipBlanks(bytes) { _ = cursor.take(UInt8(ascii: "-"), bytes) }
  }

  /// Steps over a name of the list, or at least its first three letters; gives its number from 1.
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

  /// Names that are told apart by their first three letters.
  private struct Names {
    let keys: [UInt32]
    /// What may follow those.
    let tails: [String]

    init(_ names: [String]) {
      keys = names.map { name in name.utf8.prefix(3).reduce(0) { $0 << 8 | UInt32($1) } }
      tails = names.map { String($0.dropFirst(3)) }
    }

    static func key(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
      UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
    }
  }

  /// Steps over the name of a zone (RFC 822, section 5); gives its seconds from UTC.
  func takeZoneName(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: Fields
  ) -> Int? {
    var name = 0
    let start = cursor.at
    while ByteCursor.isLetter(cursor.byte(bytes)) {
      guard cursor.at - start < 3 else { return nil }
      name = name << 8 | Int(cursor.byte(bytes) & 0xDF)
      cursor.at += 1
    }
    func named(_ text: String) -> Bool { text.utf8.reduce(0) { $0 << 8 | Int($1) } == name }
    if name == 0x5A { return 0 }
    // Another letter alone is a military zone, whose signs RFC 822 got wrong; RFC 2822 says: take
    // them
    // for UTC. Elsewhere an `A` or `P` is more likely half of a word.
    if name < 0x100 { return fields.isMonthNamed && name != 0x4A ? 0 : nil }
    if named("GMT") || named("UTC") || named("UT") { return 0 }
    if named("CST") && zone.secondsFromUTC > 0 { return 8 * 3600 }
    for (standard, summer, hours) in Self.americanZones {
      if named(standard) { return hours * 3600 }
      if named(summer) { return (hours + 1) * 3600 }
    }
    return Self.asianZones.first { named($0.name) }.map { $0.hours * 3600 }
  }

  /// The zones of neighbours whose names mean nothing else; `IST` and `BST` each mean several.
  private static let asianZones: [(name: String, hours: Int)] = [
    ("HKT", 8), ("SGT", 8), ("JST", 9), ("KST", 9),
  ]

  private static let americanZones: [(String, String, Int)] = [
    ("EST", "EDT", -5), ("CST", "CDT", -6), ("MST", "MDT", -7), ("PST", "PDT", -8),
  ]

  private static let months = Names([
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ])

  private static let weekdays = Names([
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ])
}
