public import FieldCore
public import FieldFoundation

/// Arrivals in a file: a saved answer of any of the feeds.
///
/// ```swift
/// let metro = Metro(source: ArrivalFile(url), storage: .inMemory)
/// try await metro.refresh()
/// ```
public struct ArrivalFile: ArrivalSource {
  /// The file.
  public var url: URL
  /// Where names are looked up.
  public var network: MetroNetwork
  /// What the file may be like at most.
  public var limits: FeedLimits

  /// Makes a source of a file.
  public init(_ url: URL, network: MetroNetwork = .taipei, limits: FeedLimits = .default) {
    self.url = url
    self.network = network
    self.limits = limits
  }

  /// The open feed of arrivals.
  public var dataSource: DataSource { .metroArrivals }

  /// Reads the file.
  ///
  /// - Throws: `FieldError` with the code `store.io` when the file cannot be read,
  ///   `transport.responseTooLarge` when it is over the limit, and those of
  ///   ``ArrivalRows/init(reading:network:estimateUnit:)``.
  @concurrent
  public func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch {
    try Task.checkCancellation()
    do {
      let bytes = try LocalFile.bytes(
        of: url, limit: limits.bytes, advice: "use MetroStationFeed for an address")
      let rows = try ArrivalRows(reading: bytes, network: network)
      try rows.check(limits)
      return ArrivalBatch(rows: rows, origin: url)
    } catch var error as FieldError {
      error.operation = "metro.file"
      throw error
    }
  }
}
