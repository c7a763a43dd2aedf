public import FieldCore
internal import FieldFoundation

/// Taipei's metro as its feeds tell it, played by a clock: trains run, and every form of every feed says
/// where they are.
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
/// What is answered depends on the clock's date and on the path of the request, whatever its host, so
/// that a ``LoopbackServer`` can serve it too:
///
/// | path | what it is |
/// |---|---|
/// | `…/stations.json` | the open feed, in its ``StationForm``; rewritten every ``interval`` |
/// | `…/apiAccess?rid=…`, `…/api/v1/dataset/{rid}` | data.taipei's rows, paged by `limit` and `offset` |
/// | `…/TrackInfo.asmx` | the members' feed, after a POST of SOAP with their ``Account`` |
/// | `…/openid-connect/token` | TDX's sign-in, after a POST of the account's id and secret |
/// | `…/LiveBoard/{operator}`, `…/Alert/{operator}` | TDX, with the token that it gave |
///
/// Everything else is 404. What goes wrong in an answer is up to ``fail(_:)``; what goes wrong on the
/// way, to a ``FaultTransport`` around this.
public final class FakeMetroFeed: Transport {
  /// The lines whose trains run.
  public let lines: [Line]
  /// Rows that stay the same for ever, behind those of the trains.
  public let frozen: [FrozenTrain]
  /// How the open feed is written.
  public let stationForm: StationForm
  /// Whether the members' feed has its JSON in an element, with entities, rather than before the
  /// envelope.
  public let escapesTrackInfo: Bool
  /// Whether TDX's board is under `StationLiveBoards` rather than an array.
  public let wrapsLiveBoard: Bool
  /// How often the feeds are written anew.
  public let interval: Duration
  /// Who may sign in.
  public let account: Account
  /// How long a token of TDX lasts.
  public let tokenLife: Duration
  /// How many tokens are given in a minute; more are answered with 429.
  public let tokensPerMinute: Int
  /// The ids of data.taipei that have no data any more; they are answered with 404.
  public let retiredResources: Set<String>
  /// What TDX tells passengers; none is told as it tells that all is normal.
  public let alerts: [String]

  let clock: any FieldClock
  let state = Lock(State())

  struct State: Sendable {
    var failure: Failure?
    /// When each token ends, on the clock's uptime.
    var tokens: [String: Duration] = [:]
    /// When tokens were asked for.
    var tokenCalls: [Duration] = []
    var tokenCount = 0
    var requests: [TransportRequest] = []
  }

  /// Makes a metro.
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

  /// The requests that came, in order.
  public var requests: [TransportRequest] { state.withLock(\.requests) }

  /// How many tokens TDX has given.
  public var tokenCount: Int { state.withLock(\.tokenCount) }

  /// Lets the feeds go wrong from now on, or, with nil, right again.
  public func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// Makes all tokens of TDX void, so that they are answered with 401.
  public func revokeTokens() { state.withLock { $0.tokens = [:] } }

  /// Answers what a request asks for.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let failure = state.withLock { state in
      state.requests.append(request)
      return state.failure
    }
    var question = request
    // What goes wrong is never what the asker has already.
    if failure != nil { question.fields["If-None-Match"] = nil }
    var answer = try answer(to: question)
    if answer.isSuccess, let failure, !isToken(request) {
      answer = try failure.applied(to: answer)
    }
    answer.head.fields["Date"] = HTTPDate.string(for: clock.now)
    return try answer.delivered(for: request)
  }

  private func isToken(_ request: TransportRequest) -> Bool {
    request.url.path().hasSuffix("/openid-connect/token")
  }

  private func answer(to request: TransportRequest) throws -> TransportResponse {
    let path = request.url.path()
    if isToken(request) { return try tokenAnswer(to: request) }
    if path.hasSuffix("/stations.json") { return stationsAnswer(to: request) }
    if path.hasSuffix("/apiAccess") || path.contains("/api/v1/dataset/") {
      return openDataAnswer(to: request)
    }
    if path.hasSuffix("/TrackInfo.asmx") { return try trackInfoAnswer(to: request) }
    if path.contains("/LiveBoard/") {
      return signed(request) { .json(liveBoard) }
    }
    if path.contains("/Alert/") { return signed(request) { .json(alertList) } }
    return TransportResponse(status: 404)
  }
}
