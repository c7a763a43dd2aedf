import FieldCore
import FieldFakes
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

/// What one device has written is on another one, bit for bit.
@Suite(.timeLimit(.minutes(60))) struct AnotherDeviceTests {
  let server = FakeFirestore()

  private static let seconds: [Double] = [
    0, -0.0, 0.1 + 0.2, 789_012_345.678_901_2, 789_012_345.678_901_2.nextUp,
    789_012_345.678_901_2.nextDown, 1e-7, -1e-7, .leastNonzeroMagnitude, -.leastNormalMagnitude,
    -978_307_200, (-978_307_200.0).nextUp, -1.5, -12_345_678_901.234_567, 0.999_999_9,
    0.999_999_499_999_999_9, Date.distantPast.timeIntervalSinceReferenceDate,
    Date.distantPast.timeIntervalSinceReferenceDate.nextDown, -1e12, 0x1p40,
  ]

  private static let durations: [Duration] = [
    .zero, .milliseconds(1_234_567), .nanoseconds(1), .seconds(0.1 + 0.2), .seconds(-1.5),
    Duration(secondsComponent: 0, attosecondsComponent: 1),
    Duration(secondsComponent: 1_234, attosecondsComponent: 567_890_123_456_789_012),
    .seconds(1 << 40), .seconds(-1 << 40),
    Duration(secondsComponent: (1 << 40) - 1, attosecondsComponent: 999_999_999_999_999_999),
  ]

  private static func date(_ place: Int) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds[place % seconds.count])
  }

  /// Records with every kind of value, of which those at the place are awkward.
  private static func records(_ place: Int) throws -> (Pet, Walk, Place) {
    let (date, other) = (date(place), date(place + 1))
    let amount = seconds[place % seconds.count]
    let there = try Coordinate(
      latitude: (0.1 + 0.2).nextUp, longitude: place % 2 == 0 ? 200.1 : -1e-9)
    let photo = WalkPhoto(id: "f", takenAt: date, coordinate: there)
    var pet = Device.pet("\(place)")
    pet.registered = date
    pet.photo = photo
    pet.weight = .kilograms(amount)
    var walk = Device.walk("\(place)", of: ["\(place)"])
    // A diary sorts by the start, so it has to have a day.
    walk.start = Date(
      timeIntervalSinceReferenceDate: max(amount.remainder(dividingBy: 1e10), -1e10))
    walk.end = Device.noon + 0.000_000_3
    walk.pets[0].joined = date
    walk.pets[0].left = other
    walk.duration = durations[place % durations.count]
    walk.elapsed = durations[(place + 1) % durations.count]
    walk.movingTime = durations[(place + 2) % durations.count]
    walk.distance = .meters(amount)
    walk.climb = .meters(-amount)
    walk.air = AirQuality(pm10: amount.magnitude, pm25: 0.1 + 0.2, measuredAt: date)
    walk.photos = [photo, WalkPhoto(id: "g", takenAt: other)]
    walk.notes = [
      WalkNote(.pee, time: date, coordinate: there),
      // Both in one microsecond.
      WalkNote(text: "1", time: Device.noon),
      WalkNote(
        text: "1",
        time: Date(
          timeIntervalSinceReferenceDate: Device.noon.timeIntervalSinceReferenceDate.nextUp)),
    ]
    let goal = Place(id: .init(rawValue: "\(place)"), name: "강", coordinate: there)
    walk.goal = goal
    walk.reward = WalkReward(of: walk.id, earned: date, claimed: other)
    return (pet, walk, goal)
  }

  private static let places = Sample.of(seconds.indices, inDebug: 12)

  /// The places whose walk is edited as well.
  private static let edited = Set(Sample.of(places, inDebug: 4))

  @Test(arguments: places)
  func `a walk on another device has every digit of a date, a duration, and a number`(_ place: Int)
    async throws
  {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    let (pet, walk, goal) = try Self.records(place)
    try await left.stored.add(pet)
    try await left.stored.save(walk)
    try await left.stored.save(goal)
    try await left.cloud.refresh(.now)
    #expect(server[FirestorePath("diary/w\(place)")]?["exact"]?.map?["end"] != nil)
    let report = try await right.cloud.refresh(.now)
    #expect(report.failures.isEmpty)
    #expect(try await Self.bytes(right) == Self.bytes(left))
    #expect(try await left.content().walks == [walk])
    #expect(try await right.cloud.pending().isEmpty)

    // An edit of one value leaves the digits of all others.
    guard Self.edited.contains(place) else { return }
    try await right.stored.updateWalk(walk.id) { walk in
      walk.end = Device.noon
      walk.weather = .clear
    }
    try await Device.settle(right, left)
    #expect(try await Self.bytes(right) == Self.bytes(left))
    #expect(try await left.content().walks[0].start == walk.start)
    #expect(server[FirestorePath("diary/w\(place)")]?["exact"]?.map?["end"] == nil)
  }

  private static func bytes(_ device: Device) async throws -> [String] {
    let content = try await device.content()
    let records =
      content.pets.map { WalkRecord(.pet($0)) }
      + content.walks.map { WalkRecord(.walk($0)) }
      + content.places.map { WalkRecord(.place($0)) }
    return try records.map(StoredBytes.text)
  }

  @Test
  func `a walk on another device has the time that a client has written, and the fields it added`()
    async throws
  {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    let (pet, walk, _) = try Self.records(3)
    try await left.stored.add(pet)
    try await left.stored.save(walk)
    try await Device.settle(left, right)
    let document = FirestorePath("diary/w3")
    #expect(server[document]?["exact"]?.map?["start"] != nil)
    let client = FirestoreClient(server.configuration, transport: server)
    func write(_ fields: [(FirestoreFieldPath, FirestoreValue)]) async throws {
      try await client.commit([
        try .update(
          document,
          fields.map { (path: $0.0, input: .value($0.1)) }
            + [(path: "changedAt", input: .serverTimestamp)])
      ])
      try await Device.settle(left, right)
    }
    let time = FirestoreTimestamp(Device.noon)
    try await write([
      ("start", .timestamp(time)), ("duration", 12.5), ("color", "red"),
      (FirestoreFieldPath(segments: ["exact", "color"]), "dark red"),
      (FirestoreFieldPath(segments: ["photos", "g", "sticker"]), 1),
    ])
    for device in [left, right] {
      let found = try #require(try await device.content().walks.first)
      #expect(found.start == Device.noon && found.duration == .seconds(12.5))
      #expect(found.elapsed == walk.elapsed && found.end == walk.end)
    }
    // What isn't the value's own is no value of it.
    for junk: FirestoreValue in ["x", .double(.nan), .double(.infinity), 1e300, .null, ["a": 1]] {
      try await write([
        (FirestoreFieldPath(segments: ["exact", "start"]), junk),
        (FirestoreFieldPath(segments: ["exact", "elapsed"]), junk),
      ])
      #expect(try await right.content().walks[0].start == Device.noon)
    }
    try await right.stored.updateWalk(walk.id) { walk in
      walk.start += 0.000_000_3
      walk.notes = []
    }
    try await Device.settle(right, left)
    #expect(try await Self.bytes(right) == Self.bytes(left))
    #expect(server[document]?["color"] == "red")
    #expect(server[document]?["exact"]?.map?["color"] == "dark red")
    #expect(server[document]?["photos"]?.map?["g"]?.map?["sticker"] == 1)
    try await write([("exact", 7)])
    #expect(try await left.content() == right.content())
  }

  @Test(arguments: [
    ("time", FirestoreInput.value("yesterday"), ".time isn't a time"),
    ("time", .delete, " lacks a necessary field"), ("kind", .delete, " lacks a necessary field"),
  ])
  func `a walk keeps a note of which a necessary field can't be read or is missing`(
    _ field: String, _ input: FirestoreInput, _ reason: String
  ) async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    try await left.stored.add(Device.pet("1"))
    var walk = Device.walk("w", of: ["1"])
    walk.notes = [WalkNote(text: "a", time: Device.noon + 0.123_456)]
    try await left.stored.save(walk)
    try await Device.settle(left, right)
    let client = FirestoreClient(server.configuration, transport: server)
    let key = try #require(server["diary/ww"]?["notes"]?.map?.names.first)
    try await client.commit([
      try .update(
        "diary/ww",
        [
          (path: FirestoreFieldPath(segments: ["notes", key, field]), input: input),
          (path: "weather", input: .value("clear")), (path: "changedAt", input: .serverTimestamp),
        ])
    ])
    right.clock.advance(by: .seconds(4_000))
    let report = try await right.cloud.refresh(.now)
    #expect(report.failures.map(\.reason) == ["notes/\(key)\(reason)"])
    #expect(try await right.content().walks.map(\.notes) == [walk.notes])
    #expect(try await right.content().walks.map(\.weather) == [.clear])
  }
}
