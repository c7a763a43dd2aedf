import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A source that is queried once an hour", .timeLimit(.minutes(60)))
struct CachedConditionsTests {
  private static let noon = Date(timeIntervalSince1970: 1_709_694_000)  // 12:00 in Seoul
  private let fake = FakeWeather()
  private let clock = ManualClock(now: Self.noon)

  private func place(_ latitude: Double = 37.572) throws -> Coordinate {
    try Coordinate(latitude: latitude, longitude: 127.005)
  }

  private func source() -> CachedAirQuality {
    fake.stations["종로구"] = [.init(time: "2024-03-06 12:00", pm10: "45", pm25: "21")]
    return AirKorea(key: fake.airKoreaKey, stationName: "종로구", transport: fake)
      .cachedAirQuality(clock: clock)
  }

  @Test("a cached source keeps a result for an hour after its measurement")
  func hour() async throws {
    let source = source()
    clock.advance(by: .seconds(900))
    let first = try await source.airQuality(at: try place())
    clock.advance(by: .seconds(2699))
    #expect(try await source.airQuality(at: try place()) == first)
    #expect(fake.requests.count == 1)
    clock.advance(by: .seconds(1))
    _ = try await source.airQuality(at: try place())
    #expect(fake.requests.count == 2)
  }

  @Test("a cached source keeps an old result for ten minutes, and one without a value as well")
  func old() async throws {
    let source = source()
    for hour in [
      FakeWeather.Hour(time: "2024-03-06 02:00", pm10: "45", pm25: "21"),
      .init(time: "2024-03-06 13:00", pm10: "-", pm25: "-"),
    ] {
      fake.stations["종로구"] = [hour]
      let before = fake.requests.count
      _ = try await source.airQuality(at: try place())
      clock.advance(by: .seconds(599))
      _ = try await source.airQuality(at: try place())
      #expect(fake.requests.count == before + 1)
      clock.advance(by: .seconds(1))
    }
    _ = try await source.airQuality(at: try place())
    #expect(fake.requests.count == 3)
  }

  @Test(
    "a cached source keeps a future result for an hour at most, and none after a clock went back")
  func clocks() async throws {
    let source = source()
    fake.stations["종로구"] = [.init(time: "2024-03-08 12:00", pm10: "45", pm25: "21")]
    _ = try await source.airQuality(at: try place())
    clock.advance(by: .seconds(3600))
    _ = try await source.airQuality(at: try place())
    #expect(fake.requests.count == 2)
    clock.set(now: Self.noon.addingTimeInterval(-86_400))
    _ = try await source.airQuality(at: try place())
    #expect(fake.requests.count == 3)
  }

  @Test("a cached source queries once for places within a hundred meters, and again for others")
  func places() async throws {
    let source = source()
    _ = try await source.airQuality(at: try place(37.5721))
    _ = try await source.airQuality(at: try place(37.5719))
    #expect(fake.requests.count == 1)
    _ = try await source.airQuality(at: try place(37.58))
    #expect(fake.requests.count == 2)
  }

  @Test("a cached source shares a request between concurrent callers")
  func together() async throws {
    let counting = SlowAir()
    let source = CachedAirQuality(counting, clock: clock)
    let place = try place()
    let answers = try await withThrowingTaskGroup(of: AirQuality.self) { group in
      for _ in 0..<50 { group.addTask { try await source.airQuality(at: place) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 50)
    #expect(counting.count.withLock(\.self) == 1)
  }

  @Test("a cached source keeps the results of the last 256 places")
  func capacity() async throws {
    let counting = SlowAir(delay: .zero)
    let source = CachedAirQuality(counting, clock: clock)
    var counts: [Int] = []
    for number in Array(0..<256) + [0, 256, 1, 0] {
      _ = try await source.airQuality(at: try place(Double(number) / 100))
      counts.append(counting.count.withLock(\.self))
      clock.advance(by: .seconds(1))
    }
    #expect(counts.suffix(5) == [256, 256, 257, 257, 258])
  }

  @Test("a cached source doesn't keep a failure")
  func failure() async throws {
    let source = source()
    fake.fail(.status(500))
    _ = await errorAnswer(ofAir: source, at: try place())
    fake.fail(nil)
    #expect(try await source.airQuality(at: try place()).pm10 == 45)
  }

  @Test("a cached source lets one caller be canceled without the others")
  func oneCancelled() async throws {
    let gate = GatedAir()
    let source = CachedAirQuality(gate, clock: clock)
    let place = try place()
    let first = Task { try await source.airQuality(at: place) }
    await gate.waitUntilAsked()
    let second = Task { try await source.airQuality(at: place) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let third = Task { try await source.airQuality(at: place) }
    gate.open()
    #expect(try await third.value.pm10 == 9)
    _ = try await second.value
  }

  @Test("a cached source sends nothing for a canceled caller, even if the result is known")
  func cancelledBefore() async throws {
    let source = source()
    let place = try place()
    _ = try await source.airQuality(at: place)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await source.airQuality(at: place)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(fake.requests.count == 1)
  }

  @Test("a cached source works for weather in the same way")
  func weather() async throws {
    fake.sky = .init(observedAt: Int64(Self.noon.timeIntervalSince1970))
    let source = OpenWeather(key: fake.openWeatherKey, transport: fake).cachedWeather(clock: clock)
    #expect(try await source.weather(at: try place()).weather == .clear)
    fake.sky = .init(id: 500, observedAt: Int64(Self.noon.timeIntervalSince1970) + 3600)
    clock.advance(by: .seconds(3599))
    #expect(try await source.weather(at: try place()).weather == .clear)
    clock.advance(by: .seconds(1))
    #expect(try await source.weather(at: try place()).weather == .rain)
  }

  @Test(
    "a cached source returns the same over a real connection as over a transport in memory",
    .enabled(if: Tool.isThere("curl"), "curl isn't installed"))
  func loopback() async throws {
    fake.stations["종로구"] = [.init(time: "2024-03-06 24:00", pm10: "12", pm25: "7")]
    let server = try LoopbackServer(serving: fake)
    let url = server.url.appending(path: "B552584/getMsrstnAcctoRltmMesureDnsty")
    let wire = AirKorea(
      key: fake.airKoreaKey, stationName: "종로구", transport: CurlTransport(), url: url)
    let near = AirKorea(key: fake.airKoreaKey, stationName: "종로구", transport: fake)
    #expect(
      try await wire.airQuality(at: try place()) == (try await near.airQuality(at: try place())))
    await server.stop()
  }
}

/// Asks with another program.
private struct CurlTransport: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let data = try Tool.run("curl", "-s", "--max-time", "20", request.url.absoluteString)
    return TransportResponse(status: 200, body: .data(data))
  }
}

/// A source that counts, and takes its time.
private struct SlowAir: AirQualitySource {
  let count = Lock(0)
  var delay = Duration.milliseconds(50)

  func airQuality(at place: Coordinate) async throws -> AirQuality {
    count.withLock { $0 += 1 }
    try await Task.sleep(for: delay)
    return AirQuality(pm10: 1)
  }
}

/// A source that answers when it is let.
private final class GatedAir: AirQualitySource {
  private let asked = AsyncStream<Void>.makeStream()
  private let opened = AsyncStream<Void>.makeStream()

  func waitUntilAsked() async { for await _ in asked.stream { return } }

  func open() { opened.continuation.yield() }

  func airQuality(at place: Coordinate) async throws -> AirQuality {
    asked.continuation.yield()
    for await _ in opened.stream { break }
    try Task.checkCancellation()
    return AirQuality(pm10: 9)
  }
}
