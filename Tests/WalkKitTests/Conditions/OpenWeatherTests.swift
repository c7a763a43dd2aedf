import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("OpenWeather", .timeLimit(.minutes(60)))
struct OpenWeatherTests {
  private let fake = FakeWeather()

  private var source: OpenWeather { OpenWeather(key: fake.openWeatherKey, transport: fake) }

  @Test("OpenWeather reports the sky in the requested units")
  func weather() async throws {
    fake.sky = .init(id: 501, main: "Rain", icon: "10d", temperatureInCelsius: 12.25)
    let report = try await source.weather(at: try seoul)
    #expect(report.weather == .rain)
    #expect(report.temperatureInCelsius == 12.25)
    #expect(report.humidityInPercent == 64)
    #expect(report.windSpeedInMetersPerSecond == 0.62)
    #expect(report.observedAt == Date(timeIntervalSince1970: 1_661_870_592))
    #expect(report.placeName == "Seoul")
    let query = try #require(fake.requests.first?.url.query())
    #expect(query == "lat=37.545&lon=127.057&appid=\(fake.openWeatherKey)&units=metric")
  }

  @Test("OpenWeather reports the fine dust, whose index may be a fraction")
  func air() async throws {
    fake.air = .init(pm10: 101.5, pm25: 8, index: 4)
    let air = try await source.airQuality(at: try seoul)
    #expect(air.pm10 == 101.5)
    #expect(air.pm25 == 8)
    #expect(air.grade(.openWeather) == .bad)
    #expect(air.grade() == .bad)
    #expect(air.measuredAt == Date(timeIntervalSince1970: 1_605_182_400))
  }

  @Test("OpenWeather is queried for longitudes below 180 only")
  func longitude() async throws {
    _ = try await source.airQuality(at: try Coordinate(latitude: -17.5, longitude: 210.1234))
    #expect(fake.requests.first?.url.query()?.hasPrefix("lat=-17.500&lon=-149.877&") == true)
  }

  @Test("OpenWeather uses the icon and then the word if the code is unknown, and nothing otherwise")
  func otherConditions() async throws {
    fake.sky = .init(id: 999, main: "Strange", icon: "13n")
    #expect(try await source.weather(at: try seoul).weather == .snow)
    fake.sky = .init(id: 999, main: "Strange", icon: "")
    #expect(try await source.weather(at: try seoul).weather?.rawValue == "Strange")
    fake.sky = .init(id: nil)
    #expect(try await source.weather(at: try seoul).weather == nil)
  }

  @Test(
    "OpenWeather omits impossible values",
    arguments: [
      #"{"weather":[],"main":{"temp":-999,"humidity":180},"wind":{"speed":-1},"dt":0,"name":""}"#,
      #"{"main":{"temp":"warm","humidity":null},"wind":[],"dt":"soon","weather":{}}"#,
      #"{"main":null,"weather":null}"#,
      #"{"weather":[],"main":{"temp":280.15,"humidity":-9999},"wind":{"speed":9999}}"#,
      #"{"weather":[],"main":{"temp":98.6},"wind":{"speed":130.5},"dt":1661870592000}"#,
    ])
  func impossible(body: String) async throws {
    fake.fail(.body(body, type: "application/json"))
    #expect(try await source.weather(at: try seoul) == WeatherReport())
  }

  @Test("OpenWeather keeps the extremes that were measured, and omits the numbers that mean none")
  func extremes() async throws {
    for (low, high) in [(-89.2, 56.7)] {
      for temperature in [low, high] {
        fake.sky = .init(id: 800, temperatureInCelsius: temperature)
        #expect(try await source.weather(at: try seoul).temperatureInCelsius == temperature)
      }
    }
    let air = AirQuality(pm10: 9_999, pm25: 9_998)
    #expect(air.pm10 == nil && air.pm25 == 9_998)
  }

