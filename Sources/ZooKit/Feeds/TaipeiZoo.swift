public import FieldCore
public import FieldFoundation
public import FieldPortals

/// A source that reads Taipei Zoo's data from data.taipei, over any transport.
///
/// ```swift
/// let zoo = Zoo(sources: TaipeiZoo(transport: URLSessionTransport()).sources, storage: .inMemory)
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
public struct TaipeiZoo: Sendable {
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

  /// The animals, and the other tables that have a dataset or a URL.
  public var tables: [ZooTable] { ZooTable.allCases.filter { sources[$0] != nil } }

  /// The sources of the ``tables``.
  ///
  /// A source reads all pages of its table. The operations of the requests are `zoo.animals.page`, `zoo.areas.page`,
  /// `zoo.plants.page`, and `zoo.events.file`. The events are requested conditionally.
  ///
  /// A source throws `FieldError` with a code of `TaipeiOpenData`, or `zoo.emptyTable` if no row can be used.
  public var sources: ZooSources {
    let sources: [ZooTable: (any RecordSource<ZooRecord>)?] = [
      .animals: Pages(table: .animals, dataset: animals, portal: portal),
      .areas: areas.map { Pages(table: .areas, dataset: $0, portal: portal) },
      .plants: plants.map { Pages(table: .plants, dataset: $0, portal: portal) },
      .events: events.map(file),
    ]
    return sources.compactMapValues { $0.map { [$0] } }
  }

  /// Reads a table, without storing it.
  ///
  /// ```swift
  /// print(try await TaipeiZoo(transport: transport).read(.animals).animals.count)
  /// ```
  ///
  /// - Throws: The errors of ``sources``, or `FieldError` with the code `zoo.noSuchTable` if the table has no dataset or URL.
  public func read(_ table: ZooTable) async throws -> Batch<ZooRecord> {
    guard let source = sources[table]?.first else {
      throw FieldError(.zooNoSuchTable, "No dataset or URL is set for the zoo's \(table.rawValue).")
    }
    return try await source.fetch(RecordRequest())
  }

  private func file(_ url: URL) -> Download<ZooRecord> {
    var fields: HTTPHeaderFields = ["Accept": "text/csv, */*"]
    fields["User-Agent"] = portal.userAgent
    return Download(
      url, transport: portal.transport, fields: fields, timeout: portal.timeout,
      dataSource: .taipeiZoo, byteLimit: portal.pageLimit, operation: "zoo.events.file",
      fingerprint: ""
    ) { bytes, _ in try Batch<ZooRecord>(reading: bytes, as: .events) }
  }
}

/// The pages of a table's dataset.
private struct Pages: RecordSource {
  let table: ZooTable
  let dataset: TaipeiDataset
  let portal: TaipeiOpenData

  var dataSource: DataSource? { .taipeiZoo }

  @concurrent
  func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
    try Task.checkCancellation()
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
}

extension DataSource {
  /// The open data of Taipei Zoo on data.taipei.
  public static var taipeiZoo: DataSource {
    DataSource(
      name: "Taipei Zoo",
      chineseName: "臺北市立動物園",
      publisher: "臺北市立動物園; 臺北市資料大平臺 (data.taipei)",
      page: URL(
        literal: "https://data.taipei/dataset/detail?id=5cb73231-b741-48b3-bec3-2ef57bb10029"),
      license: "政府資料開放授權條款－第1版 (Open Government Data License, version 1.0)",
      attribution: "臺北市立動物園 / 臺北市資料大平臺 (data.taipei)")
  }
}

/// The sources of a zoo's tables.
///
/// ``TaipeiZoo`` queries the portal, and ``ZooFile`` reads files. If a table has several sources, they are tried in turn, as those of a
/// `Catalog` are:
///
/// ```swift
/// var sources = TaipeiZoo(transport: transport).sources
/// sources[.animals]? += ZooFile([.animals: [copy]]).sources[.animals] ?? []
/// let zoo = Zoo(sources: sources, storage: storage, transport: transport)
/// ```
///
/// For another portal, or for rows that your app already has, implement `RecordSource`. Return the complete table in source order:
///
/// ```swift
/// struct TwoAnimals: RecordSource {
///   func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
///     Batch(animals: [Animal(name: "石虎"), Animal(name: "穿山甲")])
///   }
/// }
/// let zoo = Zoo(sources: [.animals: [TwoAnimals()]], storage: .inMemory)
/// ```
///
/// A source of another table's records is treated as failed. Sources with pages are asked for all rows at once.
public typealias ZooSources = [ZooTable: [any RecordSource<ZooRecord>]]
