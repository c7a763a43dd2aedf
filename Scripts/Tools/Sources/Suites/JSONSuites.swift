internal import FieldKit
internal import Foundation

extension Suites {
  /// Runs JSONTestSuite on every public entry point that reads JSON.
  ///
  /// Each document is read in two ways: by itself, and as a value inside a body that the reader accepts.
  /// By itself, a valid document may have the wrong shape for a reader, but it must not be refused as
  /// broken JSON. Inside a body, a valid document must not cost the record beside it, and an invalid one
  /// must be an error or a reported row. Documents that a reader may accept or refuse are only counted.
  static func jsonSuites(in directory: URL) async throws -> [SuiteResult] {
    let folder = directory.appending(path: "JSONTestSuite/test_parsing")
    guard FileManager.default.fileExists(atPath: folder.path) else {
      return [SuiteResult(name: "JSONTestSuite", skipped: "the folder is missing")]
    }
    let documents = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".json") }
      .map { (name: $0, bytes: [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    var results: [SuiteResult] = []
    for reader in JSONReader.all {
      var valid = SuiteResult(name: "JSONTestSuite y_ on \(reader.name)")
      var wrapped = SuiteResult(name: "JSONTestSuite y_ inside a body of \(reader.name)")
      var invalid = SuiteResult(name: "JSONTestSuite n_ on \(reader.name)")
      var wrong = SuiteResult(name: "JSONTestSuite n_ inside a body of \(reader.name)")
      var open = SuiteResult(name: "JSONTestSuite i_ on \(reader.name), with or without an error")
      for (name, bytes) in documents {
        let alone = await reader.outcome(of: bytes)
        let inside = await reader.outcome(of: reader.body(around: bytes))
        switch name.prefix(2) {
        case "y_":
          valid.record(name, alone.saysBroken)
          wrapped.record(name, inside.isWhole ? nil : inside.description)
        case "n_":
          invalid.record(name, alone.isReported ? nil : alone.description)
          wrong.record(name, inside.isReported ? nil : inside.description)
        default:
          open.record(name, nil)
        }
      }
      results += [valid, wrapped, invalid, wrong, open]
    }
    return results
  }
}

/// A public entry point that reads JSON.
private struct JSONReader: Sendable {
  var name: String
  /// A body that the reader accepts; the value of an unknown key is written as `%`.
  var template: String
  /// Returns the number of records that were read, and of those that were reported as unusable.
  var read: @Sendable ([UInt8]) async throws -> (records: Int, failures: Int)

  enum Outcome: CustomStringConvertible {
    case read(records: Int, failures: Int)
    case refused(any Error)

    /// The error if the document was refused as broken JSON.
    var saysBroken: String? {
      guard case .refused(let error) = self else { return nil }
      let codes = ["rows.malformed", "rows.cut", "rows.encoding", "rows.empty"]
      guard let error = error as? FieldError else { return description }
      // A count that is no number has the code of malformed JSON, too.
      let isCount = error.message.contains("does not answer a count")
      return codes.contains(error.code.rawValue) && !isCount ? description : nil
    }

    var isWhole: Bool {
      if case .read(1, 0) = self { true } else { false }
    }

    var isReported: Bool {
      switch self {
      case .read(_, let failures): failures > 0
      case .refused(let error): error is FieldError
      }
    }

    var description: String {
      switch self {
      case .read(let records, let failures): "\(records) records and \(failures) failures"
      case .refused(let error): "\(error)"
      }
    }
  }

  func body(around document: [UInt8]) -> [UInt8] {
    let parts = template.utf8.split(separator: UInt8(ascii: "%"))
    return Array(parts[0]) + document + Array(parts[1])
  }

  func outcome(of bytes: [UInt8]) async -> Outcome {
    do {
      let (records, failures) = try await read(bytes)
      return .read(records: records, failures: failures)
    } catch {
      return .refused(error)
    }
  }

  static var all: [JSONReader] { meteorites + soda + zoo + metro + civic + walks }

  // MARK: Meteorites

  private static var meteorites: [JSONReader] {
    let read: @Sendable ([UInt8]) async throws -> (Int, Int) = { bytes in
      let rows = try Batch<Meteorite>(reading: bytes)
      return (rows.records.count, rows.failures.count)
    }
    let array = #"[{"id":"1","x":%,"name":"A"}]"#
    return [
      JSONReader(name: "Batch<Meteorite>, array", template: array, read: read),
      JSONReader(
        name: "Batch<Meteorite>, envelope",
        template: #"{"x":%,"data":[{"id":"1","name":"A"}]}"#, read: read),
      JSONReader(
        name: "Batch<Meteorite>, GeoJSON",
        template:
          #"{"type":"FeatureCollection","features":[{"type":"Feature","x":%,"properties":{"id":"1"}}]}"#,
        read: read),
      JSONReader(
        name: "Batch<Meteorite>, rows.json",
        template:
          #"{"meta":{"view":{"columns":[{"fieldName":"id"},{"fieldName":"x"}]}},"data":[["1",%]]}"#,
        read: read),
      JSONReader(name: "FileRows<Meteorite>", template: array) { bytes in
        let rows = try await inFile(bytes) {
          try await FileRows<Meteorite>($0).fetch(RecordRequest())
        }
        return (rows.records.count, rows.failures.count)
      },
      JSONReader(name: "Download<Meteorite>", template: array) { bytes in
        let source = Download<Meteorite>(Canned.url, transport: Canned(bytes))
        let rows = try await source.fetch(RecordRequest())
        return (rows.records.count, rows.failures.count)
      },
    ]
  }

  // MARK: Socrata

  private static var soda: [JSONReader] {
    @Sendable func client(_ bytes: [UInt8]) throws -> SODAClient {
      var patience = SODAPatience()
      patience.cutLimit = 0
      return SODAClient(
        try SODADataset("abcd-1234", at: "localhost"), transport: Canned(bytes), patience: patience)
    }
    return [
      JSONReader(name: "SODAClient.pages", template: #"[{":id":"row-1","x":%}]"#) { bytes in
        for try await page in try client(bytes).pages() {
          return (page.rows.count, page.failures.count)
        }
        return (0, 0)
      },
      JSONReader(name: "SODAClient.count", template: #"[{"row_count":"5","x":%}]"#) { bytes in
        (try await client(bytes).count() == 5 ? 1 : 0, 0)
      },
      JSONReader(
        name: "SODAClient.metadata", template: #"{"id":"abcd-1234","x":%,"columns":[]}"#
      ) { bytes in
        _ = try await client(bytes).metadata()
        return (1, 0)
      },
    ]
  }

  // MARK: Taipei

  private static var zoo: [JSONReader] {
    let answer = #"{"result":{"count":1,"results":[{"a_name_ch":"石虎","x":%,"_id":1}]}}"#
    return [
      JSONReader(name: "Batch<ZooRecord>", template: answer) { bytes in
        let zoo = try Batch<ZooRecord>(reading: bytes)
        return (zoo.animals.count, zoo.failures.count)
      },
      JSONReader(name: "ZooFile", template: answer) { bytes in
        let zoo = try await inFile(bytes) { url in
          try await ZooFile(finding: [url]).read(.animals)
        }
        return (zoo.animals.count, zoo.failures.count)
      },
      JSONReader(name: "TaipeiOpenData.table", template: answer) { bytes in
        let dataset = TaipeiDataset(id: "d", name: "d", resources: ["r"])
        let table = try await TaipeiOpenData(transport: Canned(bytes)).table(of: dataset)
        return (table.rows.count, table.failures.count)
      },
    ]
  }

  private static var metro: [JSONReader] {
    let row = #"{"Station":"台北車站","Destination":"淡水站","x":%,"UpdateTime":"2016-05-16T18:00:00"}"#
    return [
      JSONReader(name: "Batch<Arrival>, array", template: "[\(row)]") { bytes in
        let rows = try Batch<Arrival>(reading: bytes)
        return (rows.records.count, rows.failures.count)
      },
      JSONReader(
        name: "Batch<Arrival>, live board", template: #"{"StationLiveBoards":[\#(row)]}"#
      ) { bytes in
        let rows = try Batch<Arrival>(reading: bytes)
        return (rows.records.count, rows.failures.count)
      },
      JSONReader(name: "FileRows<Arrival>", template: "[\(row)]") { bytes in
        let delivery = try await inFile(bytes) {
          try await FileRows<Arrival>($0).fetch(RecordRequest())
        }
        return (delivery.records.count, delivery.failures.count)
      },
      JSONReader(name: "MetroStationFeed", template: "[\(row)]") { bytes in
        let feed = MetroStationFeed(transport: Canned(bytes), url: Canned.url)
        let delivery = try await feed.fetch(RecordRequest())
        return (delivery.records.count, delivery.failures.count)
      },
      JSONReader(
        name: "MetroAlerts", template: #"{"Alerts":[{"AlertID":"1","x":%,"Title":"延誤"}]}"#
      ) { bytes in
        let alerts = try MetroAlerts(reading: bytes)
        return (alerts.alerts.count, alerts.failures.count)
      },
    ]
  }

  // MARK: City services

  private static var civic: [JSONReader] {
    let answer = #"{"result":0,"data":[{"edmId":"e1","x":%,"edmName":"花燈"}]}"#
    @Sendable func directory(_ transport: Canned, _ service: CivicService? = nil) -> CivicDirectory
    {
      CivicDirectory(
        service: service, feeds: [], storage: .inMemory, transport: transport)
    }
    return [
      JSONReader(name: "CivicDirectory.apply", template: answer) { bytes in
        let report = try await directory(Canned([])).apply(Data(bytes), to: .banners)
        return (report.added, report.failures.count)
      },
      JSONReader(name: "CivicDirectory.importTables", template: answer) { bytes in
        let report = try await inFile(bytes, named: "edm.json") { url in
          try await directory(Canned([])).importTables(in: url.deletingLastPathComponent())
        }
        return (report.added, report.failures.count)
      },
      JSONReader(name: "CivicService", template: answer) { bytes in
        let service = CivicService(baseURL: Canned.url, project: "p", tables: [.banners])
        let report = try await directory(Canned(bytes), service).refresh(.now)
        return (report.added, report.failures.count)
      },
    ]
  }

  // MARK: Walks

  private static var walks: [JSONReader] {
    @Sendable func place() throws -> Coordinate { try Coordinate(latitude: 37.5, longitude: 127) }
    return [
      JSONReader(
        name: "GeoJSONRoute",
        template:
          #"{"type":"Feature","x":%,"geometry":{"type":"LineString","coordinates":[[121,25],[121.1,25]]}}"#
      ) { bytes in
        let file = try GeoJSONRoute(Data(bytes))
        return (file.route.segments.count, file.failures.count)
      },
      JSONReader(
        name: "WalkImport",
        template:
          #"{"Pets":[{"name":"mesh","breed":"welshcorgi","birth":"2020-01-01","gender":"M","x":%,"weight":10}]}"#
      ) { bytes in
        let old = try WalkImport(reading: Data(bytes))
        return (old.pets.count, old.problems.count)
      },
      JSONReader(
        name: "WalkArchive",
        template:
          #"{"format":"fieldkit.walks","x":%,"version":1,"exported":0,"pets":[],"walks":[],"places":[]}"#
      ) { bytes in
        let archive = try WalkArchive(reading: Data(bytes))
        return (1, archive.problems.count)
      },
      JSONReader(
        name: "OpenWeather.weather",
        template: #"{"weather":[{"id":800,"main":"Clear"}],"x":%,"main":{"temp":20}}"#
      ) { bytes in
        _ = try await OpenWeather(key: "k", transport: Canned(bytes)).weather(at: place())
        return (1, 0)
      },
      JSONReader(
        name: "OpenWeather.airQuality",
        template: #"{"x":%,"list":[{"dt":1,"components":{"pm10":1}}]}"#
      ) { bytes in
        _ = try await OpenWeather(key: "k", transport: Canned(bytes)).airQuality(at: place())
        return (1, 0)
      },
      JSONReader(
        name: "AirKorea",
        template:
          #"{"response":{"header":{"resultCode":"00"},"body":{"items":[{"x":%,"pm10Value":"10"}]}}}"#
      ) { bytes in
        let source = AirKorea(key: "k", stationName: "종로구", transport: Canned(bytes))
        return (try await source.airQuality(at: place()).pm10 == 10 ? 1 : 0, 0)
      },
    ]
  }

  /// Runs a reader of files on a file with the bytes.
  private static func inFile<Value: Sendable>(
    _ bytes: [UInt8], named name: String = "file.json", _ body: (URL) async throws -> Value
  ) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "suites-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(bytes).write(to: file)
    return try await body(file)
  }
}

/// A transport that answers every request with the same bytes.
private struct Canned: Transport {
  static var url: URL { URL(filePath: "/suites/") }

  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: 200, url: request.url, body: .bytes(bytes))
  }
}
