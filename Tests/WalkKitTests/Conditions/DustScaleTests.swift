import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A grade of dust")
struct DustScaleTests {
  @Test(
    "a grade of PM10 begins where the official table of 2018 says",
    arguments: [
      (0.0, DustGrade.good), (30, .good), (30.4, .good), (30.5, .moderate), (31, .moderate),
      (80, .moderate), (80.49, .moderate), (80.5, .bad), (81, .bad), (150, .bad), (150.4, .bad),
      (150.5, .veryBad), (151, .veryBad), (2000, .veryBad),
    ])
  func pm10(value: Double, grade: DustGrade) {
    #expect(DustScale.korea2018.grade(pm10: value, pm25: nil) == grade)
    #expect(DustScale.koreaBefore2018.grade(pm10: value, pm25: nil) == grade)
  }

  @Test(
    "a grade of PM2.5 begins where the official table of 2018 says",
    arguments: [
      (0.0, DustGrade.good), (15, .good), (15.4, .good), (15.5, .moderate), (16, .moderate),
      (35, .moderate), (35.5, .bad), (36, .bad), (75, .bad), (75.4, .bad), (75.5, .veryBad),
      (76, .veryBad),
    ])
  func pm25(value: Double, grade: DustGrade) {
    #expect(DustScale.korea2018.grade(pm10: nil, pm25: value) == grade)
  }

  @Test(
    "a grade of PM2.5 was milder before 27 March 2018",
    arguments: [
      (15.0, DustGrade.good), (16, .moderate), (36, .moderate), (50, .moderate), (51, .bad),
      (100, .bad), (101, .veryBad),
    ])
  func before2018(value: Double, grade: DustGrade) {
    #expect(DustScale.koreaBefore2018.grade(pm10: nil, pm25: value) == grade)
  }

  @Test("a grade of dust changed on 27 March 2018")
  func dayOfChange() throws {
    #expect(DustScale.korea(on: try CalendarDay("2018-03-26")) == .koreaBefore2018)
    #expect(DustScale.korea(on: try CalendarDay("2018-03-27")) == .korea2018)
    #expect(DustScale.korea(on: try CalendarDay("2017-12-31")) == .koreaBefore2018)
    #expect(DustScale.korea(on: try CalendarDay("2020-01-01")) == .korea2018)
  }

  @Test(
    "a grade of OpenWeather's dust has five steps whose upper bounds belong to the next one",
    arguments: [
      (0.0, 0.0, DustGrade.good), (19.99, 9.99, .good), (20, 0, .fair), (0, 10, .fair),
      (49.9, 24.9, .fair), (50, 0, .moderate), (0, 25, .moderate), (99.9, 49.9, .moderate),
      (100, 0, .bad), (0, 50, .bad), (199.9, 74.9, .bad), (200, 0, .veryBad), (0, 75, .veryBad),
    ])
  func openWeather(pm10: Double, pm25: Double, grade: DustGrade) {
    #expect(DustScale.openWeather.grade(pm10: pm10, pm25: pm25) == grade)
  }

  @Test("a grade of dust is that of the worse of both sizes")
  func worse() {
    #expect(DustScale.korea2018.grade(pm10: 20, pm25: 80) == .veryBad)
    #expect(DustScale.korea2018.grade(pm10: 160, pm25: 3) == .veryBad)
    #expect(DustScale.korea2018.grade(pm10: 45, pm25: 40) == .bad)
  }

  @Test(
    "a grade of dust is nil without a value, and an impossible value is ignored",
    arguments: [nil, -1, -9999, Double.nan, .infinity, -.infinity])
  func missing(value: Double?) {
    #expect(DustScale.korea2018.grade(pm10: value, pm25: nil) == nil)
    #expect(DustScale.korea2018.grade(pm10: nil, pm25: value) == nil)
    #expect(DustScale.korea2018.grade(pm10: value, pm25: 20) == .moderate)
    #expect(AirQuality(pm10: value, pm25: value).grade() == nil)
    #expect(AirQuality(pm10: value).pm10 == nil)
  }

