public import FieldCore
public import FieldFoundation

/// A time of a timetable, in whole minutes, with its zone.
public struct TransitTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The moment.
  public let date: Date
  /// The offset of the timetable's zone from UTC at that moment.
  public let zone: FixedZone
  /// The minutes after the start of the query's service day, which is midnight unless clocks change that day.
  public let minutes: Int

  /// The time of day, such as `08:05`.
  public var description: String {
    let seconds = Timetable.seconds(date) + Int64(zone.secondsFromUTC)
    let minutes = ((seconds % 86_400) + 86_400) % 86_400 / 60
    return "\((minutes / 60).digits(2)):\((minutes % 60).digits(2))"
  }

  /// The day in the timetable's zone.
  public var day: CalendarDay { CalendarDay(date, in: zone) }

  /// Returns a Boolean value that indicates whether one moment is before another.
  public static func < (left: TransitTime, right: TransitTime) -> Bool { left.date < right.date }
}

/// The service day of a query, from which its minutes count.
struct QueryDay: Sendable {
  let rules: ZoneRules
  let day: Int32
  /// In seconds since 1970.
  let start: Int64

  init(_ rules: ZoneRules, day: Int32) {
    (self.rules, self.day) = (rules, day)
    start = rules.start(ofDay: day)
  }

  func time(_ minutes: Int32) -> TransitTime {
    let seconds = start + Int64(minutes) * 60
    let offset = Int(rules.offset(at: seconds))
    return TransitTime(
      date: Date(timeIntervalSince1970: Double(seconds)),
      zone: (try? FixedZone(secondsFromUTC: offset)) ?? .utc, minutes: Int(minutes))
  }
}

extension Timetable {
  /// Returns the moment of a time of a service day.
  ///
  /// ```swift
  /// let departure = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 8 * 60 + 10)
  /// ```
  ///
  /// - Parameters:
  ///   - day: The service day.
  ///   - minutes: The minutes after its start, which may be more than a day.
  public func date(of day: CalendarDay, minutes: Int) -> Date {
    Date(
      timeIntervalSince1970: Double(storage.rules.start(ofDay: day.dayNumber)) + Double(minutes)
        * 60)
  }

  /// Returns the day of a moment in the timetable's zone.
  public func day(of date: Date) -> CalendarDay {
    CalendarDay(dayNumber: storage.rules.day(of: Self.seconds(date)))
  }

  /// Returns the minutes of a moment after the start of the service day on which it is.
  public func minutes(of date: Date) -> Int {
    let start = storage.rules.start(ofDay: storage.rules.day(of: Self.seconds(date)))
    return Int((Self.seconds(date) - start) / 60)
  }

  /// Returns the seconds of a date, limited to the years that calendars can count.
  static func seconds(_ date: Date) -> Int64 {
    min(
      max(Int64(limiting: date.timeIntervalSince1970.rounded(.down)), -60_000_000_000),
      250_000_000_000)
  }
}
