/// A grade of the fine dust in the air, as a word.
///
/// The words are those of Korea's forecast (좋음, 보통, 나쁨, 매우나쁨). ``fair`` is for scales with five
/// steps. The set is open: unknown words are kept as they are.
public struct DustGrade: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The stored word, such as `good`.
  public let rawValue: String

  /// Creates a grade from the stored word, without interpreting it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The stored word.
  public var description: String { rawValue }

  /// Good, 좋음.
  public static var good: Self { Self(rawValue: "good") }
  /// Between good and moderate, on scales with five steps.
  public static var fair: Self { Self(rawValue: "fair") }
  /// Moderate, 보통.
  public static var moderate: Self { Self(rawValue: "moderate") }
  /// Bad, 나쁨; 안좋음 in the old app.
  public static var bad: Self { Self(rawValue: "bad") }
  /// Very bad, 매우나쁨.
  public static var veryBad: Self { Self(rawValue: "veryBad") }

  /// The known grades, best first.
  public static var known: [DustGrade] { [.good, .fair, .moderate, .bad, .veryBad] }

  /// The position of the grade among the known ones, where 0 is the best.
  ///
  /// The severity of an unknown grade is `nil`: it is neither better nor worse than any other.
  public var severity: Int? { Self.known.firstIndex(of: self) }

  /// Creates a grade from a text, as people and services write it.
  ///
  /// Known words are those of the old app (좋음, 보통, 안좋음), of Korea's forecast, of OpenWeather
  /// (`Poor`), and the stored ones, ignoring case and blanks. Other words are kept as they are,
  /// without the space around them. Returns `nil` if the text is blank, `-`, or `null`.
  public init?(_ text: String) {
    let word = text.tidy
    let key = word.lowercased().filter { $0 != " " }
    guard !key.isEmpty, key != "-", key != "null" else { return nil }
    self = Self.words[key] ?? Self(rawValue: word)
  }

  /// The Korean word; `nil` for ``fair``, which isn't on Korea's scale, and for unknown grades.
  public var koreanName: String? { Self.koreanNames[self] }

  private static let koreanNames: [DustGrade: String] = [
    .good: "좋음", .moderate: "보통", .bad: "나쁨", .veryBad: "매우나쁨",
  ]

  private static let words: [String: DustGrade] = {
    var words: [String: DustGrade] = [
      "안좋음": .bad, "poor": .bad, "unhealthy": .bad, "verypoor": .veryBad,
      "veryunhealthy": .veryBad,
    ]
    for grade in known { words[grade.rawValue.lowercased()] = grade }
    for (grade, name) in koreanNames { words[name] = grade }
    return words
  }()
}
