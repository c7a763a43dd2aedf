import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("The goal of a walk", .timeLimit(.minutes(60)))
struct GoalTests {
  private let bench = RecordingBench()

  @Test(
    "the goal of a walk doesn't exist if there is nothing to choose from, and is never 0, 0",
    arguments: 0..<3)
  func none(kind: Int) async throws {
    let goal: WalkGoal? = [nil, .nearest(of: []), .random(of: [])][kind]
    let walk = try await bench.start(goal: goal)
    await bench.walk(walk, north: 0...5)
    #expect(walk.current.goal == nil)
    #expect(await walk.checkGoal() == .noGoal)
    let finished = try await walk.finish()
    #expect(finished.goal == nil)
    #expect(finished.reward == nil)
  }

  @Test("the goal of a walk is the nearest to the first good fix, and stays so")
  func nearest() async throws {
    let places = [place("far", 900), place("near", 300), place("as near", 300)]
    let walk = try await bench.start(goal: .nearest(of: places))
    #expect(walk.current.goal == nil)
    #expect(await walk.checkGoal() == .unknownPosition)
    await walk.record(bench.fix(900, accuracy: 400))
    #expect(walk.current.goal == nil)
    await walk.record(bench.fix(0))
    #expect(walk.current.goal?.place == places[1])
    await bench.walk(walk, north: 1...100, step: 8)
    #expect(walk.current.goal?.place == places[1])
  }

  @Test(
    "a random goal of a walk is the one that the injected number selects",
    arguments: [(0, 0), (0.34, 1), (0.999_999, 2), (1, 0), (.nan, 0), (-3, 0)])
  func random(number: Double, index: Int) async throws {
    let bench = RecordingBench(random: { number })
    let places = [place("a", 100), place("b", 200), place("c", 300)]
    let walk = try await bench.start(goal: .random(of: places))
    #expect(walk.current.goal?.place == places[index])
  }

  /// A coordinate that is exactly so far from 0, 0.
  ///
  /// Near the equator, latitudes are as fine as distances, so that on one of many meridians there is one.
  private static func coordinate(at meters: Double) throws -> Coordinate {
    let target = try Coordinate(latitude: 0, longitude: 0)
    for number in 0..<1_000 {
      let longitude = Double(number) * 1e-7
      var (low, high) = (0.0004, 0.0005)
      while low.nextUp < high {
        let middle = (low + high) / 2
        let there = try Coordinate(latitude: middle, longitude: longitude)
        let distance = there.distance(to: target).meters
        if distance == meters { return there }
        if distance < meters { low = middle } else { high = middle }
      }
    }
    throw FieldError(.invalidInput, "no coordinate is \(meters) m away")
  }

  private static func tracker(confirmations: Int = 1) throws -> GoalTracker {
    GoalTracker(
      GoalPolicy(confirmations: confirmations),
      place: Place(
        id: Place.ID(rawValue: "x"), name: "x",
        coordinate: try Coordinate(latitude: 0, longitude: 0)),
      candidates: [])
  }

  // W6 of Docs/old-apps.md
  @Test("a goal is reached if the distance is strictly closer than 50 m, to the last bit")
  func strictly() throws {
    for (meters, isReached) in [(50.0.nextDown, true), (50, false), (50.0.nextUp, false)] {
      let coordinate = try Self.coordinate(at: meters)
      var goal = try Self.tracker()
      #expect(goal.observe(TrackPoint(coordinate: coordinate)) == (isReached ? [.reached] : []))
      // The button asks the same question.
      #expect(goal.asked().check.isReached == isReached)
    }
  }

