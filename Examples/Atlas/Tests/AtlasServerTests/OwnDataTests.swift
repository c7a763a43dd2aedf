import FieldFakes
import FieldKit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import AtlasServer

/// A visitor of a server with a folder of its own.
private struct Visitor: Sendable {
  let client: any TestClientProtocol
  static let page: HTTPFields = [.xAtlas: "1"]

  /// Runs a test against the routes over a folder, which is made if there is none.
  static func serving(
    in folder: URL, _ body: @escaping @Sendable (Visitor) async throws -> Void
  ) async throws {
    let server = try await AtlasServer(
      folder: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await server.application(hostname: "127.0.0.1", port: 0).test(.router) { client in
        try await body(Visitor(client: client))
      }
    } catch {
      await server.close()
      throw error
    }
    await server.close()
  }

  /// Runs a test against the routes over a new folder.
  static func serving(_ body: @escaping @Sendable (Visitor) async throws -> Void) async throws {
    let folder = newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try await serving(in: folder, body)
  }

  static func newFolder() -> URL {
    FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  }

  func drop(_ bytes: [UInt8], named name: String = "rows.csv") async throws -> OwnPayload {
    let path = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return try await answer(.post, "/api/own/file?name=\(path)&changed=1700000000000", bytes)
  }

  func drop(_ text: String, named name: String = "rows.csv") async throws -> OwnPayload {
    try await drop(Array(text.utf8), named: name)
  }

  func read(_ address: String) async throws -> OwnPayload {
    try await answer(.post, "/api/own/address", Array(address.utf8))
  }

  func get<Value: Decodable & Sendable>(_ uri: String, as type: Value.Type = Value.self)
    async throws -> Value
  {
    try await answer(.get, uri)
  }

  func answer<Value: Decodable & Sendable>(
    _ method: HTTPRequest.Method, _ uri: String, _ body: [UInt8] = []
  ) async throws -> Value {
    try await client.execute(
      uri: uri, method: method, headers: Self.page, body: ByteBuffer(bytes: body)
    ) { response in
      guard response.status.code < 300 else {
        let failure = try JSONDecoder().decode(Refusal.self, from: response.body)
        throw Refused(status: response.status.code, code: failure.code, message: failure.message)
      }
      return try JSONDecoder().decode(Value.self, from: response.body)
    }
  }

  /// Expects that an action is refused, and returns why.
  func refusal(_ body: () async throws -> OwnPayload) async -> Refused? {
    do {
      let payload = try await body()
      Issue.record("\(payload.title) was accepted")
      return nil
    } catch {
      return error as? Refused
    }
  }
}

private struct Refusal: Decodable {
  var code: String
  var message: String
}

private struct Refused: Error {
  var status: Int
  var code: String
  var message: String
}

private struct Done: Decodable { var removed: Bool }

@Suite(.serialized) struct OwnDataTests {
  private static let cafes = """
    Cafés of a city, exported today
    no;name;lat;lng;seats
    a;Café Lumière;50.1;14.4;12
    ;Nameless;50.2;14.5;8
    b;臺北茶館;25.04;121.51;30

    c;Much;50.3;14.6;9;surplus
    b;臺北茶館二館;25.05;121.52;31
    d;Far away;5000;14.7;4
    e;Eins;50.5;14.1;5
    f;Zwei;50.6;14.2;6
    g;Drei;50.7;14.3;7
    """

