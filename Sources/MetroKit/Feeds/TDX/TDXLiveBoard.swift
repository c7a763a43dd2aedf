public import FieldCore
public import FieldFoundation

/// A source that reads a metro's live board from TDX.
///
/// For Taipei, it is the open feed in another format: its estimates are all 0, and each row says
/// that a train is entering a station. The time of a row is that of its source; TDX's own is half a
/// minute later. For other metros, an estimate above 0 becomes a countdown.
///
/// A key of the free plan allows a request about every 15 seconds.
public struct TDXLiveBoard: RecordSource {
  /// The base URL of TDX's metro data, to which the resource and the operator are appended.
  public var base: URL
  /// The operator, such as `TRTC`.
  public var operatorCode: String
  /// The unit of the estimates.
  public var estimateUnit: EstimateUnit
  /// The network in which names are looked up.
  public var network: MetroNetwork
  /// The maximum duration of a request.
  ///
  /// Defaults to 20 seconds.
  public var timeout: Duration
  /// The limits for a response.
  public var limits: FeedLimits

  private let token: TDXToken
  private let transport: any Transport

  /// Creates a source that reads the live board.
  public init(
    token: TDXToken,
    transport: any Transport,
    base: URL = Self.presentBase,
    operatorCode: String = "TRTC",
    estimateUnit: EstimateUnit = .seconds,
    network: MetroNetwork = .taipei,
    timeout: Duration = .seconds(20),
    limits: FeedLimits = .default
  ) {
    self.token = token
    self.transport = transport
    self.base = base
    self.operatorCode = operatorCode
    self.estimateUnit = estimateUnit
    self.network = network
    self.timeout = timeout
    self.limits = limits
  }

  /// The base URL of TDX's metro data.
  public static var presentBase: URL { TDXAddress.present }

  /// The metro's data on TDX.
  public var dataSource: DataSource? { .tdxMetro }

  /// Fetches the board from TDX, with the request operation `metro.tdx.liveBoard`.
  ///
  /// - Throws: `FieldError` with the code `metro.signInRefused` if the ID and secret are rejected,
  ///   `http.tooManyRequests` if the rate limit is exceeded, or a code of
  ///   `Batch.init(reading:network:estimateUnit:)`.
  @concurrent
  public func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    let feedRequest = TransportRequest(
      url: try TDXAddress.url(base, "LiveBoard", operatorCode),
      fields: ["Accept": "application/json"], timeout: timeout, operation: "metro.tdx.liveBoard")
    return try await FeedExchange(
      request: feedRequest, network: network, limits: limits, estimateUnit: estimateUnit
    ).batch(validators: request.validators) { try await token.send($0, by: transport) }
  }

  /// The unit of TDX's time until a train arrives, on which its documentation is ambiguous.
  public enum EstimateUnit: String, Sendable, Hashable, Codable, CaseIterable {
    /// The estimates are in seconds.
    case seconds
    /// The estimates are in minutes.
    case minutes

    var seconds: Int { self == .minutes ? 60 : 1 }
  }
}
