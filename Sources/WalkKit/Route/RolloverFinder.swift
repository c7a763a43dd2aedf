internal import FieldCore
internal import FieldFoundation

/// Finds times that a receiver has counted from a week that is 1,024 weeks, or a multiple, too early.
///
/// A time is rolled over when the route has another one so much later, within a month. It is compared
/// with all times and not with the latest alone: a single wrong one must not decide for all others.
struct RolloverFinder {
  private static let period = 1024.0 * 7 * 86_400
  private static let month = 31.0 * 86_400
  /// GPS has turned over in 1999 and 2019, and does so in 2038.
  private static let mostTurns = 3

  /// The first and the last time of each month that has any; empty when no two are a turn apart.
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

  /// From the first week of GPS on, and for as long as this is read.
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
