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

// MARK: - Zone

extension TimestampParser {
  /// Reads a zone if one is next, and the comments that may follow it: `Z`, `+08:00`, `+0800`,
  /// `+08`, `GMT`, `UTC+8`, `EST`, `+08:00[Asia/Taipei]`, `GMT+0800 (Taipei Standard Time)`.
  func readZone(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    let hasGap = cursor.skipBlanks(bytes)
    if cursor.isAtEnd { return true }
    let next = cursor.byte(bytes)
    if ByteCursor.isRangeMark(next), fields.hasTime {
      return readZoneOrRange(bytes, &cursor, &fields, hasGap: hasGap)
    }
    if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") {
      return readOffset(bytes, &cursor, &fields)
    } else if next == UInt8(ascii: "Z"), cursor.at + 1 == cursor.end {
      fields.zone = .fixed(0)
      cursor.at += 1
      return true
    } else if ByteCursor.isLetter(next) {
      guard takeZone(bytes, &cursor, &fields) else { return false }
    }
    return readComments(bytes, &cursor, &fields) && readRange(bytes, &cursor, &fields)
  }

  /// Reads an offset and what follows it.
  func readOffset(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard takeOffset(bytes, &cursor, &fields) else { return false }
    if cursor.isAtEnd { return true }
    cursor.skipBlanks(bytes)
    skipSecondName(bytes, &cursor)
    return readComments(bytes, &cursor, &fields) && readRange(bytes, &cursor, &fields)
  }

  /// Reads the name of a zone, an offset from UTC, or both, as in `GMT+8`.
  func takeZone(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    guard ByteCursor.isLetter(cursor.byte(bytes)) else {
      return takeOffset(bytes, &cursor, &fields)
    }
    // POSIX counts to the west: `Etc/GMT+8` is 8 hours behind UTC.
    let isPOSIX = cursor.take("Etc/", bytes) || cursor.take("etc/", bytes)
    let start = cursor.at
    let known = takeZoneName(bytes, &cursor, fields)
    if known != .universal, ByteCursor.isLetter(bytes[cursor.at - 1]) || known == nil {
      let name = known == nil ? skippedName(from: start, bytes, &cursor) : start..<cursor.at
      if let isRead = takeOffset(ofName: name, bytes, &cursor, &fields) { return isRead }
    }
    guard let name = known else { return false }
    fields.zone = name
    guard name == .universal else { return true }
    var ahead = cursor
    ahead.skipBlanks(bytes)
    let sign = ahead.byte(bytes)
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return true }
    // `10:00 UTC - 12:00` is a range.
    if ByteCursor.isBlank(ahead.byte(bytes, ahead: 1)) { return true }
    cursor = ahead
    guard isPOSIX else { return takeOffset(bytes, &cursor, &fields) }
    cursor.at += 1
    guard let hours = cursor.number(bytes, upTo: 2), hours.value <= 14 else { return false }
    fields.zone = .fixed(sign == UInt8(ascii: "-") ? hours.value * 3600 : hours.value * -3600)
    return true
  }

  /// Skips the letters from an index, and returns their range.
  private func skippedName(
    from start: Int, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor
  ) -> Range<Int> {
    cursor.at = start
    while ByteCursor.isLetter(cursor.byte(bytes)) { cursor.at += 1 }
    return start..<cursor.at
  }

  /// Reads the offset in `CST+0800` and `IST+0530`, which must be one that the name has.
  ///
  /// - Returns: `nil` if no offset follows the name directly.
  private func takeOffset(
    ofName name: Range<Int>, _ bytes: Span<UInt8>, _ cursor: inout ByteCursor,
    _ fields: inout Fields
  ) -> Bool? {
    let sign = cursor.byte(bytes)
    guard (2...5).contains(name.count), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      ByteCursor.isDigit(cursor.byte(bytes, ahead: 1))
    else { return nil }
    var key: UInt64 = 0
    for index in name { key = key << 8 | UInt64(bytes[index] & 0xDF) }
    guard takeOffset(bytes, &cursor, &fields), case .fixed(let seconds) = fields.zone else {
      return false
    }
    return ZoneName.offsets(key: key).contains(seconds)
  }

  /// Reads `+08:00`, `+0800`, `+08`, `+8`, `-500`, and `+08:00:00`.
  ///
  /// No zone is more than 12 hours behind UTC or 14 hours ahead, and none has seconds. After a
  /// hyphen, `10:00:00` is a time.
  private func takeOffset(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    let sign = cursor.byte(bytes)
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") && !dashes.contains(cursor.at)
    else { return false }
    cursor.at += 1
    guard let first = cursor.number(bytes, upTo: 6) else { return false }
    var (hours, minutes, seconds) = (first.value, 0, nil as Int?)
    switch first.digits {
    case 1, 2:
      guard cursor.take(UInt8(ascii: ":"), bytes) else { break }
      guard let second = cursor.number(bytes, upTo: 2), second.digits == 2 || second.value == 0
      else { return false }
      minutes = second.value
      guard cursor.take(UInt8(ascii: ":"), bytes) else { break }
      guard let third = cursor.number(bytes, upTo: 2), third.digits == 2 else { return false }
      seconds = third.value
    case 3, 4: (hours, minutes) = (first.value / 100, first.value % 100)
    case 6:
      (hours, minutes, seconds) = (first.value / 10_000, first.value / 100 % 100, first.value % 100)
    default: return false
    }
    let isBehind = sign == UInt8(ascii: "-")
    guard minutes <= 59, seconds == nil || seconds == 0 && !isBehind else { return false }
    let offset = (hours * 60 + minutes) * (isBehind ? -60 : 60)
    guard (-12 * 3600...14 * 3600).contains(offset) else { return false }
    fields.zone = .fixed(offset)
    return true
  }

  /// Skips the name that Go writes after the offset: `+0800 CST`.
  private func skipSecondName(_ bytes: Span<UInt8>, _ cursor: inout ByteCursor) {
    var ahead = cursor
    while ByteCursor.isLetter(ahead.byte(bytes)), ahead.byte(bytes) & 0x20 == 0 { ahead.at += 1 }
    let width = ahead.at - cursor.at
    if (3...5).contains(width), !ByteCursor.isLetter(ahead.byte(bytes)) { cursor = ahead }
  }

  /// Reads the comments in parentheses that RFC 822 allows, and the tags in brackets of RFC 9557.
  ///
  /// A comment states the zone if nothing before it does: `10:00 (UTC)`, `10:00 [GMT+8]`.
  private func readComments(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: inout Fields
  ) -> Bool {
    cursor.skipBlanks(bytes)
    while !cursor.isAtEnd {
      let isTag = cursor.byte(bytes) == UInt8(ascii: "[")
      guard isTag || cursor.byte(bytes) == UInt8(ascii: "(") else { return true }
      cursor.at += 1
      let start = cursor.at
      let isCritical = isTag && cursor.take(UInt8(ascii: "!"), bytes)
      if fields.zone == nil {
        cursor.skipBlanks(bytes)
        var ahead = cursor
        if takeZone(bytes, &ahead, &fields) { ahead.skipBlanks(bytes) }
        if fields.zone != nil, isEndOfComment(isTag, ahead.byte(bytes)) {
          cursor = ahead
        } else if isTag || isAbbreviation(bytes, cursor)
          || !fields.hasTime && !ByteCursor.isLetter(cursor.byte(bytes))
        {
          // After a day alone, `(八)` is neither a weekday nor a comment.
          return false
        } else {
          fields.zone = nil
        }
      }
      while !cursor.isAtEnd, !isEndOfComment(isTag, cursor.byte(bytes)) {
        // A reader must refuse a critical tag that it doesn't know, such as `[!u-ca=hebrew]`.
        if isCritical && cursor.byte(bytes) == UInt8(ascii: "=") { return false }
        cursor.at += 1
      }
      guard !cursor.isAtEnd, cursor.at > start else { return false }
      cursor.at += 1
      cursor.skipBlanks(bytes)
    }
    return true
  }

  private func isEndOfComment(_ isTag: Bool, _ byte: UInt8) -> Bool {
    byte == (isTag ? UInt8(ascii: "]") : UInt8(ascii: ")"))
  }

  /// Returns whether a comment looks like the abbreviation of an unknown zone: `(NZDT)`.
  private func isAbbreviation(_ bytes: Span<UInt8>, _ cursor: ByteCursor) -> Bool {
    var ahead = cursor
    while ByteCursor.isLetter(ahead.byte(bytes)), ahead.byte(bytes) & 0x20 == 0 { ahead.at += 1 }
    return (2...5).contains(ahead.at - cursor.at) && ahead.byte(bytes) == UInt8(ascii: ")")
  }

  /// Skips the name of a zone.
  private func takeZoneName(
    _ bytes: Span<UInt8>, _ cursor: inout ByteCursor, _ fields: Fields
  ) -> ZoneName? {
    var key: UInt64 = 0
    let start = cursor.at
    while ByteCursor.isLetter(cursor.byte(bytes)) {
      guard cursor.at - start < 8 else { return nil }
      key = key << 8 | UInt64(cursor.byte(bytes) & 0xDF)
      cursor.at += 1
    }
    // After a slash, a digit begins the end of an interval in ISO 8601.
    if cursor.byte(bytes) == UInt8(ascii: "/"),
      !ByteCursor.isDigit(cursor.byte(bytes, ahead: 1))
    {
      cursor.at = start
      return ZoneName.places.first { cursor.take($0.name, bytes) }?.zone
    }
    if key > 0xFF { return ZoneName(key: key, readIn: zone) }
    if key == UInt64(UInt8(ascii: "Z")) { return .fixed(0) }
    // Any other single letter is a military zone. RFC 822 got their signs wrong, so RFC 2822 says to
    // read them as UTC. Outside of RFC 822 and without a blank, `A` and `P` are more likely halves of
    // words.
    guard fields.isMonthNamed, start > 0, ByteCursor.isBlank(bytes[start - 1]) else { return nil }
    return key != UInt64(UInt8(ascii: "J")) ? .fixed(0) : nil
  }
}
