@testable internal import FieldCore
internal import Foundation

extension Entry {
  private static let example = URL(string: "https://h.example/a?key=b")

  static let texts: [Entry] = [
    raw("FieldCore.Asset.Origin", Asset.Origin.self),
    raw("FieldCore.AssetFormat", AssetFormat.self),
    raw("FieldCore.FieldError.Code", FieldError.Code.self),
    raw("FieldCore.FieldEvent.Name", FieldEvent.Name.self),
    raw("FieldCore.FieldEvent.Measure", FieldEvent.Measure.self),
    raw("FieldCore.RecordID", RecordID<Spot>.self),
    raw("FieldCore.DeletionPolicy", DeletionPolicy.self),
    raw("FieldCore.RefreshProgress.Phase", RefreshProgress.Phase.self),
    raw("FieldCore.RefreshReport.Notice.Code", RefreshReport.Notice.Code.self),
    raw("FieldCore.RefreshReport.Outcome", RefreshReport.Outcome.self),
    raw("FieldCore.TextLanguage", TextLanguage.self),
    raw("FieldCore.TransportRequest.Method", TransportRequest.Method.self),
    Entry("FieldCore.TextLanguage.init(rawValue:)", form: "fallbacks") {
      _ = FieldError.Guidance.self
      _ = FieldError(.invalidInput, "a").code
      _ = TextCatalog.builtIn.template(
        for: FieldText("a", templates: [.english: "b"]), in: TextLanguage(rawValue: $0))
      _ = FieldText("a", templates: [.english: "b"]).string(in: TextLanguage(rawValue: $0))
    },
    Entry(
      "FieldCore.FieldText.Template.init(one:few:other:)",
      "FieldCore.FieldText.Template.init(stringLiteral:)", "FieldCore.FieldText.Argument.text(_:)",
      "FieldCore.FieldText.init(_:_:templates:)"
    ) {
      let text = FieldText(
        "a", .text($0), templates: [.english: FieldText.Template(one: $0, few: $0, other: $0)])
      _ = text.string(in: .english)
      _ = FieldText("a", .text($0), templates: [.english: "{1}%@%1$@"]).string(in: .english)
    }.ofProgram,
    Entry("FieldCore.AssetFormat.init(sniffing:)") { _ = AssetFormat(sniffing: Data($0.utf8)) },
    Entry("FieldCore.AssetRequest.init(_:key:accepting:fields:timeout:operation:)") {
      let request = try AssetRequest($0)
      show(request)
    },
    Entry("FieldCore.EncodedPolyline.init(text:precision:)") {
      _ = try EncodedPolyline(text: $0).coordinates()
    },
    Entry("FieldCore.BlobID.init(hexadecimal:)") { _ = BlobID(hexadecimal: $0) },
    Entry("FieldCore.BlobID.init(of:)") { _ = BlobID(of: Array($0.utf8)) },
    Entry("FieldCore.StorageName.init(_:)") { use(try StorageName($0)) },
    Entry("FieldCore.CalendarDay.init(_:)") { try use(CalendarDay($0)) },
    Entry("FieldCore.HTTPHeaderFields.add(_:to:)", form: "names") {
      var fields = HTTPHeaderFields()
      // Splitting a text by characters would take quadratic time by itself.
      for part in $0.unicodeScalars.split(separator: ",") { fields.add("b", to: String(part)) }
      fields.add("b", to: $0)
      show(fields)
      _ = fields.description
    },
    Entry(
      "FieldCore.HTTPHeaderFields.add(_:to:)", "FieldCore.HTTPHeaderFields.subscript(_:)",
      "FieldCore.HTTPHeaderFields.values(of:)", form: "values"
    ) {
      var fields: HTTPHeaderFields = ["Location": $0, "Retry-After": $0, "Set-Cookie": $0]
      fields.add($0, to: "x")
      _ = (fields[$0], fields.values(of: $0))
      show(fields)
      _ = fields.description
    },
    Entry("FieldCore.Redaction.hidesField(_:)", "FieldCore.Redaction.hidesQueryItem(_:)") {
      _ = Redaction.default.hidesField($0)
      _ = Redaction.default.hidesQueryItem($0)
    },
    Entry("FieldCore.Redaction.init(fieldNames:queryNames:fragments:)") {
      _ = Redaction(fieldNames: [$0], queryNames: [$0], fragments: [$0]).hidesField("a")
    }.ofProgram,
    Entry(
      "FieldCore.TransportRequest.init(_:url:fields:body:timeout:responseLimit:destination:operation:isIdempotent:)"
    ) {
      guard let url = URL(string: $0) ?? URL(string: "https://h.example/?key=" + $0) else { return }
      let request = TransportRequest(
        url: url, fields: ["Referer": $0], body: .text($0), operation: $0)
      use(request)
      show(request)
      _ = Redaction.default.redact(url)
    }.ofProgram,
    Entry(
      "FieldCore.FieldError.init(_:_:problems:operation:response:underlying:)"
    ) {
      let head = TransportResponse.Head(
        status: 302, fields: ["Location": $0, "Link": $0],
        url: URL(string: $0) ?? example)
      let inner = FieldError(.invalidInput, $0)
      let error = FieldError(
        .invalidInput, $0, problems: [$0], operation: $0, response: head, underlying: inner)
      _ = error.localizedDescription
      show(error)
      _ = try JSONDecoder().decode(FieldError.self, from: JSONEncoder().encode(error))
      _ = "\(error)"
    },
    Entry("FieldCore.TransportEvent.init(exchange:operation:method:address:step:)") {
      _ =
        "\(TransportEvent(exchange: 1, operation: $0, method: .get, address: $0, step: .started(fields: [:])))"
    },
    Entry(
      "FieldCore.FieldEvent.init(_:of:part:operation:parent:step:outcome:code:duration:measures:)"
    ) {
      _ =
        "\(FieldEvent(FieldEvent.Name(rawValue: $0), of: $0, part: $0, operation: 1, step: .began, outcome: $0))"
    },
    Entry("FieldCore.ResponseReceiver.append(_:)") { text in
      guard let example else { return }
      let bytes = Array(text.utf8)
      var receiver = try ResponseReceiver(
        .init(status: 200), for: TransportRequest(url: example, operation: "a"))
      var first = 0
      while first < bytes.count {
        try receiver.append(bytes[first..<min(first + 16, bytes.count)])
        first += 16
      }
      _ = try receiver.finish()
    },
    Entry("FieldCore.RowFailure.init(index:key:excerpt:reason:)") {
      let failure = RowFailure(index: 0, key: $0, excerpt: $0, reason: $0)
      use(failure)
    }.ofProgram,
    Entry("FieldCore.RecordWriter.write(_:)", "FieldCore.RecordWriter.write(interned:)") {
      let store = InMemoryStore<Spot>()
      var changes = Changes<Spot>()
      changes.upsert(Spot(id: RecordID(rawValue: $0), name: $0))
      try await store.commit(changes, checkpoint: nil, expecting: nil)
    }.ofProgram,
    Entry(
      "FieldCore.Redaction.redact(_:)", "FieldCore.LoggingTransport.init(_:redacting:clock:sink:)",
      "FieldCore.RetryingTransport.init(_:policy:clock:random:)",
      "FieldCore.CoalescingTransport.init(_:)", "FieldCore.TransportRequest.redirected(by:)",
      "FieldCore.TransportResponse.init(status:fields:url:body:)",
      "FieldCore.TransportResponse.Head.init(status:fields:url:)",
      "FieldCore.ResponseReceiver.init(_:for:)", form: "a redirect"
    ) { text in
      guard let example else { return }
      var answer = Answer("")
      answer.status = 302
      answer.fields = ["Location": text]
      let log = Lock<[String]>([])
      let logging = answer.logging { event in log.withLock { $0.append("\(event)") } }
      let request = TransportRequest(url: example, operation: "a")
      let response = try await logging.retrying().coalescing().send(request)
      if let next = try? request.redirected(by: response) {
        show(next)
        _ = Redaction.default.redact(next.url)
      }
      var receiver = try ResponseReceiver(response.head, for: request)
      try receiver.append(Array(text.utf8))
      _ = try receiver.finish()
      show(response)
      _ = try JSONEncoder().encode(response.head)
    },
    Entry("FieldCore.HTTPDate", form: "Retry-After") {
      _ = HTTPDate.date(from: $0, now: Date(timeIntervalSince1970: 1.7e9))
      _ = RetryAfter.wait(["Retry-After": $0], now: .distantPast, longest: .seconds(60))
    },
    Entry("FieldCore.TimestampParser", form: "a cell") {
      _ = TimestampParser(zone: .taipei).instant($0)
    },
    Entry("FieldCore.TimestampParser", form: "after a date", wrap: { "2026-03-25 \($0)" }) {
      _ = TimestampParser(zone: .taipei).instant($0)
    },
    Entry("FieldCore.PercentEncoding", form: "an address") {
      _ = PercentEncoding.webAddress($0)
      _ = PercentEncoding.decoded($0)
      _ = PercentEncoding.component($0)
    },
    Entry("FieldCore.WellKnownText", form: "positions") { _ = WellKnownText.positions(in: $0) },
    Entry("FieldCore.Big5", form: "bytes") {
      _ = Big5.utf8(Array($0.utf8), damage: 63, isHongKong: false)
    },
    Entry("FieldCore.TextFolding.fold(_:)") { use(TextFolding.fold($0)) },
  ]

