import Foundation
import Testing
import WalkKit

@Suite("A weather")
struct WeatherTests {
  @Test(
    "a weather is parsed from the words of the old app, of OpenWeather, and its own",
    arguments: [
      ("맑음", WalkWeather.clear), ("구름", .clouds), ("비", .rain), (" 비\n", .rain), ("눈", .snow),
      ("Clear", .clear), ("Clouds", .clouds), ("RAIN", .rain), ("Drizzle", .drizzle),
      ("Thunderstorm", .thunderstorm), ("Snow", .snow), ("Mist", .fog), ("Haze", .fog),
      ("Fog", .fog), ("Smoke", .dust), ("Dust", .dust), ("Sand", .dust), ("Ash", .dust),
      ("Squall", .storm), ("Tornado", .storm), ("storm", .storm), ("황사", .dust),
    ])
  func words(text: String, weather: WalkWeather) {
    #expect(WalkWeather(text) == weather)
  }

  @Test(
    "a weather is nil for empty text",
    arguments: ["", " ", "\u{3000}\u{FEFF}", "-", "null", "NULL"])
  func nothing(text: String) {
    #expect(WalkWeather(text) == nil)
  }

  @Test("a weather keeps an unknown word, trimmed")
  func unknown() {
    #expect(WalkWeather(" Volcanic lightning ")?.rawValue == "Volcanic lightning")
    #expect(WalkWeather("Volcanic lightning")?.koreanName == nil)
    #expect(WalkWeather("Volcanic lightning")?.isBad == false)
  }

  @Test("a weather is parsed from each of its own names", arguments: Self.known)
  func roundTrip(weather: WalkWeather) throws {
    #expect(WalkWeather(weather.rawValue) == weather)
    #expect(WalkWeather(try #require(weather.koreanName)) == weather)
    let json = try JSONEncoder().encode([weather])
    #expect(try JSONDecoder().decode([WalkWeather].self, from: json) == [weather])
  }

  @Test(
    "each code of OpenWeather has its weather",
    arguments: [
      (200, WalkWeather.thunderstorm), (232, .thunderstorm), (300, .drizzle), (321, .drizzle),
      (500, .rain), (511, .rain), (531, .rain), (600, .snow), (616, .snow), (622, .snow),
      (701, .fog), (711, .dust), (721, .fog), (731, .dust), (741, .fog), (751, .dust),
      (761, .dust), (762, .dust), (771, .storm), (781, .storm), (800, .clear), (801, .clouds),
      (804, .clouds),
    ])
  func codes(id: Int, weather: WalkWeather) {
    #expect(WalkWeather(openWeatherID: id) == weather)
  }

  @Test(
    "other codes than OpenWeather's have no weather",
    arguments: [Int.min, -1, 0, 199, 400, 700, 805, 900, Int.max])
  func otherCodes(id: Int) {
    #expect(WalkWeather(openWeatherID: id) == nil)
  }

  @Test(
    "a weather is parsed from an icon by day and by night",
    arguments: [
      ("01", WalkWeather.clear), ("02", .clouds), ("03", .clouds), ("04", .clouds), ("09", .rain),
      ("10", .rain), ("11", .thunderstorm), ("13", .snow), ("50", .fog),
    ])
  func icons(name: String, weather: WalkWeather) {
    #expect(WalkWeather(openWeatherIcon: "\(name)d") == weather)
    #expect(WalkWeather(openWeatherIcon: "\(name)n") == weather)
    #expect(WalkWeather(openWeatherIcon: "\(name)x") == nil)
    #expect(WalkWeather(openWeatherIcon: name) == nil)
  }

  @Test(
    "a weather isn't parsed from any other icon", arguments: ["", "d", "é1d", "99d", "010d", "1d"])
  func otherIcons(icon: String) {
    #expect(WalkWeather(openWeatherIcon: icon) == nil)
  }

  @Test("a weather is bad when most people stay at home")
  func bad() {
    #expect(
      Self.known.filter(\.isBad) == [.drizzle, .rain, .snow, .thunderstorm, .dust, .storm])
  }

  static let known: [WalkWeather] = [
    .clear, .clouds, .drizzle, .rain, .snow, .thunderstorm, .fog, .dust, .storm,
  ]
}
