import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("A track meter")
struct TrackMeterTests {
  private func figures(
    _ segments: [TrackPoint]..., options: TrackMeter.Options = .init()
  ) -> TrackFigures {
    WalkRoute(segments: segments).figures(options)
  }

  @Test("a track meter has no values before the first point: no zeros where there is no data")
  func empty() {
    #expect(TrackMeter().figures == TrackFigures())
  }

  // W14 of Docs/old-apps.md
  @Test("a track meter measures the distance between two coordinates on the ellipsoid, in meters")
  func w14() throws {
    // Two goals of the old app; the length is geographiclib's.
    let home = try Coordinate(latitude: 37.5452335, longitude: 127.0571024)
    let goal = try Coordinate(latitude: 37.5437985, longitude: 127.0556436)
    let meters = home.distance(to: goal).meters
    let track = figures([TrackPoint(coordinate: home), TrackPoint(coordinate: goal)])
    #expect(track.distance.meters == meters)
    #expect(abs(meters - 204.905_167_867_218_3) < 1e-6)
  }

  @Test("a track meter counts nothing across a break, and the time across it only as elapsed")
  func breaks() throws {
    let first = try (0...10).map { try TrackSamples.point(Double($0), north: 10 * Double($0)) }
    let second = try (0...10).map {
      try TrackSamples.point(Double(600 + $0), north: 5000 + 10 * Double($0), elevation: 900)
    }
    let track = figures(first, second)
    #expect(abs(track.distance.meters - 200) < 0.1)
    #expect(track.elapsedTime == .seconds(610))
    #expect(track.movingTime == .seconds(20))
    #expect((track.segmentCount, track.pointCount) == (2, 22))
  }

  @Test("a track meter treats a long leg as a gap if configured")
  func gap() throws {
    let points = try [
      TrackSamples.point(0, north: 0), TrackSamples.point(10, north: 20),
      TrackSamples.point(310, north: 900), TrackSamples.point(320, north: 920),
    ]
    let whole = figures(points)
    let parted = figures(points, options: .init(longestGap: .seconds(300)))
    #expect((whole.segmentCount, parted.segmentCount) == (1, 2))
    #expect(abs(whole.distance.meters - 920) < 0.2)
    #expect(abs(parted.distance.meters - 40) < 0.1)
    #expect(parted.movingTime == .seconds(20))
  }

  @Test("a track meter distinguishes no elevation, one elevation, and level ground")
  func climbOfNothing() throws {
    let without = try [TrackSamples.point(0, north: 0), TrackSamples.point(9, north: 9)]
    let single = try [
      TrackSamples.point(0, north: 0, elevation: 5), TrackSamples.point(9, north: 9),
    ]
    let level = try [
      TrackSamples.point(0, north: 0, elevation: 5), TrackSamples.point(9, north: 9, elevation: 5),
    ]
    #expect(figures(without).climb == nil)
    #expect(figures(single).climb == nil)
    #expect(figures(level).climb == .zero)
    #expect(figures(level).descent == .zero)
  }

  @Test(
    "a track meter counts a climb when it reaches the threshold, and then all of it",
    arguments: [(0.0, 9.0, 4.0), (3, 8, 3), (4.5, 5, 0), (10, 0, 0)])
  func hysteresis(threshold: Double, climb: Double, descent: Double) throws {
    let elevations = [100.0, 102, 103, 104, 103, 100, 105]
    let points = try elevations.enumerated().map {
      try TrackSamples.point(Double($0), north: Double($0), elevation: $1)
    }
    let track = figures(points, options: .init(climbThreshold: .meters(threshold)))
    #expect(track.climb == .meters(climb))
    #expect(track.descent == .meters(descent))
  }

  @Test("a track meter fills two splits and half a third with one leg, and divides its time")
  func longLeg() throws {
    let points = try [
      TrackSamples.point(0, north: 0, elevation: 0),
      TrackSamples.point(1500, north: 2500, elevation: 25),
    ]
    let track = figures(points)
    #expect(track.splits.map(\.isComplete) == [true, true, false])
    #expect(track.splits.map(\.index) == [0, 1, 2])
    for (split, share) in zip(track.splits, [0.4, 0.4, 0.2]) {
      #expect(abs(split.distance.meters - 2500 * share) < 0.2)
      let time = try #require(split.recordedTime)
      #expect(abs(time / .seconds(1500 * share) - 1) < 1e-3)
      #expect(split.movingTime == split.recordedTime)
      let climb = try #require(split.climb)
      #expect(abs(climb.meters - 25 * share) < 0.01)
      #expect(split.descent == .zero)
    }
    let pace = try #require(track.splits[0].pace())
    #expect(abs(pace / .seconds(600) - 1) < 1e-3)
    #expect(track.pace(per: .zero) == .zero)
    #expect(track.pace(per: .meters(-1)) == nil)
  }

