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

// MARK: - Options

extension FakeSODAServer {
  /// Options that configure a portal's behavior, all of which was observed on real portals.
  public struct Options: Sendable {
    /// The version of the API.
    public var flavor = Flavor.soda21
    /// The accepted tokens; `nil` accepts any.
    ///
    /// The response to another token is 403, even where no token is needed.
    public var acceptedTokens: Set<String>?
    /// A Boolean value that indicates whether a request needs a token or an `Authorization`.
    ///
    /// `nil` means as in Socrata: `true` for SODA 3, `false` for `/resource/`.
    public var requiresToken: Bool?
    /// The format of error messages.
    public var errorShape = ErrorShape.coordinator
    /// The maximum number of rows in a response, whatever limit the client requests; `nil` for
    /// none.
    public var pageCap: Int?
    /// The number of rows of a static response that ignores the query; `nil` for a normal server.
    public var staticRows: Int?
    /// A closure that makes the dataset endless: before each page is read, it returns as many new
    /// rows as the page can hold.
    ///
    /// The closure receives an index from 0.
    public var unboundedRow: (@Sendable (_ index: Int) -> Row)?
    /// A Boolean value that indicates whether responses have `X-SODA2-Fields` and `X-SODA2-Types`.
    public var hasTypeHeaders = true
    /// The format of `ETag`.
    public var entityTag = EntityTagStyle.gzipSuffix
    /// A Boolean value that indicates whether `:created_at` and `:updated_at` have microseconds.
    ///
    /// They are compared with microseconds but printed with milliseconds, so a printed stamp isn't
    /// equal to that of its own row.
    public var keepsMicroseconds = false
    /// The minimum time between the stamps of two writes.
    ///
    /// A write that follows sooner by the clock is stamped this much after the previous one. Zero
    /// lets writes share a stamp. If ``keepsMicroseconds`` is `false`, stamps differ only if this
    /// is at least a millisecond.
    public var stampStep = Duration.milliseconds(1)
    /// The seed of the permutation of row numbers that IDs represent.
    public var idSeed: UInt64 = 0x5EED
    /// The number of earlier states that are kept for lagging replicas.
    public var historyLimit = 64
    /// A Boolean value that indicates whether JSON begins with a byte-order mark, as with
    /// `$$bom=true`.
    public var hasByteOrderMark = false

    /// Creates the options of a well-behaved SODA 2.1 portal.
    public init() {}
  }

  /// The version of the API.
  public enum Flavor: Sendable, Hashable {
    /// SODA 2.0: legacy types, at most 50,000 rows per page, case-insensitive comparison of text.
    case soda20
    /// SODA 2.1.
    case soda21
    /// SODA 3.0: `/resource/` still exists, and needs a token like the rest.
    case soda30
  }

  /// The format of error messages.
  public enum ErrorShape: Sendable, Hashable {
    /// `{"code":…,"error":true,"message":…,"data":…}`, as documented.
    case documented
    /// `{"message":"Query coordinator error: …","errorCode":…,"data":…}`, as measured.
    case coordinator
    /// `{"code":…,"error":true}`, without a message.
    case withoutMessage
    /// `{"error":{"message":…}}`, as in CKAN.
    case nested
  }

  /// The format of `ETag`.
  public enum EntityTagStyle: Sendable, Hashable {
    /// No `ETag`.
    case absent
    /// `"…"`.
    case strong
    /// `"…---…--gzip--gzip"`, as measured.
    case gzipSuffix
    /// `W/"…"`.
    case weak
  }
}

// MARK: - Loading

