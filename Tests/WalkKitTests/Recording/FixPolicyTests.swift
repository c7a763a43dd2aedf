import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A fix", .timeLimit(.minutes(60)))
struct FixPolicyTests {
  private let bench = RecordingBench()

  private func recorder(_ fixes: FixPolicy = .standard) async throws -> (
    RecordingBench, WalkRecorder
  ) {
    let bench = RecordingBench(options: RecordingOptions(fixes: fixes))
    return (bench, try await bench.start())
  }

  // W7 of Docs/old-apps.md
  @Test("a fix older than 10 s is ignored, and so is one from as far in the future")
  func age() async throws {
    let (bench, walk) = try await recorder()
    bench.clock.advance(by: .seconds(60))
    #expect(await walk.record(bench.fix(0, age: 10.001)).reason == .tooOld)
    #expect(await walk.record(bench.fix(0, age: 10)).isAccepted)
    #expect(await walk.record(bench.fix(30, age: -10)).isAccepted)
    #expect(await walk.record(bench.fix(30, age: -10.001)).reason == .tooOld)
    let (patient, long) = try await recorder(FixPolicy(maximumAge: .seconds(3600)))
    #expect(await long.record(patient.fix(0, age: 3000)).isAccepted)
  }

  @Test(
    "a fix whose accuracy is negative or not a number is invalid",
    arguments: [-1, -0.001, Double.nan])
  func invalidAccuracy(accuracy: Double) async throws {
    let walk = try await bench.start()
    #expect(await walk.record(bench.fix(0, accuracy: accuracy)).reason == .invalid)
  }

  @Test("a fix without a valid time is invalid", arguments: [Double.nan, .infinity])
  func invalidTime(seconds: Double) async throws {
    let walk = try await bench.start()
    var fix = bench.fix(0)
    fix.time = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(await walk.record(fix).reason == .invalid)
  }

  @Test("a fix at 0, 0 is invalid")
  func nullIsland() async throws {
    let walk = try await bench.start()
    var fix = bench.fix(0)
    fix.coordinate = try Coordinate(latitude: 0, longitude: -0.0)
    #expect(await walk.record(fix).reason == .nullIsland)
  }

  @Test(
    "a fix is used up to a radius of 50 m",
    arguments: [(50, true), (50.001, false), (0, true), (.infinity, false)])
  func accuracy(meters: Double, isGood: Bool) async throws {
    let walk = try await bench.start()
    let result = await walk.record(bench.fix(0, accuracy: meters))
    #expect(result.reason == (isGood ? nil : .inaccurate))
  }

  @Test("a fix that isn't later than a previous one is ignored")
  func order() async throws {
    let walk = try await bench.start()
    bench.clock.advance(by: .seconds(9))
    #expect(await walk.record(bench.fix(0, age: 2)).isAccepted)
    #expect(await walk.record(bench.fix(5, age: 2)).reason == .outOfOrder)
    #expect(await walk.record(bench.fix(5, age: 3)).reason == .outOfOrder)
    #expect(await walk.record(bench.fix(5, age: 1)).isAccepted)
  }

  @Test("a fix of a running dog is on the route: 10 meters per second aren't too fast")
  func running() async throws {
    let walk = try await bench.start()
    let results = await bench.walk(walk, north: 0...20, step: 10)
    #expect(results.areAccepted)
    #expect(abs(walk.current.figures.distance.meters - 200) < 1)
  }

