internal import FieldCore

/// Dates of the proleptic Gregorian calendar in microseconds since 1970.
enum FakeSoQLTime {
  /// The components of a date and time.
  struct Parts {
    var year = 1970
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var microsecond = 0
  }

  /// Returns the time in `2015-10-29`, `2015-10-29T18:35`, or `2015-10-29T18:35:34.123456`; with a
  /// zone, `Z` or `+01:00`, if `isFixed` is `true`.
  static func micros(_ text: String, isFixed: Bool) -> Int64? {
    let bytes = Array(text.utf8)
    var at = 0
    func digits(_ count: Int) -> Int? {
      guard at + count <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[at..<at + count] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      at += count
      return value
    }
    func take(_ one: Unicode.Scalar, or other: Unicode.Scalar? = nil) -> Bool {
      guard at < bytes.count else { return false }
      let scalar = Unicode.Scalar(bytes[at])
      guard scalar == one || scalar == other else { return false }
      at += 1
      return true
    }
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      (1...12).contains(month), day >= 1, day <= dayCount(year, month)
    else { return nil }
    var parts = Parts(year: year, month: month, day: day)
    var zone = 0
    if take("T", or: " ") {
      guard let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60 else {
        return nil
      }
      (parts.hour, parts.minute) = (hour, minute)
      if take(":") {
        guard let second = digits(2), second < 60 else { return nil }
        parts.second = second
        if take(".") {
          var (unit, count) = (100_000, 0)
          while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
            parts.microsecond += Int(bytes[at] - 0x30) * unit
            (unit, count, at) = (unit / 10, count + 1, at + 1)
          }
          guard count > 0 else { return nil }
        }
      }
      if isFixed, !take("Z", or: "z") {
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        if sign != 0 {
          guard let hour = digits(2), take(":"), let minute = digits(2) else { return nil }
          zone = sign * (hour * 3600 + minute * 60)
        }
      }
    }
    guard at == bytes.count else { return nil }
    return micros(parts) - Int64(zone) * 1_000_000
  }

  /// Returns the moment of components in UTC.
  static func micros(_ parts: Parts) -> Int64 {
    let days = days(parts.year, parts.month, parts.day)
    let seconds = Int64(days) * 86_400 + Int64(parts.hour * 3600 + parts.minute * 60 + parts.second)
    return seconds * 1_000_000 + Int64(parts.microsecond)
  }

  /// Returns the components of a moment in UTC.
  static func parts(_ micros: Int64) -> Parts {
    let dayLength: Int64 = 86_400_000_000
    let days = Int(micros >= 0 ? micros / dayLength : -((-micros + dayLength - 1) / dayLength))
    let rest = micros - Int64(days) * dayLength
    // Start near the year by its average length, then step.
    var year = 1970 + Int((Double(days) / 365.2425).rounded(.down))
    while Self.days(year, 1, 1) > days { year -= 1 }
    while Self.days(year + 1, 1, 1) <= days { year += 1 }
    var left = days - Self.days(year, 1, 1)
    var month = 1
    while left >= dayCount(year, month) {
      left -= dayCount(year, month)
      month += 1
    }
    let seconds = Int(rest / 1_000_000)
    return Parts(
      year: year, month: month, day: left + 1, hour: seconds / 3600, minute: seconds / 60 % 60,
      second: seconds % 60, microsecond: Int(rest % 1_000_000))
  }

  /// Returns `2015-10-29T18:35:34.123`, with truncated milliseconds, and `Z` if `isFixed` is
  /// `true`.
  static func text(_ micros: Int64, isFixed: Bool) -> String {
    let parts = parts(micros)
    let day = "\(parts.year.digits(4))-\(parts.month.digits(2))-\(parts.day.digits(2))"
    let time = "\(parts.hour.digits(2)):\(parts.minute.digits(2)):\(parts.second.digits(2))"
    return "\(day)T\(time).\((parts.microsecond / 1000).digits(3))\(isFixed ? "Z" : "")"
  }

  /// Returns the days from 1 January 1970 to a day.
  static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let past = year - 1
    let leaps = floorDivide(past, 4) - floorDivide(past, 100) + floorDivide(past, 400)
    var days = past * 365 + leaps - 719_162
    for passed in 1..<max(month, 1) { days += dayCount(year, passed) }
    return days + day - 1
  }

  private static func dayCount(_ year: Int, _ month: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}
