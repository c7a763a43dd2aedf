public import FieldCore
public import FieldFoundation

/// A fake of Taipei's open-data portal, data.taipei, with your own datasets and pictures.
///
/// ```swift
/// let animals = FakeTaipeiOpenData.Dataset("6afa114d-38a2-4e3c-9cfd-29d3bd26b65b", rows: [
///   ["A_Name_Ch": "大貓熊", "A_Pic01_URL": "http://www.zoo.gov.tw/panda 1.jpg"],
/// ])
/// let portal = FakeTaipeiOpenData(
///   datasets: [animals], pictures: ["/panda 1.jpg": .init(bytes: jpeg)])
/// let zoo = Zoo(storage: .inMemory, transport: portal)
/// ```
///
/// Responses depend on the path of the request, whatever the host, so a ``LoopbackServer`` can
/// serve it:
///
/// | Path | Response |
/// |---|---|
/// | `…/apiAccess?scope=resourceAquire&rid={rid}` | the API of 2014 through 2019 |
/// | `…/api/v1/dataset/{rid}?scope=resourceAquire` | today's API |
/// | `…/resource/{rid}/download`, `…/resource.download?rid={rid}` | the file of the data, as CSV |
/// | a path of ``pictures`` | a picture, with an `ETag` |
///
/// Both APIs accept `limit`, `offset`, and `q`. Like the real portal, this one returns 20 rows by
/// default and at most 1,000 per request, states the number of rows in `count`, adds `rank` and
/// `_full_count` if `q` is used, sends no validators with rows, and responds with an HTML page
/// instead of a file to clients that don't look like a browser.
///
/// Simulate failures in responses with ``fail(_:)``, and failures of the network with a
/// ``FaultTransport`` around this one.
public final class FakeTaipeiOpenData: Transport {
  /// The number of rows to return if the request has no limit.
  public let defaultLimit: Int
  /// The maximum number of rows to return.
  public let cap: Int
  /// The pictures by path, without percent-encoding.
  public let pictures: [String: Picture]

  let clock: any FieldClock
  private let state: Lock<State>

  private struct State: Sendable {
    var datasets: [String: Dataset] = [:]
    var retired: [String: Retirement] = [:]
    var failure: Failure?
    /// The datasets that change after a number of their pages were returned.
    var turns: [(pages: Int, dataset: Dataset)] = []
    var pages: [String: Int] = [:]
    var requests: [TransportRequest] = []
  }

  /// Creates a portal.
  ///
  /// - Parameters:
  ///   - datasets: The available datasets; of two with the same ID, the later one is used.
  ///   - retired: The IDs that no longer have data, with their responses.
  ///   - pictures: The pictures by path, without percent-encoding.
  ///   - defaultLimit: The number of rows to return if the request has no limit.
  ///   - cap: The maximum number of rows to return.
  ///   - clock: The clock for the date of responses.
  public init(
    datasets: [Dataset] = [],
    retired: [String: Retirement] = [:],
    pictures: [String: Picture] = [:],
    defaultLimit: Int = 20,
    cap: Int = 1000,
    clock: any FieldClock = .system
  ) {
    self.defaultLimit = defaultLimit
    self.cap = cap
    self.pictures = pictures
    self.clock = clock
    let known = Dictionary(datasets.map { ($0.resource, $0) }) { $1 }
    state = Lock(State(datasets: known, retired: retired))
  }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// Returns the number of received requests whose path ends with a text.
  public func requestCount(endingIn path: String) -> Int {
    requests.count { PercentEncoding.decoded($0.url.path()).hasSuffix(path) }
  }

  /// Publishes a dataset, replacing the one with its ID.
  ///
  /// - Parameters:
  ///   - dataset: The dataset.
  ///   - pages: The number of further pages of the current dataset to return first. Defaults to 0.
  public func publish(_ dataset: Dataset, afterPages pages: Int = 0) {
    state.withLock { state in
      if pages > 0 {
        let given = state.pages[dataset.resource] ?? 0
        state.turns.append((given + pages, dataset))
      } else {
        state.retired[dataset.resource] = nil
        state.datasets[dataset.resource] = dataset
      }
    }
  }

