public import FieldCore
public import FieldFoundation

/// What a metro tells its passengers on TDX: disturbances, and nothing when all is well.
///
/// ```swift
/// let alerts = TDXAlerts(token: token, transport: transport)
/// for alert in try await alerts.fetch().alerts { print(alert.title, alert.lines) }
/// ```
public struct TDXAlerts: Sendable {
  /// The address of TDX's metro data, to which the resource and the operator are added.
  public var base: URL
  /// The operator, such as `TRTC`.
  public var operatorCode: String
  /// Where names are looked up.
  public var network: MetroNetwork
  /// How long an exchange may take; 20 seconds unless told otherwise.
  public var timeout: Duration
  /// What an answer may be like at most; no alerts are an answer whatever it says.
  public var limits: FeedLimits

  private let token: TDXToken
  private let transport: any Transport

  /// Makes a source of alerts.
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
  public var dataSource: DataSource { .tdxMetro }

  /// Asks TDX. The request's operation is `metro.tdx.alerts`.
  ///
  /// - Throws: `FieldError` with the code `metro.signInRefused` when the id and the secret are not
  ///   accepted, `http.tooManyRequests` when too much was asked, and a `rows.…` code for what is no
  ///   list of alerts.
  @concurrent
  public func fetch() async throws -> MetroAlerts {
    let operation = "metro.tdx.alerts"
    let question = TransportRequest(
      url: try TDXAddress.url(base, "Alert", operatorCode),
      fields: ["Accept": "application/json"], timeout: timeout, responseLimit: limits.bytes,
      operation: operation)
    let answer = try await FeedExchange.answer(to: question) {
      try await token.send($0, by: transport)
    }
    guard answer.isSuccess else {
      throw FieldError(
        .status, "HTTP \(answer.status): TDX did not give the alerts; try again later",
        operation: operation, response: answer.head)
    }
    var alerts = try FeedExchange.reading(answer, operation: operation, limit: limits.bytes) {
      try MetroAlerts(reading: $0, network: network)
    }
    alerts.serverDate = answer.serverDate
    return alerts
  }
}