  // W6 of Docs/old-apps.md
  @Test("a fix whose error extends to exactly 50 m isn't certainly inside a goal")
  func strictlyCertain() throws {
    let target = try Coordinate(latitude: 0, longitude: 0)
    var point = TrackPoint(coordinate: try Coordinate(latitude: 0.00036, longitude: 0))
    let meters = point.coordinate.distance(to: target).meters
    for (reach, isReached) in [(50.0.nextDown, true), (50, false), (50.0.nextUp, false)] {
      point.accuracy = .meters(reach - meters)
      #expect(meters + (reach - meters) == reach)
      var goal = try Self.tracker(confirmations: 2)
      #expect(goal.observe(point) == (isReached ? [.reached] : []), "\(reach)")
    }
  }

  // W8 of Docs/old-apps.md
  @Test("a walk that began inside its goal has left it at exactly 50 m, and not before")
  func strictlyLeft() throws {
    let (below, at) = (try Self.coordinate(at: 50.0.nextDown), try Self.coordinate(at: 50))
    for (coordinate, hasLeft) in [(below, false), (at, true)] {
      var goal = try Self.tracker()
      goal.begin(at: try Coordinate(latitude: 0, longitude: 0))
      #expect(goal.observe(TrackPoint(coordinate: coordinate)).contains(.left) == hasLeft)
    }
    // A walk that begins at exactly 50 m doesn't begin inside, so it earns by going in.
    for (coordinate, earns) in [(below, false), (at, true)] {
      var goal = try Self.tracker()
      goal.begin(at: coordinate)
      goal.apply(.reached, at: .distantPast)
      #expect(goal.progress?.earnsReward == earns)
    }
  }

  // W6 of Docs/old-apps.md
  @Test(
    "a goal with a radius of zero or less is reached only at the exact place", arguments: [0, -5])
  func exactPlace(radius: Double) async throws {
    let options = RecordingOptions(
      fixes: .permissive, goals: GoalPolicy(radius: .meters(radius)))
    let bench = RecordingBench(options: options)
    let walk = try await bench.start(goal: .place(place("park", 60)))
    await bench.walk(walk, north: 0...5, step: 10)
    bench.clock.advance(by: .seconds(1))
    await walk.record(bench.fix(59.999))
    #expect(walk.current.goal?.isReached == false)
    bench.clock.advance(by: .seconds(1))
    await walk.record(bench.fix(60))
    #expect(walk.current.goal?.isReached == true)
    #expect(try await walk.finish().reward != nil)
  }

  // W6 of Docs/old-apps.md
  @Test("the goal's button reports that it is reached, or shows the old app's message")
  func button() async throws {
    let park = place("park", 100)
    let walk = try await bench.start(goal: .place(park))
    #expect(await walk.checkGoal() == .unknownPosition)
    await walk.record(bench.fix(0))
    let check = await walk.checkGoal()
    guard case .notYet(park, let distance) = check else {
      Issue.record("\(check)")
      return
    }
    #expect(abs(distance.meters - 100) < 0.5)
    #expect(check.koreanMessage == "목표 지점에 도착하지 않았어요!")
    bench.clock.advance(by: .seconds(20))
    // Inside by one fix of which the error is large: not by itself, and when somebody says so.
    await walk.record(bench.fix(70, accuracy: 40))
    #expect(walk.current.goal?.isReached == false)
    #expect(await walk.checkGoal() == .reached(park))
    #expect(walk.current.goal?.isReached == true)
    #expect(check.isReached == false)
    #expect(GoalCheck.reached(park).koreanMessage == nil)
  }

  // W6 of Docs/old-apps.md
  @Test("the goal of a walk is reached automatically if one fix is inside with all of its error")
  func certain() async throws {
    let walk = try await bench.start(goal: .place(place("park", 100)))
    await walk.record(bench.fix(0))
    bench.clock.advance(by: .seconds(10))
    await walk.record(bench.fix(60, accuracy: 8))
    #expect(walk.current.goal?.isReached == true)
  }

