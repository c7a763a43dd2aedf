/// How bad the fine dust in the air is, in one word.
///
/// The words are those of Korea's forecast (좋음, 보통, 나쁨, 매우나쁨); ``fair`` is there for scales
/// with five steps. The set is open: a word that is not known here is kept as it came.
public struct DustGrade: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The word that is stored, such as `good`.
  public let rawValue: String

  /// Makes a grade from the word that is stored; the word is taken as it is.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The word that is stored.
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

  /// The known grades, the best first.
  public static var known: [DustGrade] { [.good, .fair, .moderate, .bad, .veryBad] }

  /// The place of the grade among the known ones, 0 for the best; nil for another grade, which is
  /// neither better nor worse than any.
  public var severity: Int? { Self.known.firstIndex(of: self) }
}

extension DustGrade {
  /// Reads a word as people and services write it: those of the old app (좋음, 보통, 안좋음), those of
  /// Korea's forecast and of OpenWeather (`Poor`), and the stored ones, without regard to case and
  /// blanks.
  ///
  /// Another word is kept as it is, without the space around it. Nil when there is no word: the text is
  /// blank, `-` or `null`.
  public init?(_ text: String) {
    let word = text.tidy
    let key = word.lowercased().filter { $0 != " " }
    guard !key.isEmpty, key != "-", key != "null" else { return nil }
    self = Self.words[key] ?? Self(rawValue: word)
  }

  /// The word in Korean; nil for ``fair``, which Korea's scale does not have, and for a grade that is
  /// not known here.
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
