import Foundation
import MeteorKit
import Testing

@Suite("A meteorite")
struct ModelTests {
  @Test(
    "a meteorite has an ID that is its text, whether number or not",
    arguments: ["1", "57458", "0", "007", "-1", "NWA 1", "", "18446744073709551616", "９"])
  func ids(text: String) throws {
    let id = Meteorite.ID(rawValue: text)
    #expect(id.rawValue == text)
    let data = try JSONEncoder().encode([id])
    #expect(try JSONDecoder().decode([Meteorite.ID].self, from: data) == [id])
  }

  @Test("a meteorite has IDs in the order of numbers, followed by texts")
  func idOrder() {
    let ids: [Meteorite.ID] = ["a", 10, 9, "007", 100]
    #expect(ids.sorted().map(\.rawValue) == ["9", "10", "100", "007", "a"])
  }

  @Test(
    "a meteorite belongs to the group of its class",
    arguments: [
      ("L6", Meteorite.ClassGroup.ordinaryChondrite), ("LL<3.5", .ordinaryChondrite),
      ("H(5?)", .ordinaryChondrite), ("L/LL~6", .ordinaryChondrite), ("OC3", .ordinaryChondrite),
      ("Relict OC", .ordinaryChondrite), ("H4 ", .ordinaryChondrite),
      ("CM2-an", .carbonaceousChondrite),
      ("C2-ung", .carbonaceousChondrite), ("EL-melt rock", .enstatiteChondrite),
      ("Enst achon-ung", .achondrite), ("R3.8-6", .rumurutiChondrite), ("K3", .kakangariChondrite),
      ("Impact melt breccia", .otherChondrite), ("Chondrite-ung", .otherChondrite),
      ("Chondrite-fusion crust", .fusionCrust), ("Fusion crust", .fusionCrust),
      ("Howardite", .achondrite), ("Lunar (feldsp. breccia)", .achondrite), ("Iron?", .iron),
      ("Iron, IAB-sLL", .iron), ("Relict iron", .iron), ("Pallasite, PMG", .stonyIron),
      ("Mesosiderite-A3/4", .stonyIron), ("Stone-uncl", .unknown), ("Unknown", .unknown),
      ("", .unknown), ("Zzz 9", .unknown),
    ])
  func groups(name: String, group: Meteorite.ClassGroup) {
    #expect(Meteorite.Classification(rawValue: name).group == group)
  }

  @Test(
    "a meteorite reports the doubts about its position",
    arguments: [
      (0.0, 0.0, Meteorite.PositionIssue.zeroPlaceholder), (0, 12, nil),
      (-0.0, 0, .zeroPlaceholder),
      (2.0, 354.47, .longitudeOutOfRange), (-87, -165, nil), (10, 180, nil),
    ])
  func positions(latitude: Double, longitude: Double, issue: Meteorite.PositionIssue?) throws {
    let meteorite = Meteorite(
      id: 1, name: "x", coordinate: try Coordinate(latitude: latitude, longitude: longitude))
    #expect(meteorite.positionIssue == issue)
    #expect(meteorite.hasPlausiblePosition == (issue == nil))
  }

  @Test("a meteorite has an ID of any size, such as at the end of the table of repeated ones")
  func ids() throws {
    for id in [65_599, 65_600, 65_601] {
      #expect(try Rows.meteorites(Rows.numbered([id])).map { "\($0.id)" } == ["\(id)"])
    }
  }

  @Test(
    "a meteorite has a year that may be in the future",
    arguments: [
      (2013, Meteorite.Year.Validity.plausible), (2101, .future), (0, .beforeOurEra),
      (861, .plausible), (1, .plausible), (2025, .plausible), (2026, .plausible), (2027, .future),
    ])
  func years(year: Int, validity: Meteorite.Year.Validity) {
    #expect(Meteorite.Year(year).validity(currentYear: 2026) == validity)
  }

