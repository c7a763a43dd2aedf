public import FieldCore
public import FieldFoundation

/// A source that reads arrivals from a file: a saved response of any of the feeds.
///
/// ```swift
/// let metro = Metro(source: ArrivalFile(url), storage: .inMemory)
/// try await metro.refresh()
/// ```
public struct ArrivalFile: ArrivalSource {
  /// The URL of the file.
  public var url: URL
  /// The network in which names are looked up.
  public var network: MetroNetwork
  /// The limits for the file.
  public var limits: FeedLimits

  /// Creates a source that reads from a file.
  public init(_ url: URL, network: MetroNetwork = .taipei, limits: FeedLimits = .default) {
    self.url = url
    self.network = network
    self.limits = limits
  }

  /// The open feed of arrivals.
  public var dataSource: DataSource { .metroArrivals }

  /// Reads the file.
  ///
  /// - Throws: `FieldError` with the code `store.io` if the file can't be read,
  ///   `transport.responseTooLarge` if it exceeds the limit, or a code of
  ///   ``ArrivalRows/init(reading:network:estimateUnit:)``.
  @concurrent
  public func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch {
    try Task.checkCancellation()
    return try await FieldError.wrapping("The file can't be read.", operation: "metro.file") {
      let bytes = try LocalFile.bytes(
        of: url, limit: limits.bytes, advice: "Use MetroStationFeed for a URL.")
      let rows = try ArrivalRows(reading: bytes, network: network)
      try rows.check(limits)
      return ArrivalBatch(rows: rows, origin: url)
    }
  }
}