extension FakeSODAServer {
  /// Adds rows of SODA JSON, an array or a line for each row, as one write.
  ///
  /// `:created_at` and `:updated_at` are kept where a row has them. Its `:id` and `:version` are not:
  /// the server gives its own, in the order of the rows. Keys that are no column are passed over.
  ///
  /// - Returns: The `:id`s, in order.
  /// - Throws: `FieldError` with the code `input.invalid` when a row is no JSON object; nothing
  ///   has been added then.
  @discardableResult
  public func load(json bytes: [UInt8], at date: Date? = nil) throws -> [String] {
    let objects = try Self.objects(bytes)
    let indices = Dictionary(
      columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let types = columns.map { FakeSoQLType($0.type) }
    return write(at: date) { state, stamp in
      objects.map { members in
        var cells = [Cell](repeating: .null, count: columns.count)
        var (createdAt, updatedAt) = (stamp, stamp)
        for member in members {
          if let index = indices[member.key] {
            cells[index] = Self.cell(member.value, types[index])
          } else if let text = member.value.string,
            let micros = FakeSoQLTime.micros(text, isFixed: true)
          {
            if member.key == ":created_at" { createdAt = micros }
            if member.key == ":updated_at" { updatedAt = micros }
          }
        }
        return add(cells, createdAt: createdAt, updatedAt, &state)
      }
    }
  }

  private static func objects(_ bytes: [UInt8]) throws -> [[FakeJSON.Member]] {
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    var values: [FakeJSON?]
    if bytes.first(where: { !space.contains($0) }) == UInt8(ascii: "[") {
      guard case .array(let elements, _) = FakeJSON.read(bytes) else {
        throw FieldError(.invalidInput, "The rows aren't a JSON array.")
      }
      values = elements
    } else {
      values = bytes.split(separator: 0x0A).filter { !$0.allSatisfy(space.contains) }
        .map { FakeJSON.read($0) }
    }
    return try values.enumerated().map { index, value in
      guard case .object(let members, _) = value else {
        throw FieldError(.invalidInput, "Row \(index + 1) isn't a JSON object.")
      }
      return members
    }
  }

  private static func cell(_ value: FakeJSON, _ type: FakeSoQLType) -> Cell {
    switch (value, type) {
    case (.null, _): return .null
    case (.boolean(let value), _): return .checkbox(value)
    case (.string(let text), .floating), (.string(let text), .fixed): return .timestamp(text)
    case (.string(let text), .number), (.number(let text), .number): return .number(text)
    case (.string(let text), _): return .text(text)
    case (.number(let text), _), (.array(_, let text), _): return .json(text)
    case (.object(_, let text), _):
      if value["type"]?.string == "Point", case .array(let numbers, _)? = value["coordinates"],
        numbers.count == 2, let longitude = numbers[0].word.flatMap({ Double($0) }),
        let latitude = numbers[1].word.flatMap({ Double($0) })
      {
        return .point(longitude: longitude, latitude: latitude)
      }
      guard type == .location else { return .json(text) }
      return .location(
        latitude: value["latitude"]?.word, longitude: value["longitude"]?.word,
        humanAddress: value["human_address"]?.string)
    }
  }
}

// MARK: - Received request

extension FakeSODAServer {
  /// A request as received by the server.
  public struct ReceivedRequest: Sendable, Hashable {
    /// The number of the request, from 1.
    public let number: Int
    /// The HTTP method.
    public let method: TransportRequest.Method
    /// The exact URL.
    public let url: URL
    /// The parameters of the query, decoded, in order.
    public let parameters: [Parameter]
    /// The header fields.
    public let fields: HTTPHeaderFields
    /// The body.
    public let body: [UInt8]
    /// The operation that the client assigned to the request.
    public let operation: String

    /// A parameter of a query.
    public struct Parameter: Sendable, Hashable {
      /// The name, such as `$where`.
      public let name: String
      /// The value.
      public let value: String
    }

    init(_ request: TransportRequest, number: Int) throws {
      self.number = number
      method = request.method
      url = request.url
      fields = request.fields
      body = try request.body?.bytes() ?? []
      operation = request.operation
      parameters = QueryItems(request.queryText.replacing("+", with: " ")).items
        .map { Parameter(name: $0.name, value: $0.value) }
    }

    /// Returns the value of the first parameter with a name.
    public subscript(parameter name: String) -> String? {
      parameters.first { $0.name == name }?.value
    }

