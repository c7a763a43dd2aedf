public import FieldCore
internal import FieldPortals

extension Metro {
  /// Creates a metro that reads the current open feed.
  ///
  /// If the feed's file is no longer found, the metro queries the data.taipei dataset it came from.
  ///
  /// - Parameters:
  ///   - storage: The storage for the last board.
  ///   - transport: The transport to download with. The metro adds a few quick retries and shared
  ///     requests.
  ///   - clock: The clock to use. Defaults to `.system`.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    // Three attempts within ten seconds: people looking at a board won't wait for two minutes.
    let policy = RetryPolicy(
      attempts: 3, maximumDelay: .seconds(2), maximumRetryAfter: .seconds(5),
      maximumTotalDelay: .seconds(10))
    let transport = transport.retrying(policy, clock: clock).coalescing()
    self.init(
      source: FallbackFeed(
        MetroStationFeed(transport: transport),
        OpenDataArrivals(TaipeiOpenData(transport: transport)), after: [.notFound]),
      storage: storage, clock: clock)
  }
}
