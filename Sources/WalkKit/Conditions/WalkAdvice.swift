public import FieldCore

/// Advice about going for a walk, based on air quality and weather.
///
/// ```swift
/// if let advice = WalkAdvice(dust: air.grade(), weather: report.weather) {
///   print(advice.text.string(in: .korean))
/// }
/// ```
public enum WalkAdvice: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
  // From the least to the most cautious, which is their order.

  /// A walk of any length is fine.
  case goAhead
  /// Puppies and old or ill dogs should take it easy.
  case takeCare
  /// A short walk is enough.
  case keepItShort
  /// Go outside only for what is necessary.
  case stayIn

  /// Creates the more cautious advice for the known conditions, or `nil` if none is known.
  public init?(dust: DustGrade?, weather: WalkWeather? = nil) {
    let advices = [dust.flatMap(Self.init(grade:)), weather.flatMap(Self.init(sky:))]
    guard let careful = advices.compactMap(\.self).max() else { return nil }
    self = careful
  }

  private init?(grade: DustGrade) {
    switch grade {
    case .good, .fair: self = .goAhead
    case .moderate: self = .takeCare
    case .bad: self = .keepItShort
    case .veryBad: self = .stayIn
    default: return nil
    }
  }

  private init?(sky: WalkWeather) {
    switch sky {
    case .clear, .clouds: self = .goAhead
    case .drizzle, .fog: self = .takeCare
    case .rain, .snow, .dust: self = .keepItShort
    case .thunderstorm, .storm: self = .stayIn
    default: return nil
    }
  }

  /// The advice in Korean (`ko`), English, and Chinese.
  public var text: FieldText {
    switch self {
    case .goAhead: text(en: "A good time for a walk.", zh: "很適合散步。", ko: "산책하기 좋아요.")
    case .takeCare:
      text(
        en: "Take it easy with puppies and old dogs.", zh: "幼犬與老犬請勿勉強。",
        ko: "어린 강아지와 노견은 무리하지 마세요.")
    case .keepItShort: text(en: "Keep the walk short.", zh: "請縮短散步時間。", ko: "짧게 다녀오세요.")
    case .stayIn:
      text(en: "Better play indoors today.", zh: "今天請在室內玩耍。", ko: "오늘은 실내에서 놀아 주세요.")
    }
  }

  private func text(
    en: FieldText.Template, zh: FieldText.Template, ko: FieldText.Template
  ) -> FieldText {
    FieldText("walks.advice.\(rawValue)", en: en, zh: zh, ko: ko)
  }

  /// Returns whether the left advice is less cautious.
  public static func < (left: WalkAdvice, right: WalkAdvice) -> Bool {
    left.caution < right.caution
  }

  private var caution: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