  @Test(
    "a grade of dust never improves if a value grows",
    arguments: [DustScale.korea2018, .openWeather])
  func monotonic(scale: DustScale) throws {
    var random = SeededGenerator(seed: 6_1)
    for _ in 0..<2000 {
      let pm10 = Double.random(in: 0...300, using: &random)
      let pm25 = Double.random(in: 0...150, using: &random)
      let grade = try #require(scale.grade(pm10: pm10, pm25: pm25)?.severity)
      let more = try #require(scale.grade(pm10: pm10 + 1, pm25: pm25 + 1)?.severity)
      #expect(more >= grade, "seed 61: \(pm10) \(pm25)")
    }
  }

  @Test("a custom scale of dust needs no order of steps, and an empty scale has no grades")
  func ownScale() {
    let scale = DustScale(
      name: "mine",
      steps: [
        .init(.bad, leastPM10: 50, leastPM25: 25), .init(.good, leastPM10: 5, leastPM25: 5),
      ],
      roundsToWhole: false)
    #expect(scale.grade(pm10: 1, pm25: nil) == .good)
    #expect(scale.grade(pm10: 50, pm25: nil) == .bad)
    #expect(
      DustScale(name: "none", steps: [], roundsToWhole: true).grade(pm10: 50, pm25: 1) == nil)
  }

  @Test(
    "a grade of dust is parsed from the words of the old app, of the forecast, and its own",
    arguments: [
      ("좋음", DustGrade.good), ("보통", .moderate), ("안좋음", .bad), ("나쁨", .bad),
      ("매우나쁨", .veryBad), ("매우 나쁨", .veryBad), ("Good", .good), ("Fair", .fair),
      ("Poor", .bad), ("Very Poor", .veryBad), ("veryBad", .veryBad), ("VERYBAD", .veryBad),
    ])
  func words(text: String, grade: DustGrade) {
    #expect(DustGrade(text) == grade)
  }

  @Test("a grade of dust is nil for empty text, and keeps an unknown word")
  func otherWords() {
    #expect(DustGrade("") == nil)
    #expect(DustGrade(" - ") == nil)
    #expect(DustGrade("null") == nil)
    #expect(DustGrade(" 최악 ")?.rawValue == "최악")
    #expect(DustGrade("최악")?.severity == nil)
  }

  @Test("a grade of dust is parsed from each of its own names", arguments: DustGrade.known)
  func roundTrip(grade: DustGrade) throws {
    #expect(DustGrade(grade.rawValue) == grade)
    if let name = grade.koreanName { #expect(DustGrade(name) == grade) }
  }

  @Test("a grade of dust survives coding, and an invalid value in a file is dropped")
  func coding() throws {
    let air = AirQuality(
      pm10: 45.5, pm25: nil, measuredAt: Date(timeIntervalSince1970: 1_709_737_200),
      station: "종로구", pm25Flag: .communicationFailure)
    #expect(try JSONDecoder().decode(AirQuality.self, from: JSONEncoder().encode(air)) == air)
    let bad = try JSONDecoder().decode(AirQuality.self, from: Data(#"{"pm10":-1,"pm25":8}"#.utf8))
    #expect(bad == AirQuality(pm25: 8))
  }

  @Test("a grade of dust gives advice with the weather, the more careful of both")
  func advice() {
    #expect(WalkAdvice(dust: .good, weather: .clear) == .goAhead)
    #expect(WalkAdvice(dust: .good, weather: .thunderstorm) == .stayIn)
    #expect(WalkAdvice(dust: .veryBad, weather: .clear) == .stayIn)
    #expect(WalkAdvice(dust: .moderate) == .takeCare)
    #expect(WalkAdvice(dust: nil, weather: .rain) == .keepItShort)
    #expect(WalkAdvice(dust: nil, weather: nil) == nil)
    #expect(WalkAdvice(dust: DustGrade(rawValue: "최악"), weather: nil) == nil)
  }

  @Test(
    "a grade of dust has its own advice in each of three languages", arguments: WalkAdvice.allCases)
  func adviceTexts(advice: WalkAdvice) {
    let texts = ["ko", "en", "zh-Hant-TW"].map {
      advice.text.string(in: TextLanguage(rawValue: $0))
    }
    #expect(Set(texts).count == 3)
    #expect(Set(WalkAdvice.allCases.map { $0.text.string() }).count == 4)
  }
}