  /// Retires an ID, as the portal does when it assigns the data a new one.
  public func retire(_ resource: String, as retirement: Retirement = .notFound) {
    state.withLock { $0.retired[resource] = retirement }
  }

  /// Makes responses fail from now on, except for pictures; `nil` ends the failure.
  public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// Returns the response to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    state.withLock { $0.requests.append(request) }
    var response = try response(to: request)
    response.head.fields["Date"] = HTTPDate.string(for: clock.now)
    return try response.delivered(for: request)
  }

  private func response(to request: TransportRequest) throws -> TransportResponse {
    let path = PercentEncoding.decoded(request.url.path())
    let query = request.query
    if path.hasSuffix("/apiAccess") { return try rows(of: query["rid"] ?? "", query) }
    if path.contains("/api/v1/dataset/") {
      return try rows(of: path.split(separator: "/").last.map(String.init) ?? "", query)
    }
    if path.hasSuffix("/resource.download") { return try file(of: query["rid"] ?? "", request) }
    if path.hasSuffix("/download") {
      let resource = path.split(separator: "/").dropLast().last
      return try file(of: resource.map(String.init) ?? "", request)
    }
    return pictures[path]?.response(to: request) ?? TransportResponse(status: 404)
  }

  private func rows(of resource: String, _ query: QueryItems) throws -> TransportResponse {
    let (dataset, retirement, failure) = state.withLock { state in
      let pages = state.pages[resource] ?? 0
      state.pages[resource] = pages + 1
      if let turn = state.turns.last(where: { $0.dataset.resource == resource && $0.pages <= pages }
      ) {
        state.datasets[resource] = turn.dataset
      }
      return (state.datasets[resource], state.retired[resource], state.failure)
    }
    // The portal expects this misspelled scope.
    guard query["scope"] == "resourceAquire" else { return TransportResponse(status: 404) }
    if let retirement { return retirement.response }
    guard let dataset else { return Retirement.notFound.response }
    let (limit, offset) = query.page(defaultLimit: defaultLimit, cap: cap)
    let response = dataset.page(limit: limit, offset: offset, matching: query["q"] ?? "")
    return try failure?.applied(to: response) ?? response
  }

  private func file(of resource: String, _ request: TransportRequest) throws -> TransportResponse {
    let (dataset, failure) = state.withLock { ($0.datasets[resource], $0.failure) }
    guard let dataset else { return TransportResponse(status: 404) }
    guard request.fields["User-Agent"]?.hasPrefix("Mozilla/") == true else {
      return Failure.webPageResponse
    }
    let response = TransportResponse(
      status: 200, fields: ["Content-Type": "application/octet-stream"], body: .bytes(dataset.csv))
    return try failure?.applied(to: response) ?? response
  }
}

// MARK: - Dataset

extension FakeTaipeiOpenData {
  /// A dataset with one of its IDs.
  public struct Dataset: Sendable {
    /// The ID of the data, which the portal calls `rid`.
    public var resource: String
    /// The members of each row, in order.
    private var rows: [[Member]]

    /// A member of a row, with its value both as JSON and as text.
    private typealias Member = (name: String, json: String, text: String)

    /// Creates a dataset from rows of text.
    ///
    /// Each row gets an `_id` from its position and, if a date is given, an `_importdate`.
    ///
    /// - Parameters:
    ///   - resource: The ID of the data.
    ///   - rows: The columns of each row and their texts.
    ///   - importedAt: The date when the portal imported the rows; `nil` for rows without that
    ///     date, as in the past.
    public init(
      _ resource: String, rows: [KeyValuePairs<String, String>], importedAt: Date? = nil
    ) {
      self.resource = resource
      self.rows = rows.enumerated().map { index, row in
        var members = [Member("_id", "\(index + 1)", "\(index + 1)")]
        if let importedAt {
          let text =
            "\(FakeTime.spaced(Int64(importedAt.timeIntervalSince1970))).\(100_000 + index)"
          let json = #"{"date":"\#(text)","timezone_type":3,"timezone":"Asia/Taipei"}"#
          members.append(("_importdate", json, text))
        }
        return members + row.map { ($0.key, FakeJSON.quoted($0.value), $0.value) }
      }
    }

