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
      return text(
        "count.unknown", "Unknown count of meteorites", "隕石數量不明", "Neznámy počet meteoritov")
    }
    return text(
      "count", with: .count(count), .init(one: "{0} meteorite", other: "{0} meteorites"), "{0} 顆隕石",
      .init(one: "{0} meteorit", few: "{0} meteority", other: "{0} meteoritov"))
  }

  /// Returns the meteorite's name, or `Unknown name` if the source gives none.
  public static func name(of meteorite: Meteorite) -> FieldText {
    let name = meteorite.name.trimmingBlanks
    guard name.isEmpty else { return text("name", with: .text(name), "{0}", "{0}", "{0}") }
    return text("name.unknown", "Unknown name", "名稱不明", "Neznámy názov")
  }

  /// Returns the mass, in grams with exactly three fraction digits, or `Mass unknown`.
  ///
  /// A mass of 0 is shown as unknown because the source uses it for relicts that weren't weighed.
  public static func mass(of meteorite: Meteorite) -> FieldText {
    guard let mass = meteorite.massInGrams, mass > 0 else {
      return text("mass.unknown", "Mass unknown", "質量不明", "Neznáma hmotnosť")
    }
    return grams(mass, fractionDigits: 3)
  }

  /// The short word for an unknown value.
  public static var unknown: FieldText { text("unknown", "Unknown", "不明", "Neznáme") }

  /// Returns the minimum mass of a size class, in whole grams, or `nil` for the class without one.
  public static func threshold(of sizeClass: MeteoriteSizeClass) -> FieldText? {
    sizeClass.leastMassInGrams.map { grams($0, fractionDigits: 0) }
  }

  /// Returns the name of a size class.
  public static func name(of sizeClass: MeteoriteSizeClass) -> FieldText {
    switch sizeClass {
    case .big: text("size.big", "Big", "大型", "Veľké")
    case .small: text("size.small", "Small", "小型", "Malé")
    case .other: text("size.other", "Other", "其他", "Ostatné")
    }
  }

  private static func grams(_ mass: Double, fractionDigits: Int) -> FieldText {
    text("mass", with: .number(mass, fractionDigits: fractionDigits), "{0} g", "{0} 公克", "{0} g")
  }

  private static func text(
    _ name: String, with argument: FieldText.Argument? = nil, _ english: FieldText.Template,
    _ chinese: FieldText.Template, _ slovak: FieldText.Template
  ) -> FieldText {
    let key = "meteorites.\(name)"
    let templates: [TextLanguage: FieldText.Template] = [
      .english: english, .traditionalChinese: chinese, .slovak: slovak,
    ]
    return argument.map { FieldText(key, $0, templates: templates) }
      ?? FieldText(key, templates: templates)
  }
}