  @Test("the goal of a walk isn't reached by one stray fix, but by two consecutive ones")
  func consecutive() async throws {
    let walk = try await bench.start(goal: .place(place("park", 100)))
    await walk.record(bench.fix(0))
    for (north, isReached) in [(55, false), (45, false), (54, false), (58, true)] {
      bench.clock.advance(by: .seconds(10))
      await walk.record(bench.fix(Double(north), accuracy: 30))
      #expect(walk.current.goal?.isReached == isReached, "\(north)")
    }
  }

  @Test(
    "the goal of a walk counts fixes of a sitting dog, although they aren't points of the route")
  func sitting() async throws {
    let walk = try await bench.start(goal: .place(place("park", 60)))
    await walk.record(bench.fix(0))
    bench.clock.advance(by: .seconds(5))
    await walk.record(bench.fix(20, accuracy: 30))
    bench.clock.advance(by: .seconds(1))
    #expect(await walk.record(bench.fix(20.2, accuracy: 30)).reason == .tooNear)
    #expect(walk.current.goal?.isReached == true)
  }

  // W8 of Docs/old-apps.md
  @Test("a walk that began at its goal earns nothing unless it leaves and returns")
  func reallyBeenThere() async throws {
    let park = place("park", 0)
    let short = try await bench.start(goal: .place(park))
    await bench.walk(short, north: 0...10)
    #expect(
      short.current.goal
        == GoalProgress(
          place: park, distance: short.current.goal?.distance, isReached: true, earnsReward: false))
    #expect(try await short.finish().reward == nil)

    let long = try await bench.start(goal: .place(park))
    await bench.walk(long, north: 0...60, step: 1)
    #expect(long.current.goal?.earnsReward == false)
    for number in (0...58).reversed() {
      bench.clock.advance(by: .seconds(1))
      await long.record(bench.fix(Double(number)))
    }
    #expect(long.current.goal?.earnsReward == true)
    #expect(try await long.finish().reward?.reason == .goal)
  }

  // W8 of Docs/old-apps.md
  @Test("leaving a goal must be certain: the error of a fix can't carry the dog away and back")
  func leavingIsSure() async throws {
    let walk = try await bench.start(goal: .place(place("park", 0)))
    await walk.record(bench.fix(40))
    for north in [55.0, 40, 57, 30, 56, 20] {
      bench.clock.advance(by: .seconds(10))
      await walk.record(bench.fix(north, accuracy: 8))
    }
    #expect(walk.current.goal?.earnsReward == false)
    bench.clock.advance(by: .seconds(10))
    await walk.record(bench.fix(58.5, accuracy: 8))
    bench.clock.advance(by: .seconds(10))
    await walk.record(bench.fix(20, accuracy: 8))
    #expect(walk.current.goal?.earnsReward == true)
  }

  // W8 of Docs/old-apps.md
  @Test("the reward is part of the walk, with the time at which the goal was reached")
  func rewardWithWalk() async throws {
    let walk = try await bench.start(goal: .place(place("park", 60)))
    await bench.walk(walk, north: 0...20)
    let reached = bench.clock.now
    #expect(walk.current.goal?.earnsReward == true)
    await bench.walk(walk, north: 21...200)
    let finished = try await walk.finish()
    let reward = try #require(finished.reward)
    #expect(reward.earned <= reached)
    #expect(reward.claimed == nil)
    #expect(reward.id == WalkReward(of: finished.id, earned: reached).id)
    #expect(finished.goal?.name == "park")
  }

  // W8 of Docs/old-apps.md
  @Test("a reward that was earned before the app quit stays earned")
  func rewardAfterCrash() async throws {
    let walk = try await bench.start(goal: .nearest(of: [place("x", 900), place("park", 60)]))
    await bench.walk(walk, north: 0...30)
    #expect(walk.current.goal?.earnsReward == true)
    let next = bench.restarted()
    let found = try #require(try await next.unfinished().first)
    #expect(found.goal?.earnsReward == true)
    #expect(found.goal?.place.name == "park")
    #expect(try await found.finish().reward != nil)
  }
}