  @Test("a fix that jumps away and back is skipped, and the jump isn't counted")
  func leapAndBack() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    bench.clock.advance(by: .seconds(1))
    #expect(await walk.record(bench.fix(16.5, 400)).reason == .jump)
    let results = await bench.walk(walk, north: 12...20)
    #expect(results.areAccepted)
    #expect(abs(walk.current.figures.distance.meters - 30) < 0.5)
    #expect(walk.current.figures.segmentCount == 1)
  }

  @Test("a fix that jumps is accepted if the next one agrees with it; a new segment starts there")
  func leapConfirmed() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    let results = await bench.walk(walk, north: 11...20, east: 400)
    #expect(results[0].reason == .jump)
    #expect(results.dropFirst().areAccepted)
    #expect(walk.current.figures.segmentCount == 2)
    #expect(abs(walk.current.figures.distance.meters - (15 + 12)) < 0.5)
  }

  @Test(
    "a fix after another is judged by the speed required to get there", arguments: [11.9, 12.1])
  func speed(perSecond: Double) async throws {
    let walk = try await bench.start()
    await walk.record(bench.fix(0))
    bench.clock.advance(by: .seconds(10))
    let result = await walk.record(bench.fix(perSecond * 10))
    #expect(result.isAccepted == (perSecond < 12))
  }

  @Test("a fix less than a meter from the last point adds nothing new")
  func tooNear() async throws {
    let walk = try await bench.start()
    await walk.record(bench.fix(0))
    bench.clock.advance(by: .seconds(1))
    #expect(await walk.record(bench.fix(0.9)).reason == .tooNear)
    bench.clock.advance(by: .seconds(1))
    #expect(await walk.record(bench.fix(1.1)).isAccepted)
  }

  /// What a filter says of a second fix, with a policy made for the distance from the first.
  private func verdict(
    after seconds: Double, _ policy: (_ meters: Double) -> FixPolicy
  ) throws -> FixFilter.Verdict {
    let fixes = try [0.0, 20].map { north in
      LocationFix(
        coordinate: try TrackSamples.place(north: north), accuracy: .meters(5),
        time: TrackSamples.start + (north > 0 ? seconds : 0))
    }
    let meters = Geodesic.meters(
      from: GeodesicPoint(fixes[0].coordinate), to: GeodesicPoint(fixes[1].coordinate))
    var filter = FixFilter(policy(meters))
    let verdicts = fixes.map { filter.evaluate($0, $0.point, now: $0.time) }
    #expect(verdicts[0] == .accept(startsSegment: true))
    return verdicts[1]
  }

  @Test("a fix exactly as far from the last point as required is on the route")
  func nearest() throws {
    let exact = try verdict(after: 10) { FixPolicy(minimumDistance: .meters($0)) }
    #expect(exact == .accept(startsSegment: false))
    let below = try verdict(after: 10) { FixPolicy(minimumDistance: .meters($0.nextUp)) }
    #expect(below == .keepBack(.tooNear))
  }

  @Test("a fix exactly on the edge of standing still has left the place")
  func stillEdge() throws {
    let exact = try verdict(after: 30) { FixPolicy(stillRadius: .meters($0)) }
    #expect(exact == .accept(startsSegment: false))
    let inside = try verdict(after: 30) { FixPolicy(stillRadius: .meters($0.nextUp)) }
    #expect(inside == .keepBack(.standingStill))
  }

  @Test("a fix ten years later is of another clock", arguments: [315_359_999.0, 315_360_000])
  func tenYears(seconds: Double) throws {
    let verdict = try verdict(after: seconds) { _ in .permissive }
    #expect(
      verdict == (seconds < 315_360_000 ? .accept(startsSegment: true) : .reject(.outOfOrder)))
  }

  @Test("a fix while the dog sniffs is no cloud of points, and the distance after it counts")
  func standingStill() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...20)
    var chance = SeededGenerator(seed: 11)
    let before = walk.current.figures
    for _ in 0..<300 {
      bench.clock.advance(by: .seconds(1))
      let drift = (0..<2).map { _ in Double.random(in: -3...3, using: &chance) }
      await walk.record(bench.fix(30 + drift[0], drift[1]))
    }
    let after = walk.current.figures
    #expect(after.pointCount - before.pointCount < 25)
    let results = await bench.walk(walk, north: 28...60)
    #expect(results.dropFirst(2).areAccepted)
    #expect(walk.current.figures.segmentCount == 1)
    let moving = try #require(walk.current.figures.movingTime)
    #expect(moving < .seconds(100), "\(moving)")
  }

  @Test("a fix after a minute without signal starts a new segment; nothing is counted across")
  func gap() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    bench.clock.advance(by: .seconds(59))
    await bench.walk(walk, north: 100...110)
    let after = walk.current.figures
    #expect(after.segmentCount == 2)
    #expect(abs(after.distance.meters - 30) < 0.5)
  }

  @Test("a fix while standing still keeps the signal alive, so that no segment is broken")
  func stillIsNoGap() async throws {
    let walk = try await bench.start()
    await walk.record(bench.fix(0))
    for _ in 0..<30 {
      bench.clock.advance(by: .seconds(10))
      await walk.record(bench.fix(0.5))
    }
    await bench.walk(walk, north: 8...20)
    #expect(walk.current.figures.segmentCount == 1)
  }

  @Test("the first and the last fix are exactly on the route, even if the last was standing still")
  func exactEnds() async throws {
    let walk = try await bench.start()
    let first = bench.fix(0)
    await walk.record(first)
    await bench.walk(walk, north: 1...20)
    for _ in 0..<60 {
      bench.clock.advance(by: .seconds(1))
      await walk.record(bench.fix(31.25, 0.75))
    }
    let last = bench.fix(31.25, 0.75)
    let finished = try await walk.finish()
    let route = try #require(bench.diary.route(of: finished.id))
    #expect(route.start == first.point)
    #expect(route.end == last.point)
  }

  @Test("a fix measured during a pause and delivered after it is ignored")
  func beforeResuming() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    try await walk.pause()
    bench.clock.advance(by: .seconds(30))
    #expect(await walk.record(bench.fix(40)).reason == .paused)
    try await walk.resume()
    bench.clock.advance(by: .seconds(1))
    #expect(await walk.record(bench.fix(40, age: 2)).reason == .beforeResuming)
    #expect(await walk.record(bench.fix(40)).isAccepted)
    #expect(walk.current.figures.segmentCount == 2)
  }

  @Test("a fix under the permissive policy only needs to be valid and in order")
  func permissive() async throws {
    let (bench, walk) = try await recorder(.permissive)
    bench.clock.advance(by: .seconds(1_000_000))
    #expect(await walk.record(bench.fix(0, accuracy: 900, age: 900_000)).isAccepted)
    #expect(await walk.record(bench.fix(9_000, accuracy: 5, age: 899_999)).isAccepted)
    #expect(await walk.record(bench.fix(9_000, accuracy: 5, age: 899_998)).isAccepted)
    #expect(await walk.record(bench.fix(0, age: 899_999)).reason == .outOfOrder)
    #expect(await walk.record(bench.fix(0, accuracy: -1)).reason == .invalid)
    try await walk.pause()
    try await walk.resume()
    #expect(await walk.record(bench.fix(0, age: 899_997)).isAccepted)
  }

  @Test("a fix with an elevation that the receiver calls invalid has none")
  func verticalAccuracy() {
    var fix = bench.fix(0, elevation: 31)
    #expect(fix.point.elevation == 31)
    for invalid in [-1, 0, -0.5, .nan] {
      fix.verticalAccuracy = .meters(invalid)
      #expect(fix.point.elevation == nil)
    }
    fix.verticalAccuracy = .meters(4)
    #expect(fix.point.elevation == 31)
    fix.elevation = .nan
    #expect(fix.point.elevation == nil)
  }

  @Test(
    "a fix after the device's clock was set back is immediately on the route, in a new segment",
    arguments: [-3600, -90, -4])
  func clockSetBack(step: Double) async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    bench.clock.set(now: bench.clock.now.addingTimeInterval(step))
    #expect(await bench.walk(walk, north: 11...20).areAccepted)
    bench.clock.set(now: bench.clock.now.addingTimeInterval(-step))
    await bench.walk(walk, north: 21...30)
    #expect(walk.current.figures.pointCount == 31)
    #expect(walk.current.figures.segmentCount >= 2)
    let finished = try await walk.finish()
    #expect(finished.duration == .seconds(31))
  }

  @Test("a fix of an imported track doesn't depend on the device's clock")
  func clockOfATrack() async throws {
    let (bench, walk) = try await recorder(.permissive)
    await bench.walk(walk, north: 0...5)
    bench.clock.set(now: bench.clock.now.addingTimeInterval(-60))
    #expect(await walk.record(bench.fix(9)).reason == .outOfOrder)
  }

  @Test("a fix after a pause in which the clock was set back is on the route")
  func clockSetBackInPause() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    try await walk.pause()
    bench.clock.set(now: bench.clock.now.addingTimeInterval(-600))
    try await walk.resume()
    #expect(await walk.record(bench.fix(18, age: 5)).reason == .beforeResuming)
    #expect(await bench.walk(walk, north: 11...20).areAccepted)
  }

  @Test(
    "a fix of another century doesn't stop later ones, and a wrong receiver is accepted",
    arguments: [74.0, -45])
  func anotherCentury(years: Double) async throws {
    let (bench, walk) = try await recorder(.permissive)
    let far = years * 31_556_952
    await bench.walk(walk, north: 0...5)
    #expect(await walk.record(bench.fix(9, age: -far)).reason == .outOfOrder)
    #expect(await bench.walk(walk, north: 6...10).areAccepted)
    // Two that agree: the receiver knows better now.
    for number in 11...15 {
      bench.clock.advance(by: .seconds(1))
      let result = await walk.record(bench.fix(Double(number) * 1.5, age: -far))
      #expect(result.reason == (number == 11 ? .outOfOrder : nil))
    }
    #expect(walk.current.figures.segmentCount == 2)
  }
}