  @Test("A dropped table is validated: columns, the ID, failed rows with their lines, repeated IDs")
  func validation() async throws {
    try await Visitor.serving { visitor in
      let cafes = try await visitor.drop(Self.cafes, named: "cafés.csv")
      #expect(cafes.title == "cafés.csv" && !cafes.isTimetable)
      let plan = try #require(cafes.plan)
      #expect(plan.columns.map(\.name) == ["no", "name", "lat", "lng", "seats"])
      #expect(plan.columns.map(\.kind) == ["text", "text", "number", "number", "number"])
      #expect(plan.id == 0 && plan.name == 1 && plan.place == [2, 3] && plan.numbers == [4])
      let validation = try #require(cafes.validation)
      #expect(validation.rows == 9 && validation.failureCount == 2)
      try #require(validation.failures.map(\.line) == [4, 7])
      #expect(validation.failures[0].reason == "It has no no, which identifies rows.")
      #expect(validation.failures[1].reason.contains("6 cells, but the header has 5"))
      #expect(validation.repeatedIDs == ["b"] && validation.unreadablePlaces == 1)
      #expect(cafes.count == 6 && cafes.placed == 5)
      #expect(cafes.dataDate == Date(timeIntervalSince1970: 1_700_000_000))
      #expect(cafes.lastRefresh != nil && cafes.nextRefresh == nil)
    }
  }

  @Test(
    "Rows are found by any of their texts, in Chinese too, in the order of a column, and nearest first"
  )
  func finding() async throws {
    try await Visitor.serving { visitor in
      let id = try await visitor.drop(Self.cafes).id
      for (text, names) in [
        ("lumiere", ["Café Lumière"]), ("台北", ["臺北茶館二館"]), ("31", ["臺北茶館二館"]), ("nothing", []),
      ] {
        let path = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await visitor.get("/api/own/\(id)/rows?text=\(path)", as: OwnAnswer.self)
        #expect(answer.rows.map(\.name) == names && answer.count == names.count, "\(text)")
      }
      let ordered: OwnAnswer = try await visitor.get("/api/own/\(id)/rows?order=first&descending=1")
      #expect(ordered.rows.map { $0.cells[4] } == ["31", "12", "7", "6", "5", "4"])
      let near: OwnAnswer = try await visitor.get("/api/own/\(id)/near?latitude=25&longitude=121")
      #expect(near.rows.count == 5 && near.rows.first?.id == "b")
      let places: OwnPlaces = try await visitor.get("/api/own/\(id)/places")
      #expect(places.points.count == 10 && places.outlines.isEmpty)
    }
  }

  private static let tables = [
    (
      "a.json",
      #"[{"id":1,"title":"One","lat":"50","lon":14},{"id":2,"title":"Two","lat":51,"lon":15}]"#
    ),
    (
      "b.json",
      #"{"result":{"records":[{"_id":1,"name":"One","location":"POINT (14 50)"},{"_id":2,"name":"Two","location":"(51.0, 15.0)"}]}}"#
    ),
    (
      "c.ndjson",
      "{\"id\":1,\"label\":\"One\",\"location\":{\"lat\":50,\"lng\":14}}\n{\"id\":2,\"label\":\"Two\",\"location\":{\"lat\":51,\"lng\":15}}\n"
    ),
    (
      "d.geojson",
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":1,"geometry":{"type":"Point","coordinates":[14,50]},"properties":{"name":"One"}},{"type":"Feature","id":2,"geometry":{"type":"Point","coordinates":[15,51]},"properties":{"name":"Two"}}]}"#
    ),
    ("e.csv", "id\tname\t緯度\t經度\n1\tOne\t50\t14\n2\tTwo\t51\t15\n"),
  ]

  @Test("Tables of any format are read, also from a zip archive")
  func formats() async throws {
    try await Visitor.serving { visitor in
      for (name, text) in Self.tables {
        let archive = ZipWriter.archive([
          ("folder/readme.md", "# Read me"), ("folder/\(name)", text),
        ])
        for bytes in [Array(text.utf8), archive] {
          let dataset = try await visitor.drop(bytes, named: name)
          #expect(dataset.count == 2 && dataset.placed == 2, "\(name)")
          let rows: OwnAnswer = try await visitor.get("/api/own/\(dataset.id)/rows")
          #expect(rows.rows.map(\.name) == ["One", "Two"], "\(name)")
          #expect(rows.rows.map(\.id) == ["1", "2"] && rows.rows.map(\.longitude) == [14, 15])
          let _: Done = try await visitor.answer(.delete, "/api/own/\(dataset.id)")
        }
      }
    }
  }

