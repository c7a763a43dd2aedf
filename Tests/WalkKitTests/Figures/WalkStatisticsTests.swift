import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("Statistics of walks")
struct WalkStatisticsTests {
  @Test("statistics of no walks have no averages and no pace")
  func empty() {
    let figures = WalkStatistics([Walk]())
    #expect(figures.walkCount == 0)
    #expect(figures.distance == .zero)
    #expect(figures.meanDistance == nil)
    #expect(figures.meanDuration == nil)
    #expect(figures.pacePerKilometer == nil)
    #expect(figures.climb == nil)
    #expect(figures.firstStart == nil)
  }

  @Test("statistics of walks add up the values of walks")
  func sums() throws {
    let walks = [
      try WalkSample.walk("2024-03-06 08:00", minutes: 20, meters: 1000, rewarded: true, climb: 12),
      try WalkSample.walk("2024-03-06 20:00", minutes: 40, meters: 3000),
      try WalkSample.walk("2024-03-08 08:00", minutes: 30, meters: 2000, climb: 8),
    ]
    let figures = WalkStatistics(walks.reversed())
    #expect(figures.walkCount == 3)
    #expect(figures.dayCount == 2)
    #expect(figures.distance == .meters(6000))
    #expect(figures.duration == .seconds(5400))
    #expect(figures.elapsed == .seconds(5400))
    #expect(figures.movingTime == .seconds(90 * 48))
    #expect(figures.climb == .meters(20))
    #expect(figures.rewardCount == 1)
    #expect(figures.meanDistance == .meters(2000))
    #expect(figures.meanDuration == .seconds(1800))
    // 72 minutes of moving over 6 km: all time by all distance.
    #expect(figures.pacePerKilometer == .seconds(720))
    #expect(figures.firstStart == walks[0].start)
    #expect(figures.lastStart == walks[2].start)
  }

  @Test("statistics of a pet include the part of a walk in which it took part")
  func part() throws {
    var walk = try WalkSample.walk(
      "2024-03-06 08:00", minutes: 60, meters: 4000, pets: [WalkSample.mesh, WalkSample.tori])
    walk.pets[1].joined = walk.start.addingTimeInterval(900)
    walk.pets[1].left = walk.start.addingTimeInterval(2700)
    let tori = WalkStatistics([walk], pet: WalkSample.tori)
    #expect(tori.walkCount == 1)
    #expect(tori.distance == .meters(2000))
    #expect(tori.duration == .seconds(1800))
    #expect(WalkStatistics([walk], pet: WalkSample.mesh).distance == .meters(4000))
    #expect(WalkStatistics([walk]).distance == .meters(4000))
    #expect(WalkStatistics([walk], pet: Pet.ID(rawValue: "other")).walkCount == 0)
  }

  @Test("statistics of a pet that joined twice include both times, and never more than all")
  func twice() throws {
    var walk = try WalkSample.walk("2024-03-06 08:00", minutes: 60, meters: 4000)
    walk.pets[0].left = walk.start.addingTimeInterval(900)
    walk.pets.append(
      .init(pet: WalkSample.mesh, joined: walk.start.addingTimeInterval(2700)))
    #expect(WalkStatistics([walk], pet: WalkSample.mesh).distance == .meters(2000))
    walk.pets += walk.pets + walk.pets
    #expect(WalkStatistics([walk], pet: WalkSample.mesh).distance == .meters(4000))
  }

  @Test("statistics of walks clamp impossible values to the nearest possible ones")
  func impossible() throws {
    var walk = try WalkSample.walk("2024-03-06 08:00")
    for distance in [-5.0, .nan, -.infinity] {
      walk.distance = .meters(distance)
      #expect(WalkStatistics([walk]).distance == .zero)
    }
    walk.distance = .meters(.infinity)
    walk.duration = .seconds(Int64.max)
    walk.elapsed = .seconds(Int64.min)
    walk.movingTime = .seconds(-1)
    walk.end = walk.start.addingTimeInterval(-100)
    let figures = WalkStatistics(Array(repeating: walk, count: 100), pet: WalkSample.mesh)
    #expect(figures.distance.meters.isFinite)
    #expect(figures.duration == .seconds(315_576_000) * 100)
    #expect(figures.elapsed == .zero)
    #expect(figures.movingTime == .zero)
    #expect(figures.pacePerKilometer == nil)
  }

