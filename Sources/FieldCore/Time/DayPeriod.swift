/// A part of the day that determines which hour of a 12-hour clock is meant.
///
/// The words and their hours are those that Unicode's CLDR lists for Chinese. An hour that doesn't
/// fit its period, or that people use in two senses (`晚上12點`), has no meaning.
enum DayPeriod {
  /// `AM`, `上午`, `凌晨`: the hour 12 is midnight.
  case morning
  /// `早上`, `清晨`: there is no hour 12.
  case earlyMorning
  /// `中午`: from 10 until before 15 o'clock.
  case noon
  /// `PM`, `下午`: the hour 12 is noon.
  case afternoon
  /// `傍晚`, `晚上`: from 16 o'clock to midnight, which is written 24.
  case evening
  /// `午夜`, `半夜`: from 22 until before 6 o'clock, where 12 is the beginning of the day.
  case night

  /// Returns the hour from 0 through 24, or `nil` if the hour doesn't belong to the period.
  ///
  /// An hour such as `下午 15` states its half of the day twice, and is clear.
  func hour(_ hour: Int) -> Int? {
    switch (self, hour) {
    case (.morning, 12), (.night, 12): 0
    case (.morning, 0...11), (.earlyMorning, 0...11): hour
    case (.noon, 10...14): hour
    case (.noon, 1...2): hour + 12
    case (.afternoon, 0...11), (.evening, 4...11), (.night, 10...11): hour + 12
    case (.afternoon, 12...), (.evening, 16...), (.night, 0...5), (.night, 22...): hour
    default: nil
    }
  }

  /// The words in Chinese; ``DateSpelling`` translates those of other languages.
  static let words: [(String, DayPeriod)] = [
    ("上午", .morning), ("下午", .afternoon), ("中午", .noon), ("晚上", .evening), ("凌晨", .morning),
    ("早上", .earlyMorning), ("清晨", .earlyMorning), ("早晨", .earlyMorning), ("正午", .noon),
    ("午後", .afternoon), ("午前", .morning), ("午后", .afternoon), ("傍晚", .evening),
    ("夜晚", .evening), ("夜間", .evening), ("夜间", .evening), ("午夜", .night), ("半夜", .night),
    ("深夜", .night),
  ]
}
