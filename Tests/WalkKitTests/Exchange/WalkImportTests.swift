import FieldCore
import FieldFakes
import Foundation
import Testing
import WalkKit

@Suite("An import of the old app's documents")
struct WalkImportTests {
  static let clock = ManualClock(now: Date(timeIntervalSince1970: 1_709_694_000))

  static func read(_ text: String) throws -> WalkImport {
    try WalkImport(reading: Data(text.utf8), clock: clock)
  }

  /// The sample of the README, with addresses in place of its placeholders.
  static let readme = """
    {"Pets": [{"name": "mesh", "breed": "welshcorgi", "birth": "2020-01-01", "gender": "M",
      "profileURL": "https://example.org/mesh.jpg", "weight": 10,
      "walks": [{"date": "2020-02-14 19:18:00", "duration": 3209, "weather": "맑음", "dust": "안좋음",
        "images": ["https://example.org/1.jpg", "https://example.org/2.jpg"]},
        {"date": "2020-01-29 20:04:23", "duration": "17", "weather": "", "dust": "", "images": []}]}]}
    """

  @Test("an import reads the shape of the README: pets with their walks inside")
  func readmeShape() throws {
    let old = try Self.read(Self.readme)
    #expect(old.problems.isEmpty)
    #expect(old.unknownKeys.isEmpty)
    let pet = try #require(old.pets.first)
    #expect(pet.name == "mesh")
    #expect(pet.breed == .welshCorgi)
    #expect(pet.gender == .male)
    #expect(pet.birth == (try CalendarDay("2020-01-01")))
    #expect(pet.weight == .kilograms(10))
    #expect(pet.photo?.url?.absoluteString == "https://example.org/mesh.jpg")
    #expect(pet.registered == Self.clock.now)
    #expect(old.walks.count == 2)
    let walk = old.walks[0]
    #expect(walk.pets.map(\.pet) == [pet.id])
    // 19:18 in Seoul is 10:18 UTC.
    #expect(walk.start == Date(timeIntervalSince1970: 1_581_675_480))
    #expect(walk.end == walk.start.addingTimeInterval(3209))
    #expect(walk.utcOffset == .seoul)
    #expect(walk.duration == .seconds(3209))
    #expect(walk.weather == .clear)
    #expect(walk.dust == .bad)
    #expect(walk.photos.map { $0.url?.lastPathComponent } == ["1.jpg", "2.jpg"])
    #expect(Set(walk.photos.map(\.id)).count == 2)
  }

  // 4.5-10 of Docs/old-apps.md
  @Test("weather and dust that were never set are nil, and those that were are kept")
  func conditions() throws {
    let old = try Self.read(Self.readme)
    #expect(old.walks[1].weather == nil)
    #expect(old.walks[1].dust == nil)
    #expect(old.walks[0].weather == .clear)
  }

  // 4.5-12 of Docs/old-apps.md
  @Test(
    "a duration is a number or text, and an invalid one is reported and its walk kept",
    arguments: [
      ("3209", 3209.0, false), ("\"3209\"", 3209, false), ("\" 17 \"", 17, false),
      ("12.5", 12.5, false), ("\"1e2\"", 100, false), ("0", 0, false),
      ("\"abc\"", 0, true), ("\"0분 17초\"", 0, true), ("-5", 0, true), ("1e300", 0, true),
      ("\"\"", 0, true), ("null", 0, true), ("true", 0, true), ("[3]", 0, true),
      ("\"nan\"", 0, true), ("86400", 86_400, false), ("86401", 86_401, true),
    ])
  func durations(json: String, seconds: Double, isReported: Bool) throws {
    let old = try Self.read(
      #"{"name": "a", "breed": "b", "walks": [{"date": "2020-02-14 19:18:00", "duration": \#(json)}]}"#
    )
    #expect(old.walks.count == 1)
    #expect(old.walks.first?.duration == .seconds(seconds))
    #expect(old.problems.map(\.path) == (isReported ? ["walks[0].duration"] : []))
  }

