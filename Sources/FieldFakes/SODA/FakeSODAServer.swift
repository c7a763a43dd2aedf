public import FieldCore
public import FieldFoundation

/// A Socrata portal with one dataset, in memory: what a sync with a real one is tested against.
///
/// ```swift
/// let server = FakeSODAServer(
///   dataset: "gh4g-9sfh",
///   columns: ["id", "name", .init("mass", .number), .init("year", .floatingTimestamp)],
///   key: "id")
/// server.insert([["id": "1", "name": "Aachen", "mass": 21], ["id": "2", "name": "Aarhus"]])
/// server.faults.append(.status(503), onRequests: 2...3)
/// server.onRequest = { number, _ in if number == 2 { server.delete("1") } }
///
/// let answer = try await server.send(
///   TransportRequest(url: server.url("/resource/gh4g-9sfh.json?$limit=1"), operation: "rows"))
/// #expect(server.requests.map(\.tokensInAddress) == [[]])
/// ```
///
/// ### What it answers
///
/// `/resource/{id}.json`, `.csv` and `.geojson`, `/resource/{id}/{row}.json`,
/// `/api/v3/views/{id}/query.json` (POST and GET), `/api/views/{id}.json` and
/// `/api/views/{id}/rows.json`, on any host. It reads SoQL by a parser of its own, and refuses what
/// a portal refuses, with the portal's codes. What it does not know of SoQL is refused too, never
/// passed over: pipes, joins, window functions, shapes other than polygons.
///
/// ### How it keeps rows
///
/// A row has a hidden number, and `:id` is a text that stands for it without showing its order, as on
/// a portal. Every write gives the rows that it changes a new `:updated_at` and `:version`, and what
/// is deleted is gone without a trace. Reading a page in the order of `:updated_at, :id`, or of
/// `:id`, behind a cursor's condition costs the page alone; all other queries read the table.
///
/// It behaves well until ``options``, ``faults`` or ``replicas`` say otherwise. Equal calls make
/// equal bytes: the clock, unless told otherwise, is a ``ManualClock``, and nothing is random.
/// ``LoopbackServer/init(serving:port:clock:delivery:)`` puts it on the wire.
public final class FakeSODAServer: Transport {
  /// The id of the dataset, such as `gh4g-9sfh`.
  public let dataset: String
  /// The columns, in the order of `*`.
  public let columns: [Column]
  /// The column by which ``update(_:_:at:)``, ``upsert(_:at:)`` and ``delete(_:)`` find rows.
  public let key: String?
  /// What stamps and the field `Date` go by.
  public let clock: any FieldClock

  let state: Lock<State>

  /// Makes a portal.
  ///
  /// - Parameters:
  ///   - dataset: The id, in Socrata's form of two groups of four.
  ///   - columns: The columns, in the order of `*`. A literal is a text column.
  ///   - key: The column that names a row for those who publish; the portal does not enforce that it
  ///     is unique, as ``insert(_:at:)`` shows.
  ///   - rows: The first rows.
  ///   - clock: What stamps go by; one that stands still unless told otherwise.
  ///   - options: How the portal behaves.
  public init(
    dataset: String = "test-data", columns: [Column], key: String? = nil, rows: [Row] = [],
    clock: any FieldClock = ManualClock(), options: Options = Options()
  ) {
    self.dataset = dataset
    self.columns = columns
    self.key = key
    self.clock = clock
    state = Lock(
      State(
        table: FakeSODATable(columns: columns, modifiedAt: Self.micros(clock.now)),
        options: options))
    if !rows.isEmpty { insert(rows) }
  }

  struct State {
    var table: FakeSODATable
    /// Earlier tables, the oldest first.
    var history: [FakeSODATable] = []
    var options: Options
    var faults = Faults()
    var replicas: [Replica] = [.current]
    var replicaForRequest: (@Sendable (Int) -> Int)?
    var onRequest: (@Sendable (Int, ReceivedRequest) -> Void)?
    var requests: [ReceivedRequest] = []
    var isRetired = false
    var lastNumber: Int64 = 0
    var lastVersion: Int64 = 0
    var lastStamp = Int64.min
    var endlessCount = 0
    var lastVisitedCount = 0
    /// The numbers of the rows with a key; nil until they are asked for.
    var numbers: [String: [Int64]]?
  }

  /// How the portal behaves; it can be changed between requests.
  public var options: Options {
    get { state.withLock(\.options) }
    set { state.withLock { $0.options = newValue } }
  }

  /// What goes wrong.
  public var faults: Faults {
    get { state.withLock(\.faults) }
    set { state.withLock { $0.faults = newValue } }
  }

  /// Who answers: each in turn, unless ``replicaForRequest`` says otherwise; ``Replica/current`` alone
  /// by default.
  public var replicas: [Replica] {
    get { state.withLock(\.replicas) }
    set { state.withLock { $0.replicas = newValue.isEmpty ? [.current] : newValue } }
  }

  /// Which of ``replicas``, by its index, answers a request by its number from 1; nil for each in
  /// turn.
  public var replicaForRequest: (@Sendable (_ number: Int) -> Int)? {
    get { state.withLock(\.replicaForRequest) }
    set { state.withLock { $0.replicaForRequest = newValue } }
  }

  /// What is called with each request and its number from 1 before it is answered; it may change the
  /// server, as somebody else may change a portal between two pages.
  public var onRequest: (@Sendable (_ number: Int, _ request: ReceivedRequest) -> Void)? {
    get { state.withLock(\.onRequest) }
    set { state.withLock { $0.onRequest = newValue } }
  }

  /// Whether the dataset has been taken away: everything is answered with 404.
  public var isRetired: Bool {
    get { state.withLock(\.isRetired) }
    set { state.withLock { $0.isRetired = newValue } }
  }

  /// The requests that came, in order, those that met a fault among them.
  public var requests: [ReceivedRequest] { state.withLock(\.requests) }

  /// How many requests came.
  public var requestCount: Int { state.withLock(\.requests.count) }

  /// Forgets the requests that came, so that numbers begin at 1 again.
  public func forgetRequests() { state.withLock { $0.requests = [] } }

  /// How many rows the last query looked at: what it would have cost a portal.
  public var lastVisitedCount: Int { state.withLock(\.lastVisitedCount) }

  /// An address on the portal, which is at `https://soda.example`; the path begins with a slash, and
  /// may have a query that is encoded already.
  public func url(_ path: String) -> URL {
    guard let url = URL(string: "https://soda.example" + path) else {
      preconditionFailure("\(path) makes no address")
    }
    return url
  }

  /// Answers a request, or fails as ``faults`` has it.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let exchange = try await exchange(request)
    guard let count = exchange.cut else { return try exchange.answer.delivered(for: request) }
    throw FieldError(
      .bodyCut, "the body was cut after \(count) bytes on purpose", operation: request.operation)
  }

  static func micros(_ date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
  }
}