  @Test("a track meter subtracts a stop from the moving time afterward, from the arrival on")
  func stop() throws {
    let track = try figures(Self.walkWithStop(pausedSeconds: 120))
    #expect(track.elapsedTime == .seconds(320))
    // The steps around the stop cannot be told from it: of the 10 m of one place, 7 s.
    let moving = try #require(track.movingTime) / .seconds(1)
    #expect((185...201).contains(moving), "\(moving)")
  }

  /// 140 m in 100 s, a stop with a receiver that trembles, and 140 m again.
  static func walkWithStop(pausedSeconds: Int) throws -> [TrackPoint] {
    try (0...200 + pausedSeconds).map { second in
      let walked = min(second, 100) + max(second - 100 - pausedSeconds, 0)
      let isPaused = (100...100 + pausedSeconds).contains(second)
      return try TrackSamples.point(
        Double(second), north: Double(walked) * 1.4, east: isPaused ? Double(second % 3) : 0)
    }
  }

  @Test("a track meter doesn't treat a short wait as a stop")
  func shortWait() throws {
    #expect(try figures(Self.walkWithStop(pausedSeconds: 4)).movingTime == .seconds(204))
  }

  @Test(
    "a track meter doesn't treat turning back on a lawn as a stop, though it ends where it began")
  func lawn() throws {
    // 30 m there and 30 m back, again and again, at 1.4 m/s.
    let points = try (0...300).map { second in
      let phase = (Double(second) * 1.4).truncatingRemainder(dividingBy: 60)
      return try TrackSamples.point(Double(second), north: phase < 30 ? phase : 60 - phase)
    }
    #expect(figures(points).movingTime == .seconds(300))
  }

  @Test(
    "a track meter treats a leg of ten minutes and ten meters as standing, as recorders write it")
  func slowLeg() throws {
    let points = try [
      TrackSamples.point(0, north: 0), TrackSamples.point(7, north: 10.5),
      TrackSamples.point(607, north: 21), TrackSamples.point(614, north: 31.5),
    ]
    #expect(figures(points).movingTime == .seconds(14))
    #expect(figures(points).elapsedTime == .seconds(614))
  }

  @Test("a track meter stands still with a receiver that drifts for a quarter of an hour")
  func drift() throws {
    // A slow circle of 5 m and its noise.
    let points = try (0...900).map { second in
      let angle = Double(second) / 60
      return try TrackSamples.point(
        Double(second), north: 5 * sin(angle) + Double(second % 2), east: 5 * cos(angle))
    }
    let moving = try #require(figures(points).movingTime)
    #expect(moving < .seconds(20))
  }

  @Test("a track meter treats inaccurate fixes as one place even if they are farther apart")
  func inaccurate() throws {
    // Jumps of 15 m to and fro every second: moving when exact, standing when good for 20 m.
    func track(_ accuracy: Double) throws -> TrackFigures {
      figures(
        try (0...60).map {
          try TrackSamples.point(Double($0), north: Double($0 % 2) * 15, accuracy: accuracy)
        })
    }
    #expect(try track(5).movingTime == .seconds(60))
    #expect(try track(20).movingTime == .zero)
  }

  @Test("a track meter counts no backward step of the clock, and none of a thousand weeks")
  func clocks() throws {
    let times = [0.0, 10, 20, -619_315_180, -619_315_170, 60, 70]
    let points = try times.enumerated().map {
      try TrackSamples.point($1, north: Double($0) * 30)
    }
    let track = figures(points)
    #expect(track.elapsedTime == .seconds(40))
    #expect(track.movingTime == .seconds(40))
  }

  @Test("a track meter measures the distance of points without times, and reports no time for them")
  func untimed() throws {
    let points = try (0...10).map { try TrackSamples.point(nil, north: Double($0) * 100) }
    let track = figures(points)
    #expect(abs(track.distance.meters - 1000) < 0.5)
    #expect(track.elapsedTime == nil)
    #expect(track.movingTime == nil)
    #expect(track.pace() == nil)
    #expect(track.splits.first?.recordedTime == nil)
  }

  @Test(
    "a track meter divides the time between two timed points over the untimed ones between them")
  func halfTimed() throws {
    let points = try (0...20).map {
      try TrackSamples.point($0 % 10 == 0 ? Double($0) * 50 : nil, north: Double($0) * 101)
    }
    let track = figures(points)
    #expect(track.movingTime == .seconds(1000))
    let first = try #require(track.splits[0].recordedTime)
    #expect(abs(first / .seconds(495) - 1) < 2e-3)
  }

