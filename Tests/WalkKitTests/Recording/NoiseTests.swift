import FieldCore
import FieldFakes
import FieldXML
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// Tracks whose length is known, with the noise of a receiver added, as the filter sees them.
@Suite("With a noisy receiver", .timeLimit(.minutes(60)))
struct NoiseTests {
  /// The noise of a receiver: its size, how long an error lasts, and the time between fixes.
  struct Noise: Sendable, CustomTestStringConvertible {
    var meters: Double
    var lasts = 0.0
    var interval: Double

    var testDescription: String { "\(meters) m for \(lasts) s, every \(interval) s" }

    static let all: [Noise] = [0, 5, 10, 20, 60].flatMap { lasts in
      [3.0, 5, 8].flatMap { meters in
        [1.0, 5, 10].map { Noise(meters: meters, lasts: lasts, interval: $0) }
      }
    }
  }

  /// Errors in meters north and east, in a given number, with a Gaussian distribution.
  private struct Errors {
    let noise: Noise
    var chance: SeededGenerator
    var last = SIMD2<Double>()
    var isFirst = true

    init(_ noise: Noise, seed: UInt64) {
      self.noise = noise
      chance = SeededGenerator(seed: seed)
    }

    mutating func next(after seconds: Double) -> SIMD2<Double> {
      let radius = (-2 * log(Double.random(in: 1e-12...1, using: &chance))).squareRoot()
      let angle = Double.random(in: 0..<2 * .pi, using: &chance)
      let fresh = SIMD2(radius * cos(angle), radius * sin(angle)) * noise.meters
      let memory = noise.lasts > 0 && !isFirst ? exp(-seconds / noise.lasts) : 0
      isFirst = false
      last = last * memory + fresh * (1 - memory * memory).squareRoot()
      return last
    }
  }

  /// Returns a track along a line, or at one place.
  private func track(
    _ noise: Noise, speed: Double, seconds: Double, seed: UInt64
  ) throws -> WalkRoute {
    var errors = Errors(noise, seed: seed)
    return WalkRoute(segments: [
      try stride(from: 0, through: seconds, by: noise.interval).map { second in
        let error = errors.next(after: noise.interval)
        return try TrackSamples.point(second, north: second * speed + error.x, east: error.y)
      }
    ])
  }

  @Test("an hour of standing costs 20 m on average with a noisy receiver", arguments: Noise.all)
  func standing(noise: Noise) throws {
    let meters = try (1...6 as ClosedRange<UInt64>).map {
      try track(noise, speed: 0, seconds: 3_600, seed: $0).denoised().distance.meters
    }
    #expect(meters.reduce(0, +) / 6 < 22, "\(meters)")
  }