  @Test("Shapes of GeoJSON are drawn, and found by their middle")
  func shapes() async throws {
    try await Visitor.serving { visitor in
      let text =
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[14,50],[15,50],[15,52],[14,50]]]},"properties":{"name":"Park","id":"p"}},{"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]},"properties":{"name":"Way","id":"w"}},{"type":"Feature","geometry":null,"properties":{"name":"Nowhere","id":"n"}}]}"#
      let dataset = try await visitor.drop(text, named: "shapes.geojson")
      #expect(
        dataset.count == 3 && dataset.placed == 2 && dataset.validation?.unreadablePlaces == 0)
      let places: OwnPlaces = try await visitor.get("/api/own/\(dataset.id)/places")
      #expect(places.outlines == [[14, 50, 15, 50, 15, 52, 14, 50], [1, 2, 3, 4], [5, 6, 7, 8]])
      let near: OwnAnswer = try await visitor.get(
        "/api/own/\(dataset.id)/near?latitude=51&longitude=14.5")
      #expect(near.rows.first?.id == "p" && near.rows.first?.kilometers == 0)
    }
  }

  @Test("Data stays while the network is off, and after a restart")
  func restart() async throws {
    let folder = Visitor.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let ids = Locked<[String]>([])
    try await Visitor.serving(in: folder) { visitor in
      let dropped = try await visitor.drop(Self.cafes)
      let fetched = try await visitor.read("https://data.example/cafes.csv")
      let city = try await visitor.read("transit.example/gtfs.zip")
      #expect(fetched.validation?.failureCount == 2 && fetched.origin == "address")
      #expect(fetched.nextRefresh != nil && fetched.dataDate != nil)
      ids.withLock { $0 = [dropped.id, fetched.id, city.id] }
      let _: HelloPayload = try await visitor.answer(.post, "/api/network/offline")
    }
    try await Visitor.serving(in: folder) { visitor in
      let ids = ids.withLock { $0 }
      let all: [OwnPayload] = try await visitor.get("/api/own")
      #expect(Set(all.map(\.id)) == Set(ids))
      let rows: OwnAnswer = try await visitor.get("/api/own/\(ids[0])/rows?text=lumiere")
      #expect(rows.count == 1)
      #expect(all.first { $0.id == ids[0] }?.validation?.failures.first?.line == 4)
      // A refresh fails, and changes nothing.
      let report: RefreshPayload = try await visitor.answer(.post, "/api/own/\(ids[1])/refresh")
      #expect(report.failure?.code == "transport.offline")
      let kept: OwnPayload = try await visitor.get("/api/own/\(ids[1])")
      #expect(kept.count == all.first { $0.id == ids[1] }?.count && kept.lastRefresh != nil)
      let stops: [TransitStopPayload] = try await visitor.get(
        "/api/own/\(ids[2])/stops?text=harbour")
      #expect(stops.first?.id == "HAR")
      let done: Done = try await visitor.answer(.delete, "/api/own/\(ids[0])")
      #expect(done.removed)
    }
    try await Visitor.serving(in: folder) { visitor in
      let all: [OwnPayload] = try await visitor.get("/api/own")
      #expect(all.count == 2 && !all.map(\.id).contains(ids.withLock { $0[0] }))
    }
  }

  @Test("A page of each family of portals becomes a table with its attribution")
  func portals() async throws {
    try await Visitor.serving { visitor in
      for (address, family, count) in [
        ("https://ckan.example/dataset/rows", "CKAN", 900),
        ("https://gis.example/rest/services/Trees/FeatureServer/0", "ArcGIS", 1_200),
        ("https://explore.example/explore/dataset/rows/", "OpenDataSoft", 1_500),
        ("http://soda.example/d/tree-2026", "Socrata", 2_000),
      ] {
        let trees = try await visitor.read(address)
        #expect(trees.count == count && trees.placed == count, "\(family)")
        #expect(trees.origin == family && trees.validation?.failureCount == 0)
        #expect(trees.credit?.attribution.isEmpty == false && trees.plan?.place.count == 1)
        let text = "%E6%A6%95%E6%A8%B9"  // 榕樹
        let banyans: OwnAnswer = try await visitor.get("/api/own/\(trees.id)/rows?text=\(text)")
        #expect(abs(banyans.count - count / 6) <= 1, "\(family)")
      }
    }
  }

  @Test("What isn't a table is refused with a reason, and isn't kept")
  func refused() async throws {
    let folder = Visitor.newFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Visitor.serving(in: folder) { visitor in
      for text in [
        "%PDF-1.7 ...", "", "<!DOCTYPE html><p>Sign in, please</p>", "just one line",
        "{\"error\":\"denied\"}", "a,b\n\"1,2", "[{\"id\":1},{\"id\":", "PK\u{3}\u{4}damaged",
      ] {
        let refusal = await visitor.refusal { try await visitor.drop(text) }
        #expect(refusal?.status == 400 && refusal?.message.isEmpty == false, "\(text)")
      }
      // A feed without a file that every feed needs.
      let feed = ZipWriter.archive([
        ("stops.txt", "stop_id,stop_name\nA,A\n"), ("trips.txt", "route_id\n"),
        ("stop_times.txt", "trip_id\n"),
      ])
      let refusal = await visitor.refusal { try await visitor.drop(feed) }
      #expect(refusal?.message.isEmpty == false)
      let all: [OwnPayload] = try await visitor.get("/api/own")
      #expect(all.isEmpty)
    }
    let files = folder.appending(path: "own/files").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: files).isEmpty)
  }

  @Test("Names from foreign data are texts of JSON, and paths in them lead nowhere")
  func hostileNames() async throws {
    try await Visitor.serving { visitor in
      let name = "../../<img src=x onerror=alert(1)>\u{202E}\u{0}.csv"
      let table = try await visitor.drop(
        "id,<script>alert(1)</script>,__proto__\n1,\"</script><script>alert(2)</script>\",constructor\n2,\"=cmd|' /C calc'!A0\",toString\n",
        named: name)
      #expect(
        table.title.contains("<img src=x onerror=alert(1)>") && !table.title.contains("\u{202E}"))
      #expect(table.plan?.columns.map(\.name) == ["id", "<script>alert(1)</script>", "__proto__"])
      try await visitor.client.execute(uri: "/api/own", method: .get) { response in
        #expect(response.headers[.contentType] == "application/json; charset=utf-8")
        #expect(response.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
      }
      for path in ["..%2F..%2Fetc", "%2e%2e", "x"] {
        try await visitor.client.execute(uri: "/api/own/\(path)", method: .get) { response in
          #expect(response.status == .notFound)
        }
      }
    }
  }

  @Test("Bodies, rows, archives, and datasets beyond the limits are refused")
  func limits() async throws {
    try await Visitor.serving { visitor in
      let large = await visitor.refusal {
        try await visitor.drop([UInt8](repeating: 0x61, count: OwnLimits.fileSize + 1))
      }
      #expect(large?.status == 413 && large?.message.contains("32 MiB") == true)
      let long = await visitor.refusal {
        try await visitor.drop("id,n\n" + String(repeating: "1,2\n", count: OwnLimits.rows + 1))
      }
      #expect(long?.message.contains("more than 100000 rows") == true)
      let lines = await visitor.refusal {
        try await visitor.drop([UInt8](repeating: 0x0A, count: 6 * OwnLimits.rows))
      }
      #expect(lines?.message.contains("more than 100000 rows") == true)
      let wide = await visitor.refusal {
        let row = String(repeating: "1,", count: 59) + "1\n"
        return try await visitor.drop(String(repeating: row, count: 60_000))
      }
      #expect(wide?.message.contains("more cells") == true)
      let address = await visitor.refusal {
        try await visitor.read("https://data.example/" + String(repeating: "x", count: 9_000))
      }
      #expect(address?.status == 413)
      for number in 1...OwnLimits.datasets { _ = try await visitor.drop("id,n\n\(number),2\n") }
      let ninth = await visitor.refusal { try await visitor.drop("id,n\n9,2\n") }
      #expect(ninth?.message.contains("Remove one") == true)
    }
    // An archive that says that it unpacks to 4 GiB.
    var bomb = ZipWriter.archive([("rows.csv", "id,n\n1,2\n")])
    let directory = try #require(
      bomb.indices.dropLast(3).last { Array(bomb[$0..<$0 + 4]) == [0x50, 0x4B, 1, 2] })
    for offset in 24..<28 { bomb[directory + offset] = 0xF0 }
    #expect(throws: FieldError.self) { try OwnFormat(of: bomb) }
  }

  @Test("A feed becomes a timetable: its map, stops in Chinese, journeys, and departures")
  func timetable() async throws {
    try await Visitor.serving { visitor in
      let city = try await visitor.drop(ExampleCity.feed(today: Date()), named: "feed.zip")
      #expect(city.isTimetable && city.zone == "UTC")
      #expect(city.validation?.failures.map(\.file) == ["stop_times.txt", "stop_times.txt"])
      #expect(city.validation?.failures.allSatisfy { $0.line ?? 0 > 1 } == true)
      let map: TransitMap = try await visitor.get("/api/own/\(city.id)/map")
      #expect(map.lines.count == 18 - 1 && map.stops.count == city.count)
      #expect(map.lines.allSatisfy { $0.color != nil && $0.points.count > 20 })
      let stops: [TransitStopPayload] = try await visitor.get(
        "/api/own/\(city.id)/stops?text=%E6%B8%AF%E7%81%A3")
      #expect(stops.map(\.id) == ["HAR"] && stops.map(\.name) == ["Harbour Square"])
      let translated: [TransitStopPayload] = try await visitor.get(
        "/api/own/\(city.id)/stops?text=harbour&language=zh-Hant")
      #expect(translated.map(\.name) == ["港灣廣場"])
      let journey = "/api/own/\(city.id)/journeys?from=WES&to=AIR&day=\(Self.today)&time=08:10"
      let answer: TransitAnswer = try await visitor.get(journey)
      let first = try #require(answer.journeys.first)
      #expect(first.legs.allSatisfy { $0.points.count >= 4 && $0.predictionAge == nil })
      #expect(first.departure.minutes >= 490 && first.minutes > 10 && answer.live == nil)
      let board: TransitBoard = try await visitor.get(
        "/api/own/\(city.id)/departures?stop=CEN&day=\(Self.today)&time=08:10")
      #expect(board.departures.count == 12 && Set(board.departures.map(\.route)).count >= 3)
      let late: TransitAnswer = try await visitor.get(
        "/api/own/\(city.id)/journeys?from=WES&to=AIR&day=2001-01-01&time=08:10")
      #expect(late.journeys.isEmpty && late.absence == "notYetValid")
      await #expect(throws: Refused.self) {
        let _: TransitAnswer = try await visitor.get(
          "/api/own/\(city.id)/journeys?from=NONE&to=AIR")
      }
    }
  }

  @Test("A feed whose service has ended is shown all the same, with journeys on its days")
  func endedFeed() async throws {
    try await Visitor.serving { visitor in
      let years = 6.0 * 365 * 86_400
      let feed = ExampleCity.feed(today: Date().addingTimeInterval(-years))
      let city = try await visitor.drop(feed, named: "old.zip")
      let last = try #require(city.lastDay)
      let lastRefresh = try #require(city.lastRefresh)
      #expect(last < Self.today && abs(lastRefresh.timeIntervalSinceNow) < 600)
      let map: TransitMap = try await visitor.get("/api/own/\(city.id)/map")
      #expect(map.day <= last && map.lines.count == 17)
      let answer: TransitAnswer = try await visitor.get(
        "/api/own/\(city.id)/journeys?from=WES&to=AIR&day=\(map.day)&time=08:10")
      #expect(!answer.journeys.isEmpty)
      let now: TransitAnswer = try await visitor.get("/api/own/\(city.id)/journeys?from=WES&to=AIR")
      #expect(now.absence == "expired")
      let report: RefreshPayload = try await visitor.answer(.post, "/api/own/\(city.id)/refresh")
      #expect(report.failure == nil)
    }
  }

  @Test(
    "A delayed train changes the answer, which says how old the live data is, until it's on time again"
  )
  func delay() async throws {
    try await Visitor.serving { visitor in
      let city = try await visitor.read("https://transit.example/gtfs.zip")
      let journey = "/api/own/\(city.id)/journeys?from=WES&to=AIR&day=\(Self.today)&time=08:10"
      let before: TransitAnswer = try await visitor.get(journey)
      let ride = try #require(before.journeys.first?.legs.first { !$0.isWalk })
      let trip = try #require(ride.trip)
      let stop = try #require(ride.from?.id)
      let live: TransitLive = try await visitor.answer(
        .post, "/api/own/\(city.id)/delay?trip=\(trip)&stop=\(stop)&day=\(Self.today)&minutes=45")
      #expect(live.isFresh && live.trips == 1 && live.age < 60)
      let after: TransitAnswer = try await visitor.get(journey)
      #expect(after.live?.minutes == 45)
      #expect(after.journeys.first?.legs.first { !$0.isWalk }?.trip != trip)
      let board: TransitBoard = try await visitor.get(
        "/api/own/\(city.id)/departures?stop=\(stop)&day=\(Self.today)&time=08:50")
      let late = try #require(board.departures.first { $0.trip == trip })
      #expect(late.predictionAge.map { $0 < 60 } == true)
      #expect(late.departure.minutes == ride.departure.minutes + 45)
      #expect(late.scheduledDeparture?.minutes == ride.departure.minutes)
      let _: Done = try await visitor.answer(.delete, "/api/own/\(city.id)/delay")
      let again: TransitAnswer = try await visitor.get(journey)
      #expect(again.live == nil && again.journeys.first?.arrival == before.journeys.first?.arrival)
      await #expect(throws: Refused.self) {
        let _: TransitLive = try await visitor.answer(
          .post, "/api/own/\(city.id)/delay?trip=none&stop=\(stop)&day=\(Self.today)&minutes=5")
      }
    }
  }

  private static var today: String { CalendarDay(Date(), in: .utc).description }

  @Test("A source that lies or fails changes nothing")
  func faults() async throws {
    try await Visitor.serving { visitor in
      let parks = try await visitor.read("https://data.example/parks.geojson")
      let city = try await visitor.read("https://transit.example/gtfs.zip")
      #expect(parks.count == 48 && parks.placed == 48)
      for mode in [NetworkMode.html, .truncated, .empty, .error500, .lying, .offline] {
        let _: HelloPayload = try await visitor.answer(.post, "/api/network/\(mode.rawValue)")
        for dataset in [parks, city] {
          let report: RefreshPayload = try await visitor.answer(
            .post, "/api/own/\(dataset.id)/refresh")
          #expect(report.failure?.code.contains(".") == true, "\(mode) \(dataset.title)")
          let kept: OwnPayload = try await visitor.get("/api/own/\(dataset.id)")
          #expect(kept.count == dataset.count && kept.lastRefresh == dataset.lastRefresh)
        }
      }
      let _: HelloPayload = try await visitor.answer(.post, "/api/network/normal")
      let report: RefreshPayload = try await visitor.answer(.post, "/api/own/\(parks.id)/refresh")
      #expect(report.outcome == "notModified" && report.failure == nil)
    }
  }
}

