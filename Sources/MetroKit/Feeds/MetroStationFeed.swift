public import FieldCore
public import FieldFoundation

/// The open feed of Taipei's metro: each row says that a train to somewhere is entering a station now.
///
/// It is a plain file that is written anew about every half minute, needs no key, and covers the lines
/// BR, R, G, O and BL. Its rows have no train number and no countdown; some are frozen for hours or
/// years, which is for the board to tell.
///
/// The address can be that of any file that ``ArrivalRows/init(reading:network:estimateUnit:)`` reads,
/// such as a mirror of an older form.
public struct MetroStationFeed: ArrivalSource {
  /// The address.
  public var url: URL
  /// Where names are looked up.
  public var network: MetroNetwork
  /// Header fields that are sent along, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// How long the download may take; 20 seconds unless told otherwise.
  public var timeout: Duration
  /// What an answer may be like at most.
  public var limits: FeedLimits

  private let transport: any Transport

  /// Makes a source of the feed.
  public init(
    transport: any Transport,
    url: URL = Self.presentAddress,
    network: MetroNetwork = .taipei,
    fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(20),
    limits: FeedLimits = .default
  ) {
    self.transport = transport
    self.url = url
    self.network = network
    self.fields = fields
    self.timeout = timeout
    self.limits = limits
  }

  /// Where the feed is since 2023.
  public static var presentAddress: URL {
    URL(literal: "https://tcgmetro.blob.core.windows.net/stationnames/stations.json")
  }

  /// The open feed of arrivals.
  public var dataSource: DataSource { .metroArrivals }

  /// Downloads and reads the feed. The request's operation is `metro.arrivals`.
  @concurrent
  public func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch {
    let question = TransportRequest(
      url: url, fields: fields, timeout: timeout, operation: "metro.arrivals")
    return try await FeedExchange(request: question, network: network, limits: limits)
      .delivery(validators: request.validators) { try await transport.send($0) }
  }
}
