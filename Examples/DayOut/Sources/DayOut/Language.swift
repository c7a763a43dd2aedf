import FieldKit
import Foundation

extension Arguments {
  /// The language that `--lang` names. Defaults to English.
  func language() throws -> TextLanguage {
    switch value("--lang") {
    case nil, "en": .english
    case "zh": .traditionalChinese
    case "ko": .korean
    case let word?: throw UsageError("--lang needs en, zh, or ko, not \"\(word)\"")
    }
  }
}

/// Names and texts in the language that the user has chosen.
extension TextLanguage {
  func text(_ text: FieldText) -> String { text.string(in: self, numbers: .grouped) }

  /// A station in this language and as the signs have it.
  func name(_ station: MetroStation) -> String {
    self == .traditionalChinese
      ? "\(station.name) \(station.englishName)" : "\(short(station)) \(station.name)"
  }

  func short(_ station: MetroStation) -> String {
    switch self {
    case .traditionalChinese: station.name
    case .korean: station.koreanName ?? station.englishName
    default: station.englishName
    }
  }

  func short(_ line: MetroLine) -> String {
    switch self {
    case .traditionalChinese: line.name
    case .korean: line.koreanName ?? line.englishName
    default: line.englishName
    }
  }

  func name(_ animal: Animal) -> String {
    guard let english = animal.englishName else { return animal.name }
    return self == .traditionalChinese
      ? "\(animal.name) \(english)" : "\(english) \(animal.name)"
  }

  /// The time that a feed gives for a train, in Taipei; in Chinese, as the old app showed it.
  func time(of arrival: Arrival) -> String {
    guard let moment = arrival.updatedAt else { return "" }
    guard self != .traditionalChinese, let date = moment.instant else { return moment.taipeiText }
    return String(MetroReport.text(date).prefix(16)).replacing("T", with: " ")
  }

  /// Animals have no Korean names; English stands in for them.
  func short(_ animal: Animal) -> String {
    self == .traditionalChinese ? animal.name : animal.englishName ?? animal.name
  }

  /// A station of a feed, or the feed's own name if the network doesn't have it.
  func name(_ id: MetroStation.ID?, or fallback: String) -> String {
    id.flatMap(MetroNetwork.taipei.station).map(name) ?? fallback
  }
}

/// An age in words, such as `3 min` or `17 months`.
func ageText(_ age: Duration) -> String {
  let minutes = abs(age.components.seconds) / 60
  let text =
    switch minutes {
    case 0: "< 1 min"
    case 1..<120: "\(minutes) min"
    case 120..<2_880: "\(minutes / 60) hours"
    case 2_880..<86_400: "\(minutes / 1_440) days"
    default: "\(minutes / 43_830) months"
    }
  return minutes > 0 && age < .zero ? "in \(text)" : text
}

/// A mass in tonnes, kilograms, or grams, whichever reads best.
func massText(grams: Double) -> String {
  switch grams {
  case 1_000_000...: "\(NumberStyle.grouped.string(grams / 1_000_000, fractionDigits: 1)) t"
  case 1_000...: "\(NumberStyle.grouped.string(grams / 1_000, fractionDigits: 1)) kg"
  default: "\(NumberStyle.grouped.string(grams, fractionDigits: 0)) g"
  }
}

func grouped(_ number: Int) -> String { NumberStyle.grouped.string(number) }
