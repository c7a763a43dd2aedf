public import FieldCore
internal import FieldPortals

extension Metro {
  /// Makes a metro of today's open feed. Should its file be gone one day, the dataset of data.taipei that
  /// it came from is asked.
  ///
  /// - Parameters:
  ///   - storage: Where the last board is kept.
  ///   - transport: What it is downloaded with; a few quick retries and shared requests are added here,
  ///     once.
  ///   - clock: Where the time comes from.
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system
  ) {
    let transport = transport.retrying(.forBoards, clock: clock).coalescing()
    self.init(
      source: FallbackFeed(
        MetroStationFeed(transport: transport),
        OpenDataArrivals(TaipeiOpenData(transport: transport)), after: [.notFound]),
      storage: storage, clock: clock)
  }
}

extension RetryPolicy {
  /// Three attempts within ten seconds: who looks at a board does not wait for two minutes.
  static var forBoards: RetryPolicy {
    RetryPolicy(
      attempts: 3, maximumDelay: .seconds(2), maximumRetryAfter: .seconds(5),
      maximumTotalDelay: .seconds(10))
  }
}