  @Test("statistics of walks survive a pet that joined or left at an invalid time")
  func noTime() throws {
    var walk = try WalkSample.walk("2024-03-06 08:00", meters: 1000)
    for moment in [Double.nan, .infinity, -.infinity] {
      let date = Date(timeIntervalSinceReferenceDate: moment)
      walk.pets[0].joined = date
      walk.pets[0].left = date
      let figures = WalkStatistics([walk], pet: WalkSample.mesh)
      #expect(figures.distance >= .zero && figures.distance <= .meters(1000))
      walk.pets[0].joined = walk.start
      #expect(WalkStatistics([walk], pet: WalkSample.mesh).distance <= .meters(1000))
      var bare = walk
      bare.start = date
      #expect(WalkStatistics([bare], pet: WalkSample.mesh).walkCount == 1)
      _ = StreakRule().streak(of: [bare], on: .last)
      _ = Badges.earned(by: [bare, walk])
    }
  }

  @Test("statistics of walks match a simple loop over all walks, per pet and week", .heavy)
  func reference() throws {
    for seed in Sample.of(UInt64(100)..<120, inDebug: 8) {
      let walks = try WalkSample.many(200, seed: seed)
      for (week, _) in WalkCalendar().periods(of: walks, by: .week) {
        for pet in [nil, WalkSample.mesh, WalkSample.tori] {
          let figures = WalkStatistics(walks, pet: pet, in: week)
          var (count, meters, seconds) = (0, 0.0, 0.0)
          for walk in walks {
            let local = walk.start.timeIntervalSince1970 + Double(walk.utcOffset.secondsFromUTC)
            let number = Int((local / 86_400).rounded(.down))
            let first = week.first.days(until: try CalendarDay("1970-01-01"))
            guard number >= -first, number < -first + 7 else { continue }
            var part = 1.0
            if let pet {
              guard let stay = walk.pets.first(where: { $0.pet == pet }) else { continue }
              let length = walk.end.timeIntervalSince(walk.start)
              if length > 0 {
                part = (stay.left ?? walk.end).timeIntervalSince(stay.joined) / length
              }
            }
            count += 1
            meters += walk.distance.meters * part
            seconds += walk.end.timeIntervalSince(walk.start) * part
          }
          #expect(figures.walkCount == count, "seed \(seed)")
          #expect(abs(figures.distance.meters - meters) < 1e-6, "seed \(seed)")
          #expect(abs(Double(figures.duration.components.seconds) - seconds) < 2, "seed \(seed)")
        }
      }
    }
  }

  @Test("statistics of walks find the outstanding walks, the earlier of two that are equal")
  func bests() throws {
    let walks = [
      try WalkSample.walk("2024-03-08 08:00", minutes: 60, meters: 3000),
      try WalkSample.walk("2024-03-06 08:00", minutes: 60, meters: 3000, climb: 5),
      try WalkSample.walk("2024-03-07 08:00", minutes: 2, meters: 400),
      try WalkSample.walk("2024-03-09 08:00", minutes: 5, meters: 600, climb: 40),
    ]
    let bests = PersonalBests(walks)
    #expect(bests.farthest == walks[1])
    #expect(bests.longest == walks[1])
    #expect(bests.highest == walks[3])
    #expect(bests.fastest == walks[3])
    let period = WalkPeriod(try WalkSample.day("2024-03-07"), try WalkSample.day("2024-03-08"))
    #expect(PersonalBests(walks, in: period).farthest == walks[0])
    #expect(PersonalBests(walks, pet: WalkSample.tori).farthest == nil)
  }

  @Test("statistics of walks find no records among empty walks")
  func noBests() throws {
    let walk = try WalkSample.walk("2024-03-08 08:00", minutes: 0, meters: 0, climb: 0)
    #expect(PersonalBests([walk]) == PersonalBests([Walk]()))
  }
}
