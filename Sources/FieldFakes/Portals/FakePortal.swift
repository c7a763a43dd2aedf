public import FieldCore
public import FieldFoundation

/// A fake of an ArcGIS feature service, a CKAN datastore, or an OpenDataSoft portal with one table, in memory, for testing syncs.
///
/// ```swift
/// let portal = FakePortal(.ckan, columns: ["name", .init("height", .number)], rows: [["name": "Oak"]])
/// portal.onRequest = { number, _ in if number == 2 { portal.delete([1]) } }
/// portal.faults.append(.status(503), onRequest: 3)
/// ```
///
/// Each row has a number, `OBJECTID` or `_id`, which is never used again, and which OpenDataSoft doesn't return. Responses depend on the path of the request, whatever the
/// host, so a ``LoopbackServer`` can serve it:
///
/// | Path | Response |
/// |---|---|
/// | `…/FeatureServer/0` | the layer's description |
/// | `…/FeatureServer/0/query` | features, object IDs, or a count |
/// | `…/FeatureServer`, `…/api/v3/datasets` | the service with its layer, and the entry of a Hub site |
/// | `…/api/3/action/datastore_search`, `datastore_info` | rows of the resource, and its columns |
/// | `…/api/3/action/package_show`, `resource_show` | the dataset `rows`, and its resource `rows-1` |
/// | `…/api/3/action/package_search`, `…/v2.1/catalog/datasets` | the datasets whose name or title contains a text |
/// | `…/download/rows.csv` | the rows as a file, with an entity tag |
/// | `…/api/explore/v2.1/catalog/datasets/rows` | the dataset's description |
/// | `…/datasets/rows/records` | at most 100 rows, with offsets up to 10,000 |
/// | `…/datasets/rows/exports/json` | all rows, or those that meet a condition |
/// | `…/datasets/rows/facets` | the number of rows with each text of a column |
public final class FakePortal: Transport {
  /// The kind of a portal.
  public enum Dialect: Sendable, Hashable {
    /// An ArcGIS feature service.
    case arcGIS
    /// A CKAN portal with a datastore.
    case ckan
    /// An OpenDataSoft portal.
    case openDataSoft
  }

  /// Options that configure the portal's behavior, which you can change between requests.
  public struct Options: Sendable {
    /// The maximum number of rows in a response, whatever limit the client requests.
    public var pageCap = 1_000
    /// A Boolean value that indicates whether the service can order rows, which old ArcGIS servers can't.
    public var isOrdered = true
    /// A Boolean value that indicates whether an ArcGIS service refuses an order, although it states that it orders rows.
    public var refusesOrder = false
    /// A Boolean value that indicates whether the service states the limit of its responses, and that one was cut, which old
    /// ArcGIS servers don't.
    public var statesLimit = true
    /// A Boolean value that indicates whether the features of an ArcGIS service lack their number.
    public var hidesNumbers = false
    /// A Boolean value that indicates whether locations are in Web Mercator, even if degrees are requested.
    public var isProjected = false
    /// A Boolean value that indicates whether CKAN accepts ranges as filters, as since version 2.12.
    public var hasRanges = false
    /// The number of datasets in the catalog of a CKAN or OpenDataSoft portal: `rows`, `rows-2`, `rows-3`, and so on.
    public var catalogSize = 1
    /// A Boolean value that indicates whether the CKAN portal has the rows in its datastore, and not only in a file.
    public var hasDatastore = true
    /// A Boolean value that indicates whether the OpenDataSoft portal denies exports.
    public var deniesExports = false
    /// The maximum number of values per column that the OpenDataSoft portal counts.
    public var facetLimit = 100
    /// The number of rows after which the OpenDataSoft portal interrupts an export with a message, with status 200; `nil` interrupts
    /// none.
    public var interruptsExportsAfter: Int?
    /// A Boolean value that indicates whether the portal ignores the conditions of requests, like a static file.
    public var ignoresConditions = false
    /// A Boolean value that indicates whether the portal states the time of the last edit, as ArcGIS and OpenDataSoft can.
    public var recordsEdits = true
    /// The accepted token; `nil` requires none.
    public var token: String?

