import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("An archive of a diary")
struct WalkArchiveTests {
  private static func sample() throws -> WalkArchive {
    let place = Place(
      id: Place.ID(rawValue: "home"), name: "우리 집", kind: .home,
      coordinate: try Coordinate(latitude: 37.5452335, longitude: 127.0571024))
    let start = Date(timeIntervalSince1970: 1_709_694_000.123_456)
    let photo = Data([0xFF, 0xD8, 0xFF, 0])
    var walk = Walk(
      id: Walk.ID(rawValue: "w/1"),
      pets: [.init(pet: Pet.ID(rawValue: "p"), joined: start, left: start.addingTimeInterval(5))],
      start: start, end: start.addingTimeInterval(1800.5), utcOffset: .taipei,
      duration: .milliseconds(1_234_567), elapsed: .nanoseconds(1_800_500_000_001),
      movingTime: .seconds(1), distance: .meters(1234.567_890_123), climb: .meters(0.1),
      weather: WalkWeather(rawValue: "우박"), dust: .veryBad,
      air: AirQuality(pm10: 0.1 + 0.2, measuredAt: start, station: "종로구", pm25Flag: .maintenance),
      photos: [
        WalkPhoto(
          id: WalkPhoto.ID(rawValue: "1"), takenAt: start, coordinate: place.coordinate,
          blob: BlobID(of: [UInt8](photo)))
      ],
      notes: [WalkNote(.poo, text: "a \"b\"\n", time: start, pet: Pet.ID(rawValue: "p"))],
      goal: place)
    walk.reward = WalkReward(of: walk.id, earned: start, claimed: start)
    let pet = Pet(
      id: Pet.ID(rawValue: "p"), name: "mesh", breed: .welshCorgi, gender: .male,
      birth: try CalendarDay("2020-01-01"), weight: .kilograms(10.1), isArchived: true,
      registered: start)
    return WalkArchive(
      pets: [pet], walks: [walk], places: [place], attachments: [.init(photo)], exported: start)
  }

  @Test("an archive is read back exactly, and written identically every time")
  func roundTrip() throws {
    let archive = try Self.sample()
    let json = try archive.json()
    #expect(try WalkArchive(reading: json) == archive)
    #expect(try WalkArchive(reading: json).json() == json)
  }

