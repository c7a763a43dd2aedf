public import FieldCore

/// A rule for days, such as "every Monday" or "the second Monday of the month".
public struct ZooDayRule: Sendable, Hashable, Codable {
  /// The days of the week, in the order of the text.
  public var weekdays: [CalendarDay.Weekday]
  /// The occurrences of each weekday in a month, where 1 is the first; empty for every occurrence.
  public var weeksOfMonth: [Int]

  /// Creates a rule.
  public init(weekdays: [CalendarDay.Weekday], weeksOfMonth: [Int] = []) {
    self.weekdays = weekdays
    self.weeksOfMonth = weeksOfMonth
  }

  /// Returns a Boolean value that indicates whether the rule includes a day.
  public func includes(_ day: CalendarDay) -> Bool {
    weekdays.contains(day.weekday)
      && (weeksOfMonth.isEmpty || weeksOfMonth.contains((day.day - 1) / 7 + 1))
  }

  /// Creates a rule by reading a text such as `每週三`, `每周二`, `第3個週三`, `每月第二、四個週一`, `每週二至週日`,
  /// `每週六、日`, or `每日`; returns `nil` for anything else.
  public init?(reading text: String) {
    var reader = ZooDayRuleReader(text)
    guard let rule = reader.rule(), reader.isAtEnd else { return nil }
    self = rule
  }
}

/// Reads rules for days in Chinese, from left to right.
struct ZooDayRuleReader {
  private let signs: [Character]
  private(set) var at = 0

  init(_ text: String) {
    // Folding makes 周 of 週, and makes both widths equal.
    signs = Array(TextFolding.fold(text)).filter { $0 != " " }
  }

  var isAtEnd: Bool { at >= signs.count }

  /// Skips one character, to look for a rule further on.
  mutating func skip() { at += 1 }

  /// Returns the next rule, or `nil` without consuming anything if there is none.
  mutating func rule() -> ZooDayRule? {
    let start = at
    // `最後一個週一` and `隔週三` are other rules, whose endings mustn't match.
    if at > 0, at <= signs.count, "個第後隔雙單除".contains(signs[at - 1]) { return nil }
    if take(["每日", "每天", "天天"]) { return ZooDayRule(weekdays: CalendarDay.Weekday.allCases) }
    let isMonthly = take(["每月", "每個月"])
    let weeks = weeksOfMonth()
    if weeks.isEmpty, isMonthly {
      at = start
      return nil
    }
    let isEvery = weeks.isEmpty && take(["每"])
    let weekdays = weekdays()
    let isMarked = start < signs.count && "周星禮".contains(signs[start])
    guard !weekdays.isEmpty, !weeks.isEmpty || isEvery || isMarked else {
      at = start
      return nil
    }
    return ZooDayRule(weekdays: weekdays, weeksOfMonth: weeks)
  }

  /// Reads `第二個`, `第2、4個`, `第一及第三個`.
  private mutating func weeksOfMonth() -> [Int] {
    let start = at
    guard take(["第"]) else { return [] }
    var weeks: [Int] = []
    while true {
      guard let week = number(), (1...5).contains(week) else {
        at = start
        return []
      }
      weeks.append(week)
      let beforeJoint = at
      guard takeJoint() else { break }
      _ = take(["第"])
      guard at < signs.count, Self.numbers[signs[at]] != nil else {
        at = beforeJoint
        break
      }
    }
    _ = take(["個"])
    return weeks
  }

  private mutating func weekdays() -> [CalendarDay.Weekday] {
    guard take(["周", "星期", "禮拜"]), let first = weekday() else { return [] }
    var days = [first]
    while true {
      let beforeJoint = at
      if take(["至", "到", "-", "~"]) {
        _ = take(["周", "星期", "禮拜"])
        guard let last = weekday(), let previous = days.last else {
          at = beforeJoint
          return days
        }
        var day = previous
        while day != last {
          day = CalendarDay.Weekday(rawValue: day.rawValue % 7 + 1) ?? .monday
          if !days.contains(day) { days.append(day) }
        }
      } else {
        _ = takeJoint()
        let isRepeated = take(["每周", "周", "星期", "禮拜"])
        guard isRepeated || at > beforeJoint || isNextWeekday, let day = weekday() else {
          at = beforeJoint
          return days
        }
        if !days.contains(day) { days.append(day) }
      }
    }
  }

  /// Whether a Chinese weekday follows directly, as in `每週六日`, and isn't the number of a unit.
  private var isNextWeekday: Bool {
    guard at < signs.count, !signs[at].isASCII, signs[at] != "天" else { return false }
    return at + 1 == signs.count || !Self.units.contains(signs[at + 1])
  }

  private static let units = Set(TextFolding.fold("館間點時月號樓"))

  private mutating func weekday() -> CalendarDay.Weekday? {
    guard at < signs.count else { return nil }
    if signs[at] == "日" || signs[at] == "天" {
      at += 1
      return .sunday
    }
    guard let number = Self.numbers[signs[at]], let day = CalendarDay.Weekday(rawValue: number)
    else { return nil }
    // A digit followed by more digits or a colon belongs to a time: `每週四、14:00`.
    if signs[at].isASCII, at + 1 < signs.count,
      signs[at + 1].isNumber && signs[at + 1].isASCII || signs[at + 1] == ":"
    {
      return nil
    }
    at += 1
    return day
  }

  private mutating func number() -> Int? {
    guard at < signs.count, let number = Self.numbers[signs[at]] else { return nil }
    at += 1
    return number
  }

  private mutating func takeJoint() -> Bool { take(["、", ",", "及", "和", "與", "/"]) }

  private mutating func take(_ words: [String]) -> Bool {
    for word in words where signs[min(at, signs.count)...].starts(with: word) {
      at += word.count
      return true
    }
    return false
  }

  private static let numbers: [Character: Int] = [
    "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5,
    "6": 6,
  ]
}
