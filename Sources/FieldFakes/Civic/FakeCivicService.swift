public import FieldCore
public import FieldFoundation

/// A fake of a city's sync server, with tables that are queried by cursor, deletions, and pictures.
///
/// ```swift
/// let fake = FakeCivicService()
/// try fake.load("administrativeUnit", json: bytes)
/// try fake.put("keyword", #"{"keywordId":"k1","keyword":"市府設施","rank":3}"#)
/// let service = CivicService(baseURL: fake.baseURL, mediaURL: fake.mediaURL, project: fake.project)
/// ```
///
/// The server matches requests by their path, whatever the host, so a ``LoopbackServer`` can serve
/// it:
///
/// | Path | Response |
/// |---|---|
/// | `…/dataUpdate.php` | after a POST of a form: the rows of `tableName` since `lastUpdateTime` |
/// | `…/media/project/{project}/{file}` | a picture |
///
/// As the real one presumably does, it returns rows of exactly the given second, remembers
/// deletions, and returns all links of an ID if one of them has changed. Everything else is 404.
public final class FakeCivicService: Transport {
  /// The project to request; for another one, the result is 2.
  public let project: String
  /// The URL to request tables from.
  public let baseURL: URL
  /// The URL to request pictures from.
  public let mediaURL: URL

  let clock: any FieldClock
  let state = Lock(State())

  struct State: Sendable {
    var tables: [String: [FakeCivicRow]] = [:]
    var pictures: [String: [UInt8]] = [:]
    var failure: (failure: Failure, table: String?)?
    var requests: [TransportRequest] = []
  }

  /// Creates a server with empty tables.
  public init(project: String = "project_1450347754", clock: any FieldClock = .system) {
    self.project = project
    self.clock = clock
    baseURL = URL(literal: "https://sync.example/controller/service/")
    mediaURL = URL(literal: "https://sync.example/media/")
    state.withLock { $0.tables = FakeCivicRow.keys.mapValues { _ in [] } }
  }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// The requested tables, in order, each with its second.
  public var requestedTables: [(table: String, since: Int64)] {
    requests.compactMap { request in
      guard let form = try? request.form, let table = form["tableName"] else { return nil }
      return (table, form["lastUpdateTime"].flatMap { Int64($0) } ?? 0)
    }
  }

  /// Makes the responses for one table, or for all tables, fail from now on; `nil` ends the
  /// failure.
  public func fail(_ failure: Failure?, table: String? = nil) {
    state.withLock { $0.failure = failure.map { ($0, table) } }
  }

  // MARK: Content

  /// Loads an array of rows into a table, unchanged.
  public func load(_ table: String, json: [UInt8]) throws {
    for row in try JSONDocument.value(json).elements ?? [] { try put(row, into: table) }
  }

  /// Inserts or replaces a row from a JSON object; without a `lastUpdateTime`, it was changed now.
  public func put(_ table: String, _ row: String) throws {
    try put(JSONDocument.value(Array(row.utf8)), into: table)
  }

  private func put(_ value: JSONValue, into table: String) throws {
    let row = try FakeCivicRow(value, in: table, now: now)
    state.withLock { state in
      if let place = state.tables[table]?.firstIndex(where: { $0.key == row.key }) {
        state.tables[table]?[place] = row
      } else {
        state.tables[table, default: []].append(row)
      }
    }
  }

  /// Deletes a row by its keys, which is reported to clients that ask since an earlier second.
  public func delete(_ table: String, key: String...) {
    state.withLock { state in
      guard let place = state.tables[table]?.firstIndex(where: { $0.key == key }) else { return }
      state.tables[table]?[place].delete(at: now)
    }
  }

  /// Replaces all links of an ID with rows that were all changed now, as on the real server.
  public func setLinks(_ table: String, of id: String, to rows: [String]) throws {
    let new = try rows.map { row in
      try FakeCivicRow(JSONDocument.value(Array(row.utf8)), in: table, now: now)
    }
    state.withLock { state in
      state.tables[table]?.removeAll { $0.owner == id }
      state.tables[table]?.append(contentsOf: new)
    }
  }

  /// Adds a picture.
  public func addPicture(_ name: String, _ bytes: [UInt8]) {
    state.withLock { $0.pictures[name] = bytes }
  }

  private var now: Int64 { Int64(clock.now.timeIntervalSince1970.rounded(.down)) }

  // MARK: Responses

  /// Returns the response to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    state.withLock { $0.requests.append(request) }
    return try response(to: request).delivered(for: request)
  }

  private func response(to request: TransportRequest) throws -> TransportResponse {
    let path = request.url.path()
    if path.hasSuffix("/dataUpdate.php"), request.method == .post { return try table(request) }
    let folder = "/media/project/\(project)/"
    let name = PercentEncoding.decoded(path.dropFirst(folder.count))
    guard path.hasPrefix(folder), let bytes = state.withLock({ $0.pictures[name] }) else {
      return TransportResponse(status: 404)
    }
    return TransportResponse(status: 200, body: .bytes(bytes))
  }

  private func table(_ request: TransportRequest) throws -> TransportResponse {
    let form = try request.form
    guard form["projectId"] == project else { return .json(#"{"result":2,"data":[]}"#) }
    guard let table = form["tableName"], let rows = state.withLock({ $0.tables[table] }) else {
      return .json(#"{"result":1,"data":[]}"#)
    }
    let since = form["lastUpdateTime"].flatMap { Int64($0) } ?? 0
    let owners = Set(rows.filter { $0.changedAt >= since }.map(\.owner))
    let given = rows.filter { $0.isLink ? owners.contains($0.owner) : $0.changedAt >= since }
    let text = given.map(\.text).joined(separator: ",")
    let response = TransportResponse.json(#"{"result":0,"data":[\#(text)]}"#)
    guard let failing = state.withLock({ $0.failure }),
      failing.table == nil || failing.table == table
    else { return response }
    return try failing.failure.applied(to: response)
  }
}

// MARK: - Failure

extension FakeCivicService {
  /// A failure in the response for a table.
  public enum Failure: Sendable, Hashable {
    /// A nonzero `result`, with the rows beside it.
    case result(Int)
    /// The rows without a `result`.
    case noResult
    /// A `result` of 0 without `data`.
    case noData
    /// An HTML page with status 200.
    case webPage
    /// An empty body with status 200.
    case noBody
    /// Only the first bytes of the body, without an error.
    case cut(after: Int)
    /// Rows without a key.
    case noKeys
    /// A status with an HTML page.
    case status(Int)
    /// No response because the device is offline.
    case offline

    func applied(to response: TransportResponse) throws -> TransportResponse {
      let bytes = try response.body.bytes()
      let body = String(decoding: bytes, as: UTF8.self)
      let rows = body.dropFirst(#"{"result":0"#.utf8.count)
      switch self {
      case .result(let result): return .json(#"{"result":\#(result)"# + rows)
      case .noResult: return .json("{" + rows.dropFirst())
      case .noData: return .json(#"{"result":0}"#)
      case .webPage: return TransportResponse(status: 200, body: .maintenance)
      case .noBody: return TransportResponse(status: 200)
      case .cut(let count):
        return TransportResponse(status: 200, body: .bytes(Array(bytes.prefix(count))))
      case .noKeys: return .json(#"{"result":0,"data":[{"name":"無名"},{"lastUpdateTime":9}]}"#)
      case .status(let status): return TransportResponse(status: status, body: .maintenance)
      case .offline: throw FieldError(.offline, "The device is offline on purpose.")
      }
    }
  }
}
