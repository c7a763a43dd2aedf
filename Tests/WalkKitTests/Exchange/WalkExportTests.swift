import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("An export in the old app's form")
struct WalkExportTests {
  @Test("an old-form export is read back unchanged")
  func roundTrip() throws {
    let first = try WalkImportTests.read(WalkImportTests.readme)
    let json = WalkExport(pets: first.pets, walks: first.walks).json()
    #expect(try WalkImport(reading: json, clock: WalkImportTests.clock) == first)
  }

  @Test(
    "an old-form export of any walks is read back unchanged in everything that the old app knew",
    .heavy)
  func anyWalks() throws {
    for seed in Sample.of(UInt64(500)..<540, inDebug: 15) {
      var random = SeededGenerator(seed: seed)
      let names = ["mesh", "토리", "a/b", "\"quoted\"\n\u{1}", "🐶", "Bär"]
      let pets = try names.enumerated().map { index, name in
        Pet(
          id: Pet.ID(rawValue: "pet-\(index)"), name: name,
          breed: Breed.known.randomElement(using: &random) ?? .other,
          gender: [nil, .male, .female].randomElement(using: &random) ?? nil,
          birth: Bool.random(using: &random) ? try CalendarDay("2019-05-31") : nil,
          weight: Bool.random(using: &random)
            ? .kilograms(Double.random(in: 0.1...90, using: &random)) : nil,
          registered: WalkImportTests.clock.now)
      }
      let walks = (0..<80).map { number in
        let isDated = Int.random(in: 0..<10, using: &random) > 0
        let start =
          isDated
          ? Date(
            timeIntervalSince1970: Double(
              Int.random(in: 1_500_000_000...1_700_000_000, using: &random))) : Walk.undatedStart
        let length = Double(Int.random(in: 0...80_000, using: &random))
        var walk = Walk(
          id: Walk.ID(rawValue: "walk-\(number)"),
          pets: [.init(pet: pets[Int.random(in: 0..<6, using: &random)].id, joined: start)],
          start: start, end: start.addingTimeInterval(length), utcOffset: .seoul)
        walk.weather =
          [nil, .clear, .rain, .fog, WalkWeather(rawValue: "hail")]
          .randomElement(using: &random) ?? nil
        walk.dust =
          [nil, .good, .fair, .moderate, .bad, .veryBad, DustGrade(rawValue: "최악")]
          .randomElement(using: &random) ?? nil
        walk.photos = (0..<Int.random(in: 0...3, using: &random)).compactMap { photo in
          URL(string: "https://example.org/%2F\(number)/\(photo).jpg?alt=media&token=a%20b").map {
            WalkPhoto(id: WalkPhoto.ID(rawValue: "\(photo + 1)"), url: $0)
          }
        }
        return walk
      }
      let json = WalkExport(pets: pets, walks: walks).json()
      let back = try WalkImport(reading: json, clock: WalkImportTests.clock)
      #expect(back.pets == pets, "seed \(seed)")
      #expect(
        back.walks.sorted { $0.id.rawValue < $1.id.rawValue }
          == walks.sorted { $0.id.rawValue < $1.id.rawValue }, "seed \(seed)")
      #expect(back.problems.allSatisfy { $0.path.hasSuffix(".date") }, "seed \(seed)")
      #expect(WalkExport(pets: back.pets, walks: back.walks).json().count == json.count)
    }
  }

  @Test("an old-form export has the old app's words, Seoul's time, and numbers as numbers")
  func words() throws {
    let start = Date(timeIntervalSince1970: 1_581_675_480.75)
    let pet = Pet(
      id: Pet.ID(rawValue: "p"), name: "mesh", breed: .welshCorgi, gender: .female,
      weight: .kilograms(10), registered: start)
    let walk = Walk(
      id: Walk.ID(rawValue: "w"), pets: [.init(pet: pet.id, joined: start)], start: start,
      end: start.addingTimeInterval(60), utcOffset: .taipei, weather: .rain, dust: .bad)
    let text = String(decoding: WalkExport(pets: [pet], walks: [walk]).json(), as: UTF8.self)
    #expect(
      text == """
        {"Pets":[{"birth":"","breed":"웰시코기","gender":"W","key":"p","name":"mesh","profileURL":"",\
        "walks":[{"date":"2020-02-14 19:18:00","duration":60,"dust":"안좋음","images":[],"key":"w",\
        "weather":"비"}],"weight":10}]}
        """)
  }

  @Test("an old-form export has a walk with two pets under both, and is read back as one walk")
  func shared() throws {
    let walk = try WalkSample.walk(
      "2024-03-06 10:00", pets: [WalkSample.mesh, WalkSample.tori], id: "w")
    let pets = [WalkSample.mesh, WalkSample.tori].map {
      Pet(id: $0, name: $0.rawValue, breed: .other, registered: WalkImportTests.clock.now)
    }
    let json = WalkExport(pets: pets, walks: [walk]).json()
    let back = try WalkImport(reading: json, clock: WalkImportTests.clock)
    #expect(back.walks.map(\.pets) == [walk.pets])
    #expect(back.pets == pets)
    #expect(back.problems.isEmpty)
  }

  @Test("an old-form export of a walk without a date has a blank one, as in the old app")
  func undated() throws {
    var walk = try WalkSample.walk("2024-03-06 10:00", id: "w")
    walk.start = Walk.undatedStart
    let pet = Pet(
      id: WalkSample.mesh, name: "mesh", breed: .other, registered: WalkImportTests.clock.now)
    let text = String(decoding: WalkExport(pets: [pet], walks: [walk]).json(), as: UTF8.self)
    #expect(text.contains(#""date":"","#))
  }

  @Test("an old-form export of invalid numbers is still a document")
  func noNumbers() throws {
    let pet = Pet(
      id: Pet.ID(rawValue: "p"), name: "a", breed: .other, weight: .kilograms(.nan),
      registered: WalkImportTests.clock.now)
    let json = WalkExport(pets: [pet], walks: []).json()
    #expect(try WalkImport(reading: json, clock: WalkImportTests.clock).pets[0].weight == nil)
  }

  @Test(
    "an old-form export is JSON to Python, too, with the same values",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func python() throws {
    let old = try WalkImportTests.read(WalkImportTests.readme)
    let script = """
      import sys, json, datetime
      for pet in json.load(sys.stdin)["Pets"]:
        for walk in pet["walks"]:
          zone = datetime.timezone(datetime.timedelta(hours=9))
          start = datetime.datetime.strptime(walk["date"], "%Y-%m-%d %H:%M:%S")
          print(pet["name"], int(start.replace(tzinfo=zone).timestamp()), walk["duration"],
            len(walk["images"]))
      """
    let output = try Tool.run(
      "python3", "-c", script, input: WalkExport(pets: old.pets, walks: old.walks).json())
    #expect(
      String(decoding: output, as: UTF8.self)
        == "mesh 1581675480 3209 2\nmesh 1580295863 17 0\n")
  }
}
