import FieldCore
import FieldFakes
import FieldPortals
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("data.taipei")
struct TaipeiOpenDataTests {
  /// A dataset of so many rows, as the portal serves it.
  struct Portal: Transport {
    var count: Int
    var cap = 1000
    var announces: Int?
    var ignoresOffset = false
    var hidesCount = false
    var badRows: Set<Int> = []
    let requests = Lock<[URL]>([])

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      requests.withLock { $0.append(request.url) }
      let query = request.url.query() ?? ""
      func number(_ name: String) -> Int? {
        query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
          .flatMap { Int($0.dropFirst(name.count + 1)) }
      }
      let limit = min(number("limit") ?? 20, cap)
      let offset = ignoresOffset ? 0 : number("offset") ?? 0
      let rows = (offset..<max(offset, min(count, offset + limit))).map { index in
        badRows.contains(index)
          ? "\(index)"
          : """
          {"_id":\(index + 1),"_importdate":{"date":"2022-12-23 14:05:\(10 + index % 40).668579",\
          "timezone_type":3,"timezone":"Asia/Taipei"},"\\uFEFFName":"動物 \(index)","n":\(index)}
          """
      }
      let counted = hidesCount ? "" : #""count":\#(announces ?? count),"#
      return TransportResponse(
        status: 200, fields: ["Date": "Fri, 23 Dec 2022 06:06:00 GMT"],
        body: .text(
          #"{"result":{"limit":\#(limit),"offset":\#(offset),\#(counted)"results":[\#(rows.joined(separator: ","))]}}"#
        ))
    }
  }

  struct Animal: RowRecord, Equatable {
    var name: String
    var number: Int

    static var rowColumns: [RowColumn] { [RowColumn("name"), RowColumn("n")] }
    static var rowKey: Int { 0 }

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let name = row.trimmedText(0), let number = row.integer(1) else {
        throw RowProblem("there is no name or number")
      }
      (self.name, self.number) = (name, number)
    }
  }

  private func read(
    _ portal: TaipeiOpenData, _ dataset: TaipeiDataset = .zooAnimals
  ) async throws -> (animals: [Animal], pages: [Int], summary: OpenDataSummary) {
    var animals: [Animal] = []
    var pages: [Int] = []
    let summary = try await portal.read(dataset, as: Animal.self, operation: "zoo.animals.page") {
      animals += $0
      pages.append($0.count)
    }
    return (animals, pages, summary)
  }

  // MARK: addresses

  @Test("data.taipei is requested at the URLs of both its APIs")
  func addresses() throws {
    var portal = TaipeiOpenData(transport: Portal(count: 0), pageSize: 5000)
    #expect(portal.pageSize == 1000)
    #expect(
      try portal.address(of: "a b/c", matching: "熊貓+1", offset: 40).absoluteString
        == "https://data.taipei/api/v1/dataset/a%20b%2Fc?scope=resourceAquire"
        + "&q=%E7%86%8A%E8%B2%93%2B1&limit=1000&offset=40")
    portal.form = .retired
    portal.pageSize = 0
    portal.base = address("http://mirror.example:8080/portal/")
    #expect(
      try portal.address(of: "55ec", matching: "").absoluteString
        == "http://mirror.example:8080/portal/opendata/datalist/apiAccess?scope=resourceAquire"
        + "&rid=55ec&limit=1&offset=0")
  }

  @Test("data.taipei is requested with an agent that looks like a browser, or with none")
  func agent() async throws {
    for (agent, sent) in [("Guide/1", "Guide/1"), (nil, nil)] as [(String?, String?)] {
      let stub = StubTransport {
        $0.on(
          "zoo.animals.page", method: .get,
          respond: .json(text: #"{"result":{"count":0,"results":[]}}"#))
      }
      _ = try await read(TaipeiOpenData(transport: stub, userAgent: agent))
      #expect(stub.requests.first?.fields["User-Agent"] == sent)
    }
    #expect(TaipeiOpenData(transport: Portal(count: 0)).userAgent?.hasPrefix("Mozilla/5.0") == true)
  }

  // MARK: paging

  @Test(
    "data.taipei is paged until all of its rows have arrived",
    arguments: [
      (0, 10, []), (1, 10, [1]), (10, 10, [10]), (11, 10, [10, 1]), (25, 10, [10, 10, 5]),
    ])
  func paging(count: Int, size: Int, pages: [Int]) async throws {
    let server = Portal(count: count)
    let result = try await read(TaipeiOpenData(transport: server, pageSize: size))
    #expect(result.pages == pages)
    #expect(result.animals.map(\.number) == Array(0..<count))
    #expect(result.summary.rowCount == count)
    #expect(result.summary.announcedRows == count)
    #expect(result.summary.resource == TaipeiDataset.zooAnimals.resources[0])
    #expect(server.requests.withLock(\.count) == max(pages.count, 1))
  }

  @Test("data.taipei is paged by what arrived if it returns fewer rows than requested")
  func caps() async throws {
    let server = Portal(count: 25, cap: 7)
    let result = try await read(TaipeiOpenData(transport: server))
    #expect(result.pages == [7, 7, 7, 4])
    #expect(result.animals.map(\.number) == Array(0..<25))
  }

  @Test("data.taipei is paged until no rows arrive if it doesn't report its row count")
  func uncounted() async throws {
    let server = Portal(count: 25, cap: 10, hidesCount: true)
    let result = try await read(TaipeiOpenData(transport: server))
    #expect(result.pages == [10, 10, 5])
    #expect(result.summary.announcedRows == nil)
    #expect(server.requests.withLock(\.count) == 4)
  }

  @Test("data.taipei is an error if it stops early, repeats itself, or never ends")
  func noProgress() async throws {
    for (server, pages) in [
      (Portal(count: 20, cap: 10, announces: 30), 1000),
      (Portal(count: 30, cap: 10, ignoresOffset: true), 1000), (Portal(count: 30, cap: 10), 2),
    ] {
      var animals = 0
      let portal = TaipeiOpenData(transport: server, maximumPageCount: pages)
      let error = await #expect(throws: FieldError.self) {
        try await portal.read(.zooAnimals, as: Animal.self, operation: "zoo.animals.page") {
          animals += $0.count
        }
      }
      #expect(error?.code == .datasetIncomplete)
      #expect(error?.operation == "zoo.animals.page")
      #expect(animals == (server.ignoresOffset ? 10 : 20), "no row is given twice")
      #expect(server.requests.withLock(\.count) <= 3)
    }
  }

  @Test("data.taipei is an error if its row count changes between two pages", arguments: [3, 5])
  func moved(count: Int) async throws {
    @Sendable func page(_ names: String..., of count: Int) -> TransportResponse {
      let rows = names.map { #"{"name":"\#($0)","n":1}"# }.joined(separator: ",")
      return TransportResponse(
        status: 200, fields: [:],
        body: .text(#"{"result":{"count":\#(count),"results":[\#(rows)]}}"#))
    }
    let stub = StubTransport {
      $0.on("zoo.animals.page") { request in
        request.url.absoluteString.hasSuffix("offset=0")
          ? page("a", "b", of: 4) : page("b", "c", "d", of: count)
      }
    }
    let error = await #expect(throws: FieldError.self) {
      try await read(TaipeiOpenData(transport: stub))
    }
    #expect(error?.code == .datasetIncomplete)
  }

  @Test("data.taipei may report its row count as text")
  func countAsText() async throws {
    let stub = StubTransport {
      $0.on(
        "zoo.animals.page",
        respond: .json(text: #"{"result":{"count":"1","results":[{"name":"a","n":1}]}}"#))
    }
    let result = try await read(TaipeiOpenData(transport: stub))
    #expect(result.summary.announcedRows == 1)
    #expect(stub.requests.count == 1)
  }

  @Test("data.taipei reports which rows of the whole dataset failed")
  func failures() async throws {
    let server = Portal(count: 25, cap: 10, badRows: [3, 10, 24])
    let result = try await read(TaipeiOpenData(transport: server))
    #expect(result.animals.count == 22)
    #expect(result.summary.failures.map(\.index) == [3, 10, 24])
    #expect(result.summary.rowCount == 25)
  }

  @Test("data.taipei reports the age of its data and its own time")
  func dates() async throws {
    let result = try await read(TaipeiOpenData(transport: Portal(count: 25, cap: 10)))
    let date = try #require(result.summary.importedAt)
    #expect(abs(date.timeIntervalSince1970 - 1_671_775_534.668579) < 1e-6)
    #expect(result.summary.serverDate?.timeIntervalSince1970 == 1_671_775_560)
    let stub = StubTransport {
      $0.on(
        "zoo.animals.page",
        respond: .json(
          text: #"""
            {"result":{"count":4,"results":[{"name":"a","n":1,"_importdate":"2022-12-23 14:05:14"},
            {"name":"b","n":1,"_importdate":{"date":"2022-12-23 14:05:14","timezone":"UTC","timezone_type":3}},
            {"name":"c","n":1,"_importdate":{"date":"2022-12-23 14:05:14","timezone":"+09:00","timezone_type":1}},
            {"name":"d","n":1,"_importdate":{"date":"2099-12-23 14:05:14","timezone":"Mars/Base","timezone_type":3}}]}}
            """#))
    }
    let zones = try await read(TaipeiOpenData(transport: stub))
    #expect(zones.summary.importedAt?.timeIntervalSince1970 == 1_671_804_314)
    #expect(zones.animals.count == 4)
  }

  // MARK: ids

  @Test(
    "data.taipei is requested with yesterday's ID if today's has no data",
    arguments: [
      StubTransport.Response.status(404), .status(410), .json(text: "{}"),
      .json(text: #"{"result":null}"#), .json(text: #"{"result":{}}"#),
      .json(text: #"{"error":"resource not found"}"#), .json(text: "[]"), .json(text: " null"),
      .json(text: #""no such resource""#),
    ])
  func retired(answer: StubTransport.Response) async throws {
    let stub = StubTransport {
      $0.on("zoo.animals.page", where: { $0.url.path().contains("6afa114d") }, respond: answer)
      $0.on(
        "zoo.animals.page", where: { $0.url.path().contains("a3e2b221") },
        respond: .json(text: #"{"result":{"count":1,"results":[{"name":"a","n":1}]}}"#))
    }
    let result = try await read(TaipeiOpenData(transport: stub))
    #expect(result.animals.count == 1)
    #expect(result.summary.resource == TaipeiDataset.zooAnimals.resources[1])
    stub.verifyAllUsed()
    let gone = StubTransport { $0.on("zoo.animals.page", respond: answer) }
    let error = await #expect(throws: FieldError.self) {
      try await read(TaipeiOpenData(transport: gone))
    }
    #expect(error?.code == .datasetRetired)
    #expect(error?.problems.count == 2)
    #expect(gone.requests.count == 2)
    let none = TaipeiDataset(id: "", name: "none", resources: [])
    let invalid = await #expect(throws: FieldError.self) {
      try await read(TaipeiOpenData(transport: gone), none)
    }
    #expect(invalid?.code == .invalidInput)
  }

  @Test(
    "data.taipei with a failure isn't mistaken for an ID without data",
    arguments: [
      (
        StubTransport.Response.text("<html><title>系統暫時無法提供服務</title></html>"),
        FieldError.Code.notData, "系統暫時"
      ),
      (.text("<html><title>系統暫時無法提供服務</title></html>", status: 500), .status, "系統暫時"),
      (.json(text: #"{"result":{"results":[{"n":1}"#), .cut, "cut off"),
      (.json(text: #"{"result":{"results":[{"n":1}]}"#), .cut, "cut off"),
      (.json(text: #"{"result":{"results":[{"n" 1}]}}"#), .malformed, "colon"),
      (.json(text: ""), .emptyBody, "empty"), (.text("Unauthorized"), .notData, "Unauthorized"),
      (.status(503), .status, "503"), (.status(429), .tooManyRequests, "429"),
      (.error(.timeout), .timeout, ""),
      (.error(URLError(.badURL)), .transport, "data.taipei"),
    ])
  func trouble(answer: StubTransport.Response, code: FieldError.Code, said: String) async throws {
    let stub = StubTransport { $0.on("zoo.animals.page", respond: answer) }
    let error = await #expect(throws: FieldError.self) {
      try await read(TaipeiOpenData(transport: stub))
    }
    #expect(error?.code == code)
    #expect(error?.operation == "zoo.animals.page")
    #expect(said.isEmpty || error?.message.contains(said) == true, "\(error?.message ?? "")")
    #expect(stub.requests.count == 1)
  }

  @Test("data.taipei has datasets with the documented IDs, newest first, each once")
  func registry() {
    let all: [TaipeiDataset] = [
      .zooAnimals, .zooAreas, .zooPlants, .zooServices, .metroArrivals, .metroExits,
      .metroStations,
    ]
    let ids = all.flatMap(\.resources).map(\.rawValue) + all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { UUID(uuidString: $0) != nil })
    #expect(all.map(\.resources.count) == [2, 2, 2, 1, 1, 1, 1])
    #expect(
      TaipeiDataset.metroExits.page?.absoluteString
        == "https://data.taipei/dataset/detail?id=cfa4778c-62c1-497b-b704-756231de348b")
  }

  // MARK: tables

  @Test("data.taipei is read as a table of strings")
  func table() async throws {
    let table = try await TaipeiOpenData(transport: Portal(count: 25, cap: 10, badRows: [24]))
      .table(of: .zooAreas)
    #expect(table.columns == ["_id", "_importdate", "Name", "n"])
    #expect(table.rows.count == 24)
    #expect(table.rows[12]["name"] == "動物 12")
    #expect(table.rows[12]["N"] == "12")
    #expect(table.rows[12].id == "13")
    #expect(table.rows[12]["_importdate"]?.hasPrefix(#"{"date":"#) == true)
    #expect(table.rows[12]["none"] == nil)
    #expect(table.failures.map(\.index) == [24])
    #expect(table.importedAt != nil && table.serverDate != nil)
    #expect(table.resource == TaipeiDataset.zooAreas.resources[0])
  }

  @Test("data.taipei is read as a table whose rows have different columns")
  func raggedTable() async throws {
    let stub = StubTransport {
      $0.on(
        "guide.rows",
        respond: .json(
          text: #"""
            {"result":{"count":3,"results":[{"_id":"x"," a ":null,"A":"1"},{"b":[1, 2],"_id":2},{"c":true}]}}
            """#))
    }
    let table = try await TaipeiOpenData(transport: stub)
      .table(of: .metroStations, matching: "x", operation: "guide.rows")
    #expect(table.columns == ["_id", "a", "A", "b", "c"])
    #expect(table.rows.map(\.id) == ["x", "2", nil])
    #expect(table.rows.map { $0["A"] } == ["1", nil, nil])
    #expect(table.rows.map { $0["b"] } == [nil, "[1, 2]", nil])
    #expect(table.rows.map { $0["c"] } == [nil, nil, "true"])
    #expect(stub.requests.first?.url.query()?.contains("q=x") == true)
  }

  // MARK: cancelling

  @Test("reading data.taipei stops between pages if its task is canceled")
  func cancellation() async throws {
    let server = Portal(count: 100, cap: 10)
    let task = Task {
      try await TaipeiOpenData(transport: server).read(
        .zooAnimals, as: Animal.self, operation: "zoo.animals.page"
      ) { _ in
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.withLock(\.count) == 1)
  }

  @Test("reading data.taipei stops if the consumer of the pages stops")
  func taker() async throws {
    struct Enough: Error {}
    let server = Portal(count: 100, cap: 10)
    await #expect(throws: Enough.self) {
      _ = try await TaipeiOpenData(transport: server).read(
        .zooAnimals, as: Animal.self, operation: "zoo.animals.page"
      ) { _ in throw Enough() }
    }
    #expect(server.requests.withLock(\.count) == 1)
  }

  @Test("a response of data.taipei truncated at any byte is an error")
  func cut() async throws {
    let whole = try await Portal(count: 2).send(
      TransportRequest(url: address("https://x/?limit=2"), operation: "x"))
    let bytes = try whole.body.bytes()
    for count in [0, bytes.count - 1] + Sample.of(1..<bytes.count - 1, inDebug: 80) {
      let stub = StubTransport {
        $0.on("zoo.animals.page", respond: .bytes(Array(bytes.prefix(count))))
      }
      let error = await #expect(throws: FieldError.self) {
        try await read(TaipeiOpenData(transport: stub))
      }
      #expect(error?.code == .cut || error?.code == .emptyBody, "after \(count) bytes")
    }
  }
}

extension TaipeiOpenData {
  /// Reads a dataset into records, one page at a time.
  fileprivate func read<Record: RowRecord>(
    _ dataset: TaipeiDataset, as type: Record.Type, operation: String,
    page: ([Record]) async throws -> Void
  ) async throws -> OpenDataSummary {
    var records: [Record] = []
    return try await eachRow(
      of: dataset, columns: Record.rowColumns, key: Record.rowKey, operation: operation
    ) { row throws(RowProblem) in
      records.append(try Record(row: row))
    } page: {
      let whole = records
      records.removeAll(keepingCapacity: true)
      try await page(whole)
    }
  }
}
