public import FieldCore

/// The localized strings about meteorites, in English, Chinese, and Slovak.
///
/// Each string is a `FieldText`; you can show it as it is, or replace its wording by its key.
///
/// ```swift
/// MeteoriteTexts.mass(of: meteorite).string()                        // "107000.000 g"
/// MeteoriteTexts.count(45_716).string(numbers: .grouped)             // "45,716 meteorites"
/// ```
public enum MeteoriteTexts {
  /// Returns a count such as `1 meteorite` or `3 meteorites`; `nil` is an unknown count.
  public static func count(_ count: Int?) -> FieldText {
    guard let count else {
      return FieldText(
        "meteorites.count.unknown",
        templates: [
          .english: "Unknown count of meteorites", .traditionalChinese: "隕石數量不明",
          .slovak: "Neznámy počet meteoritov",
        ])
    }
    return FieldText(
      "meteorites.count", .count(count),
      templates: [
        .english: .init(one: "{0} meteorite", other: "{0} meteorites"),
        .traditionalChinese: "{0} 顆隕石",
        .slovak: .init(one: "{0} meteorit", few: "{0} meteority", other: "{0} meteoritov"),
      ])
  }

  /// Returns the meteorite's name, or `Unknown name` if the source gives none.
  public static func name(of meteorite: Meteorite) -> FieldText {
    let name = meteorite.name.trimmingBlanks
    guard name.isEmpty else {
      return FieldText(
        "meteorites.name", .text(name),
        templates: [.english: "{0}", .traditionalChinese: "{0}", .slovak: "{0}"])
    }
    return FieldText(
      "meteorites.name.unknown",
      templates: [
        .english: "Unknown name", .traditionalChinese: "名稱不明", .slovak: "Neznámy názov",
      ])
  }

  /// Returns the mass, in grams with exactly three fraction digits, or `Mass unknown`.
  ///
  /// A mass of 0 is shown as unknown because the source uses it for relicts that weren't weighed.
  public static func mass(of meteorite: Meteorite) -> FieldText {
    guard let mass = meteorite.massInGrams, mass > 0 else {
      return FieldText(
        "meteorites.mass.unknown",
        templates: [
          .english: "Mass unknown", .traditionalChinese: "質量不明", .slovak: "Neznáma hmotnosť",
        ])
    }
    return grams(mass, fractionDigits: 3)
  }

  /// The short word for an unknown value.
  public static var unknown: FieldText {
    FieldText(
      "meteorites.unknown",
      templates: [.english: "Unknown", .traditionalChinese: "不明", .slovak: "Neznáme"])
  }

  /// Returns the minimum mass of a size class, in whole grams, or `nil` for the class without one.
  public static func threshold(of sizeClass: MeteoriteSizeClass) -> FieldText? {
    sizeClass.leastMassInGrams.map { grams($0, fractionDigits: 0) }
  }

  /// Returns the name of a size class.
  public static func name(of sizeClass: MeteoriteSizeClass) -> FieldText {
    switch sizeClass {
    case .big: size("big", "Big", "大型", "Veľké")
    case .small: size("small", "Small", "小型", "Malé")
    case .other: size("other", "Other", "其他", "Ostatné")
    }
  }

  private static func size(
    _ name: String, _ english: FieldText.Template, _ chinese: FieldText.Template,
    _ slovak: FieldText.Template
  ) -> FieldText {
    FieldText(
      "meteorites.size.\(name)",
      templates: [.english: english, .traditionalChinese: chinese, .slovak: slovak])
  }

  private static func grams(_ mass: Double, fractionDigits: Int) -> FieldText {
    FieldText(
      "meteorites.mass", .number(mass, fractionDigits: fractionDigits),
      templates: [.english: "{0} g", .traditionalChinese: "{0} 公克", .slovak: "{0} g"])
  }
}