  @Test("a meteorite has a page in the Meteoritical Bulletin")
  func bulletin() {
    #expect(
      Meteorite(id: 11890, name: "Hoba").bulletinURL?.absoluteString
        == "https://www.lpi.usra.edu/meteor/metbull.php?code=11890")
  }

  @Test("a meteorite goes through Codable and through a store file unchanged")
  func coding() async throws {
    let odd = Meteorite(
      id: "NWA 1", name: "Chergach ", classification: "H4 ", massInGrams: 0.01,
      fall: Meteorite.Fall(rawValue: "Seen"), nameType: Meteorite.NameType(rawValue: "Doubtful"),
      year: -300, coordinate: try Coordinate(latitude: -90, longitude: 354.47333),
      unreadable: ["mass": "about 3 kg", "year": "?"])
    let meteorites = try Rows.meteorites(Rows.all) + [odd, Meteorite(id: 0, name: "")]
    let data = try JSONEncoder().encode(meteorites)
    #expect(try JSONDecoder().decode([Meteorite].self, from: data) == meteorites)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let storage = Storage.directory(folder)
    let store = try storage.records("meteorites", of: Meteorite.self)
    try await store.commit(Changes(upserting: meteorites), checkpoint: nil, expecting: nil)
    try await store.close()
    let again = try Storage.directory(folder).records("meteorites", of: Meteorite.self)
    #expect(Array(try await again.snapshot()) == meteorites)
  }

  @Test("a meteorite keeps unreadable text")
  func unreadable() throws {
    let row = """
      {"id":"3","name":"x","mass":"about 3 kg","year":"long ago","reclat":"95","reclong":"12"}
      """
    let meteorite = try #require(try Rows.meteorites("[\(row)]").first)
    #expect(meteorite.massInGrams == nil)
    #expect(meteorite.year == nil)
    #expect(meteorite.positionIssue == .unreadable)
    #expect(
      meteorite.unreadable == ["mass": "about 3 kg", "year": "long ago", "geolocation": "95, 12"])
  }

  @Test(
    "a meteorite has its position in any of the four shapes",
    arguments: [
      #"{"latitude":"50.775","longitude":"6.08333"}"#,
      #"{"type":"Point","coordinates":[6.08333,50.775]}"#,
      #"[null,"50.775","6.08333",null,false]"#,
      #""(50.775, 6.08333)""#,
      #"{"latitude":50.775,"longitude":6.08333,"human_address":"{\"address\":\"\"}"}"#,
    ])
  func geometry(shape: String) throws {
    let meteorite = try #require(try Rows.meteorites("[{\"id\":1,\"geolocation\":\(shape)}]").first)
    #expect(meteorite.coordinate == (try Coordinate(latitude: 50.775, longitude: 6.08333)))
  }

  @Test(
    "a meteorite has no position if the geometry is empty",
    arguments: ["null", "[null,null,null,null,null]", "{}", "\"\"", "{\"latitude\":\"1\"}"])
  func noGeometry(shape: String) throws {
    let meteorite = try #require(try Rows.meteorites("[{\"id\":1,\"geolocation\":\(shape)}]").first)
    #expect(meteorite.positionIssue == .missing)
  }

  @Test(
    "a meteorite has its CSV year corrected before 1582, and no other",
    arguments: [
      ("0860", 861), ("860", 861), ("1491", 1492), ("1581", 1582), ("1582", 1582), ("1880", 1880),
      ("01/01/1491 12:00:00 AM", 1492), ("1492-01-01T00:00:00.000", 1492), ("1880.0", 1880),
    ])
  func julianYears(text: String, year: Int) throws {
    let csv = "id,name,year\r\n7,x,\(text)\r\n"
    let rows = try Batch<Meteorite>(reading: Array(csv.utf8))
    #expect(rows.records.first?.year?.rawValue == year)
    let json = try Rows.meteorites("[{\"id\":7,\"year\":\"1491-01-01T00:00:00.000\"}]")
    #expect(json.first?.year == 1491)
  }
}
