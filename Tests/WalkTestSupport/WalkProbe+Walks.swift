import FieldCore
import FieldTesting
import Foundation
import WalkKit

extension WalkProbe {
  func walkRoundTrip() async throws {
    try await add("1", "2")
    let bare = walk("bare", of: ["1"])
    let full = try fullWalk()
    for walk in [bare, full] {
      let saved = try await stored.save(walk)
      try requireEqual(saved, walk, "the walk that saving returns")
      try requireEqual(try await requireWalk(walk.id.rawValue), walk, "the walk")
    }
    let page = try await stored.walks(WalkQuery(limit: 10))
    try requireEqual(page.walks, [bare, full].sorted(by: Walk.isNewer), "the history")
  }

  private func fullWalk() throws -> Walk {
    let start = Self.noon + 0.25
    let here = try Coordinate(latitude: 37.5452335, longitude: 127.0571024)
    var walk = Walk(
      id: Walk.ID(rawValue: "w/ä 1"),
      pets: [
        .init(pet: Pet.ID(rawValue: "2"), joined: start),
        .init(pet: Pet.ID(rawValue: "1"), joined: start + 60.5, left: start + 120.125),
      ], start: start, end: start + 3_209, utcOffset: try FixedZone(secondsFromUTC: -12_600),
      duration: .milliseconds(3_000_001), elapsed: .seconds(3_209), movingTime: .nanoseconds(17),
      distance: .meters(0.1 + 0.2), climb: .meters(33.25), weather: WalkWeather(rawValue: "우박"),
      dust: .veryBad,
      air: AirQuality(
        pm10: 81, pm25: nil, measuredAt: start, station: "서초구", pm25Flag: .maintenance),
      photos: [
        WalkPhoto(
          id: .init(rawValue: "b"), takenAt: start + 1, coordinate: here, blob: BlobID(of: [7])),
        WalkPhoto(id: .init(rawValue: "a"), url: URL(string: "https://example.org/1?token=x")),
      ],
      notes: [
        WalkNote(.poo, text: "a\nb", time: start + 9, coordinate: here, pet: Pet.ID(rawValue: "1")),
        WalkNote(WalkNote.Kind(rawValue: "squirrel"), time: start + 10),
      ],
      goal: Place(id: .init(rawValue: "g"), name: "공원", kind: .goal, coordinate: here))
    walk.reward = WalkReward(of: walk.id, earned: start + 5, claimed: start + 6)
    return walk
  }

  func walkSavedTwice() async throws {
    try await add("1")
    let first = walk("w", of: ["1"])
    try await stored.save(first)
    var second = first
    second.distance = .meters(5)
    let saved = try await stored.save(second)
    try requireEqual(saved, first, "the walk that saving it again returns")
    try requireEqual(try await requireWalk("w"), first, "the walk that was saved again")
    try requireEqual(try await ids(), ["w"], "the history")
  }

  func walkOfUnknownPet() async throws {
    try await add("1")
    for pets in [["2"], ["1", "2"]] {
      try await requireError(.unknownPet, "saving a walk of \(pets)") {
        try await stored.save(walk("w", of: pets))
      }
    }
    var timeless = walk("w", of: ["1"])
    timeless.start = Date(timeIntervalSinceReferenceDate: .nan)
    let odd = timeless
    try await requireError(.invalidInput, "saving a walk without a time") {
      try await stored.save(odd)
    }
    try requireEqual(try await ids(), [], "the history after refusals")
    try await stored.save(walk("w", of: ["1"]))
    try await requireError(.unknownPet, "a change to an unknown pet") {
      try await stored.updateWalk(Walk.ID(rawValue: "w")) { walk in
        walk.pets[0].pet = Pet.ID(rawValue: "2")
      }
    }
    try requireEqual(try await ids(of: "1"), ["w"], "the history of the pet")
  }

  func walkOrder() async throws {
    try await add("1")
    let walks = [("c", 1.0), ("a", 3), ("e", 2), ("b", 2), ("d", 0.000_01), ("f", 0)]
    for (id, hour) in walks { try await stored.save(walk(id, of: ["1"], hour: hour)) }
    try requireEqual(try await ids(), ["a", "b", "e", "c", "d", "f"], "the history")
  }

  func walkPages() async throws {
    try await add("1", "2")
    var wanted: [String] = []
    for number in 0..<100 {
      // Four walks begin at each moment.
      let mark = number.isMultiple(of: 10) ? "\u{301}" : ""
      let id = "\(mark)w\(number % 7)-\(number)"
      try await stored.save(
        walk(id, of: [number.isMultiple(of: 3) ? "2" : "1"], hour: Double(number / 4)))
      wanted.append(id)
    }
    for page in [1, 3, 50, 99, 100, 101] {
      let seen = try await ids(page: page)
      try requireEqual(seen.count, 100, "the number of walks in pages of \(page)")
      try requireEqual(Set(seen), Set(wanted), "the walks in pages of \(page)")
    }
    try requireEqual(try await ids(page: 7), try await ids(page: 100), "the history in pages of 7")
    let first = try await stored.walks(WalkQuery(limit: 10))
    try await stored.save(walk("new", of: ["1"], hour: 500))
    try await stored.removeWalk(first.walks[9].id)
    let second = try await stored.walks(WalkQuery(limit: 200, after: first.next))
    try requireEqual(second.walks.count, 90, "the walks behind the first ten")
    try require(
      Set(first.walks.map(\.id)).isDisjoint(with: second.walks.map(\.id)),
      "a walk of the first page comes again")
  }