  // 4.5-12 of Docs/old-apps.md
  @Test(
    "a weight in kilograms is a number or text; an invalid one is reported, the pet kept",
    arguments: [
      ("10", 10.0, false), ("\"33\"", 33, false), ("\"4.5\"", 4.5, false),
      ("\"4,5 kg\"", 4.5, false),
      ("1.05e1", 10.5, false), ("\"\"", nil, false), ("null", nil, false), ("\"0\"", nil, true),
      ("0", nil, true), ("\"abc\"", nil, true), ("-3", nil, true), ("true", nil, true),
      ("{}", nil, true), ("\"nan\"", nil, true), ("1e999", nil, true),
    ] as [(String, Double?, Bool)])
  func weights(json: String, kilograms: Double?, isReported: Bool) throws {
    let old = try Self.read(#"{"name": "a", "breed": "b", "weight": \#(json)}"#)
    #expect(old.pets.count == 1)
    #expect(old.pets.first?.weight?.kilograms == kilograms)
    #expect(old.problems.map(\.path) == (isReported ? ["weight"] : []))
  }

  // 4.5-13 of Docs/old-apps.md
  @Test(
    "a birthday in the future, or an invalid one, is reported and its pet kept",
    arguments: [
      ("2020-01-31", "2020-01-31", false), ("2024-03-06", "2024-03-06", false),
      ("2024-03-07", nil, true), ("2020-02-30", nil, true), ("soon", nil, true),
      ("", nil, false), (" ", nil, false), ("2020-01-31 10:00:00", "2020-01-31", false),
    ] as [(String, String?, Bool)])
  func births(text: String, day: String?, isReported: Bool) throws {
    let old = try Self.read(#"{"name": "a", "breed": "b", "birth": "\#(text)"}"#)
    #expect(old.pets.first?.birth?.description == day)
    #expect(old.problems.map(\.path) == (isReported ? ["birth"] : []))
  }

  // 4.5-10 of Docs/old-apps.md
  @Test("walks with one key are one walk of up to 256 pets", arguments: [256, 257])
  func manyPets(count: Int) throws {
    let walk = #"{"key": "k", "date": "2020-02-14 19:18:00", "duration": 5}"#
    let pets = (0..<count).map { #"{"name": "p\#($0)", "breed": "b", "walks": [\#(walk)]}"# }
    let old = try Self.read("{\"Pets\": [\(pets.joined(separator: ","))]}")
    #expect(old.pets.count == count)
    #expect(Set(old.walks.map(\.pets.count)) == (count > 256 ? [256, 1] : [256]))
  }

  @Test(
    "a walk whose date is blank or unreadable is reported and kept without one",
    arguments: ["\"\"", "\"  \"", "null", "\"yesterday\"", "true", "\"2020-02-30 10:00:00\"", "{}"])
  func blankDate(json: String) throws {
    let old = try Self.read(
      #"{"name": "a", "breed": "b", "walks": [{"date": \#(json), "duration": 5}, {"duration": 6}]}"#
    )
    #expect(old.walks.count == 2)
    #expect(old.walks.allSatisfy { $0.isUndated })
    #expect(old.walks.map(\.duration) == [.seconds(5), .seconds(6)])
    #expect(old.problems.map(\.path) == ["walks[0].date", "walks[1].date"])
    #expect(old.problems.allSatisfy { $0.loss == .value })
    #expect(Set(old.walks.map(\.id)).count == 2)
  }

  @Test(
    "imported times are Seoul's unless they state a zone",
    arguments: [
      ("\"2020-02-14 19:18:00\"", 32_400), ("\"2020-02-14T10:18:00Z\"", 32_400),
      ("\"2020-02-14T18:18:00+08:00\"", 28_800), ("{\"_seconds\": 1581675480}", 32_400),
    ])
  func zones(json: String, offset: Int) throws {
    let old = try Self.read(
      #"{"name": "a", "breed": "b", "walks": [{"date": \#(json), "duration": 5}]}"#)
    let walk = try #require(old.walks.first)
    #expect(walk.start.timeIntervalSince1970 == 1_581_675_480)
    #expect(walk.utcOffset.secondsFromUTC == offset)
    #expect(old.problems.isEmpty)
  }

  // 4.5-1 of Docs/old-apps.md
  @Test("one invalid document never affects the rest")
  func badDocuments() throws {
    let old = try Self.read(
      """
      {"Pets": [5, null, "pet", [], {"name": {"first": "x"}, "breed": 7, "walks": "none"},
        {"name": "토리", "breed": "시츄", "walks": [7, {"date": "2020-01-29 20:04:23",
          "duration": "17", "weather": 5, "dust": {}, "images": [null, "{imageURL}", 3,
          "https://example.org/c.jpg"]}, null]}]}
      """)
    #expect(old.pets.map(\.name) == ["Pet 1", "토리"])
    #expect(old.pets[0].breed.rawValue == "7")
    #expect(old.pets[1].breed == .shihTzu)
    #expect(old.walks.count == 1)
    #expect(old.walks[0].photos.map { $0.url?.lastPathComponent } == ["c.jpg"])
    #expect(old.walks[0].weather?.rawValue == "5")
    #expect(
      old.problems.map(\.path) == [
        "Pets[0]", "Pets[1]", "Pets[2]", "Pets[3]", "Pets[4].name", "Pets[4].name",
        "Pets[4].walks", "Pets[5].walks[0]", "Pets[5].walks[1].dust",
        "Pets[5].walks[1].images[0]", "Pets[5].walks[1].images[1]",
        "Pets[5].walks[1].images[2]", "Pets[5].walks[2]",
      ])
    #expect(old.problems.filter { $0.loss == .record }.count == 7)
    #expect(old.problems[10].excerpt == "\"{imageURL}\"")
  }

  @Test(
    "a pet without a breed gets the breed other, and is reported",
    arguments: ["\"\"", "null", "{}"])
  func noBreed(json: String) throws {
    let old = try Self.read(#"{"name": "a", "breed": \#(json)}"#)
    #expect(old.pets.map(\.breed) == [.other])
    #expect(old.problems.map(\.path) == ["breed"])
  }

  // 4.5-5 of Docs/old-apps.md
  @Test("photos keep their order, whatever is missing between them")
  func photoOrder() throws {
    let urls = (0..<40).map { #""https://example.org/\#($0).jpg""# }.joined(separator: ",")
    let old = try Self.read(
      #"{"name": "a", "breed": "b", "walks": [{"date": "2020-01-29 20:04:23", "duration": 1, "images": [\#(urls)]}]}"#
    )
    #expect(
      old.walks[0].photos.map { $0.url?.lastPathComponent } == (0..<40).map { "\($0).jpg" })
  }

  @Test("an import reads the documents of the store, whose key is blank")
  func blankKey() throws {
    let old = try Self.read(
      """
      [{"birth": "2020-01-31", "breed": "시츄", "gender": "M", "key": "", "name": "토리",
        "profileURL": "", "weight": "33"}]
      """)
    #expect(old.problems.isEmpty)
    let pet = try #require(old.pets.first)
    #expect(pet.weight == .kilograms(33))
    #expect(!pet.id.rawValue.isEmpty)
    #expect(pet.photo == nil)
  }

  @Test("an import takes no placeholder for a key, inside the record or outside it")
  func placeholders() throws {
    let old = try Self.read(
      """
      {"Pets": {"-": {"name": "a", "breed": "b",
          "walks": {"null": {"date": "2020-01-29 20:04:23", "duration": 5}}},
        "x": {"key": "N/A", "name": "c", "breed": "d"}}}
      """)
    #expect(old.problems.isEmpty)
    #expect(old.pets[0].id.rawValue.hasPrefix("pet-"))
    #expect(old.pets[1].id == "x")
    #expect(old.walks[0].id.rawValue.hasPrefix("walk-"))
    let again = try WalkImport(
      reading: WalkExport(pets: old.pets, walks: old.walks).json(), clock: ManualClock())
    #expect(again.pets.map(\.id) == old.pets.map(\.id))
    #expect(again.walks.map(\.id) == old.walks.map(\.id))
  }

  @Test(
    "an import reads collections by document ID, as export tools write them",
    arguments: [
      """
      {"Pets": {"abc": {"name": "토리", "breed": "시츄", "key": "",
        "Walks": {"w1": {"date": "2020-01-29 20:04:23", "duration": "17"}}}}}
      """,
      """
      {"__collections__": {"Pets": {"abc": {"name": "토리", "breed": "시츄",
        "__collections__": {"Walks": {"w1": {"date": "2020-01-29 20:04:23", "duration": "17",
        "__collections__": {}}}}}}}}
      """,
      """
      {"pets": [{"Key": "abc", "NAME": "토리", " breed ": "시츄",
        "walks": [{"key": "w1", "Date": "2020-01-29 20:04:23", "Duration": 17}]}]}
      """,
      """
      {"documents": [{"name": "projects/p/databases/(default)/documents/Pets/abc",
        "fields": {"name": {"stringValue": "토리"}, "breed": {"stringValue": "시츄"},
          "key": {"stringValue": ""}, "walks": {"arrayValue": {"values": [{"mapValue": {"fields": {
            "key": {"stringValue": "w1"}, "date": {"stringValue": "2020-01-29 20:04:23"},
            "duration": {"integerValue": "17"}}}}]}}},
        "createTime": "2020-01-01T00:00:00Z"}]}
      """,
      """
      [{"document": {"name": "projects/p/databases/(default)/documents/Pets/abc",
        "fields": {"name": {"stringValue": "토리"}, "breed": {"stringValue": "시츄"},
          "walks": {"arrayValue": {"values": [{"mapValue": {"fields": {
            "key": {"stringValue": "w1"}, "date": {"timestampValue": "2020-01-29T11:04:23Z"},
            "duration": {"integerValue": "17"}}}}]}}}},
        "readTime": "2020-01-01T00:00:00Z"}]
      """,
    ])
  func collections(text: String) throws {
    let old = try Self.read(text)
    #expect(old.pets.map(\.id.rawValue) == ["abc"])
    #expect(old.pets.map(\.name) == ["토리"])
    #expect(old.walks.map(\.id.rawValue) == ["w1"])
    #expect(old.walks.map(\.duration) == [.seconds(17)])
    // 20:04:23 in Seoul.
    #expect(old.walks.map(\.start) == [Date(timeIntervalSince1970: 1_580_295_863)])
    #expect(old.problems.isEmpty)
  }

  @Test(
    "an import reads a time of the store in each form of its tools",
    arguments: [
      #"{"_seconds": 1580295863, "_nanoseconds": 0}"#,
      #"{"seconds": 1580295863, "nanoseconds": 0}"#,
      #"{"__datatype__": "timestamp", "value": {"_seconds": 1580295863, "_nanoseconds": 0}}"#,
      #"{"timestampValue": "2020-01-29T11:04:23Z"}"#, #""2020-01-29T20:04:23+09:00""#,
    ])
  func storeTimes(json: String) throws {
    let isTyped = json.contains("timestampValue")
    let walk = #"{"date": \#(json), "duration": \#(isTyped ? #"{"integerValue": "5"}"# : "5")}"#
    let old = try Self.read(
      isTyped
        ? #"{"name": "x/a", "fields": {"name": {"stringValue": "a"}, "breed": {"stringValue": "b"}, "walks": {"arrayValue": {"values": [{"mapValue": {"fields": \#(walk)}}]}}}}"#
        : #"{"name": "a", "breed": "b", "walks": [\#(walk)]}"#)
    #expect(old.problems.isEmpty)
    #expect(old.walks.map(\.start) == [Date(timeIntervalSince1970: 1_580_295_863)])
    #expect(old.walks.map(\.utcOffset) == [.seoul])
  }

  @Test("an import generates the same IDs every time, and different ones for different records")
  func ids() throws {
    let text = """
      [{"name": "a", "breed": "b", "walks": [{"date": "", "duration": 1}, {"date": "", "duration": 1},
        {"date": "2020-01-29 20:04:23", "duration": 1}]},
       {"name": "A", "breed": "b", "walks": [{"date": "2020-01-29 20:04:23", "duration": 1}]}]
      """
    let first = try Self.read(text)
    #expect(try Self.read(text) == first)
    #expect(Set(first.pets.map(\.id)).count == 2)
    #expect(first.walks.count == 4)
    #expect(Set(first.walks.map(\.id)).count == 4)
    #expect(first.pets.allSatisfy { !$0.id.rawValue.contains("/") })
  }

  @Test("an import treats a walk with the same key under two pets as one walk with both")
  func sharedWalk() throws {
    let walk = #"{"key": "w", "date": "2020-01-29 20:04:23", "duration": 60}"#
    let other = #"{"key": "w", "date": "2020-01-30 20:04:23", "duration": 60}"#
    let old = try Self.read(
      #"""
      [{"key": "p", "name": "a", "breed": "b", "walks": [\#(walk), \#(walk)]},
       {"key": "p", "name": "c", "breed": "b", "walks": [\#(walk), \#(other)]},
       {"key": "x/y", "name": "d", "breed": "b"}]
      """#)
    #expect(old.pets.count == 3)
    #expect(Set(old.pets.map(\.id)).count == 3)
    #expect(old.walks.count == 3)
    #expect(old.walks[0].pets.count == 2)
    #expect(
      old.problems.map(\.path) == ["[0].walks[1].key", "[1].key", "[1].walks[1].key", "[2].key"])
  }

  @Test("an import keeps walks of different lengths separate, even with one key and one date")
  func sameKeyOtherWalk() throws {
    let old = try Self.read(
      """
      [{"name": "a", "breed": "b", "walks": [
         {"key": "w", "date": "2020-01-29 20:04:23", "duration": 60}]},
       {"name": "c", "breed": "b", "walks": [
         {"key": "w", "date": "2020-01-29 20:04:23", "duration": 61}]}]
      """)
    #expect(old.walks.map(\.duration) == [.seconds(60), .seconds(61)])
    #expect(old.problems.map(\.path) == ["[1].walks[0].key"])
  }

  @Test("an import names unknown keys")
  func unknownKeys() throws {
    let old = try Self.read(
      #"{"name": "a", "breed": "b", "colour": "red", "walks": [{"date": "2020-01-29 20:04:23", "duration": 1, "mood": 5, "colour": 1}]}"#
    )
    #expect(old.unknownKeys == ["colour", "mood"])
  }

  @Test(
    "an import rejects documents without pets, invalid JSON, and ones that are too large",
    arguments: [
      ("{}", "rows.schema"), ("5", "rows.schema"), ("[5, null]", "rows.schema"),
      (#"{"walks": []}"#, "rows.schema"),
      ("", "rows.empty"), ("{\"Pets\": [", "rows.cut"), ("hello", "rows.malformed"),
      ("<html><body></body></html>", "rows.notData"),
      ("[" + String(repeating: " ", count: 2000) + "]", "input.invalid"),
      (String(repeating: "[", count: 600), "rows.malformed"),
    ])
  func refused(text: String, code: String) throws {
    let error = #expect(throws: FieldError.self) {
      try WalkImport(reading: Data(text.utf8), clock: Self.clock, sizeLimit: 1500)
    }
    #expect(error?.code.rawValue == code)
  }

  @Test("an import accepts an empty list of pets")
  func noPets() throws {
    #expect(try Self.read(#"{"Pets": []}"#).pets.isEmpty)
    #expect(try Self.read("[]").pets.isEmpty)
  }
}