  /// What version 1 wrote. It must not be changed: archives like this are on people's devices.
  private static let version1 = #"""
    {"attachments":[{"bytes":"/9j/AA==","id":"374ffede23adbc8bc625205f4bf86750807ffb6ce71fc7\#
    d10cac8bded0872bf5"}],"exported":731386800.123456,"format":"fieldkit.walks","pets":[{"bi\#
    rth":"2020-01-01","breed":"welshcorgi","gender":"M","id":"p","isArchived":true,"name":"m\#
    esh","registered":731386800.123456,"weight":10.1}],"places":[{"coordinate":{"latitude":3\#
    7.5452335,"longitude":127.0571024},"id":"home","kind":"home","name":"우리 집"}],"version":1\#
    ,"walks":[{"air":{"measuredAt":731386800.123456,"pm10":0.30000000000000004,"pm25Flag":"점\#
    검및교정","station":"종로구"},"climb":0.1,"distance":1234.567890123,"duration":[66,170818911351\#
    69593344],"dust":"veryBad","elapsed":[97,11165824851173493248],"end":731388600.623456,"g\#
    oal":{"coordinate":{"latitude":37.5452335,"longitude":127.0571024},"id":"home","kind":"h\#
    ome","name":"우리 집"},"id":"w/1","movingTime":[0,1000000000000000000],"notes":[{"kind":"po\#
    o","pet":"p","text":"a \"b\"\n","time":731386800.123456}],"pets":[{"joined":731386800.12\#
    3456,"left":731386805.123456,"pet":"p"}],"photos":[{"blob":"374ffede23adbc8bc625205f4bf8\#
    6750807ffb6ce71fc7d10cac8bded0872bf5","coordinate":{"latitude":37.5452335,"longitude":12\#
    7.0571024},"id":"1","takenAt":731386800.123456}],"reward":{"claimed":731386800.123456,"e\#
    arned":731386800.123456,"id":"w/1/goal","reason":"goal"},"start":731386800.123456,"utcOf\#
    fset":28800,"weather":"우박"}]}
    """#

  @Test("an archive of version 1 is read forever")
  func version1() throws {
    #expect(try WalkArchive(reading: Data(Self.version1.utf8)) == Self.sample())
  }

  @Test(
    "an archive of version 2 has durations in seconds, and is what is written today"
  )
  func version2() throws {
    let text = [
      (#""version":1"#, #""version":2"#), ("[66,17081891135169593344]", "1234.567"),
      ("[97,11165824851173493248]", "1800.500000001"), ("[0,1000000000000000000]", "1"),
    ].reduce(Self.version1) { $0.replacing($1.0, with: $1.1) }
    #expect(try WalkArchive(reading: Data(text.utf8)) == Self.sample())
    #expect(String(decoding: try Self.sample().json(), as: UTF8.self) == text)
  }

  @Test("an archive keeps many walks equal", .heavy)
  func many() throws {
    for seed in UInt64(600)..<605 {
      let archive = WalkArchive(
        pets: [], walks: try WalkSample.many(300, seed: seed), exported: .distantPast)
      #expect(try WalkArchive(reading: archive.json()) == archive, "seed \(seed)")
    }
  }

  @Test("an archive keeps a weight that isn't a number without failing")
  func noNumber() throws {
    var archive = try Self.sample()
    archive.pets[0].weight = .kilograms(.infinity)
    #expect(try WalkArchive(reading: archive.json()) == archive)
  }

  @Test("an archive loses one damaged record and names it, and never the others")
  func badRecord() throws {
    var archive = try Self.sample()
    archive.walks += [
      try WalkSample.walk("2024-03-06 10:00"), try WalkSample.walk("2024-03-07 10:00"),
    ]
    let text = String(decoding: try archive.json(), as: UTF8.self)
    let broken = text.replacing("\"utcOffset\":28800", with: "\"utcOffset\":\"east\"")
    #expect(broken != text)
    let back = try WalkArchive(reading: Data(broken.utf8))
    #expect(back.walks == Array(archive.walks.dropFirst()))
    #expect(back.pets == archive.pets)
    #expect(back.problems.count == 1)
    #expect(back.problems.first?.path == "walks[0].utcOffset")
    #expect(back.problems.first?.loss == .record)
  }

  @Test(
    "an archive accepts no walk whose times aren't numbers, which couldn't be sorted",
    arguments: ["\"NaN\"", "\"Infinity\"", "\"-Infinity\""])
  func noTime(time: String) throws {
    let archive = WalkArchive(
      pets: [],
      walks: [try WalkSample.walk("2024-03-06 10:00"), try WalkSample.walk("2024-03-07 10:00")],
      exported: .distantPast)
    let text = String(decoding: try archive.json(), as: UTF8.self)
    let start = "\(Int(archive.walks[0].start.timeIntervalSinceReferenceDate))"
    for key in ["start", "joined"] {
      let broken = text.replacing("\"\(key)\":\(start)", with: "\"\(key)\":\(time)")
      #expect(broken != text)
      let back = try WalkArchive(reading: Data(broken.utf8))
      #expect(back.walks == [archive.walks[1]])
      #expect(back.problems.map(\.path) == ["walks[0]"])
    }
  }

  @Test("an archive accepts no pet or walk with times that aren't numbers, or such a note or photo")
  func timeless() throws {
    let start = DiaryBench.noon
    var walk = Walk(
      id: .init(rawValue: "w"), pets: [.init(pet: .init(rawValue: "a"), joined: start)],
      start: start, end: start, utcOffset: .seoul)
    let never = Date(timeIntervalSinceReferenceDate: .nan)
    let pet = Pet(id: .init(rawValue: "a"), name: "a", breed: .other, registered: start)
    var (late, portrait) = (pet, pet)
    late.registered = never
    portrait.photo = WalkPhoto(id: .init(rawValue: "p"), takenAt: never)
    var walks = [walk]
    walk.notes = [WalkNote(time: never)]
    walks.append(walk)
    walk.notes = []
    walk.photos = [WalkPhoto(id: .init(rawValue: "p"), takenAt: never)]
    walks.append(walk)
    walk.photos = []
    walk.reward = WalkReward(of: walk.id, earned: never)
    walks.append(walk)
    walk.reward = nil
    walk.air = AirQuality(measuredAt: never)
    walks.append(walk)
    let archive = WalkArchive(pets: [late, pet, portrait], walks: walks, exported: start)
    let back = try WalkArchive(reading: try archive.json())
    #expect(back.pets == [pet])
    #expect(back.walks == [walks[0]])
    #expect(
      back.problems.map(\.path)
        == ["pets[0]", "pets[2]", "walks[1]", "walks[2]", "walks[3]", "walks[4]"])
  }

  @Test("an archive detects bytes that differ from those of a record")
  func damagedAttachment() throws {
    let text = String(decoding: try Self.sample().json(), as: UTF8.self)
    let damaged = text.replacing("/9j/AA==", with: "/9j/AQ==")
    #expect(damaged != text)
    let back = try WalkArchive(reading: Data(damaged.utf8))
    #expect(back.attachments.isEmpty)
    #expect(back.problems.map(\.path) == ["attachments[0].bytes"])
  }

  @Test("an archive is read with at most 30 combining marks after each other, also in unknown keys")
  func marks() throws {
    let marks = String(repeating: "\u{35A}\u{345}", count: 200_000)
    let text = String(decoding: try Self.sample().json(), as: UTF8.self)
      .replacing(#""name":"mesh""#, with: "\"name\":\"mesh\(marks)\",\"x\(marks)\":1")
    let name = try #require(try WalkArchive(reading: Data(text.utf8)).pets.first).name
    #expect(name == "mesh\(marks)".streamSafe)
  }

  @Test(
    "an archive is rejected if it isn't one, is newer, or is truncated",
    arguments: [
      (#"{"format":"fieldkit.walks","version":3,"exported":0,"pets":7}"#, "store.newerFormat"),
      (#"{"format":"fieldkit.walks","version":0,"exported":0}"#, "rows.schema"),
      (#"{"format":"other","version":1,"exported":0}"#, "rows.schema"),
      (#"{"Pets":[]}"#, "rows.schema"), ("[]", "rows.schema"), ("", "rows.empty"),
      (#"{"format":"fieldkit.walks","#, "rows.cut"),
      (#"{"format":"fieldkit.walks","version":1,"exported":"now"}"#, "rows.schema"),
      (#"{"format":"fieldkit.walks","version":1,"exported":"NaN"}"#, "rows.schema"),
      (#"{"format":"fieldkit.walks","version":1,"exported":0,"pets":{}}"#, "rows.schema"),
    ])
  func refused(text: String, code: String) {
    let error = #expect(throws: FieldError.self) {
      try WalkArchive(reading: Data(text.utf8))
    }
    #expect(error?.code.rawValue == code)
  }

  @Test("an archive without lists is empty, and one that is too large is rejected")
  func limits() throws {
    let text = #"{"format":"fieldkit.walks","version":1,"exported":0,"more":[1]}"#
    #expect(try WalkArchive(reading: Data(text.utf8)).pets.isEmpty)
    let error = #expect(throws: FieldError.self) {
      try WalkArchive(reading: Data(text.utf8), sizeLimit: 20)
    }
    #expect(error?.code == .invalidInput)
  }
}