    /// The body as text.
    public var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The app token, from the header field or otherwise from the URL.
    public var token: String? { fields["X-App-Token"] ?? tokensInAddress.first }

    /// The app tokens in the URL, where they end up in logs; a well-behaved client sends none.
    public var tokensInAddress: [String] {
      parameters.filter { $0.name == "$$app_token" || $0.name == "app_token" }.map(\.value)
    }

    /// The decoded segments of the path.
    var path: [String] { url.path.split(separator: "/").map(String.init) }
  }
}

// MARK: - Responding

extension FakeSODAServer {
  /// Returns the whole response to a request, and the number of bytes of the body after which the
  /// connection ends; `nil` if it doesn't.
  func respond(
    to request: TransportRequest
  ) async throws -> (response: TransportResponse, cut: Int?) {
    try Task.checkCancellation()
    let (received, hook) = try state.withLock { state in
      let received = try ReceivedRequest(request, number: state.requests.count + 1)
      state.requests.append(received)
      return (received, state.onRequest)
    }
    hook?(received.number, received)
    let faults = state.withLock { $0.faults.meet(received, request) }
    for case .latency(let duration) in faults { try await clock.sleep(for: duration) }
    try Task.checkCancellation()
    for fault in faults {
      switch fault {
      case .failure(let error): throw error
      case .response(let response): return (response, nil)
      case .silence: try await Fault.waitForCancellation()
      default: break
      }
    }
    var response = response(received)
    var cut: Int?
    for fault in faults {
      switch fault {
      case .lostResponse(let error): throw error
      case .cutBody(let count):
        if try response.body.bytes().count > count { cut = count }
      case .truncatedBody(let count):
        response.body = .bytes(Array(try response.body.bytes().prefix(count)))
      default: break
      }
    }
    return (response, cut)
  }

  /// Returns the response of the replica whose turn it is.
  private func response(_ received: ReceivedRequest) -> TransportResponse {
    let now = Self.micros(clock.now)
    let setting = state.withLock { state in
      let replicas = state.replicas
      let turn = state.replicaForRequest?(received.number) ?? received.number - 1
      let replica = replicas[((turn % replicas.count) + replicas.count) % replicas.count]
      return FakeSODASetting(
        table: state.table(of: replica, now: now), current: state.table, claim: replica.claim,
        options: state.options, isRetired: state.isRetired, now: now)
    }
    var responder = FakeSODAResponder(server: self, request: received, setting: setting)
    let response = responder.respond()
    state.withLock { $0.lastVisitedCount = responder.visitedCount }
    return response
  }

  /// Adds rows that fill a page of an endless dataset, and returns the table with them.
  func extend(by count: Int) -> FakeSODATable {
    guard let row = options.unboundedRow else { return state.withLock(\.table) }
    let first = state.withLock { state in
      defer { state.unboundedCount += count }
      return state.unboundedCount
    }
    insert((first..<first + count).map(row))
    return state.withLock(\.table)
  }
}

/// The state of the server at the time of a request.
struct FakeSODASetting: Sendable {
  /// The table of the responding replica.
  var table: FakeSODATable
  /// The table of the newest replica.
  let current: FakeSODATable
  /// The replica's claim about being out of date, whether or not it is true.
  let claim: Bool?
  let options: FakeSODAServer.Options
  let isRetired: Bool
  let now: Int64
}

// MARK: - Faults

extension FakeSODAServer {
  /// The faults of a server, and the requests that they affect.
  ///
  /// ```swift
  /// server.faults.append(.status(503), onRequests: 2...3)
  /// server.faults.append(.truncatedBody(after: 100), onRequest: 5)
  /// server.faults.append(.invalidToken) { $0.token == "old" }
  /// server.faults.append(.seeded(7, rate: 0.1, [.drop(), .status(500)]))
  /// ```
  ///
  /// All faults that affect a request apply: latencies add up, then the first fault that stops the
  /// request applies, and then those that change the response.
  public struct Faults: Sendable {
    private struct Rule: Sendable {
      var plan: FaultPlan
      var isConcerned: @Sendable (ReceivedRequest) -> Bool
      var seen = 0
    }