    /// Creates the options of a well-behaved portal.
    public init() {}
  }

  /// The kind of the portal.
  public let dialect: Dialect
  /// The columns besides the number.
  public let columns: [FakeSODAServer.Column]

  let clock: any FieldClock
  private let state: Lock<State>

  struct State {
    var rows: [(number: Int, row: FakeSODAServer.Row)] = []
    var last = 0
    var edits = 0
    var options = Options()
    var faults = FakeSODAServer.Faults()
    var onRequest: (@Sendable (Int, FakeSODAServer.ReceivedRequest) -> Void)?
    var requests: [FakeSODAServer.ReceivedRequest] = []
  }

  /// Creates a portal.
  public init(
    _ dialect: Dialect, columns: [FakeSODAServer.Column], rows: [FakeSODAServer.Row] = [],
    clock: any FieldClock = ManualClock(), options: Options = Options()
  ) {
    self.dialect = dialect
    self.columns = columns
    self.clock = clock
    state = Lock(State())
    self.options = options
    insert(rows)
  }

  /// The options.
  public var options: Options {
    get { state.withLock(\.options) }
    set { state.withLock { $0.options = newValue } }
  }

  /// The faults that occur.
  public var faults: FakeSODAServer.Faults {
    get { state.withLock(\.faults) }
    set { state.withLock { $0.faults = newValue } }
  }

  /// A closure that is called with each request and its number, from 1, before the response.
  public var onRequest:
    (@Sendable (_ number: Int, _ request: FakeSODAServer.ReceivedRequest) -> Void)?
  {
    get { state.withLock(\.onRequest) }
    set { state.withLock { $0.onRequest = newValue } }
  }

  /// The received requests, in order.
  public var requests: [FakeSODAServer.ReceivedRequest] { state.withLock(\.requests) }

  /// The numbers of the rows, in order.
  public var numbers: [Int] { state.withLock { $0.rows.map(\.number) } }

  /// The URL of the layer of a service, or of another portal, at `https://portal.example`.
  public var url: URL {
    URL(
      literal: dialect == .arcGIS
        ? "https://portal.example/rest/services/Trees/FeatureServer/0" : "https://portal.example")
  }

  /// Adds rows, which get the next numbers.
  public func insert(_ rows: [FakeSODAServer.Row]) {
    state.withLock { state in
      for row in rows {
        state.last += 1
        state.rows.append((state.last, row))
      }
      state.edits += 1
    }
  }

  /// Changes the cells of a row.
  public func update(_ number: Int, _ cells: FakeSODAServer.Row) {
    state.withLock { state in
      for place in state.rows.indices where state.rows[place].number == number {
        state.rows[place].row.merge(cells) { $1 }
      }
      state.edits += 1
    }
  }

  /// Removes rows.
  public func delete(_ numbers: some Sequence<Int>) {
    let gone = Set(numbers)
    state.withLock { state in
      state.rows.removeAll { gone.contains($0.number) }
      state.edits += 1
    }
  }

  /// Returns the response to a request, or fails according to ``faults``.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let (received, hook) = try state.withLock { state in
      let received = try FakeSODAServer.ReceivedRequest(
        request, number: state.requests.count + 1)
      state.requests.append(received)
      return (received, state.onRequest)
    }
    hook?(received.number, received)
    let faults = state.withLock { $0.faults.meet(received, request) }
    for case .latency(let duration) in faults { try await clock.sleep(for: duration) }
    for fault in faults {
      switch fault {
      case .failure(let error): throw error
      case .response(let response): return try response.delivered(for: request)
      case .silence: try await Fault.waitForCancellation()
      default: break
      }
    }
    var response = state.withLock { FakePortalResponder(self, $0, received).response() }
    response.head.fields["Date"] = HTTPDate.string(for: clock.now)
    for fault in faults {
      switch fault {
      case .lostResponse(let error): throw error
      case .cutBody(let count), .truncatedBody(let count):
        response.body = .bytes(Array(try response.body.bytes().prefix(count)))
      default: break
      }
    }
    return try response.delivered(for: request)
  }
}
