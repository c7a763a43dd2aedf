public import FieldCore
internal import FieldFoundation

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
