/// The weather on a walk.
///
/// The set is open: unknown words are kept as they are, and are equal only to themselves.
///
/// ```swift
/// WalkWeather("맑음") == .clear       // a word of the old app
/// WalkWeather("Clouds") == .clouds   // a word of OpenWeather
/// WalkWeather("") == nil             // unknown weather is nil, never a guess
/// ```
public struct WalkWeather: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The stored word, such as `clear`.
  public let rawValue: String

  /// Creates a weather from the stored word, without interpreting it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The stored word.
  public var description: String { rawValue }

  /// Clear sky, 맑음.
  public static var clear: Self { Self(rawValue: "clear") }
  /// Some or many clouds, 구름.
  public static var clouds: Self { Self(rawValue: "clouds") }
  /// Drizzle, 이슬비.
  public static var drizzle: Self { Self(rawValue: "drizzle") }
  /// Rain, 비.
  public static var rain: Self { Self(rawValue: "rain") }
  /// Snow or sleet, 눈.
  public static var snow: Self { Self(rawValue: "snow") }
  /// A thunderstorm, 뇌우.
  public static var thunderstorm: Self { Self(rawValue: "thunderstorm") }
  /// Mist, haze or fog, 안개.
  public static var fog: Self { Self(rawValue: "fog") }
  /// Smoke, sand, dust or ash in the air, 황사.
  public static var dust: Self { Self(rawValue: "dust") }
  /// Squalls or a tornado, 강풍.
  public static var storm: Self { Self(rawValue: "storm") }

  /// A Boolean value that indicates whether most people would stay at home.
  ///
  /// It is `true` for drizzle, rain, snow, thunderstorms, storms, and dust in the air, and `false`
  /// for unknown weather.
  public var isBad: Bool { [.drizzle, .rain, .snow, .thunderstorm, .dust, .storm].contains(self) }

  /// Creates a weather from a text, as people and services write it.
  ///
  /// Known words are those of the old app (맑음, 구름, 비), of OpenWeather (`Clear`, `Mist`), and the
  /// stored ones, ignoring case. Other words are kept as they are, without the space around them.
  /// Returns `nil` if the text is blank, `-`, or `null`.
  public init?(_ text: String) {
    let word = text.tidy
    let key = word.lowercased()
    guard !key.isEmpty, key != "-", key != "null" else { return nil }
    self = Self.words[key] ?? Self(rawValue: word)
  }

  /// Creates a weather from a condition code of OpenWeather, such as 500 (light rain), or `nil` for
  /// an unknown code.
  ///
  /// Source: openweathermap.org/weather-conditions. The codes 700 through 781 form one group there
  /// ("Atmosphere"); here, they are fog, dust, or storm.
  public init?(openWeatherID id: Int) {
    switch id {
    case 200...299: self = .thunderstorm
    case 300...399: self = .drizzle
    case 500...599: self = .rain
    case 600...699: self = .snow
    case 701, 721, 741: self = .fog
    case 711, 731, 751, 761, 762: self = .dust
    case 771, 781: self = .storm
    case 800: self = .clear
    case 801...804: self = .clouds
    default: return nil
    }
  }

  /// Creates a weather from the name of an OpenWeather icon, such as `10d`, or `nil` for another
  /// name.
  public init?(openWeatherIcon icon: String) {
    guard icon.utf8.count == 3, icon.hasSuffix("d") || icon.hasSuffix("n") else { return nil }
    switch icon.dropLast() {
    case "01": self = .clear
    case "02", "03", "04": self = .clouds
    case "09", "10": self = .rain
    case "11": self = .thunderstorm
    case "13": self = .snow
    case "50": self = .fog
    default: return nil
    }
  }

  /// The Korean word, which is the old app's if it had one; `nil` for unknown weather.
  public var koreanName: String? { Self.koreanNames[self] }

  private static let koreanNames: [WalkWeather: String] = [
    .clear: "맑음", .clouds: "구름", .drizzle: "이슬비", .rain: "비", .snow: "눈",
    .thunderstorm: "뇌우", .fog: "안개", .dust: "황사", .storm: "강풍",
  ]

  private static let words: [String: WalkWeather] = {
    var words: [String: WalkWeather] = [
      "sunny": .clear, "cloudy": .clouds, "구름많음": .clouds, "구름조금": .clouds, "흐림": .clouds,
      "소나기": .rain, "sleet": .snow, "진눈깨비": .snow, "천둥번개": .thunderstorm, "mist": .fog,
      "haze": .fog, "박무": .fog, "연무": .fog, "smoke": .dust, "sand": .dust, "ash": .dust,
      "squall": .storm, "tornado": .storm,
    ]
    for (weather, name) in koreanNames {
      words[name] = weather
      words[weather.rawValue] = weather
    }
    return words
  }()
}