  func walkFilter() async throws {
    try await add("1", "2")
    for hour in 0..<6 {
      let pets = hour < 2 ? ["1"] : hour < 4 ? ["2", "1"] : ["2"]
      try await stored.save(walk("w\(hour)", of: pets, hour: Double(hour)))
    }
    try requireEqual(try await ids(of: "1"), ["w3", "w2", "w1", "w0"], "the history of one pet")
    try requireEqual(try await ids(of: "2", page: 1), ["w5", "w4", "w3", "w2"], "the other's")
    try requireEqual(try await ids(of: "none"), [], "the history of no pet")
    let period = (Self.noon + 3_600)..<(Self.noon + 4 * 3_600)
    try requireEqual(try await ids(in: period), ["w3", "w2", "w1"], "the history of a period")
    try requireEqual(
      try await ids(of: "1", in: period, page: 2), ["w3", "w2", "w1"], "that of a pet in a period")
    let empty = Self.noon..<Self.noon
    try requireEqual(try await ids(in: empty), [], "the history of no time")
  }

  func walkQueryErrors() async throws {
    for limit in [0, -1, Int.min] {
      try await requireError(.invalidInput, "a limit of \(limit)") {
        _ = try await stored.walks(WalkQuery(limit: limit))
      }
    }
    for text in ["", "x", "/", "zz/w", "7ff8000000000000/w"] {
      try await requireError(.invalidInput, "the cursor \"\(text)\"") {
        _ = try await stored.walks(WalkQuery(after: .init(rawValue: text)))
      }
    }
  }

  func walkUpdate() async throws {
    try await add("1")
    try await stored.save(walk("w", of: ["1"]))
    let id = Walk.ID(rawValue: "w")
    let after = try await stored.updateWalk(id) { walk in
      walk.weather = .rain
      walk.id = Walk.ID(rawValue: "v")
    }
    var wanted = walk("w", of: ["1"])
    wanted.weather = .rain
    try requireEqual(after, wanted, "the walk that a change returns")
    try requireEqual(try await requireWalk("w"), wanted, "the walk after a change")
    try await requireError(.unknownWalk, "a change of no walk") {
      try await stored.updateWalk(Walk.ID(rawValue: "v")) { _ in }
    }
    try await requireError(.readOnly, "a change that throws") {
      try await stored.updateWalk(id) { walk in
        walk.weather = .snow
        throw FieldError(.readOnly, "on purpose")
      }
    }
    try requireEqual(try await requireWalk("w"), wanted, "the walk after a change that threw")
    try await stored.updateWalk(id) { $0.start = Self.noon + 7_200 }
    let period = (Self.noon + 7_000)..<(Self.noon + 8_000)
    try requireEqual(try await ids(in: period), ["w"], "the history after a change of the start")
  }

  func walkUpdateRace() async throws {
    try await add("1")
    var first = walk("w", of: ["1"])
    first.reward = WalkReward(of: first.id, earned: Self.noon)
    try await stored.save(first)
    let won = try await Race.run { number, race in
      let mine = Lock(false)
      let walk = try await stored.updateWalk(Walk.ID(rawValue: "w")) { walk in
        race.holdUntilAnotherChange()
        let isFree = walk.weather == nil
        mine.withLock { $0 = isFree }
        if isFree { walk.weather = WalkWeather(rawValue: "\(number)") }
      }
      try require(walk.weather != nil, "a change returns an older walk")
      return mine.withLock { $0 } ? "\(number)" : nil
    }.compactMap(\.self)
    try requireEqual(won.count, 1, "the number of calls that got it")
    try requireEqual(
      try await requireWalk("w").weather?.rawValue, won.first, "who got it, according to the walk")
  }

  func walkRemoval() async throws {
    try await add("1")
    try await stored.save(walk("w", of: ["1"]))
    let wasThere = try await stored.removeWalk(Walk.ID(rawValue: "w"))
    try require(wasThere, "removing a walk reports that it didn't exist")
    try requireEqual(try await stored.walk(Walk.ID(rawValue: "w")), nil, "the walk")
    try requireEqual(try await ids(of: "1"), [], "the history")
    let isThere = try await stored.removeWalk(Walk.ID(rawValue: "w"))
    try require(!isThere, "removing a walk again reports that it existed")
  }
}
