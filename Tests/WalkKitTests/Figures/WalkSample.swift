import FieldCore
import Foundation
import TestSupport
import WalkKit

/// Walks for tests of figures.
enum WalkSample {
  static let mesh = Pet.ID(rawValue: "mesh")
  static let tori = Pet.ID(rawValue: "tori")

  static func day(_ text: String) throws -> CalendarDay { try CalendarDay(text) }

  /// A walk at a wall time in a zone, such as `2024-03-06 18:00`.
  static func walk(
    _ time: String, zone: FixedZone = .seoul, minutes: Double = 30, meters: Double = 1500,
    pets: [Pet.ID] = [mesh], weather: WalkWeather? = nil, rewarded: Bool = false,
    climb: Double? = nil,
    id: String? = nil
  ) throws -> Walk {
    let parts = time.split(separator: " ")
    let clock = parts[1].split(separator: ":").compactMap { Int($0) }
    let start = try CalendarDay(String(parts[0])).start(in: zone)
      .addingTimeInterval(Double(clock[0] * 3600 + clock[1] * 60))
    let id = Walk.ID(rawValue: id ?? "\(time)\(zone)")
    var walk = Walk(
      id: id, pets: pets.map { Walk.Participant(pet: $0, joined: start) }, start: start,
      end: start.addingTimeInterval(minutes * 60), utcOffset: zone,
      duration: .seconds(minutes * 60), movingTime: .seconds(minutes * 48),
      distance: .meters(meters), climb: climb.map { .meters($0) }, weather: weather)
    if rewarded { walk.reward = WalkReward(of: id, earned: walk.end) }
    return walk
  }

  /// Some hundred walks by chance, in any order, in zones around the world.
  static func many(_ count: Int, seed: UInt64, days: Int = 120) throws -> [Walk] {
    var random = SeededGenerator(seed: seed)
    let first = try CalendarDay("2023-11-20")
    return try (0..<count).map { number in
      let hours = Int.random(in: -11...13, using: &random)
      let zone = try FixedZone(secondsFromUTC: hours * 3600)
      let start = first.adding(days: Int.random(in: 0..<days, using: &random)).start(in: zone)
        .addingTimeInterval(Double(Int.random(in: 0..<86_400, using: &random)))
      let length = Double(Int.random(in: 0...7200, using: &random))
      let end = start.addingTimeInterval(length)
      var pets = [Walk.Participant(pet: mesh, joined: start)]
      if Bool.random(using: &random) {
        pets.append(
          Walk.Participant(
            pet: tori, joined: start.addingTimeInterval(length / 4),
            left: Bool.random(using: &random) ? start.addingTimeInterval(length / 2) : nil))
      }
      var walk = Walk(
        id: Walk.ID(rawValue: "walk-\(number)"), pets: pets, start: start, end: end,
        utcOffset: zone, distance: .meters(Double.random(in: 0...6000, using: &random)),
        weather: Bool.random(using: &random) ? .rain : nil)
      if Int.random(in: 0..<5, using: &random) == 0 {
        walk.reward = WalkReward(of: walk.id, earned: end)
      }
      return walk
    }
  }
}
