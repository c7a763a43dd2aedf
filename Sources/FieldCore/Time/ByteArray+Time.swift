/// The parts of formatted dates, as ASCII.
extension [UInt8] {
  /// Appends a nonnegative number, padded with zeros to `width` digits.
  mutating func append(padded value: Int, _ width: Int) {
    var divisor = 1
    for _ in 1..<Swift.max(width, 1) { divisor *= 10 }
    while value / divisor > 9 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(value / divisor % 10) + UInt8(ascii: "0"))
      divisor /= 10
    }
  }

  /// Appends `2025-07-22`.
  mutating func append(day: CalendarDay) {
    let (year, month, day) = CivilCalendar.date(ofDays: Int(day.number))
    append(padded: year, 4)
    append(UInt8(ascii: "-"))
    append(padded: month, 2)
    append(UInt8(ascii: "-"))
    append(padded: day, 2)
  }

  /// Appends `20:42:19`.
  mutating func append(clock wall: WallTime) {
    append(padded: wall.hour, 2)
    append(UInt8(ascii: ":"))
    append(padded: wall.minute, 2)
    append(UInt8(ascii: ":"))
    append(padded: wall.second, 2)
  }

  /// Appends `Z`, `+08:00`, and seconds if there are any.
  mutating func append(zone: FixedZone) {
    guard zone.secondsFromUTC != 0 else { return append(UInt8(ascii: "Z")) }
    let seconds = abs(zone.secondsFromUTC)
    append(zone.secondsFromUTC < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    append(padded: seconds / 3600, 2)
    append(UInt8(ascii: ":"))
    append(padded: seconds / 60 % 60, 2)
    if seconds % 60 != 0 {
      append(UInt8(ascii: ":"))
      append(padded: seconds % 60, 2)
    }
  }
}
