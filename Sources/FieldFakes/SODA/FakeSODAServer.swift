public import FieldCore
public import FieldFoundation

/// A fake of a Socrata portal with one dataset, in memory, for testing syncs.
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
/// let response = try await server.send(
///   TransportRequest(url: server.url("/resource/gh4g-9sfh.json?$limit=1"), operation: "rows"))
/// #expect(server.requests.map(\.tokensInAddress) == [[]])
/// ```
///
/// ### Supported requests
///
/// The server handles `/resource/{id}.json`, `.csv`, and `.geojson`, `/resource/{id}/{row}.json`,
/// `/api/v3/views/{id}/query.json` (POST and GET), `/api/views/{id}.json`, and
/// `/api/views/{id}/rows.json`, on any host. It has its own SoQL parser, and refuses what a portal
/// refuses, with the portal's codes. In conditions, it evaluates comparisons, `AND`, `OR`, `NOT`, `IN`, `IS NULL`, `BETWEEN`,
/// `LIKE`, `starts_with`, `within_circle`, and `within_box`; it selects, groups by, and orders by columns and `count`. It
/// refuses, and never ignores, everything else, with the code `fake.unsupported`.
///
/// ### Rows and writes
///
/// A row has a hidden number, and its `:id` is a text that represents the number without revealing
/// the order, as on a portal. Every write gives the changed rows a new `:updated_at` and
/// `:version`, and deleted rows leave no trace. Reading a page in the order of `:updated_at, :id`,
/// or of `:id`, after a cursor's condition costs only the page; all other queries read the table.
///
/// The server behaves well unless ``options``, ``faults``, or ``replicas`` say otherwise. Equal
/// calls result in equal bytes: the clock defaults to a ``ManualClock``, and nothing is random. To
/// serve it over HTTP, use ``LoopbackServer/init(serving:port:clock:delivery:)``.
public final class FakeSODAServer: Transport {
  /// The ID of the dataset, such as `gh4g-9sfh`.
  public let dataset: String
  /// The columns, in the order of `*`.
  public let columns: [Column]
  /// The column that ``update(_:_:at:)``, ``upsert(_:at:)``, and ``delete(_:)`` use to find rows.
  public let key: String?
  /// The clock for stamps and the field `Date`.
  public let clock: any FieldClock

  let state: Lock<State>

  /// Creates a portal.
  ///
  /// - Parameters:
  ///   - dataset: The ID, in Socrata's form of two groups of four.
  ///   - columns: The columns, in the order of `*`. A literal is a text column.
  ///   - key: The column that identifies a row for publishers. The portal doesn't enforce that it
  ///     is unique, as ``insert(_:at:)`` shows.
  ///   - rows: The initial rows.
  ///   - clock: The clock for stamps. Defaults to one that stands still.
  ///   - options: The options that configure the portal's behavior.
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
    /// Earlier tables, oldest first.
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
    var unboundedCount = 0
    var lastVisitedCount = 0
    /// The numbers of the rows with a key; `nil` until they are needed.
    var numbers: [String: [Int64]]?
  }

  /// The options that configure the portal's behavior, which you can change between requests.
  public var options: Options {
    get { state.withLock(\.options) }
    set { state.withLock { $0.options = newValue } }
  }

  /// The faults that occur.
  public var faults: Faults {
    get { state.withLock(\.faults) }
    set { state.withLock { $0.faults = newValue } }
  }

  /// The replicas that respond in turn, unless ``replicaForRequest`` is set; defaults to
  /// ``Replica/current`` alone.
  public var replicas: [Replica] {
    get { state.withLock(\.replicas) }
    set { state.withLock { $0.replicas = newValue.isEmpty ? [.current] : newValue } }
  }

  /// A closure that returns the index in ``replicas`` for a request's number, from 1; `nil` uses
  /// each in turn.
  public var replicaForRequest: (@Sendable (_ number: Int) -> Int)? {
    get { state.withLock(\.replicaForRequest) }
    set { state.withLock { $0.replicaForRequest = newValue } }
  }

  /// A closure that is called with each request and its number, from 1, before the response.
  ///
  /// It may change the server, like someone who changes a portal between two pages.
  public var onRequest: (@Sendable (_ number: Int, _ request: ReceivedRequest) -> Void)? {
    get { state.withLock(\.onRequest) }
    set { state.withLock { $0.onRequest = newValue } }
  }

  /// A Boolean value that indicates whether the dataset was withdrawn, so that every response is
  /// 404.
  public var isRetired: Bool {
    get { state.withLock(\.isRetired) }
    set { state.withLock { $0.isRetired = newValue } }
  }

  /// The received requests, in order, including those with a fault.
  public var requests: [ReceivedRequest] { state.withLock(\.requests) }

  /// The number of received requests.
  public var requestCount: Int { state.withLock(\.requests.count) }

  /// Forgets the received requests, so that numbers begin at 1 again.
  public func forgetRequests() { state.withLock { $0.requests = [] } }

  /// The number of rows that the last query visited, which is what it would have cost a portal.
  public var lastVisitedCount: Int { state.withLock(\.lastVisitedCount) }

  /// Returns a URL on the portal, which is at `https://soda.example`.
  ///
  /// The path begins with a slash, and may have an encoded query.
  public func url(_ path: String) -> URL {
    guard let url = URL(string: "https://soda.example" + path) else {
      preconditionFailure("\(path) doesn't form a URL.")
    }
    return url
  }

  /// Returns the response to a request, or fails according to ``faults``.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    let outcome = try await respond(to: request)
    guard let count = outcome.cut else { return try outcome.response.delivered(for: request) }
    throw FieldError(
      .bodyCut, "The body was cut after \(count) bytes on purpose.", operation: request.operation)
  }

  static func micros(_ date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
  }
}