    private var rules: [Rule] = []
    /// The number of faults that occurred.
    public private(set) var metCount = 0

    /// Creates an empty list of faults.
    public init() {}

    /// Adds a fault that affects the requests with these numbers, from 1.
    public mutating func append(
      _ fault: Fault, onRequests numbers: some RangeExpression<Int> & Sendable
    ) { append(fault) { numbers.contains($0.number) } }

    /// Adds a fault that affects the request with this number, from 1.
    public mutating func append(_ fault: Fault, onRequest number: Int) {
      append(fault, onRequests: number...number)
    }

    /// Adds a fault that affects the requests that a closure selects.
    public mutating func append(
      _ fault: Fault, when isConcerned: @escaping @Sendable (ReceivedRequest) -> Bool
    ) { rules.append(Rule(plan: .always(fault), isConcerned: isConcerned)) }

    /// Adds a plan, which counts the requests that it applies to from now on.
    public mutating func append(_ plan: FaultPlan) {
      rules.append(Rule(plan: plan, isConcerned: { _ in true }))
    }

    /// Removes all faults.
    public mutating func removeAll() { rules = [] }

    /// Returns the faults that affect a request, in the order in which they were added.
    mutating func meet(_ received: ReceivedRequest, _ request: TransportRequest) -> [Fault.Kind] {
      var faults: [Fault.Kind] = []
      for index in rules.indices
      where rules[index].isConcerned(received) && rules[index].plan.isConcerned(request) {
        rules[index].seen += 1
        if let fault = rules[index].plan.faultFor(rules[index].seen) { faults.append(fault.kind) }
      }
      metCount += faults.count
      return faults
    }
  }
}

extension Fault {
  /// A response of 202 instead of the rows: the portal is still processing the request.
  public static var stillProcessing: Fault {
    .json(202, #"{"status":"processing","message":"Request Processing"}"#)
  }

  /// Returns a response of 429 whose `Retry-After` is unchanged: seconds, a date, or invalid.
  public static func tooManyRequests(retryAfter: String? = nil) -> Fault {
    var fields: HTTPHeaderFields = ["Content-Type": "application/json; charset=utf-8"]
    fields["Retry-After"] = retryAfter
    return .status(
      429, fields: fields,
      body: .text(#"{"code":"too-many-requests","error":true,"message":"Too many requests"}"#))
  }

  /// A response of 403 because the portal doesn't know the token.
  public static var invalidToken: Fault {
    .json(
      403, #"{"code":"permission_denied","error":true,"message":"Invalid app_token specified"}"#)
  }

  /// A response of 404 because the dataset was withdrawn.
  public static var retiredDataset: Fault {
    .json(404, #"{"code":"dataset.missing","error":true,"message":"Not found"}"#)
  }

  /// A response of 200 with an HTML page, such as from a proxy or a hotel's network.
  public static var webPage: Fault {
    .status(
      200, fields: ["Content-Type": "text/html; charset=utf-8"],
      body: .text("<!DOCTYPE html>\n<html><body><h1>Sign in</h1></body></html>\n"))
  }

  /// A response of 403 with XML, such as from an S3 bucket.
  public static var bucketDenial: Fault {
    .status(
      403, fields: ["Content-Type": "application/xml"],
      body: .text(
        #"<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code>"#
          + "<Message>Access Denied</Message></Error>"))
  }

  /// Returns a response of 200 with a JSON object instead of rows.
  public static func object(_ json: String = #"{"success":true}"#) -> Fault { .json(200, json) }

  /// Returns a verbatim JSON response with a status.
  public static func json(_ status: Int, _ json: String) -> Fault {
    .status(status, fields: ["Content-Type": "application/json; charset=utf-8"], body: .text(json))
  }
}
