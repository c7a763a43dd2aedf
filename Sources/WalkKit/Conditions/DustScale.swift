public import FieldCore

/// A table of the limits between grades of fine dust.
///
/// ```swift
/// DustScale.korea2018.grade(pm10: 81, pm25: 12)     // .bad: the worse of both grades
/// DustScale.korea2018.grade(pm10: nil, pm25: nil)   // nil: unknown isn't good
/// ```
///
/// Because scales differ, a measurement stores its values and is graded when it is displayed.
public struct DustScale: Sendable, Hashable, Codable {
  /// The name of the scale, such as `korea2018`.
  public let name: String
  /// The steps, best first.
  public let steps: [Step]
  /// A Boolean value that indicates whether values are rounded to integers before they are graded,
  /// with halves rounded up.
  ///
  /// Korea's official tables use integers and don't define what is between 30 and 31.
  public let roundsToWhole: Bool

  /// Creates a scale.
  ///
  /// - Parameters:
  ///   - name: The name of the scale.
  ///   - steps: The steps in any order. A value below all of them has the best grade.
  ///   - roundsToWhole: Whether to round values to integers first, with halves rounded up.
  public init(name: String, steps: [Step], roundsToWhole: Bool) {
    self.name = name
    self.steps = steps.sorted { ($0.leastPM10, $0.leastPM25) < ($1.leastPM10, $1.leastPM25) }
    self.roundsToWhole = roundsToWhole
  }

  private init(
    _ name: String, _ grades: [DustGrade], leastPM10: [Double], leastPM25: [Double],
    roundsToWhole: Bool = true
  ) {
    let steps = zip(grades, zip(leastPM10, leastPM25)).map { grade, least in
      Step(grade, leastPM10: least.0, leastPM25: least.1)
    }
    self.init(name: name, steps: steps, roundsToWhole: roundsToWhole)
  }

  /// The grades of Korea's forecast.
  private static var korean: [DustGrade] { [.good, .moderate, .bad, .veryBad] }

  /// A grade of a scale and the minimum values for it.
  public struct Step: Sendable, Hashable, Codable {
    /// The grade.
    public var grade: DustGrade
    /// The minimum PM10 for the grade, in µg/m³.
    public var leastPM10: Double
    /// The minimum PM2.5 for the grade, in µg/m³.
    public var leastPM25: Double

    /// Creates a step.
    public init(_ grade: DustGrade, leastPM10: Double, leastPM25: Double) {
      self.grade = grade
      self.leastPM10 = leastPM10
      self.leastPM25 = leastPM25
    }
  }

  /// Korea's forecast since March 27, 2018.
  ///
  /// The upper limits of 좋음, 보통, and 나쁨 are 30, 80, and 150 for PM10, and 15, 35, and 75 for PM2.5
  /// (easylaw.go.kr).
  public static var korea2018: DustScale {
    DustScale("korea2018", korean, leastPM10: [0, 31, 81, 151], leastPM25: [0, 16, 36, 76])
  }

  /// Korea's forecast before March 27, 2018.
  ///
  /// It is ``korea2018`` with upper limits of 50 for 보통 and 100 for 나쁨 of PM2.5.
  public static var koreaBefore2018: DustScale {
    DustScale("koreaBefore2018", korean, leastPM10: [0, 31, 81, 151], leastPM25: [0, 16, 51, 101])
  }

  /// OpenWeather's index from 1 through 5, applied only to PM10 and PM2.5.
  ///
  /// The lower limits of the upper four grades are 20, 50, 100, and 200 for PM10, and 10, 25, 50,
  /// and 75 for PM2.5 (openweathermap.org/api/air-pollution).
  public static var openWeather: DustScale {
    DustScale(
      "openWeather", DustGrade.known, leastPM10: [0, 20, 50, 100, 200],
      leastPM25: [0, 10, 25, 50, 75], roundsToWhole: false)
  }

  /// Returns the scale that was in force in Korea on a day.
  public static func korea(on day: CalendarDay) -> DustScale {
    (day.year, day.month, day.day) < (2018, 3, 27) ? .koreaBefore2018 : .korea2018
  }

  /// Returns the grade of two values in µg/m³: the worse of both, or that of the known one.
  ///
  /// A value that is negative or not a number counts as unknown. Returns `nil` if neither is known.
  public func grade(pm10: Double?, pm25: Double?) -> DustGrade? {
    let places = [place(of: pm10) { $0.leastPM10 }, place(of: pm25) { $0.leastPM25 }].compactMap(
      \.self)
    return places.max().map { steps[$0].grade }
  }

  /// Returns the step of a value, or `nil` if it isn't known or the scale has no steps.
  private func place(of value: Double?, from least: (Step) -> Double) -> Int? {
    guard let value = AirQuality.measured(value), !steps.isEmpty else { return nil }
    let graded = roundsToWhole ? value.rounded(.toNearestOrAwayFromZero) : value
    return steps.lastIndex { graded >= least($0) } ?? 0
  }
}
