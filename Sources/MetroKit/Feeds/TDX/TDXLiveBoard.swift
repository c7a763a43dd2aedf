public import FieldCore
public import FieldFoundation

/// The live board of a metro on TDX.
///
/// For Taipei it is the open feed in another dress: its estimates are all 0, and each row says that a
/// train is entering a station. The time of a row is that of its source; TDX's own is half a minute
/// later. Of other metros an estimate above 0 becomes a countdown.
///
/// A key of the free plan may ask about every 15 seconds.
public struct TDXLiveBoard: ArrivalSource {
  /// The address of TDX's metro data, to which the resource and the operator are added.
  public var base: URL
  /// The operator, such as `TRTC`.
  public var operatorCode: String
  /// What the estimates are counted in.
  public var estimateUnit: EstimateUnit
  /// Where names are looked up.
  public var network: MetroNetwork
  /// How long an exchange may take; 20 seconds unless told otherwise.
  public var timeout: Duration
  /// What an answer may be like at most.
  public var limits: FeedLimits

  private let token: TDXToken
  private let transport: any Transport

  /// Makes a source of the live board.
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

  /// Where TDX has its metro data.
  public static var presentBase: URL { TDXAddress.present }

  /// The metro's data on TDX.
  public var dataSource: DataSource { .tdxMetro }

  /// Asks TDX. The request's operation is `metro.tdx.liveBoard`.
  ///
  /// - Throws: `FieldError` with the code `metro.signInRefused` when the id and the secret are not
  ///   accepted, `http.tooManyRequests` when too much was asked, and those of
  ///   ``ArrivalRows/init(reading:network:estimateUnit:)``.
  @concurrent
  public func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch {
    let question = TransportRequest(
      url: try TDXAddress.url(base, "LiveBoard", operatorCode),
      fields: ["Accept": "application/json"], timeout: timeout, operation: "metro.tdx.liveBoard")
    return try await FeedExchange(
      request: question, network: network, limits: limits, estimateUnit: estimateUnit
    ).delivery(validators: request.validators) { try await token.send($0, by: transport) }
  }

  /// What TDX counts the time until a train comes in: its documentation is read either way.
  public enum EstimateUnit: String, Sendable, Hashable, Codable, CaseIterable {
    /// Seconds.
    case seconds
    /// Minutes.
    case minutes

    /// How many seconds it has.
    var seconds: Int {
      switch self {
      case .seconds: 1
      case .minutes: 60
      }
    }
  }
}