    /// Creates a dataset from the rows of a captured response, unchanged.
    ///
    /// - Parameters:
    ///   - resource: The ID of the data.
    ///   - capture: A response from one of the portal's APIs, or a plain array of rows.
    /// - Throws: `FieldError` with the code `input.invalid` if it contains no rows.
    public init(_ resource: String, capture: [UInt8]) throws {
      let bytes = capture.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(capture.dropFirst(3)) : capture
      let value = FakeJSON.read(bytes)
      guard case .array(let elements, _)? = value?["result"]?["results"] ?? value else {
        throw FieldError(.invalidInput, "The capture has no rows.")
      }
      self.resource = resource
      rows = elements.map { element in
        guard case .object(let members, _) = element else { return [] }
        return members.map { ($0.key, $0.value.json, $0.value.word ?? "") }
      }
    }

    /// The number of rows.
    public var rowCount: Int { rows.count }

    /// Returns a dataset with only the rows at some positions, such as the first ten.
    public func only(_ places: Range<Int>) -> Dataset {
      var part = self
      part.rows = Array(rows[places.clamped(to: rows.indices)])
      return part
    }

    func page(limit: Int, offset: Int, matching text: String) -> TransportResponse {
      let found =
        text.isEmpty ? rows : rows.filter { row in row.contains { $0.text.contains(text) } }
      let page = FakeTaipeiOpenData.page(found, limit: limit, offset: offset) { row in
        var members = row.map { "\(FakeJSON.quoted($0.name)):\($0.json)" }
        if !text.isEmpty {
          members += ["\"rank\":0.0573088", "\"_full_count\":\"\(found.count)\""]
        }
        return "{\(members.joined(separator: ","))}"
      }
      return .json(
        page,
        fields: [
          "Cache-Control": "no-store, no-cache, must-revalidate",
          "Expires": "Thu, 19 Nov 1981 08:52:00 GMT",
        ])
    }

    /// The file of the rows: CSV with a byte-order mark and CRLF, without the portal's own columns.
    var csv: [UInt8] {
      let names = (rows.first ?? []).map(\.name).filter { !$0.hasPrefix("_") }
      let lines = rows.map { row in
        names.map { name in (row.first { $0.name == name }?.text ?? "").csvCell }
          .joined(separator: ",")
      }
      let header = names.map { $0.replacing("\u{FEFF}", with: "").csvCell }
      return [0xEF, 0xBB, 0xBF]
        + Array(([header.joined(separator: ",")] + lines).map { $0 + "\r\n" }.joined().utf8)
    }
  }

  /// Returns a page of rows in the portal's envelope.
  static func page<Row>(_ rows: [Row], limit: Int, offset: Int, _ json: (Row) -> String) -> String {
    let page = rows.dropFirst(offset).prefix(limit).map(json).joined(separator: ",")
    return "{\"result\":{\"limit\":\(limit),\"offset\":\(offset),\"count\":\(rows.count),"
      + "\"sort\":\"\",\"results\":[\(page)]}}"
  }
}

extension QueryItems {
  /// Returns the requested page of data.taipei.
  func page(defaultLimit: Int, cap: Int) -> (limit: Int, offset: Int) {
    (min(max(integer("limit") ?? defaultLimit, 0), cap), max(integer("offset") ?? 0, 0))
  }
}

extension FakeJSON {
  fileprivate var json: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let text): text
    case .string(let text): Self.quoted(text)
    case .array(_, let text), .object(_, let text): text
    }
  }
}

// MARK: - Parts

extension FakeTaipeiOpenData {
  /// A picture.
  public struct Picture: Sendable, Hashable {
    /// The bytes.
    public var bytes: [UInt8]
    /// The `Content-Type` to send, whether or not it is correct.
    public var contentType: String
    /// The status of the response.
    public var status: Int

