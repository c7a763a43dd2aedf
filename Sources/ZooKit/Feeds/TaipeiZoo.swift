public import FieldCore
public import FieldFoundation
public import FieldPortals

/// A source that reads Taipei Zoo's data from data.taipei, over any transport.
///
/// ```swift
/// let zoo = Zoo(source: TaipeiZoo(transport: URLSessionTransport()), storage: .inMemory)
/// ```
///
/// The portal's IDs for the data change every few years. When that happens, replace them:
///
/// ```swift
/// var source = TaipeiZoo(transport: transport)
/// source.animals.resources.insert("00000000-1111-2222-3333-444444444444", at: 0)
/// source.portal.pageSize = 200
/// ```
///
/// The events are in a file whose URL changes with each edition, so they have no default.
public struct TaipeiZoo: ZooSource {
  /// The portal to query.
  public var portal: TaipeiOpenData
  /// The dataset of the animals.
  public var animals: TaipeiDataset
  /// The dataset of the areas; `nil` to omit them.
  public var areas: TaipeiDataset?
  /// The dataset of the plants; `nil` to omit them.
  public var plants: TaipeiDataset?
  /// The URL of the CSV file of events; `nil` to omit them.
  ///
  /// Defaults to `nil`.
  public var events: URL?

  /// Creates a source that reads from a portal.
  public init(
    _ portal: TaipeiOpenData, animals: TaipeiDataset = .zooAnimals,
    areas: TaipeiDataset? = .zooAreas, plants: TaipeiDataset? = .zooPlants, events: URL? = nil
  ) {
    self.portal = portal
    self.animals = animals
    self.areas = areas
    self.plants = plants
    self.events = events
  }

  /// Creates a source that reads from the portal at its usual URL.
  public init(transport: any Transport, events: URL? = nil) {
    self.init(TaipeiOpenData(transport: transport), events: events)
  }

  /// The open data of Taipei Zoo.
  public var dataSource: DataSource { .taipeiZoo }

  /// The animals, and the other tables that have a dataset or a URL.
  public var tables: [ZooTable] {
    ZooTable.allCases.filter { $0 == .events ? events != nil : dataset(of: $0) != nil }
  }

  /// Reads all pages of a table.
  ///
  /// The operations of the requests are `zoo.animals.page`, `zoo.areas.page`, `zoo.plants.page`,
  /// and `zoo.events.file`.
  ///
  /// - Throws: `FieldError` with a code of `TaipeiOpenData`, `zoo.emptyTable` if no row can be
  ///   used, or `zoo.noSuchTable` if the table has no dataset or URL.
  @concurrent
  public func read(_ table: ZooTable) async throws -> Batch<ZooRecord> {
    try Task.checkCancellation()
    if table == .events, let events { return try await file(events) }
    guard let dataset = dataset(of: table) else {
      throw FieldError(.zooNoSuchTable, "No dataset or URL is set for the zoo's \(table.rawValue).")
    }
    let operation = "zoo.\(table.rawValue).page"
    var reader = ZooReader(table)
    let summary = try await portal.eachRow(
      of: dataset, columns: table.columns, key: table.nameColumn.rawValue, operation: operation
    ) { row throws(RowProblem) in
      try reader.read(row)
    } page: {
    }
    reader.count(summary.rowCount, announced: summary.announcedRows, failures: summary.failures)
    return try FieldError.during(operation) { () throws(FieldError) in
      try reader.batch(origin: summary.origin, serverDate: summary.serverDate)
    }
  }

  private func dataset(of table: ZooTable) -> TaipeiDataset? {
    switch table {
    case .animals: animals
    case .areas: areas
    case .plants: plants
    case .events: nil
    }
  }

  private func file(_ url: URL) async throws -> Batch<ZooRecord> {
    let operation = "zoo.events.file"
    var fields: HTTPHeaderFields = ["Accept": "text/csv, */*"]
    fields["User-Agent"] = portal.userAgent
    let request = TransportRequest(
      url: url, fields: fields, timeout: portal.timeout, responseLimit: portal.pageLimit,
      operation: operation)
    let answer = try await FieldError.wrapping(
      "The zoo's events couldn't be requested.", as: .transport, operation: operation
    ) { try await portal.transport.send(request) }
    try answer.checkStatus(operation: operation)
    return try answer.reading(operation: operation) { bytes in
      var batch = try Batch<ZooRecord>(reading: bytes, as: .events, origin: answer.url ?? url)
      batch.facts.serverDate = answer.serverDate
      return batch
    }
  }
}
