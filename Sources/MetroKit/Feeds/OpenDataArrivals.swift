public import FieldCore
public import FieldPortals

/// Arrivals from a dataset of data.taipei, which is how they came until 2019.
///
/// The dataset is retired there; mirrors and recorded answers of it are not.
///
/// ```swift
/// let portal = TaipeiOpenData(transport: recorded, form: .retired)
/// let metro = Metro(source: OpenDataArrivals(portal), storage: .inMemory)
/// ```
public struct OpenDataArrivals: ArrivalSource {
  /// What is asked.
  public var portal: TaipeiOpenData
  /// The dataset.
  public var dataset: TaipeiDataset
  /// Where names are looked up.
  public var network: MetroNetwork
  /// What the rows may be like at most; the bytes are counted by the page.
  public var limits: FeedLimits

  /// Makes a source of a dataset.
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
  public var dataSource: DataSource { .metroArrivals }

  /// Reads all pages of the dataset. The operation of the requests is `metro.arrivals`.
  @concurrent
  public func fetch(_ request: ArrivalRequest) async throws -> ArrivalBatch {
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
    let rows = ArrivalRows(
      arrivals: reader.arrivals, failures: summary.failures, count: summary.rowCount,
      announcedCount: summary.announcedRows)
    do throws(FieldError) {
      try rows.check(limits)
    } catch {
      var error = error
      error.operation = "metro.arrivals"
      throw error
    }
    return ArrivalBatch(rows: rows, origin: summary.origin, serverDate: summary.serverDate)
  }
}
