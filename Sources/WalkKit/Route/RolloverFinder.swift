internal import FieldCore
internal import FieldFoundation

/// A detector of times that are a multiple of 1,024 weeks too early, because a receiver counts GPS
/// weeks modulo 1,024.
///
/// A time is rolled over if the route contains another one that much later, to within a month. It
/// is compared with all times, not only with the latest one, so that a single wrong time doesn't
/// decide for all others.
struct RolloverFinder {
  private static let period = 1024.0 * 7 * 86_400
  private static let month = 31.0 * 86_400
  /// GPS weeks rolled over in 1999 and 2019, and will again in 2038.
  private static let mostTurns = 3

  /// The first and last time of each month that has any; empty if no two times are a rollover
  /// apart.
  private var months: [Int: ClosedRange<Double>] = [:]

  init(_ route: WalkRoute) {
    var span: ClosedRange<Double>?
    let times = route.segments.joined().lazy.compactMap(\.time).filter(Self.isPlausible)
      .map(\.timeIntervalSince1970)
    for time in times { span = Self.extended(span, to: time) }
    guard let span, span.upperBound - span.lowerBound > Self.period - Self.month else { return }
    for time in times {
      months[Self.month(of: time)] = Self.extended(months[Self.month(of: time)], to: time)
    }
  }

  func isRolledOver(_ time: Date) -> Bool {
    guard !months.isEmpty, Self.isPlausible(time) else { return false }
    return (1...Self.mostTurns).contains { turns in
      let right = time.timeIntervalSince1970 + Double(turns) * Self.period
      let near = right - Self.month...right + Self.month
      let month = Self.month(of: right)
      return (month - 1...month + 1).contains { months[$0]?.overlaps(near) ?? false }
    }
  }

  /// Returns whether a time is after the first GPS week and before the year 2200.
  static func isPlausible(_ time: Date) -> Bool {
    (315_964_800..<7_258_118_400).contains(time.timeIntervalSince1970)
  }

  private static func month(of time: Double) -> Int { Int((time / month).rounded(.down)) }

  private static func extended(
    _ range: ClosedRange<Double>?, to time: Double
  ) -> ClosedRange<Double> {
    guard let range else { return time...time }
    return min(range.lowerBound, time)...max(range.upperBound, time)
  }
}
