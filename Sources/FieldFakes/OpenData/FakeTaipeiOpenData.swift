public import FieldCore
internal import FieldFoundation

/// The open-data portal of Taipei, data.taipei, with datasets and pictures of a test's own.
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
/// What is answered depends on the path of the request, whatever its host, so that a
/// ``LoopbackServer`` can serve it too:
///
/// | path | what it is |
/// |---|---|
/// | `…/apiAccess?scope=resourceAquire&rid={rid}` | the API of 2014 to 2019 |
/// | `…/api/v1/dataset/{rid}?scope=resourceAquire` | today's API |
/// | `…/resource/{rid}/download`, `…/resource.download?rid={rid}` | the file of the data, as CSV |
/// | a path of ``pictures`` | a picture, with an `ETag` |
///
/// Both APIs take `limit`, `offset` and `q`. As the real portal does, this one gives 20 rows to who asks
/// for no number and at most 1,000 to who asks for more, says how many there are in `count`, sends
/// `rank` and `_full_count` along where `q` is used, sends no validators with rows, and answers agents
/// that do not look like a browser with a web page in place of a file.
///
/// What goes wrong in an answer is up to ``fail(_:)``; what goes wrong on the way, to a
/// ``FaultTransport`` around this.
public final class FakeTaipeiOpenData: Transport {
  /// How many rows are given when nobody asks for a number.
  public let defaultLimit: Int
  /// How many rows are given at most.
  public let cap: Int
  /// The pictures by their paths, without percent-encoding.
  public let pictures: [String: Picture]

  let clock: any FieldClock
  private let state: Lock<State>

  private struct State: Sendable {
    var datasets: [String: Dataset] = [:]
    var retired: [String: Retirement] = [:]
    var failure: Failure?
    var turns: [Turn] = []
    var pages: [String: Int] = [:]
    var requests: [TransportRequest] = []
  }

  /// A dataset that changes after so many pages of it were given.
  private struct Turn: Sendable {
    var pages: Int
    var dataset: Dataset
  }

  /// Makes a portal.
  ///
  /// - Parameters:
  ///   - datasets: What can be asked for; the later of two with one id counts.
  ///   - retired: The ids that have no data any more, with what they answer.
  ///   - pictures: The pictures by their paths, without percent-encoding.
  ///   - defaultLimit: How many rows are given when nobody asks for a number.
  ///   - cap: How many rows are given at most.
  ///   - clock: What tells the date of answers.
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
    var state = State()
    for dataset in datasets { state.datasets[dataset.resource] = dataset }
    state.retired = retired
    self.state = Lock(state)
  }

  /// The requests that came, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// How many requests came whose path ends so.
  public func requestCount(endingIn path: String) -> Int {
    requests.count { PercentEncoding.decoded($0.url.path()).hasSuffix(path) }
  }

  /// Puts a dataset up, in place of the one of its id.
  ///
  /// - Parameters:
  ///   - dataset: The dataset.
  ///   - pages: After how many more pages of the present one that is done; at once by default.
  public func publish(_ dataset: Dataset, afterPages pages: Int = 0) {
    state.withLock { state in
      guard pages > 0 else {
        state.retired[dataset.resource] = nil
        state.datasets[dataset.resource] = dataset
        return
      }
      let given = state.pages[dataset.resource] ?? 0
      state.turns.append(Turn(pages: given + pages, dataset: dataset))
    }
  }

  /// Takes an id out of use, as the portal does when it gives the data a new one.
  public func retire(_ resource: String, as retirement: Retirement = .notFound) {
    state.withLock { $0.retired[resource] = retirement }
  }

  /// Lets what is asked for go wrong from now on, or, with nil, right again; pictures are spared.
  public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// Answers what a request asks for.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    state.withLock { $0.requests.append(request) }
    var answer = try answer(to: request)
    answer.head.fields["Date"] = HTTPDate.string(for: clock.now)
    return try answer.delivered(for: request)
  }

  private func answer(to request: TransportRequest) throws -> TransportResponse {
    let path = PercentEncoding.decoded(request.url.path())
    let query = FakeMetroFeed.query(of: request)
    if path.hasSuffix("/apiAccess") {
      return try rows(of: query["rid"] ?? "", query)
    }
    if path.contains("/api/v1/dataset/") {
      return try rows(of: path.split(separator: "/").last.map(String.init) ?? "", query)
    }
    if path.hasSuffix("/resource.download") {
      return try file(of: query["rid"] ?? "", request)
    }
    if path.hasSuffix("/download") {
      let resource = path.split(separator: "/").dropLast().last
      return try file(of: resource.map(String.init) ?? "", request)
    }
    return pictures[path]?.answer(to: request) ?? TransportResponse(status: 404)
  }

  private func rows(of resource: String, _ query: [String: String]) throws -> TransportResponse {
    let (dataset, retirement, failure) = state.withLock { state in
      let pages = state.pages[resource] ?? 0
      state.pages[resource] = pages + 1
      if let turn = state.turns.last(where: { $0.dataset.resource == resource && $0.pages <= pages }
      ) {
        state.datasets[resource] = turn.dataset
      }
      return (state.datasets[resource], state.retired[resource], state.failure)
    }
    // The misspelt scope is the one that the portal knows.
    guard query["scope"] == "resourceAquire" else { return TransportResponse(status: 404) }
    if let retirement { return retirement.answer }
    guard let dataset else { return Retirement.notFound.answer }
    let answer = dataset.page(
      limit: min(max(query["limit"].flatMap { Int($0) } ?? defaultLimit, 0), cap),
      offset: max(query["offset"].flatMap { Int($0) } ?? 0, 0), matching: query["q"] ?? "")
    return try failure?.applied(to: answer) ?? answer
  }

  private func file(of resource: String, _ request: TransportRequest) throws -> TransportResponse {
    let (dataset, failure) = state.withLock { ($0.datasets[resource], $0.failure) }
    guard let dataset else { return TransportResponse(status: 404) }
    guard request.fields["User-Agent"]?.hasPrefix("Mozilla/") == true else {
      return Failure.webPageAnswer
    }
    let answer = TransportResponse(
      status: 200, fields: ["Content-Type": "application/octet-stream"],
      body: .bytes(dataset.csv))
    return try failure?.applied(to: answer) ?? answer
  }
}
