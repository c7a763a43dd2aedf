public import FieldCore
public import FieldFoundation

extension FileRows<Arrival> {
  /// Creates a source that reads arrivals from a file: a saved response of any of the feeds.
  ///
  /// ```swift
  /// let metro = Metro(source: FileRows<Arrival>(url), storage: .inMemory)
  /// try await metro.refresh()
  /// ```
  ///
  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - network: The network in which names are looked up.
  ///   - limits: The limits for the file.
  public init(_ url: URL, network: MetroNetwork = .taipei, limits: FeedLimits = .default) {
    self.init(
      url, dataSource: .metroArrivals, byteLimit: limits.bytes, operation: "metro.file",
      fingerprint: ""
    ) { bytes in
      let batch = try Batch<Arrival>(reading: bytes, network: network)
      try batch.check(limits)
      return batch
    }
  }
}