  @Test("a track meter isn't affected by values that aren't numbers")
  func notANumber() throws {
    var points = try (0...5).map {
      try TrackSamples.point(Double($0), north: Double($0), elevation: 10)
    }
    points[2].elevation = .nan
    points[3].time = Date(timeIntervalSinceReferenceDate: .infinity)
    points[4].accuracy = .meters(.nan)
    let track = figures(points)
    #expect(track.elapsedTime == .seconds(5))
    #expect(track.climb == .zero)
  }

  @Test(
    "a track meter has consistent sums: the splits add up to the whole, and no part is negative",
    arguments: Sample.of(1...20 as ClosedRange<UInt64>, inDebug: 8))
  func sums(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var walk = try TrackSamples.walk(count: 3000, seed: seed)
    for _ in 0..<20 {  // Pauses of the receiver, holes in the data.
      let place = Int.random(in: 1..<2900, using: &random)
      for index in place..<place + Int.random(in: 1...60, using: &random) {
        walk[index].coordinate = walk[place].coordinate
        if Bool.random(using: &random) { walk[index].time = nil }
        if Bool.random(using: &random) { walk[index].elevation = nil }
      }
    }
    let length = Double.random(in: 20...2000, using: &random)
    let track = figures(
      Array(walk[..<1200]), Array(walk[1200...]), options: .init(splitLength: .meters(length)))
    func sum(_ part: (Split) -> Double?) -> Double { track.splits.compactMap(part).reduce(0, +) }
    let comment: Comment = "seed \(seed)"
    #expect(abs(sum { $0.distance.meters } - track.distance.meters) < 1e-6, comment)
    #expect(abs(sum { $0.climb?.meters } - (track.climb?.meters ?? 0)) < 1e-6, comment)
    #expect(abs(sum { $0.descent?.meters } - (track.descent?.meters ?? 0)) < 1e-6, comment)
    let moving = try #require(track.movingTime) / .seconds(1)
    #expect(abs(sum { $0.movingTime.map { $0 / .seconds(1) } } - moving) < 0.2, comment)
    #expect(track.splits.allSatisfy { $0.movingTime ?? .zero >= .zero }, comment)
    #expect(moving <= Double(2999), comment)
    #expect(track.splits.dropLast().allSatisfy { $0.isComplete }, comment)
  }

  @Test("a track meter has the same statistics live, point by point, as for the whole route")
  func live() throws {
    let walk = try TrackSamples.walk(count: 600, seed: 7)
    var meter = TrackMeter()
    for (index, point) in walk.enumerated() {
      meter.add(point)
      guard index % 97 == 0 else { continue }
      #expect(meter.figures == figures(Array(walk[...index])))
    }
  }

  @Test("a track meter doesn't grow with a jump around the earth at every point")
  func jumps() throws {
    var meter = TrackMeter(options: .init(splitLength: .meters(1)))
    for index in 0..<200 {
      meter.add(
        TrackPoint(
          coordinate: try Coordinate(latitude: 0, longitude: index % 2 == 0 ? 0 : 179),
          time: TrackSamples.start.addingTimeInterval(Double(index))))
    }
    #expect(meter.figures.splits.count == 10_000)
  }

  @Test("a track meter has at most 10,000 splits, even if it ends exactly with the last one")
  func exactSplits() throws {
    let points = try (1...9).map { number in
      try [0, 9].map { try TrackSamples.point($0, north: $0 * Double(number)) }
    }
    let (track, meters) = try #require(
      points.lazy.map { ($0, $0[0].coordinate.distance(to: $0[1].coordinate).meters) }
        .first { $0.1 / ($0.1 / 10_000) == 10_000 })
    let splits = figures(track, options: .init(splitLength: .meters(meters / 10_000))).splits
    #expect(splits.count == 10_000)
    #expect(splits.allSatisfy { $0.isComplete })
  }

  @Test("a track meter has no splits if their length is zero", arguments: [0, -1, .infinity, .nan])
  func noSplits(length: Double) throws {
    let points = try [TrackSamples.point(0, north: 0), TrackSamples.point(9, north: 900)]
    #expect(figures(points, options: .init(splitLength: .meters(length))).splits.isEmpty)
  }

  @Test("a track meter has statistics that survive coding")
  func codable() throws {
    let track = figures(try TrackSamples.walk(count: 900, seed: 3))
    let copy = try JSONDecoder().decode(TrackFigures.self, from: JSONEncoder().encode(track))
    #expect(copy == track)
  }
}