    /// Creates a picture.
    public init(bytes: [UInt8], contentType: String = "image/jpeg", status: Int = 200) {
      self.bytes = bytes
      self.contentType = contentType
      self.status = status
    }

    func response(to request: TransportRequest) -> TransportResponse {
      let tag = "\"\(BlobID(of: bytes).hexadecimal.prefix(16))\""
      let fields: HTTPHeaderFields = ["ETag": tag, "Content-Type": contentType]
      if request.fields["If-None-Match"] == tag {
        return TransportResponse(status: 304, fields: ["ETag": tag])
      }
      return TransportResponse(status: status, fields: fields, body: .bytes(bytes))
    }
  }

  /// A response for an ID that no longer has data.
  ///
  /// No response to an unknown ID was ever recorded, so there are three that a reader must handle.
  public enum Retirement: Sendable, Hashable, CaseIterable {
    /// Status 404.
    case notFound
    /// JSON with a result without rows, with status 200.
    case resultWithoutRows
    /// JSON with a message, with status 200.
    case message

    var response: TransportResponse {
      switch self {
      case .notFound: TransportResponse(status: 404)
      case .resultWithoutRows: .json(#"{"result":{"count":0}}"#)
      case .message: .json(#"{"message":"資料集不存在"}"#)
      }
    }
  }

  /// A failure in a response.
  public enum Failure: Sendable, Hashable {
    /// An HTML page with status 200.
    case webPage
    /// Only the first bytes of the body, without an error.
    case cut(after: Int)
    /// A result with an empty list of rows.
    case noRows
    /// A result without a list of rows.
    case noResults
    /// An empty body with status 200.
    case noBody
    /// The HTML page of a failing server, with status 500.
    case serverError

    static var webPageResponse: TransportResponse {
      TransportResponse(
        status: 200, fields: ["Content-Type": "text/html; charset=utf-8"], body: .maintenance)
    }

    func applied(to response: TransportResponse) throws -> TransportResponse {
      var response = response
      switch self {
      case .webPage: return Self.webPageResponse
      case .cut(let count): response.body = .bytes(Array(try response.body.bytes().prefix(count)))
      case .noRows:
        response.body = .text(
          #"{"result":{"limit":1000,"offset":0,"count":0,"sort":"","results":[]}}"#)
      case .noResults: response.body = .text(#"{"result":{"limit":1000,"offset":0,"count":0}}"#)
      case .noBody: response.body = .bytes([])
      case .serverError: return .serverError
      }
      return response
    }
  }
}

extension FakeTaipeiOpenData {
  /// The smallest valid pictures, for tests.
  public enum SmallPicture {
    /// A JPEG of one gray pixel.
    public static let jpeg: [UInt8] = {
      var bytes: [UInt8] = [0xFF, 0xD8]
      bytes += [0xFF, 0xE0, 0x00, 0x10] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
      bytes += [0xFF, 0xDB, 0x00, 0x43, 0x00] + [UInt8](repeating: 1, count: 64)
      bytes += [0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x01, 0x00, 0x01, 0x01, 0x01, 0x11, 0x00]
      bytes += [0xFF, 0xC4, 0x00, 0x14, 0x00, 0x01] + [UInt8](repeating: 0, count: 15) + [0x00]
      bytes += [0xFF, 0xC4, 0x00, 0x14, 0x10, 0x01] + [UInt8](repeating: 0, count: 15) + [0x00]
      bytes += [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00, 0x3F, 0xFF, 0xD9]
      return bytes
    }()

    /// Returns a JPEG that differs from those of other numbers by a comment.
    public static func jpeg(_ number: Int) -> [UInt8] {
      let text = Array("\(number)".utf8)
      return Array(jpeg.prefix(20)) + [0xFF, 0xFE, 0x00, UInt8(text.count + 2)] + text
        + jpeg.dropFirst(20)
    }
  }
}