  static let rows: [Entry] = [
    rowEntry("a body") { $0 },
    rowEntry("a JSON text") { "[{\"id\":\"1\",\"name\":\(quoted($0))}]" },
    rowEntry("a JSON key") { "[{\"id\":\"1\",\(quoted($0)):\"x\",\"name\":\"x\"}]" },
    rowEntry("a JSON value") { "[{\"id\":\"1\",\"name\":\($0)}]" },
    rowEntry("IDs") {
      "[" + $0.utf8.prefix(8192).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",") + "]"
    },
    rowEntry("a date") { "[{\"id\":\"1\",\"name\":\"x\",\"time\":\(quoted($0))}]" },
    rowEntry("a position") { "[{\"id\":\"1\",\"name\":\"x\",\"geometry\":\(quoted($0))}]" },
    rowEntry("a number") { "[{\"id\":\"1\",\"name\":\"x\",\"height\":\(quoted($0))}]" },
    rowEntry("lines") { "{\"id\":\"1\"}\n\($0)\n{\"id\":\"2\"}" },
    rowEntry("GeoJSON") {
      "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":\($0),\"properties\":{\"id\":1}}]}"
    },
    rowEntry("positional rows") {
      "{\"meta\":{\"view\":{\"columns\":[{\"name\":\"id\",\"fieldName\":\"id\"},{\"name\":\(quoted($0)),\"fieldName\":\"name\"}]}},\"data\":[[\"1\",\(quoted($0))]]}"
    },
    rowEntry("an envelope") { "{\"result\":{\"count\":1,\"results\":[{\"id\":\"1\"},\($0)]}}" },
    rowEntry("CSV") { "id,name\n1,\($0)\n2,b\n" },
    rowEntry("a header of CSV") { "id,\($0)\n1,a\n2,b\n" },
    page("a body") { $0 },
    page("a bad row") {
      "[{\"id\":\"1\"},{\"name\":\(quoted($0))},{\"id\":\(quoted($0)),\"name\":7}]"
    },
    Entry("FieldCore.CatalogView.search(_:limit:)") { text in
      let view = try await forest()
      _ = view.search(text)
    },
    Entry("FieldCore.CatalogView.count(matching:)") { text in
      let view = try await forest()
      _ = view.count(matching: text)
    },
    Entry(
      "FieldCore.CatalogView.search(_:limit:)", form: "in the text",
      wrap: { "[{\"id\":\"1\",\"name\":\(quoted($0))}]" }
    ) { text in
      let catalog = catalog(text)
      try await catalog.refresh()
      _ = try await catalog.view().search("ginkgo")
      _ = try await catalog.view().search("a")
    },
    Entry("FieldCore.JSONDocument", form: "a value") {
      let value = try JSONDocument.value(Array($0.utf8))
      _ = value.canonicalText
    },
    Entry(
      "FieldCore.Catalog.init(_:at:storage:transport:clock:policy:deletion:snapshotGuard:dataSource:fields:timeout:)",
      "FieldCore.Download.init(_:transport:fields:timeout:deletion:dataSource:byteLimit:operation:)"
    ) {
      guard let url = URL(string: "https://h.example/?key=a&b=" + $0) else { return }
      let catalog = Catalog<Spot>("spots", at: url, storage: .inMemory, transport: Answer(""))
      try await catalog.refresh()
    },
    Entry("FieldCore.SyncPosition.init(stamp:key:)") {
      let position = SyncPosition(stamp: $0, key: $0)
      use(position)
    }.ofProgram,
    Entry("FieldCore.HTTPValidators.init(entityTag:lastModified:)") {
      use(HTTPValidators(entityTag: $0, lastModified: $0))
    }.ofProgram,
    Entry("FieldCore.Checkpoint.init(lastSuccess:fingerprint:validators:cursors:)") {
      use(Checkpoint(fingerprint: $0, cursors: [$0: $0]))
    }.ofProgram,
  ]

  private static func rowEntry(_ form: String, wrap: @escaping @Sendable (String) -> String)
    -> Entry
  {
    Entry("FieldCore.Catalog.refresh(_:)", form: form, wrap: wrap) {
      try await catalog($0).refresh()
    }
  }

  private static func page(_ form: String, wrap: @escaping @Sendable (String) -> String) -> Entry {
    Entry("FieldCore.Batch.init(reading:position:)", form: form, wrap: wrap) {
      let page = try Batch<HandSpot>(reading: Array($0.utf8)) { row in
        row.text(HandSpot.Columns.time).map {
          SyncPosition(stamp: $0, key: row.id(HandSpot.Columns.id))
        }
      }
      show(page.failures)
    }
  }

  private static func catalog(_ body: String) -> Catalog<Spot> {
    // The address is an example of a valid one.
    Catalog<Spot>(
      "spots", at: example ?? URL(filePath: "/"), storage: .inMemory, transport: Answer(body),
      deletion: .never)
  }

  private static func forest() async throws -> CatalogView<Spot> {
    let catalog = catalog(
      "[{\"id\":\"1\",\"name\":\"ginkgo 臺北\"},{\"id\":\"2\",\"name\":\"oak e\u{301}\"}]")
    try await catalog.refresh()
    return try await catalog.view()
  }
}

/// A record with a cell of each kind, read by its keys.
struct Spot: CatalogRecord {
  static let columns = [RowColumn("geometry", "the_geom")]
  static let timeZone: FixedZone? = .taipei
  var id: RecordID<Spot>
  var name: String
  var time: Date?
  var coordinate: Coordinate?
  var height: Double?
  var searchText: String { name }

  init(id: RecordID<Spot>, name: String) { (self.id, self.name) = (id, name) }
}

/// The same record, read by the names of columns.
struct HandSpot: CatalogRecord {
  enum Columns: String, CodingKey { case id, name, time, geometry, height }
  static let columns = [
    RowColumn("id"), RowColumn("name"), RowColumn("time"), RowColumn("geometry", "the_geom"),
    RowColumn("height"),
  ]
  var spot: Spot
  var id: RecordID<Spot> { spot.id }

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let number = row.id(Columns.id) else { throw RowProblem("no ID") }
    spot = Spot(id: RecordID(rawValue: number), name: row.text(Columns.name) ?? "")
    spot.time = row.date(Columns.time, in: .taipei)
    spot.coordinate = row.coordinate(Columns.geometry)
    spot.height = row.double(Columns.height)
  }
}
