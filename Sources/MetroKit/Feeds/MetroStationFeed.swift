public import FieldCore
public import FieldFoundation

/// The open feed of Taipei's metro, in which each row says that a train is entering a station now.
///
/// The feed is a plain file that is rewritten about every half minute, needs no key, and covers the
/// lines BR, R, G, O, and BL. Its rows have no train numbers and no countdowns. Some are frozen for
/// hours or years, which the board detects.
///
/// The URL can point to any file that `Batch.init(reading:network:estimateUnit:)` reads,
/// such as a mirror of an older form.
public struct MetroStationFeed: RecordSource {
  /// The URL to download from.
  public var url: URL
  /// The network in which names are looked up.
  public var network: MetroNetwork
  /// The header fields to send with the request, such as a `User-Agent`.
  public var fields: HTTPHeaderFields
  /// The maximum duration of the download.
  ///
  /// Defaults to 20 seconds.
  public var timeout: Duration
  /// The limits for a response.
  public var limits: FeedLimits

  private let transport: any Transport

  /// Creates a source that reads the feed.
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

  /// The URL of the feed since 2023.
  public static var presentAddress: URL {
    URL(literal: "https://tcgmetro.blob.core.windows.net/stationnames/stations.json")
  }

  /// The open feed of arrivals.
  public var dataSource: DataSource? { .metroArrivals }

  /// Downloads and reads the feed, with the request operation `metro.arrivals`.
  @concurrent
  public func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    let feedRequest = TransportRequest(
      url: url, fields: fields, timeout: timeout, operation: "metro.arrivals")
    return try await FeedExchange(request: feedRequest, network: network, limits: limits)
      .batch(validators: request.validators) { try await transport.send($0) }
  }
}

/// The limits for the size of a feed.
///
/// The real feeds have some 40 rows in 5 KB. The limits keep a misbehaving server from filling the
/// memory.
public struct FeedLimits: Sendable, Hashable, Codable {
  /// The maximum size of a response, in bytes.
  ///
  /// Defaults to 4 MiB.
  public var bytes: Int
  /// The maximum number of rows.
  ///
  /// Defaults to 10,000.
  public var rows: Int
  /// A Boolean value that indicates whether a feed may have no rows.
  ///
  /// Defaults to `false`: an empty feed throws `metro.emptyFeed`, and the last board stays. The
  /// open feed shows its last rows even when no trains run.
  public var allowsNoRows: Bool

  /// Creates limits.
  public init(bytes: Int = 4 << 20, rows: Int = 10_000, allowsNoRows: Bool = false) {
    self.bytes = bytes
    self.rows = rows
    self.allowsNoRows = allowsNoRows
  }

  /// The default limits: 4 MiB, 10,000 rows, and at least one row.
  public static var `default`: FeedLimits { FeedLimits() }
}
