import FieldCore
import FieldFakes
import Foundation
import Testing
import WalkKit

/// What the articles show, at work: each slice is a part of a page.
@Suite("The articles about conditions, statistics, and export", .timeLimit(.minutes(60)))
struct WalkGuidesTests {
  @Test("the article on conditions gives advice for the measured air")
  func conditions() async throws {
    let fake = FakeWeather()
    fake.stations["종로구"] = [.init(time: "2024-03-06 12:00", pm10: "45", pm25: "40")]
    let (key, otherKey, transport) = (fake.airKoreaKey, fake.openWeatherKey, fake)
    let place = try Coordinate(latitude: 37.572, longitude: 127.005)
    let stations = [AirStation(name: "종로구", coordinate: place)]

    // snippet.conditions
    let air = AirKorea(key: key, stations: stations, transport: transport).cachedAirQuality()
    let sky = OpenWeather(key: otherKey, transport: transport).cachedWeather()

    let measured = try await air.airQuality(at: place)
    let report = try await sky.weather(at: place)
    let advice = WalkAdvice(dust: measured.grade(), weather: report.weather)
    print(advice?.text.string(in: .korean) ?? "nothing to say")
    // snippet.end
    #expect(advice?.text.string(in: .korean) == "짧게 다녀오세요.")
  }

  @Test(
    "the article on conditions has the grades of its table of scales",
    arguments: [
      (15.0, 9.0, DustGrade.good, DustGrade.good, DustGrade.good),
      (45, 12, .moderate, .moderate, .fair), (45, 40, .bad, .moderate, .moderate),
      (160, 12, .veryBad, .veryBad, .bad),
    ])
  func scales(
    pm10: Double, pm25: Double, now: DustGrade, before: DustGrade, openWeather: DustGrade
  ) {
    let air = AirQuality(pm10: pm10, pm25: pm25)
    #expect(air.grade() == now)
    #expect(air.grade(.koreaBefore2018) == before)
    #expect(air.grade(.openWeather) == openWeather)
  }

  @Test("the article on goals has a week's statistics, progress, a streak, badges, and points")
  func figures() throws {
    let pet = Pet(id: WalkSample.mesh, name: "mesh", breed: .welshCorgi, registered: .distantPast)
    let today = try CalendarDay("2024-03-07")
    let walks = [
      try WalkSample.walk("2024-03-05 10:00", minutes: 60, meters: 3000),
      try WalkSample.walk("2024-03-07 10:00", minutes: 15, meters: 1000),
    ]

    // snippet.figures
    let week = WalkCalendar().period(.week, containing: today)
    let figures = WalkStatistics(walks, pet: pet.id, in: week)
    print(figures.walkCount, figures.distance, figures.pacePerKilometer as Any)

    let goal = try WeeklyGoal(.minutes(150), pet: pet.id)
    let progress = goal.progress(of: walks, inWeekOf: today)
    print(progress.fraction, progress.isMet)

    let streak = StreakRule(leastTime: .seconds(600), graceDays: 1)
      .streak(of: walks, pet: pet.id, on: today)
    print(streak.current, streak.longest)

    let badges = Badges.earned(by: walks, of: pet.id)
    let ledger = PointsLedger(walks: walks, badges: badges)
    print(badges.map(\.rule.name), ledger.balance)
    // snippet.end
    #expect(figures.walkCount == 2)
    #expect(figures.pacePerKilometer == .seconds(900))
    #expect(progress.fraction == 0.5)
    #expect(streak.current == 2)
    #expect(streak.longest == 2)
    #expect(badges.map(\.rule.name) == ["walks-1"])
    #expect(ledger.balance == 2 + 4 + 10)
  }

  @Test("the article on the old app imports its walks, and reports what can't be used")
  func exchange() throws {
    let data = Data(
      """
      {"Pets": [7, {"name": "mesh", "breed": "비글", "weight": "33", "birth": "2999-01-01", "walks": [
        {"date": "", "duration": "17", "weather": ""},
        {"date": "2020-02-14 19:18:00", "duration": "abc",
          "images": ["{imageURL}", "https://example.org/1.jpg"]}]}]}
      """.utf8)
    // snippet.importing
    let old = try WalkImport(reading: data)
    print(old.pets.count, old.walks.count)
    for problem in old.problems { print(problem) }
    // snippet.end
    #expect(old.pets.map(\.weight) == [.kilograms(33)])
    #expect(old.walks.map(\.isUndated) == [true, false])
    #expect(old.walks[1].photos.count == 1)
    #expect(
      old.problems.map(\.description) == [
        "Pets[0]: the pet isn't an object",
        "Pets[1].birth: the birth date is in the future",
        "Pets[1].walks[0].date: the walk has no date, so it is imported without one",
        "Pets[1].walks[1].duration: the duration isn't a number of seconds",
        "Pets[1].walks[1].images[0]: this isn't the URL of a photo",
      ])

    let (pets, walks, places, now) = (old.pets, old.walks, [Place](), Date.distantPast)
    // snippet.archive
    let archive = WalkArchive(pets: pets, walks: walks, places: places, exported: now)
    let json = try archive.json()
    let back = try WalkArchive(reading: json)
    print(back.walks.count, back.problems.isEmpty)
    // snippet.end
    #expect(back.walks.count == 2)
    #expect(back.problems.isEmpty)
  }
}