  @Test("OpenWeather reads numbers in strings")
  func textNumbers() async throws {
    fake.fail(
      .body(
        #"{"list":[{"dt":"1605182400","components":{"pm2_5":"7.5","pm10":"-"}}]}"#,
        type: "application/json"))
    let air = try await source.airQuality(at: try seoul)
    #expect(
      air == AirQuality(pm25: 7.5, measuredAt: Date(timeIntervalSince1970: 1_605_182_400)))
  }

  @Test("OpenWeather reports a wrong key, and quotes it nowhere")
  func wrongKey() async throws {
    let source = OpenWeather(key: "hunter2hunter2", transport: fake)
    let error = await errorAnswer(of: source, at: try seoul)
    let failure = try #require(error)
    #expect(failure.code == .serviceKeyRefused)
    #expect(failure.operation == "walks.weather.openWeather")
    #expect(failure.response?.status == 401)
    for text in [
      "\(failure)", "\(failure.response as Any)", "\(source)", String(reflecting: source),
    ] {
      #expect(!text.contains("hunter2"), "\(text)")
    }
    var dumped = ""
    // The fake notes the requests that it got, which are not the source's.
    dump(OpenWeather(key: "hunter2hunter2", transport: StubTransport { _ in }), to: &dumped)
    #expect(dumped.contains("key"))
    #expect(!dumped.contains("hunter2"))
  }

  @Test("OpenWeather quotes the key in no log")
  func log() async throws {
    let lines = Lock<[String]>([])
    let logged = fake.logging { line in lines.withLock { $0.append("\(line)") } }
    _ = try await OpenWeather(key: fake.openWeatherKey, transport: logged)
      .weather(at: try seoul)
    let text = lines.withLock { $0.joined() }
    #expect(text.contains("/weather"))
    #expect(!text.contains(fake.openWeatherKey))
  }

  @Test("OpenWeather omits a cause that quotes the key")
  func cause() async throws {
    struct Quoting: Error { var address: URL }
    let transport = StubTransport {
      $0.on("walks.weather.openWeather") { throw Quoting(address: $0.url) }
    }
    let source = OpenWeather(key: "hunter2hunter2", transport: transport)
    let error = await errorAnswer(of: source, at: try seoul)
    #expect(error?.code == .transport)
    #expect(error?.underlying == nil)
  }

  @Test("OpenWeather sends nothing without a key")
  func noKey() async throws {
    let source = OpenWeather(key: " ", transport: fake)
    let error = await errorAnswer(ofAir: source, at: try seoul)
    #expect(error?.code == .serviceKeyRefused)
    #expect(fake.requests.isEmpty)
  }

  @Test(
    "OpenWeather distinguishes its errors",
    arguments: [
      (FakeWeather.Failure.openWeather(401, message: "Invalid API key"), "walks.serviceKeyRefused"),
      (.openWeather(404, message: "city not found"), "walks.noConditions"),
      (.openWeather(429, message: "blocked"), "http.tooManyRequests"),
      (.openWeather(400, message: "wrong latitude"), "walks.conditionsRefused"),
      (.openWeather(500, message: "Internal error"), "walks.conditionsRefused"),
      (.status(401), "walks.serviceKeyRefused"), (.status(403), "walks.serviceKeyRefused"),
      (.status(404), "http.notFound"), (.status(429), "http.tooManyRequests"),
      (.status(502), "http.status"),
      (.body("<html><title>Sign in</title></html>", type: "text/html"), "rows.notData"),
      (.body("", type: "application/json"), "rows.empty"),
      (.body(#"{"weather":[{"id":"#, type: "application/json"), "rows.cut"),
      (.body("[]", type: "application/json"), "rows.schema"),
      (.body("{}", type: "application/json"), "rows.schema"),
      (.body(#"{"cod":"401","message":7}"#, type: "application/json"), "walks.serviceKeyRefused"),
    ])
  func errors(failure: FakeWeather.Failure, code: String) async throws {
    fake.fail(failure)
    let error = await errorAnswer(of: source, at: try seoul)
    #expect(error?.code.rawValue == code)
    #expect(error?.operation == "walks.weather.openWeather")
  }

  @Test("OpenWeather reports that it has no air quality for a place if the list is empty")
  func emptyList() async throws {
    fake.air = nil
    let error = await errorAnswer(ofAir: source, at: try seoul)
    #expect(error?.code == .noConditions)
  }

  @Test("OpenWeather ends with CancellationError if it is canceled")
  func cancelled() async throws {
    let source = source
    let task = Task { [place = try seoul] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await source.weather(at: place)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  private var seoul: Coordinate {
    get throws { try Coordinate(latitude: 37.5452335, longitude: 127.0571024) }
  }
}
