import FieldTransit
import TestSupport
import Testing

@Suite("Languages and shapes of feeds")
struct FeedTextTests {
  private static func translated() throws -> Timetable {
    var feed = FeedFixture.simple
    feed.files["agency.txt"] =
      "agency_id,agency_name,agency_url,agency_timezone\nx,Field,https://example.org,UTC\n"
    feed.files["translations.txt"] = """
      table_name,field_name,language,translation,record_id,record_sub_id,field_value
      stops,stop_name,zh-Hant,甲,A,,
      stops,stop_name,en,First,A,,
      stops,stop_name,en,Beta English,,,Beta
      stops,stop_name,en,overridden,,,Alpha
      trips,trip_headsign,en,towards Gamma,t1,,
      trips,trip_headsign,en,towards C,,,to C
      routes,route_short_name,en,R line,R,,
      agency,agency_name,en,Field Transit,,,Field
      stops,stop_name,en,nobody,X,,
      stops,stop_name,,no language,A,,
      stops,stop_url,en,https://example.org/en,A,,
      """
    let compiled = try feed.compile()
    #expect(
      compiled.report.failures.map(\.row.reason) == [
        "its record doesn't exist", "it has no language or translation",
      ])
    return compiled.timetable
  }

  @Test("Translations in the form before the specification are those of texts, wherever they stand")
  func oldTranslations() throws {
    var feed = FeedFixture.simple
    feed.files["translations.txt"] =
      "trans_id,lang,translation\nAlpha,zh-Hant,甲站\nRed,zh-Hant,紅線\n,,\n"
    let compiled = try feed.compile()
    let timetable = compiled.timetable.translated(into: "zh-Hant")
    #expect(timetable.stop("A")?.name == "甲站")
    #expect(timetable.stop("B")?.name == "Beta")
    #expect(compiled.report.failureCount == 0)
  }

  @Test("Names are those of a language where the feed translates them, by record before by text")
  func names() throws {
    let original = try Self.translated()
    #expect(Set(original.languages) == ["en", "zh-Hant"])
    let timetable = try Timetable(original.bytes).translated(into: "en")
    #expect(original.stop("A")?.name == "Alpha")
    #expect(timetable.stop("A")?.name == "First")
    #expect(timetable.stop("B")?.name == "Beta English")
    #expect(timetable.stop("C")?.name == "Gamma")
    let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
    let departures = try timetable.departures(at: "B", from: date)
    #expect(departures.prefix(2).map(\.headsign) == ["towards Gamma", "to D"])
    #expect(departures.first?.route?.shortName == "R line")
    #expect(departures.first?.route?.agency == "Field Transit")
    #expect(try timetable.departures(at: "A", from: date).last?.headsign == "towards C")
    #expect(try timetable.pairs("A", "D", at: 420) == original.pairs("A", "D", at: 420))
  }

  @Test("A language is found in any case or by its first part, and another one changes nothing")
  func languages() throws {
    let timetable = try Self.translated()
    #expect(timetable.translated(into: "EN").stop("A")?.name == "First")
    #expect(timetable.translated(into: "en-GB").stop("A")?.name == "First")
    #expect(timetable.translated(into: "zh").stop("A")?.name == "甲")
    #expect(timetable.translated(into: "ja").stop("A")?.name == "Alpha")
    #expect(timetable.translated(into: "en").translated(into: "ja").stop("A")?.name == "Alpha")
    #expect(try FeedFixture.simple.compile().timetable.languages.isEmpty)
  }

  @Test("Stops are found by their names in all languages")
  func search() throws {
    let timetable = try Self.translated()
    #expect(timetable.stops(matching: "甲").map(\.id) == ["A"])
    #expect(timetable.stops(matching: "alph").map(\.id) == ["A"])
    #expect(timetable.stops(matching: "english").map(\.id) == ["B"])
  }

  // MARK: Shapes

  /// A trip from A to D along a street that turns, and a loop that passes B twice.
  private static func drawn(includingShapes: Bool = true) throws -> Timetable {
    var feed = FeedFixture()
    feed.files["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\nA,A,0,0\nB,B,0.0001,1\nC,C,1,2.0001\nD,D,2,2\nN,N,,\n"
    feed.files["trips.txt"] =
      "trip_id,route_id,service_id,shape_id\nt,R,W,s\nloop,R,W,o\nbare,G,W,\nnowhere,G,W,s\n"
    func add(_ trip: String, _ stops: [String], hour: String = "08") {
      for (place, stop) in stops.enumerated() {
        let time = "\(hour):0\(place):00"
        feed.files["stop_times.txt"]? += "\(trip),\(place),\(stop),\(time),\(time)\n"
      }
    }
    add("t", ["A", "B", "C", "D"])
    add("loop", ["B", "A", "C", "B", "D"], hour: "09")
    add("bare", ["D", "C"])
    add("nowhere", ["N", "A"])
    feed.files["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n"
      + "s,1.5,2,4\ns,0,0,1\ns,0,2,2\ns,1,2,3\ns,2,2,9\n"
      + "o,0,1,1\no,0,0,2\no,1,2,3\no,0,1,4\no,2,2,5\ns,x,2,5\n"
    let archive = try ZipArchive(
      ZipFixture(feed.files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).bytes())
    let compiled = try Timetable.compile(archive, includingShapes: includingShapes)
    #expect(compiled.report.failures.map(\.file) == (includingShapes ? ["shapes.txt"] : []))
    return try Timetable(compiled.timetable.bytes)
  }

  private static func shape(
    _ timetable: Timetable, _ trip: String, at stop: String, to end: String
  ) throws -> [[Double]]? {
    let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
    let answer = try timetable.journeys(from: .stop(stop), to: .stop(end), departing: date)
    let leg = try #require(answer.journeys.first?.legs.first { $0.tripID == trip })
    return leg.shape?.map { [$0.latitude, $0.longitude] }
  }

  @Test("The shape of a ride is the part of the trip's shape between its stops")
  func clipped() throws {
    let timetable = try Self.drawn()
    #expect(
      try Self.shape(timetable, "t", at: "B", to: "C") == [[0, 1], [0, 2], [1, 2]])
    #expect(
      try Self.shape(timetable, "t", at: "C", to: "D") == [[1, 2], [1.5, 2], [2, 2]])
  }

  @Test("Where a way passes a stop twice, the order of the trip's stops decides")
  func loops() throws {
    let timetable = try Self.drawn()
    #expect(
      try Self.shape(timetable, "loop", at: "B", to: "A")?.count == 2)
    let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
    let leg = try #require(
      timetable.departures(at: "B", from: date).first { $0.leg.tripID == "loop" }?.leg)
    #expect(leg.shape?.map(\.longitude).first == 1)
    #expect(leg.shape?.count == 5)
    let later = try #require(
      timetable.departures(at: "B", from: date).last { $0.leg.tripID == "loop" }?.leg)
    #expect(later.shape?.count == 2)
  }

  @Test(
    "A ride has no shape without one in the feed, without locations, or unless shapes were asked for"
  )
  func absent() throws {
    let timetable = try Self.drawn()
    #expect(try Self.shape(timetable, "bare", at: "D", to: "C") == nil)
    #expect(try Self.shape(timetable, "nowhere", at: "N", to: "A") == nil)
    #expect(try Self.shape(Self.drawn(includingShapes: false), "t", at: "B", to: "C") == nil)
  }
}
