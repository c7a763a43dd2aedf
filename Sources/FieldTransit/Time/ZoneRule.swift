internal import FieldCore

/// The rule for the clock changes of every year, as in the environment variable `TZ` of POSIX.
struct ZoneRule {
  /// The day and the time of a change.
  private struct Moment {
    enum Kind { case monthly(month: Int, week: Int, weekday: Int), julian(Int), day(Int) }
    var kind = Kind.day(0)
    /// In seconds after midnight, which may be negative.
    var time: Int64 = 7200
  }

  private var standard: Int64 = 0
  private var summer: Int64 = 0
  private var begins = Moment(), ends = Moment()

  /// Reads a rule such as `EST5EDT,M3.2.0,M11.1.0`, or returns `nil` if clocks never change.
  init?(_ text: some Sequence<UInt8>) {
    var text = Array(text)[...]
    guard Self.skipName(&text), let west = Self.time(&text) else { return nil }
    standard = -west
    guard Self.skipName(&text) else { return nil }
    summer = standard + 3600
    if text.first != UInt8(ascii: ",") {
      guard let west = Self.time(&text) else { return nil }
      summer = -west
    }
    guard let begins = Self.moment(&text), let ends = Self.moment(&text) else { return nil }
    (self.begins, self.ends) = (begins, ends)
  }

  /// Returns the changes within a range of time.
  func changes(after start: Int64, until end: Int64) -> [ZoneRules.Change] {
    let years = Self.year(of: start)...max(Self.year(of: start), Self.year(of: end))
    return
      years
      .flatMap { year in
        [
          ZoneRules.Change(
            start: seconds(begins, year) - standard, offset: Int32(clamping: summer)),
          ZoneRules.Change(start: seconds(ends, year) - summer, offset: Int32(clamping: standard)),
        ]
      }
      .filter { $0.start > start && $0.start <= end }
      .sorted { $0.start < $1.start }
  }

  private static func year(of seconds: Int64) -> Int {
    CalendarDay(dayNumber: Int32(clamping: seconds / 86_400)).year
  }

  private func seconds(_ moment: Moment, _ year: Int) -> Int64 {
    let newYear = CalendarDay.newYear(year)
    let day: CalendarDay
    switch moment.kind {
    case .day(let number): day = newYear.adding(days: number)
    case .julian(let number):
      let isLeap = CalendarDay(validYear: year, month: 2, day: 29) != nil
      day = newYear.adding(days: number - 1 + (isLeap && number >= 60 ? 1 : 0))
    case .monthly(let month, let week, let weekday):
      let first = CalendarDay(validYear: year, month: month, day: 1) ?? newYear
      // Sunday is 0 here.
      let wait = (weekday - first.weekday.rawValue % 7 + 7) % 7
      var found = first.adding(days: wait + (week - 1) * 7)
      while found.month != month { found = found.adding(days: -7) }
      day = found
    }
    return Int64(day.dayNumber) * 86_400 + moment.time
  }

  // MARK: Reading

  private static func skipName(_ text: inout ArraySlice<UInt8>) -> Bool {
    let start = text.startIndex
    if text.first == UInt8(ascii: "<") {
      text = text.drop { $0 != UInt8(ascii: ">") }.dropFirst()
    } else {
      text = text.drop { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
    }
    return text.startIndex > start
  }

  private static func number(_ text: inout ArraySlice<UInt8>) -> Int? {
    let digits = text.prefix { $0 &- 0x30 < 10 }
    guard (1...4).contains(digits.count) else { return nil }
    text = text.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func take(_ character: Unicode.Scalar, _ text: inout ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, UInt32(first) == character.value else { return false }
    text = text.dropFirst()
    return true
  }

  private static func time(_ text: inout ArraySlice<UInt8>) -> Int64? {
    let isNegative = take("-", &text)
    if !isNegative { _ = take("+", &text) }
    guard var seconds = number(&text).map({ $0 * 3600 }) else { return nil }
    if take(":", &text) {
      guard let minutes = number(&text) else { return nil }
      seconds += minutes * 60
      if take(":", &text) {
        guard let rest = number(&text) else { return nil }
        seconds += rest
      }
    }
    return Int64(isNegative ? -seconds : seconds)
  }

  private static func moment(_ text: inout ArraySlice<UInt8>) -> Moment? {
    guard take(",", &text) else { return nil }
    var moment = Moment()
    if take("M", &text) {
      guard let month = number(&text), take(".", &text), let week = number(&text),
        take(".", &text), let weekday = number(&text), (1...12).contains(month),
        (1...5).contains(week), (0...6).contains(weekday)
      else { return nil }
      moment.kind = .monthly(month: month, week: week, weekday: weekday)
    } else if take("J", &text) {
      guard let day = number(&text), (1...365).contains(day) else { return nil }
      moment.kind = .julian(day)
    } else {
      guard let day = number(&text), (0...365).contains(day) else { return nil }
      moment.kind = .day(day)
    }
    if take("/", &text) {
      guard let seconds = time(&text) else { return nil }
      moment.time = seconds
    }
    return moment
  }
}
