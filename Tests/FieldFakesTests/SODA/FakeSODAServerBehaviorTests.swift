import FieldCore
import Foundation
import TestSupport
import Testing

@testable import FieldFakes

/// What a portal does beside answering: moving on, lagging, refusing, failing.
@Suite("The fake portal's behavior")
struct FakeSODAServerBehaviorTests {
  @Test("the fake portal has IDs whose text order differs from the server's, and parses them")
  func identifiers() async throws {
    let ids = FakeSODAIdentifier(prefix: "row-", seed: 42)
    var random = SeededGenerator(seed: 3)
    for number in [0, 1, -1, .max, .min]
      + (0..<500).map({ _ in Int64.random(in: .min ... .max, using: &random) })
    {
      #expect(ids.number(ids.text(number)) == number)
    }
    for text in [
      "", "row-", "rv-2222-2222-2222", "row-2222-2222-222", "row-2222+2222-2222",
      "row-222l-2222-2222",
    ] {
      #expect(ids.number(text) == nil)
    }
    let server = FakeSODAServer(
      columns: ["id"], key: "id", rows: (0..<50).map { ["id": .text("\($0)")] })
    let portal = Portal(server: server)
    let texts = server.rowIDs
    #expect(texts.sorted() != texts && Set(texts).count == 50)
    #expect(
      texts.allSatisfy {
        $0.wholeMatch(of: /row-[2-9a-z]{4}[-._~][2-9a-z]{4}[-._~][2-9a-z]{4}/) != nil
      })
    server.delete("24")
    #expect(try await portal.column("id", ["$where": ":id > '\(texts[24])'"]).first == "25")
    #expect(
      try await portal.column(":id", ["$select": ":id", "$order": ":id desc"])
        == texts.reversed().filter { $0 != texts[24] })
    // Ids with every kind of separator are among them, the dot too.
    #expect(texts.contains { $0.contains(".") })
    for (index, text) in texts.enumerated() where index != 24 {
      let row = try await portal.get("/resource/test-data/\(text).json")
      #expect(try portal.text(row) == #"{"id":"\#(index)"}"# + "\n")
    }
    #expect(try await portal.get("/resource/test-data/\(texts[24]).json").status == 404)
  }

  @Test("the fake portal gives written rows a new stamp and version, and forgets deleted ones")
  func writing() async throws {
    let clock = ManualClock()
    let server = FakeSODAServer(
      columns: ["id", "name"], key: "id", rows: [["id": "1", "name": "a"], ["id": "2"]],
      clock: clock)
    let portal = Portal(server: server)
    let before = try await portal.rows(["$select": ":*,*"])
    clock.advance(by: .seconds(5))
    #expect(server.update("1", ["name": .null]) == 1)
    #expect(server.upsert([["id": "2", "name": "b"], ["id": "3"]])[0] == server.rowIDs[1])
    let after = try await portal.rows(["$select": ":*,*"])
    #expect(after.map { $0["name"] as? String } == [nil, "b", nil])
    #expect(after[0][":id"] as? String == before[0][":id"] as? String)
    #expect(after[0][":created_at"] as? String == "2026-01-01T00:00:00.000Z")
    #expect(after[0][":updated_at"] as? String == "2026-01-01T00:00:05.000Z")
    #expect(after[1][":updated_at"] as? String == "2026-01-01T00:00:05.001Z")
    #expect(after[0][":version"] as? String != before[0][":version"] as? String)
    #expect((after[0][":version"] as? String)?.hasPrefix("rv-") == true)
    #expect(server.delete("1", "9") == 1)
    server.insert([["id": "1"]], at: Date(timeIntervalSince1970: 0))
    #expect(try await portal.column("id", ["$order": ":updated_at"]) == ["1", "2", "3"])
    let old = server.rowIDs
    server.replaceAll([["id": "2"], ["id": "3"]])
    #expect(Set(server.rowIDs).isDisjoint(with: old) && server.rowCount == 2)
    #expect(server.update(where: { $0["id"] == "3" }, ["name": "x"]) == 1)
    #expect(server.delete(where: { $0["name"] == nil }) == 1)
    #expect(server.rows == [["id": "3", "name": "x"]])
  }

  @Test("the fake portal prints microseconds as milliseconds and compares them whole, on request")
  func microseconds() async throws {
    var options = FakeSODAServer.Options()
    options.keepsMicroseconds = true
    let server = FakeSODAServer(columns: ["id"], options: options)
    server.insert([["id": "1"]], at: Date(timeIntervalSince1970: 1.0005))
    let portal = Portal(server: server)
    let stamp = try await portal.column(":updated_at", ["$select": ":updated_at"])[0]
    #expect(stamp == "1970-01-01T00:00:01.000Z")
    #expect(try await portal.rows(["$where": ":updated_at = '\(stamp)'"]).isEmpty)
    #expect(try await portal.rows(["$where": ":updated_at > '\(stamp)'"]).count == 1)
  }

  @Test("the fake portal responds from replicas in turn, which report their age or lie")
  func replicas() async throws {
    let clock = ManualClock()
    let server = FakeSODAServer(columns: ["id"], clock: clock)
    server.insert([["id": "1"]])
    let frozen = server.frozenReplica()
    clock.advance(by: .seconds(60))
    server.insert([["id": "2"]])
    clock.advance(by: .seconds(60))
    server.insert([["id": "3"]])
    server.replicas = [
      .current, .behind(writes: 1), .behind(.seconds(90)), frozen, .behind(writes: 1).lying,
      .current.claiming(outOfDate: true), .behind(writes: 99),
    ]
    var seen: [String] = []
    for _ in 0..<8 {
      let answer = try await Portal(server: server).get()
      let isLevel =
        answer.fields["X-SODA2-Truth-Last-Modified"]
        == answer.fields["X-SODA2-Secondary-Last-Modified"]
      seen.append(
        "\(try Portal.rows(answer).count) \(answer.fields["X-SODA2-Data-Out-Of-Date"] ?? "") \(isLevel)"
      )
    }
    #expect(
      seen == [
        "3 false true", "2 true false", "1 true false", "1 true false", "2 false true",
        "3 true true",
        "0 true false", "3 false true",
      ])
    server.replicaForRequest = { _ in 3 }
    #expect(try await Portal(server: server).rows().count == 1)
  }

  @Test("the fake portal meets requests with faults by number, by choice, and by plan")
  func faults() async throws {
    let server = smallPortal()
    server.faults.append(.status(503), onRequests: 2...3)
    server.faults.append(.invalidToken) { $0.token == "old" }
    server.faults.append(.tooManyRequests(retryAfter: "7"), onRequest: 4)
    server.faults.append(.drop(.timeout), onRequest: 5)
    server.faults.append(.cutBody(after: 9), onRequest: 6)
    server.faults.append(.truncatedBody(after: 9), onRequest: 7)
    server.faults.append(.first(8, .lostResponse()).when { $0.operation == "never" })
    let portal = Portal(server: server)
    #expect(try await portal.get().status == 200)
    #expect(try await portal.get().status == 503)
    #expect(try await portal.get().status == 503)
    let busy = try await portal.get()
    #expect(busy.status == 429 && busy.fields["Retry-After"] == "7")
    await #expect { try await portal.get() } throws: { ($0 as? FieldError)?.code == .timeout }
    await #expect { try await portal.get() } throws: { ($0 as? FieldError)?.code == .bodyCut }
    let cut = try await portal.get()
    #expect(cut.status == 200)
    #expect(try portal.text(cut) == #"[{"id":"1"#)
    #expect(try await portal.get(nil, fields: ["X-App-Token": "old"]).status == 403)
    #expect(try await portal.get().status == 200)
    #expect(server.faults.metCount == 7 && server.requestCount == 9)
  }

  @Test("the fake portal hangs until the request is canceled, if asked to")
  func silence() async throws {
    let server = smallPortal()
    server.faults.append(.silence, onRequest: 1)
    let task = Task { try await Portal(server: server).get() }
    try await eventually { server.requestCount > 0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("the fake portal can be changed between two requests by an observer")
  func hook() async throws {
    let server = smallPortal()
    server.onRequest = { [weak server] number, request in
      if number == 2 && request[parameter: "$limit"] == "2" { server?.delete("3") }
    }
    let portal = Portal(server: server)
    #expect(try await portal.column("id", ["$limit": "2"]) == ["1", "2"])
    #expect(try await portal.column("id", ["$limit": "2", "$offset": "2"]) == ["4"])
    #expect(server.requests[1].parameters.map(\.name) == ["$limit", "$offset"])
  }

  @Test(
    "the fake portal detects unchanged data by its exact tag",
    arguments: [FakeSODAServer.EntityTagStyle.strong, .gzipSuffix, .weak])
  func tags(style: FakeSODAServer.EntityTagStyle) async throws {
    var options = FakeSODAServer.Options()
    options.entityTag = style
    let server = smallPortal(options)
    let portal = Portal(server: server)
    let tag = try #require(try await portal.get().fields["ETag"])
    #expect(tag.hasPrefix(style == .weak ? "W/\"" : "\""))
    #expect(tag.hasSuffix("--gzip--gzip\"") == (style == .gzipSuffix))
    #expect(try await portal.get(nil, fields: ["If-None-Match": tag]).status == 304)
    #expect(
      try await portal.get(nil, fields: ["If-None-Match": tag.replacing("\"", with: "")]).status
        == 200)
    #expect(
      try await portal.get(nil, ["$limit": "1"], fields: ["If-None-Match": tag]).status == 200)
    #expect(try await portal.get(nil, fields: ["If-None-Match": tag, "Accept": "x"]).status == 200)
    let file = "/api/views/gh4g-9sfh/rows.json"
    let fileTag = try #require(try await portal.get(file).fields["ETag"])
    #expect(try await portal.get(file, fields: ["If-None-Match": fileTag]).status == 304)
    server.update("1", ["mass": 22])
    #expect(try await portal.get(nil, fields: ["If-None-Match": tag]).status == 200)
    #expect(try await portal.get(file, fields: ["If-None-Match": fileTag]).status == 200)
  }

  @Test("the fake portal describes its columns, and reports the time of its own clock")
  func headers() async throws {
    let answer = try await Portal(server: smallPortal()).get(
      nil, ["$select": "id,mass,count(*)", "$group": "id,mass"])
    #expect(answer.fields["X-SODA2-Fields"] == #"["id","mass","count"]"#)
    #expect(answer.fields["X-SODA2-Types"] == #"["text","number","number"]"#)
    #expect(answer.fields["Date"] == "Thu, 01 Jan 2026 00:00:00 GMT")
    #expect(answer.fields["X-SODA2-Row-Count"] == "4")
    #expect(answer.fields["X-Socrata-RequestId"] == "fake-1")
  }

  @Test("the fake portal accepts known tokens, and records those in URLs")
  func tokens() async throws {
    var options = FakeSODAServer.Options()
    options.acceptedTokens = ["good"]
    let server = smallPortal(options)
    let portal = Portal(server: server)
    #expect(try await portal.get(nil, fields: ["X-App-Token": "good"]).status == 200)
    let refusal = try await portal.get(nil, fields: ["X-App-Token": "bad"])
    #expect(refusal.status == 403)
    #expect(
      try portal.text(refusal)
        == #"{"code":"permission_denied","error":true,"message":"Invalid app_token specified"}"#
        + "\n")
    #expect(try await portal.get(nil, ["$$app_token": "good"]).status == 200)
    #expect(server.requests.map(\.tokensInAddress) == [[], [], ["good"]])
  }

  @Test("the fake portal supports SODA 3: a query in a POST, a page, and a token or none")
  func version3() async throws {
    let server = smallPortal()
    let portal = Portal(server: server)
    func post(_ body: String, token: String? = "t") async throws -> TransportResponse {
      var fields: HTTPHeaderFields = [:]
      fields["X-App-Token"] = token
      return try await server.send(
        TransportRequest(
          .post, url: server.url("/api/v3/views/gh4g-9sfh/query.json"), fields: fields,
          body: .text(body), operation: "test.rows"))
    }
    let page = try await post(
      #"{"query":"SELECT id WHERE mass IS NOT NULL ORDER BY id DESC","page":{"pageNumber":2,"pageSize":2},"includeSynthetic":false}"#
    )
    #expect(try portal.text(page) == #"[{"id":"1"}]"# + "\n")
    #expect(try await post(#"{"query":"SELECT id"}"#, token: nil).status == 403)
    #expect(try await post(#"{"page":{}}"#).status == 400)
    #expect(try await post(#"{"query":"SELECT id","nope":1}"#).status == 400)
    #expect(try await post("[]").status == 400)
    let get = try await portal.get(
      "/api/v3/views/gh4g-9sfh/query.json", ["query": "SELECT id LIMIT 1", "app_token": "t"])
    #expect(try portal.text(get) == #"[{"id":"1"}]"# + "\n")
    server.options.requiresToken = false
    #expect(try await post(#"{"query":"SELECT id"}"#, token: nil).status == 200)
  }

  @Test("the fake portal imitates SODA 2.0 on request")
  func version20() async throws {
    var options = FakeSODAServer.Options()
    options.flavor = .soda20
    let portal = Portal(server: smallPortal(options))
    #expect(try await portal.refusal(["$limit": "50001"]) == "400 req.row-limit-exceeded")
    #expect(try await portal.column("id", ["name": "aachen"]) == ["1"])
    #expect(try await portal.rows()[0][":id"] == nil)
    #expect(try await portal.rows(["$$exclude_system_fields": "false"])[0][":id"] != nil)
    #expect(try await portal.get().fields["X-SODA2-Legacy-Types"] == "true")
  }

  @Test("the fake portal leaves computed columns out of a star if there is an order")
  func computed() async throws {
    let server = FakeSODAServer(
      columns: ["id", ":@computed_region_x"], rows: [["id": "1", ":@computed_region_x": "7"]])
    let portal = Portal(server: server)
    #expect(try await portal.rows()[0].count == 2)
    #expect(try await portal.rows(["$order": "id"])[0].count == 1)
    #expect(
      try await portal.rows(["$select": "*,:@computed_region_x", "$order": "id"])[0].count == 2)
  }

  @Test("the fake portal caps pages, repeats itself, or never ends, on request")
  func pages() async throws {
    let server = FakeSODAServer(columns: ["id"], rows: (0..<10).map { ["id": .text("\($0)")] })
    let portal = Portal(server: server)
    server.options.pageCap = 3
    #expect(try await portal.rows(["$limit": "5"]).count == 3)
    server.options.pageCap = nil
    server.options.staticRows = 4
    #expect(
      try await portal.column("id", ["$offset": "4", "$where": "id = '9'"]) == ["0", "1", "2", "3"])
    server.options.staticRows = nil
    server.options.unboundedRow = { ["id": .text("new \($0)")] }
    var cursor = server.rowIDs[9]
    for page in 0..<5 {
      let rows = try await portal.rows(
        ["$select": "*,:id", "$where": ":id > '\(cursor)'", "$order": ":id", "$limit": "4"])
      #expect(rows.compactMap { $0["id"] as? String } == (0..<4).map { "new \(page * 4 + $0)" })
      cursor = try #require(rows.last?[":id"] as? String)
    }
  }

  @Test(
    "the fake portal formats errors in each of the shapes",
    arguments: [
      (
        FakeSODAServer.ErrorShape.documented,
        #"{"code":"query.soql.no-such-column","error":true,"message":"No such column: x","data":{"column":"x","dataset":"gh4g-9sfh","position":{"row":1,"column":1}}}"#
      ),
      (
        .coordinator,
        #"{"message":"Query coordinator error: query.soql.no-such-column; No such column: x","errorCode":"query.soql.no-such-column","data":{"column":"x","dataset":"gh4g-9sfh","position":{"row":1,"column":1}}}"#
      ),
      (.withoutMessage, #"{"code":"query.soql.no-such-column","error":true}"#),
      (.nested, #"{"error":{"message":"No such column: x"}}"#),
    ])
  func errors(shape: FakeSODAServer.ErrorShape, text: String) async throws {
    var options = FakeSODAServer.Options()
    options.errorShape = shape
    let portal = Portal(server: smallPortal(options))
    #expect(try portal.text(try await portal.get(nil, ["$select": "x"])) == text + "\n")
  }

  @Test("the fake portal returns CSV, GeoJSON, metadata, and rows.json")
  func formats() async throws {
    let server = smallPortal()
    let portal = Portal(server: server)
    let csv = try await portal.get(
      "/resource/gh4g-9sfh.csv", ["$select": "id,name,place", "$where": "id in ('1','3')"])
    #expect(
      try portal.text(csv)
        == "\"id\",\"name\",\"place\"\n\"1\",\"Aachen\",\"POINT (6.08333 50.775)\"\n"
        + "\"3\",\"Ångström & \"\"Söhne\"\"\n\",\"\"\n")
    let features = try await portal.get(
      "/resource/gh4g-9sfh.geojson", ["$select": "id,mass,place", "$where": "id in ('1','3')"])
    #expect(
      try portal.text(features).hasPrefix(
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[6.08333,50.775]},"properties":{"id":"1","mass":"21"}}"#
          + "\n" + #",{"type":"Feature","geometry":null,"properties":{"id":"3","mass":null}}]"#))
    let view = try JSONSerialization.jsonObject(
      with: Data(try await portal.get("/api/views/gh4g-9sfh.json").body.bytes()))
    let columns = (view as? [String: Any])?["columns"] as? [[String: Any]]
    #expect(columns?[3]["dataTypeName"] as? String == "calendar_date")
    #expect((view as? [String: Any])?["rowsUpdatedAt"] as? Int == 1_767_225_600)
    let all = try JSONSerialization.jsonObject(
      with: Data(try await portal.get("/api/views/gh4g-9sfh/rows.json").body.bytes()))
    let data = (all as? [String: Any])?["data"] as? [[Any]]
    #expect(
      data?.count == 4 && data?[0].count == 15 && data?[0][11] as? String == "1880-01-01T00:00:00")
    #expect(data?[0][0] as? String == server.rowIDs[0])
    #expect(try await portal.get("/resource/aaaa-bbbb.json").status == 404)
    server.isRetired = true
    #expect(try await portal.get().status == 404)
  }

  @Test("the fake portal computes only the requested page of very many generated rows")
  func made() async throws {
    let server = FakeSODAServer(columns: ["id", "name"], key: "id")
    let count = Sample.rounds(1_000_000, 60_000, inDebug: 20_000)
    let key = count * 2 / 3
    server.generate(count, stamp: { Date(timeIntervalSince1970: Double($0 / 1000)) }) {
      ["id": .text("\($0)")]
    }
    let portal = Portal(server: server)
    let middle = try await portal.rows(["$select": "*,:id,:updated_at", "$where": "id = '\(key)'"])[
      0]
    let stamp = try #require(middle[":updated_at"] as? String)
    let id = try #require(middle[":id"] as? String)
    let next = try await portal.column(
      "id",
      [
        "$where": "(:updated_at > '\(stamp)' OR (:updated_at = '\(stamp)' AND :id > '\(id)'))",
        "$order": ":updated_at,:id", "$limit": "1000",
      ])
    #expect(next.first == "\(key + 1)" && next.count == 1000 && server.lastVisitedCount == 1000)
    #expect(try await portal.rows(["$select": "count(*)"])[0]["count"] as? String == "\(count)")
    server.delete(where: { $0["id"] == .text("\(key + 1)") })
    #expect(server.rowCount == count - 1)
    #expect(
      try await portal.column("id", ["$where": ":id > '\(id)'", "$order": ":id", "$limit": "1"])
        == ["\(key + 2)"])
  }

  @Test(
    "the fake portal loads the whole real dataset, and pages over its single stamp", .heavy,
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func real() async throws {
    let wanted = Sample.rounds(46, 6, inDebug: 2) * 1_000 - 284
    let bytes = Sample.lines(
      of: try SharedData.bytes("meteor/derived/full_soda_point_with_system_fields.ndjson.gz"),
      wanted)
    let server = FakeSODAServer(
      dataset: "y77d-th95",
      columns: [
        "name", "id", "nametype", "recclass", .init("mass", .number), "fall",
        .init("year", .floatingTimestamp), "reclat", "reclong", .init("geolocation", .point),
      ], key: "id")
    #expect(try server.load(json: bytes).count == wanted)
    let portal = Portal(server: server)
    var (seen, names, cursor, pages) = (Set<String>(), Set<String>(), "", 0)
    while true {
      let rows = try await portal.rows([
        "$select": "*,:id,:updated_at",
        "$where": cursor.isEmpty
          ? "true"
          : ":updated_at > '2015-10-29T18:35:34.000Z' or (:updated_at = '2015-10-29T18:35:34.000Z' and :id > '\(cursor)')",
        "$order": ":updated_at,:id", "$limit": "1000",
      ])
      guard let last = rows.last?[":id"] as? String else { break }
      #expect(server.lastVisitedCount <= 1000)
      seen.formUnion(rows.compactMap { $0["id"] as? String })
      names.formUnion(rows.compactMap { $0["name"] as? String })
      (cursor, pages) = (last, pages + 1)
    }
    #expect(seen.count == wanted && pages == (wanted + 999) / 1000)
    let fell = try await portal.column(
      "name",
      ["$where": "fall = 'Fell' and year >= '2011-01-01' and mass > 2000", "$order": "mass desc"])
    let heaviest = ["Chelyabinsk", "Thika", "Tissint", "Boumdeid (2011)", "Battle Mountain"]
    #expect(fell == heaviest.filter(names.contains))
  }

  @Test("the fake portal is sent in chunks, and ends in the middle of one if it is truncated")
  func loopback() async throws {
    let portal = smallPortal()
    let server = try LoopbackServer(serving: portal)
    portal.faults.append(.cutBody(after: 9), onRequest: 2)
    portal.faults.append(.drop(), onRequest: 3)
    let request =
      "GET /resource/gh4g-9sfh.json?$select=id&$limit=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    let whole = try await Wire.talk(to: server, request)
    #expect(whole.hasSuffix("\r\n\r\nd\r\n[{\"id\":\"1\"}]\n\r\n0\r\n\r\n"), "\(whole)")
    let cut = try await Wire.talk(to: server, request)
    #expect(cut.hasPrefix("HTTP/1.1 200") && cut.hasSuffix("\r\n\r\nd\r\n[{\"id\":\"1"), "\(cut)")
    #expect(try await Wire.talk(to: server, request).isEmpty)
    await server.stop()
  }
}
