public import FieldCore

/// Where one grade of fine dust ends and the next begins: a table by a name.
///
/// ```swift
/// DustScale.korea2018.grade(pm10: 81, pm25: 12)     // .bad: the worse of both counts
/// DustScale.korea2018.grade(pm10: nil, pm25: nil)   // nil: not known is not good
/// ```
///
/// Scales differ, so a measurement keeps its micrograms and is graded when it is shown.
public struct DustScale: Sendable, Hashable, Codable {
  /// What the scale is called, such as `korea2018`.
  public let name: String
  /// The steps, the best first.
  public let steps: [Step]
  /// Whether a value is rounded to a whole number before it is graded, halves up: the official tables
  /// of Korea are in whole numbers and say nothing of what is between 30 and 31.
  public let roundsToWhole: Bool

  /// Makes a scale.
  ///
  /// - Parameters:
  ///   - name: What it is called.
  ///   - steps: The steps in any order; a value below all of them has the best grade.
  ///   - roundsToWhole: Whether values are rounded first, halves up.
  public init(name: String, steps: [Step], roundsToWhole: Bool) {
    self.name = name
    self.steps = steps.sorted { ($0.leastPM10, $0.leastPM25) < ($1.leastPM10, $1.leastPM25) }
    self.roundsToWhole = roundsToWhole
  }

  /// One grade of a scale, and the least values that are given it.
  public struct Step: Sendable, Hashable, Codable {
    /// The grade.
    public var grade: DustGrade
    /// The least PM10 of the grade, in µg/m³.
    public var leastPM10: Double
    /// The least PM2.5 of the grade, in µg/m³.
    public var leastPM25: Double

    /// Makes a step.
    public init(_ grade: DustGrade, leastPM10: Double, leastPM25: Double) {
      self.grade = grade
      self.leastPM10 = leastPM10
      self.leastPM25 = leastPM25
    }
  }
}

extension DustScale {
  /// Korea's forecast since 27 March 2018: PM10 좋음 to 30, 보통 to 80, 나쁨 to 150; PM2.5 to 15, 35 and
  /// 75 (easylaw.go.kr).
  public static var korea2018: DustScale {
    DustScale(
      name: "korea2018",
      steps: [
        Step(.good, leastPM10: 0, leastPM25: 0),
        Step(.moderate, leastPM10: 31, leastPM25: 16),
        Step(.bad, leastPM10: 81, leastPM25: 36),
        Step(.veryBad, leastPM10: 151, leastPM25: 76),
      ],
      roundsToWhole: true)
  }

  /// Korea's forecast before 27 March 2018: as ``korea2018``, but for PM2.5 보통 to 50 and 나쁨 to 100.
  public static var koreaBefore2018: DustScale {
    DustScale(
      name: "koreaBefore2018",
      steps: [
        Step(.good, leastPM10: 0, leastPM25: 0),
        Step(.moderate, leastPM10: 31, leastPM25: 16),
        Step(.bad, leastPM10: 81, leastPM25: 51),
        Step(.veryBad, leastPM10: 151, leastPM25: 101),
      ],
      roundsToWhole: true)
  }

  /// The index of OpenWeather, 1 to 5, for PM10 and PM2.5 alone: PM10 from 20, 50, 100 and 200, PM2.5
  /// from 10, 25, 50 and 75 (openweathermap.org/api/air-pollution).
  public static var openWeather: DustScale {
    DustScale(
      name: "openWeather",
      steps: [
        Step(.good, leastPM10: 0, leastPM25: 0),
        Step(.fair, leastPM10: 20, leastPM25: 10),
        Step(.moderate, leastPM10: 50, leastPM25: 25),
        Step(.bad, leastPM10: 100, leastPM25: 50),
        Step(.veryBad, leastPM10: 200, leastPM25: 75),
      ],
      roundsToWhole: false)
  }

  /// The scale that was in force in Korea on a day.
  public static func korea(on day: CalendarDay) -> DustScale {
    (day.year, day.month, day.day) < (2018, 3, 27) ? .koreaBefore2018 : .korea2018
  }
}

extension DustScale {
  /// The grade of two values in µg/m³: the worse of both, or that of the one which is known.
  ///
  /// A value that is below zero or no number is not known. Nil when neither is known.
  public func grade(pm10: Double?, pm25: Double?) -> DustGrade? {
    let places = [place(of: pm10) { $0.leastPM10 }, place(of: pm25) { $0.leastPM25 }].compactMap(
      \.self)
    return places.max().map { steps[$0].grade }
  }

  /// The step of a value; nil when it is not known or the scale has no steps.
  private func place(of value: Double?, from least: (Step) -> Double) -> Int? {
    guard let value = AirQuality.measured(value), !steps.isEmpty else { return nil }
    let graded = roundsToWhole ? value.rounded(.toNearestOrAwayFromZero) : value
    return steps.lastIndex { graded >= least($0) } ?? 0
  }
}
