public import FieldCore
internal import FieldFoundation

/// A fake of the feeds of Taipei's metro, driven by a clock: trains run, and every format of every
/// feed says where they are.
///
/// ```swift
/// let clock = ManualClock()
/// let fake = FakeMetroFeed(clock: clock)
/// let metro = Metro(storage: .inMemory, transport: fake, clock: clock)
/// try await metro.refresh()
/// clock.advance(by: .seconds(30))
/// try await metro.refresh()                      // the trains have moved on
/// ```
///
/// Responses depend on the clock's date and on the path of the request, whatever the host, so a
/// ``LoopbackServer`` can serve it:
///
/// | Path | Response |
/// |---|---|
/// | `…/stations.json` | the open feed, in its ``StationForm``; updated every ``interval`` |
/// | `…/apiAccess?rid=…`, `…/api/v1/dataset/{rid}` | data.taipei's rows, paged by `limit` and `offset` |
/// | `…/TrackInfo.asmx` | the members' feed, after a POST of SOAP with their ``Account`` |
/// | `…/openid-connect/token` | TDX's sign-in, after a POST of the account's ID and secret |
/// | `…/LiveBoard/{operator}`, `…/Alert/{operator}` | TDX, with a token that it issued |
/// | `…/StationTimeTable/{operator}`, `…/Frequency/{operator}` | TDX's timetable of the trains, with a token |
///
/// Everything else is 404. Simulate failures in responses with ``fail(_:)``, and failures of the
/// network with a ``FaultTransport`` around this one.
public final class FakeMetroFeed: Transport {
  /// The lines whose trains run.
  public let lines: [Line]
  /// Rows that never change, after those of the trains.
  public let frozen: [FrozenTrain]
  /// The format of the open feed.
  public let stationForm: StationForm
  /// A Boolean value that indicates whether the members' feed has its JSON in an element, with
  /// entities, instead of before the envelope.
  public let escapesTrackInfo: Bool
  /// A Boolean value that indicates whether TDX's board is under `StationLiveBoards` instead of an
  /// array.
  public let wrapsLiveBoard: Bool
  /// The interval at which the feeds are updated.
  public let interval: Duration
  /// The account that may sign in.
  public let account: Account
  /// The lifetime of a TDX token.
  public let tokenLife: Duration
  /// The number of tokens issued per minute; further requests result in 429.
  public let tokensPerMinute: Int
  /// The IDs on data.taipei that no longer have data, which result in 404.
  public let retiredResources: Set<String>
  /// TDX's alerts for passengers; if there are none, it reports normal service.
  public let alerts: [String]

  let clock: any FieldClock
  let state = Lock(State())

  struct State: Sendable {
    var failure: Failure?
    /// The expiration of each token, by the clock's uptime.
    var tokens: [String: Duration] = [:]
    /// The times at which tokens were requested.
    var tokenCalls: [Duration] = []
    var tokenCount = 0
    var requests: [TransportRequest] = []
  }

  /// Creates a metro.
  public init(
    clock: any FieldClock = .system,
    lines: [Line] = Line.taipei,
    frozen: [FrozenTrain] = [],
    stationForm: StationForm = .plain,
    escapesTrackInfo: Bool = false,
    wrapsLiveBoard: Bool = false,
    interval: Duration = .seconds(30),
    account: Account = Account(),
    tokenLife: Duration = .seconds(86_400),
    tokensPerMinute: Int = 20,
    retiredResources: Set<String> = [],
    alerts: [String] = []
  ) {
    self.clock = clock
    self.lines = lines
    self.frozen = frozen
    self.stationForm = stationForm
    self.escapesTrackInfo = escapesTrackInfo
    self.wrapsLiveBoard = wrapsLiveBoard
    self.interval = max(interval, .seconds(1))
    self.account = account
    self.tokenLife = tokenLife
    self.tokensPerMinute = tokensPerMinute
    self.retiredResources = retiredResources
    self.alerts = alerts
  }

  /// The received requests, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// The number of tokens that TDX has issued.
  public var tokenCount: Int { state.withLock(\.tokenCount) }

  /// Makes the feeds fail from now on; `nil` ends the failure.
  public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// Revokes all TDX tokens, so that they result in 401.
  public func revokeTokens() { state.withLock { $0.tokens = [:] } }

  /// Returns the response to a request.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let failure = state.withLock { state in
      state.requests.append(request)
      return state.failure
    }
    var sent = request
    // A failing response is never the one that the client already has.
    if failure != nil { sent.fields["If-None-Match"] = nil }
    var response = try response(to: sent)
    if response.isSuccess, let failure, !isToken(request) {
      response = try failure.applied(to: response)
    }
    response.head.fields["Date"] = HTTPDate.string(for: clock.now)
    return try response.delivered(for: request)
  }

  private func isToken(_ request: TransportRequest) -> Bool {
    request.url.path().hasSuffix("/openid-connect/token")
  }

  private func response(to request: TransportRequest) throws -> TransportResponse {
    let path = request.url.path()
    if isToken(request) { return try tokenResponse(to: request) }
    if path.hasSuffix("/stations.json") { return stationsResponse(to: request) }
    if path.hasSuffix("/apiAccess") || path.contains("/api/v1/dataset/") {
      return openDataResponse(to: request)
    }
    if path.hasSuffix("/TrackInfo.asmx") { return try trackInfoResponse(to: request) }
    if path.contains("/LiveBoard/") { return signed(request) { .json(liveBoard) } }
    if path.contains("/Alert/") { return signed(request) { .json(alertList) } }
    if path.contains("/StationTimeTable/") {
      return signed(request) { timetableResponse(to: request) { stationTimetable } }
    }
    if path.contains("/Frequency/") {
      return signed(request) { timetableResponse(to: request) { headways } }
    }
    return TransportResponse(status: 404)
  }
}
