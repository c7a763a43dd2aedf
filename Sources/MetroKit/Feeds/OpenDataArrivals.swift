public import FieldCore
public import FieldPortals

/// A source that reads arrivals from a data.taipei dataset, which is how they were published until
/// 2019.
///
/// The dataset has been retired, but mirrors and recorded responses still exist.
///
/// ```swift
/// let portal = TaipeiOpenData(transport: recorded, form: .retired)
/// let metro = Metro(source: OpenDataArrivals(portal), storage: .inMemory)
/// ```
public struct OpenDataArrivals: RecordSource {
  /// The portal to query.
  public var portal: TaipeiOpenData
  /// The dataset to read.
  public var dataset: TaipeiDataset
  /// The network in which names are looked up.
  public var network: MetroNetwork
  /// The limits for the rows; the limit on bytes applies to each page.
  public var limits: FeedLimits

  /// Creates a source that reads a dataset.
  public init(
    _ portal: TaipeiOpenData, dataset: TaipeiDataset = .metroArrivals,
    network: MetroNetwork = .taipei, limits: FeedLimits = .default
  ) {
    self.portal = portal
    self.dataset = dataset
    self.network = network
    self.limits = limits
  }

  /// The open feed of arrivals.
  public var dataSource: DataSource? { .metroArrivals }

  /// Reads all pages of the dataset, with the request operation `metro.arrivals`.
  @concurrent
  public func fetch(_ request: RecordRequest) async throws -> Batch<Arrival> {
    var portal = portal
    portal.pageLimit = min(portal.pageLimit, limits.bytes)
    portal.maximumPageCount = min(portal.maximumPageCount, limits.rows / portal.pageSize + 1)
    var reader = ArrivalReader(network: network)
    let summary = try await portal.eachRow(
      of: dataset, columns: ArrivalColumn.all, key: ArrivalColumn.station,
      operation: "metro.arrivals"
    ) { row throws(RowProblem) in
      try reader.read(row)
    } page: {
    }
    var batch = Batch(
      of: reader.arrivals, summary.failures, summary.rowCount, summary.announcedRows)
    try FieldError.during("metro.arrivals") { () throws(FieldError) in try batch.check(limits) }
    batch.facts.origin = summary.origin
    batch.facts.serverDate = summary.serverDate
    return batch
  }
}