@Suite struct PublicTransportTests {
  /// A transport that says which addresses it was asked for.
  private final class Recorder: Transport {
    let asked = Locked<[String]>([])
    let redirects: [String: String]

    init(redirects: [String: String] = [:]) { self.redirects = redirects }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let address = request.url.absoluteString
      asked.withLock { $0.append(address) }
      guard let target = redirects[address] else {
        return TransportResponse(status: 200, body: .text("id,n\n1,2\n"))
      }
      return TransportResponse(status: 302, fields: ["Location": target])
    }
  }

  private static let names: [String: [UInt8]] = [
    "public.test": [93, 184, 215, 14], "inside.test": [10, 1, 2, 3], "127.0.0.1": [127, 0, 0, 1],
  ]

  private func transport(_ recorder: Recorder) -> PublicTransport {
    PublicTransport(base: recorder, examples: recorder) { host in
      Self.names[host].map { [HostAddress(bytes: $0)] } ?? []
    }
  }

  private func send(_ address: String, _ recorder: Recorder) async throws -> TransportResponse {
    let url = try #require(URL(string: address))
    return try await transport(recorder).send(TransportRequest(url: url, operation: "test"))
  }

  @Test("A public host is asked, with https in place of http")
  func publicHosts() async throws {
    let recorder = Recorder(redirects: ["https://public.test/a": "http://public.test/b"])
    #expect(try await send("http://public.test/a", recorder).status == 200)
    #expect(recorder.asked.withLock { $0 } == ["https://public.test/a", "https://public.test/b"])
  }

  @Test(
    "Addresses of this machine and of its network are refused, also behind a redirect",
    arguments: [
      "https://127.0.0.1/", "https://inside.test/", "https://inside.test./",
      "https://user:pw@public.test/",
      "https://public.test:22/", "http://public.test:8080/", "file:///etc/passwd",
      "gopher://public.test/",
      "https://public.test/to-inside", "https://public.test/to-file", "https://public.test/loop",
    ])
  func refused(address: String) async throws {
    let recorder = Recorder(redirects: [
      "https://public.test/to-inside": "https://inside.test/secret",
      "https://public.test/to-file": "file:///etc/passwd",
      "https://public.test/loop": "https://public.test/loop",
    ])
    await #expect(throws: FieldError.self) { try await send(address, recorder) }
    #expect(recorder.asked.withLock { $0 }.allSatisfy { $0.hasPrefix("https://public.test/") })
  }

  @Test("Only addresses of the public internet are public")
  func addresses() {
    let inside: [[UInt8]] = [
      [0, 0, 0, 0], [10, 0, 0, 1], [100, 64, 0, 1], [127, 0, 0, 1], [169, 254, 169, 254],
      [172, 16, 0, 1],
      [172, 31, 255, 255], [192, 168, 1, 1], [192, 0, 2, 1], [198, 18, 0, 1], [224, 0, 0, 1],
      [255, 255, 255, 255], [],
    ]
    for bytes in inside { #expect(!HostAddress(bytes: bytes).isPublic, "\(bytes)") }
    for bytes in [[8, 8, 8, 8], [172, 32, 0, 1], [100, 128, 0, 1], [193, 0, 0, 1]] as [[UInt8]] {
      #expect(HostAddress(bytes: bytes).isPublic, "\(bytes)")
    }
    func wide(_ first: [UInt8], _ last: [UInt8] = []) -> HostAddress {
      HostAddress(bytes: first + [UInt8](repeating: 0, count: 16 - first.count - last.count) + last)
    }
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    for address in [
      wide([], [1]), wide([]), wide([0xFC]), wide([0xFD, 1]), wide([0xFE, 0x80]), wide([0xFF, 2]),
      wide(mapped + [127, 0, 0, 1]), wide([0x20, 2, 10, 0, 0, 1]), wide([0x20, 1, 0xD, 0xB8]),
      wide([0x20, 1]),
      wide([0, 0x64, 0xFF, 0x9B], [169, 254, 169, 254]),
    ] {
      #expect(!address.isPublic, "\(address.bytes)")
    }
    #expect(wide([0x2A, 0]).isPublic && wide(mapped + [8, 8, 8, 8]).isPublic)
  }

  @Test(
    "The resolver finds the loopback interface behind names and unusual spellings",
    arguments: ["localhost", "127.1", "0x7f000001", "2130706433"])
  func resolver(host: String) async throws {
    let addresses = try await HostAddress.addresses(of: host)
    #expect(addresses.allSatisfy { !$0.isPublic })
  }
}
