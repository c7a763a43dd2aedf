public import FieldCore
public import FieldFoundation

/// A source of a metro's passenger alerts on TDX, which are empty if service is normal.
///
/// ```swift
/// let alerts = TDXAlerts(token: token, transport: transport)
/// for alert in try await alerts.fetch().alerts { print(alert.title, alert.lines) }
/// ```
///
/// Pass it to a ``Metro`` to store the alerts and to show them with the arrivals.
public struct TDXAlerts: RecordSource {
  /// The base URL of TDX's metro data, to which the resource and the operator are appended.
  public var base: URL
  /// The operator, such as `TRTC`.
  public var operatorCode: String
  /// The network in which names are looked up.
  public var network: MetroNetwork
  /// The maximum duration of a request.
  ///
  /// Defaults to 20 seconds.
  public var timeout: Duration
  /// The limits for a response; having no alerts is always allowed.
  public var limits: FeedLimits

  private let token: TDXToken
  private let transport: any Transport

  /// Creates a source of alerts.
  public init(
    token: TDXToken,
    transport: any Transport,
    base: URL = TDXLiveBoard.presentBase,
    operatorCode: String = "TRTC",
    network: MetroNetwork = .taipei,
    timeout: Duration = .seconds(20),
    limits: FeedLimits = .default
  ) {
    self.token = token
    self.transport = transport
    self.base = base
    self.operatorCode = operatorCode
    self.network = network
    self.timeout = timeout
    self.limits = limits
  }

  /// The metro's data on TDX.
  public var dataSource: DataSource? { .tdxMetro }

  /// Returns the alerts as the only record, because they can only be replaced together.
  public func fetch(_ request: RecordRequest) async throws -> Batch<MetroAlerts> {
    Batch(records: [try await fetch()])
  }

  /// Fetches the alerts from TDX, with the request operation `metro.tdx.alerts`.
  ///
  /// - Throws: `FieldError` with the code `metro.signInRefused` if the ID and secret are rejected,
  ///   `http.tooManyRequests` if the rate limit is exceeded, or a `rows.…` code if the response
  ///   isn't a list of alerts.
  @concurrent
  public func fetch() async throws -> MetroAlerts {
    let operation = "metro.tdx.alerts"
    let feedRequest = TransportRequest(
      url: try TDXAddress.url(base, "Alert", operatorCode),
      fields: ["Accept": "application/json"], timeout: timeout, responseLimit: limits.bytes,
      operation: operation)
    let answer = try await FeedExchange.answer(to: feedRequest) {
      try await token.send($0, by: transport)
    }
    guard answer.isSuccess else {
      throw FieldError(
        .status, "HTTP \(answer.status): TDX didn't return the alerts. Try again later.",
        operation: operation, response: answer.head)
    }
    var alerts = try FeedExchange.reading(answer, operation: operation, limit: limits.bytes) {
      try MetroAlerts(reading: $0, network: network)
    }
    alerts.serverDate = answer.serverDate
    return alerts
  }
}
