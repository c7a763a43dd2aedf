public import FieldCore
internal import FieldPortals

extension Metro {
  /// Creates a metro that reads the current open feed.
  ///
  /// If the feed's file is no longer found, the metro queries the data.taipei dataset it came from.
  ///
  /// - Parameters:
  ///   - alerts: The source of the alerts that boards contain, such as ``TDXAlerts``, which is used
  ///     without decorators. Defaults to `nil`: boards have none.
  ///   - timetable: The source of the timetable, such as ``TDXTimetable``, which is used without decorators. Defaults to `nil`:
  ///     there is none.
  ///   - storage: The storage for the last board, the last alerts, and the timetable.
  ///   - transport: The transport to download with. The metro adds a few quick retries and shared
  ///     requests.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - staleness: The policy that decides which rows are fresh.
  ///   - polling: The policy for polling in ``boards(every:)``.
  ///   - network: The network in which station names are looked up. Defaults to `.taipei`.
  public convenience init(
    alerts: (any RecordSource<MetroAlerts>)? = nil,
    timetable: (any RecordSource<MetroTimetable>)? = nil, storage: Storage,
    transport: any Transport,
    clock: any FieldClock = .system,
    staleness: StalenessPolicy = StalenessPolicy(), polling: PollingPolicy = PollingPolicy(),
    network: MetroNetwork = .taipei
  ) {
    // Three attempts within ten seconds: people looking at a board won't wait for two minutes.
    var policy = RetryPolicy.default
    policy.attempts = 3
    policy.maximumDelay = .seconds(2)
    policy.maximumRetryAfter = .seconds(5)
    policy.maximumTotalDelay = .seconds(10)
    let transport = transport.retrying(policy, clock: clock).coalescing()
    self.init(
      source: FallbackFeed(
        MetroStationFeed(transport: transport, network: network),
        OpenDataArrivals(TaipeiOpenData(transport: transport), network: network),
        after: [.notFound]),
      alerts: alerts, timetable: timetable, storage: storage, clock: clock, staleness: staleness,
      polling: polling,
      network: network)
  }
}