  @Test(
    "a slow walk of a kilometer with noise is neither swallowed nor much longer",
    arguments: [0.3, 0.5],
    Noise.all)
  func slow(speed: Double, noise: Noise) throws {
    let meters = try (1...3 as ClosedRange<UInt64>).map {
      try track(noise, speed: speed, seconds: 1_000 / speed, seed: $0).denoised().distance.meters
    }
    let mean = meters.reduce(0, +) / 3
    #expect((950...1_150).contains(mean), "\(meters)")
    if noise.meters == 3, noise.lasts == 0 { #expect((970...1_040).contains(mean), "\(meters)") }
  }

  /// Returns 40 minutes of straight ways, sharp and slight turns, and stops of up to two minutes, and
  /// the length of the way.
  ///
  /// Sparse fixes are 8 to 25 s apart.
  private func stopAndGo(
    _ noise: Noise, isSparse: Bool = false, seed: UInt64
  ) throws -> (route: WalkRoute, meters: Double) {
    var chance = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double {
      Double.random(in: range, using: &chance)
    }
    var errors = Errors(noise, seed: seed + 1_000)
    var (place, heading, meters, time, next) = (SIMD2<Double>(), 0.0, 0.0, 0.0, 0.0)
    var points: [TrackPoint] = []
    while time < 2_400 {
      let (speed, leaves) = (random(0.7...1.6), time + random(15...75))
      let ends = leaves + (Bool.random(using: &chance) ? random(10...120) : 0)
      while time < ends {
        if time >= next {
          let error = errors.next(after: noise.interval)
          points.append(
            try TrackSamples.point(time, north: place.x + error.x, east: place.y + error.y))
          next += isSparse ? random(8...25) : noise.interval
        }
        if time < leaves {
          place += SIMD2(cos(heading), sin(heading)) * speed / 2
          meters += speed / 2
        }
        time += 0.5
      }
      let turn = random(0...1) < 0.45 ? random(1.2...1.8) : random(0...0.4)
      heading += Bool.random(using: &chance) ? turn : -turn
    }
    return (WalkRoute(segments: [points]), meters)
  }

  @Test(
    "a walk with stops and turns keeps its length, within what its noise allows",
    arguments: [1.0, 5].map { Noise(meters: 0, interval: $0) } + Noise.all)
  func stopsAndTurns(noise: Noise) throws {
    let walks = try (1...6 as ClosedRange<UInt64>).map { try stopAndGo(noise, seed: $0) }
    let truth = walks.reduce(0) { $0 + $1.meters }
    let found = walks.reduce(0) { $0 + $1.route.denoised().distance.meters }
    let deviation = 100 * (found / truth - 1)
    #expect(abs(deviation) < (noise.meters == 0 ? 4 : 7), "\(deviation) %")
  }

  @Test("turns between sparse fixes aren't taken for noise", arguments: [0.0, 3, 5, 8])
  func sparse(meters: Double) throws {
    let noise = Noise(meters: meters, interval: 10)
    let none = Noise(meters: 0, interval: 10)
    let seeds: ClosedRange<UInt64> = 1...6
    let truth = try seeds.reduce(0.0) {
      $0 + (try stopAndGo(none, isSparse: true, seed: $1)).route.distance.meters
    }
    let found = try seeds.reduce(0.0) {
      $0 + (try stopAndGo(noise, isSparse: true, seed: $1)).route.denoised().distance.meters
    }
    let deviation = 100 * (found / truth - 1)
    #expect(abs(deviation) < 5.5, "\(deviation) %")
  }

  @Test("a clean walk keeps every point, at any speed of a walk", arguments: [1.4, 4])
  func clean(speed: Double) throws {
    let noise = Noise(meters: 0, interval: 5)
    let route = try track(noise, speed: speed, seconds: 600, seed: 1)
    #expect(route.denoised() == route)
  }

  @Test("the recorder and an imported track have the same route")
  func recorder() async throws {
    let route = try track(Noise(meters: 3, interval: 5), speed: 0, seconds: 1_800, seed: 7)
    let bench = RecordingBench()
    let walk = try await bench.start()
    let points = try #require(route.segments.first)
    let start = try #require(points[0].time)
    bench.clock.set(now: start)
    for point in points {
      let time = try #require(point.time)
      bench.clock.advance(by: .seconds(time.timeIntervalSince(bench.clock.now)))
      await walk.record(
        LocationFix(coordinate: point.coordinate, accuracy: .meters(5), time: time))
    }
    let finished = try await walk.finish()
    let recorded = try #require(bench.diary.route(of: finished.id))
    #expect(
      recorded.segments.map { $0.map(\.coordinate) }
        == route.denoised().segments.map { $0.map(\.coordinate) })
    #expect(finished.distance < .meters(20))
    #expect(route.distance > .kilometers(1))
  }

  @Test("points without times, or with the same one, stay in a track without noise")
  func untimed() throws {
    var route = try track(Noise(meters: 3, interval: 5), speed: 0, seconds: 60, seed: 3)
    for index in route.segments[0].indices { route.segments[0][index].time = nil }
    #expect(route.denoised() == route)
    for index in route.segments[0].indices { route.segments[0][index].time = TrackSamples.start }
    #expect(route.denoised() == route)
    #expect(WalkRoute(segments: [[], []]).denoised() == WalkRoute(segments: [[], []]))
  }

  /// The tracks that weren't used for the tuning, and the deviation found for them, in percent, of the
  /// tracks as they are and with noise of 3 m.
  private static let tracks: [(file: String, clean: Double, noisy: Double)] = [
    ("gpxpy-cerknicko-jezero.gpx", 2, 5), ("togeojson-run.gpx", 1, 3.5),
    ("gpxgo-visnjan.gpx", 1, 4), ("gpxpy-korita-zbevnica.gpx", 1, 4),
  ]

  @Test(
    "recorded walks keep their length, with noise added, too",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"), arguments: tracks)
  func recordedWalks(file: String, clean: Double, noisy: Double) throws {
    let document = try GPXDocument(data: Data(SharedData.bytes("walk/\(file)")))
    let route = WalkRoute(tracks: document.tracks)
    let truth = route.distance.meters
    let deviation = 100 * (route.denoised().distance.meters / truth - 1)
    #expect(abs(deviation) < clean, "\(deviation) %")
    let sum = try (1...4 as ClosedRange<UInt64>).reduce(0.0) {
      $0 + (try self.noisy(route, seed: $1)).denoised().distance.meters
    }
    let withNoise = 100 * (sum / 4 / truth - 1)
    #expect(abs(withNoise) < noisy, "\(withNoise) %")
  }

  private func noisy(_ route: WalkRoute, seed: UInt64) throws -> WalkRoute {
    var errors = Errors(Noise(meters: 3, interval: 1), seed: seed)
    return WalkRoute(
      segments: try route.segments.map { segment in
        try segment.map { point in
          guard point.time != nil else { return point }
          var point = point
          let error = errors.next(after: 1)
          let latitude = point.coordinate.latitude + error.x / 111_200
          point.coordinate = try Coordinate(
            latitude: latitude,
            longitude: point.coordinate.longitude + error.y / 111_300 / cos(latitude * .pi / 180))
          return point
        }
      })
  }
}
