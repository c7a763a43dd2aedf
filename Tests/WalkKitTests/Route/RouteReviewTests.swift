import FieldCore
import Foundation
import Testing
import WalkKit

@Suite("A review of a route")
struct RouteReviewTests {
  private func issues(_ segments: [TrackPoint]...) -> [String] {
    WalkRoute(segments: segments).review().issues.map(\.description)
  }

  private func walk(_ count: Int = 6) throws -> [TrackPoint] {
    try (0..<count).map { try TrackSamples.point(Double($0), north: Double($0), elevation: 30) }
  }

  @Test("a review of a route finds nothing odd in a normal walk")
  func plain() throws {
    #expect(WalkRoute(segments: [try walk()]).review().flaggedCount == 0)
    #expect(WalkRoute().review().issues.isEmpty)
  }

  @Test("a review of a route flags points without time or elevation, each once if it has neither")
  func missing() throws {
    var points = try walk()
    points[1].time = nil
    points[4].time = nil
    points[4].elevation = nil
    let review = WalkRoute(segments: [points]).review()
    #expect(review.counts == [.noTime: 2, .noElevation: 1])
    #expect(review.flaggedCount == 2)
  }

  @Test("a review of a route flags 0, 0 as such and as a jump, and not the way back")
  func nullIsland() throws {
    var points = try walk()
    points[2].coordinate = try Coordinate(latitude: 0, longitude: 0)
    #expect(
      issues(points) == ["nullIsland at point 2 of segment 0", "jump at point 2 of segment 0"])
  }

  @Test("a review of a route flags the first point of an unreachable place, then accepts it")
  func jump() throws {
    var points = try walk()
    for index in 3..<6 { points[index].coordinate = try TrackSamples.place(north: 5000) }
    #expect(issues(points) == ["jump at point 3 of segment 0"])
  }

  @Test("a review of a route flags no jump across a break, and none within the receiver's noise")
  func noJump() throws {
    var far = try walk()
    for index in far.indices { far[index].coordinate = try TrackSamples.place(north: 5000) }
    for index in far.indices { far[index].time?.addTimeInterval(10 + Double(index)) }
    #expect(issues(try walk(), far).isEmpty)
    var points = try walk()
    points[3].coordinate = try TrackSamples.place(north: 25)
    #expect(issues(points).isEmpty)
  }

  @Test(
    "a review of a route judges a leg by its speed from the same time on",
    arguments: [(-1, false), (0, true), (3, true), (4, false)])
  func speed(seconds: Double, isJump: Bool) throws {
    let points = try [TrackSamples.point(0, north: 0), TrackSamples.point(seconds, north: 40)]
    #expect(WalkRoute(segments: [points]).review().counts[.jump] == (isJump ? 1 : nil))
  }

  @Test("a review of a route flags no jump of exactly the length that never is one")
  func shortestJump() throws {
    let points = try [TrackSamples.point(0, north: 0), TrackSamples.point(0, north: 40)]
    let meters = points[0].coordinate.distance(to: points[1].coordinate).meters
    let route = WalkRoute(segments: [points])
    for (length, count) in [(meters, nil), (meters.nextDown, 1)] as [(Double, Int?)] {
      #expect(route.review(.init(shortestJump: .meters(length))).counts[.jump] == count)
    }
  }

  @Test("a review of a route flags a long leg without times")
  func untimed() throws {
    let points = try [0, 900, 2000].map {
      try TrackSamples.point(nil, north: $0, elevation: 1)
    }
    #expect(WalkRoute(segments: [points]).review().counts == [.noTime: 3, .jump: 1])
  }

  @Test("a review of a route flags the same time at another place, and a repeated point")
  func repeated() throws {
    var points = try walk()
    points[1].time = points[0].time
    points[4] = points[3]
    #expect(
      issues(points) == [
        "repeatedTime at point 1 of segment 0", "duplicate at point 4 of segment 0",
      ])
  }

  @Test("a review of a route flags a step back in time, also between segments")
  func order() throws {
    var points = try walk()
    points[3].time = points[1].time?.addingTimeInterval(0.5)
    #expect(issues(points) == ["wrongOrder at point 3 of segment 0"])
    #expect(
      issues(Array(try walk()[3...]), Array(try walk()[..<3])) == [
        "wrongOrder at point 0 of segment 1"
      ])
  }

  @Test("a review of a route flags each point of 2003 beside those of 2023, 1,024 weeks later")
  func rollover() throws {
    var points = try walk()
    for index in 4..<6 { points[index].time?.addTimeInterval(-1024 * 7 * 86_400) }
    #expect(
      issues(points) == [
        "weekRollover at point 4 of segment 0", "wrongOrder at point 4 of segment 0",
        "weekRollover at point 5 of segment 0",
      ])
  }

  @Test("a review of a route flags a rollover despite one time in the far future")
  func rolloverBesideOutlier() throws {
    var points = try walk(8)
    points[2].time = Date(timeIntervalSince1970: 5_680_000_000)  // 2149
    for index in 6..<8 { points[index].time?.addTimeInterval(-1024 * 7 * 86_400) }
    #expect(WalkRoute(segments: [points]).review().counts[.weekRollover] == 2)
    points = try walk()
    for index in 1..<6 { points[index].time?.addTimeInterval(-2048 * 7 * 86_400) }
    #expect(WalkRoute(segments: [points]).review().counts[.weekRollover] == 5)
  }

  @Test("a review of a route flags no rollover for a time that is a few years earlier")
  func noRollover() throws {
    for weeks in [52, 512, 1019, 1029, 1500] {
      var points = try walk()
      points[0].time?.addTimeInterval(-Double(weeks) * 7 * 86_400)
      #expect(WalkRoute(segments: [points]).review().counts[.weekRollover] == nil, "\(weeks)")
    }
  }

  @Test(
    "a review of a route flags impossible elevations, which don't count for the climb",
    arguments: [1e308, -150_000])
  func elevation(value: Double) throws {
    var points = try walk()
    points[1].elevation = value
    points[3].elevation = -value
    let route = WalkRoute(segments: [points])
    #expect(
      route.review().issues.filter { $0.kind == .implausibleElevation }.map(\.point) == [1, 3])
    #expect(route.figures().climb == .zero)
    #expect(route.figures().descent == .zero)
  }

  @Test("a review of a route flags times of 1901, and doesn't mistake them for a rollover")
  func implausible() throws {
    var points = try walk()
    for index in 0..<2 { points[index].time = Date(timeIntervalSince1970: -2_147_483_648) }
    let review = WalkRoute(segments: [points]).review()
    #expect(review.counts == [.implausibleTime: 2, .repeatedTime: 1])
  }
}
