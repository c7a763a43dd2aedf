public import FieldCore
public import FieldPortals

/// A source that reads meteorites from a Socrata dataset, page by page, and then only the changes.
///
/// NASA's own dataset left its portal in 2025 (see `Download<Meteorite>.nasa(transport:)`); use this source on any
/// other.
///
/// ```swift
/// let client = SODAClient(
///   try SODADataset("gh4g-9sfh", at: "data.example.org"), transport: transport.retrying())
/// let catalog = MeteoriteCatalog(
///   source: SODAMeteorites(client, where: "fall = 'Fell' AND mass >= \(1_000)"),
///   storage: .directory(folder))
/// try await catalog.refresh()
/// ```
///
/// The first refresh reads all rows, and later ones only those that changed. Set ``deletion`` to
/// find out which rows were removed.
public struct SODAMeteorites: RecordSource {
  /// The client that queries the portal.
  public let client: SODAClient
  /// The condition that rows must meet, or else count as removed; `nil` matches all rows.
  public var condition: SoQL?
  /// The policy for removing meteorites that the portal no longer has.
  ///
  /// Defaults to `.never`, as in the old app. ``/FieldCore/DeletionPolicy/bySnapshot`` reads all
  /// rows on every refresh, and ``/FieldCore/DeletionPolicy/byKeys`` reads the changes and then all
  /// IDs.
  public var deletion: DeletionPolicy
  /// The options for reading the portal, such as the page size.
  public var options: SyncOptions
  /// The data source, with its attribution.
  public var dataSource: DataSource?

  /// Creates a source that reads from a portal.
  public init(
    _ client: SODAClient,
    where condition: SoQL? = nil,
    deletion: DeletionPolicy = .never,
    options: SyncOptions = SyncOptions(),
    dataSource: DataSource? = .meteoriteLandings
  ) {
    self.client = client
    self.condition = condition
    self.deletion = deletion
    self.options = options
    self.dataSource = dataSource
  }

  /// The source as a paged one.
  public var pages: (any PagedSource<Meteorite>)? { source }

  private var source: any PagedSource<Meteorite> {
    client.source(
      of: .meteorites, where: condition, options: options, operation: "meteorites")
  }

  /// Fetches all rows at once.
  ///
  /// A catalog of this source alone uses ``pages`` instead.
  public func fetch(_ request: RecordRequest) async throws -> Batch<Meteorite> {
    let store = InMemoryStore<Meteorite>()
    let report = try await SyncEngine(
      source: source, store: store, deletion: .never, clock: .system
    ).run()
    var batch = Batch(
      of: Array(try await store.snapshot()), failures: report.failures, rowCount: report.rows)
    batch.facts.origin = report.origin
    return batch
  }
}

extension SODAReading<Meteorite> {
  fileprivate static var meteorites: Self {
    Self(
      columns: Meteorite.rowColumns, key: Meteorite.rowKey, keyColumn: "id",
      version: "meteorites/1",
      record: { row throws(RowProblem) in try Meteorite(row: row) },
      id: { row, column in row.id(column).map(Meteorite.ID.init(rawValue:)) },
      failedID: { failure, _ in failure.key.map(Meteorite.ID.init(rawValue:)) })
  }
}
