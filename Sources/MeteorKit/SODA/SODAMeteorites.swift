public import FieldCore
public import FieldPortals

/// Meteorites in a dataset of a Socrata portal, read page by page and kept up by asking for changes.
///
/// NASA's own dataset left its portal in 2025 (see ``NASAMeteorites``); this reads it on any other.
///
/// ```swift
/// let client = SODAClient(
///   try SODADataset("gh4g-9sfh", at: "data.example.org"), transport: transport.retrying())
/// let catalog = MeteoriteCatalog(source: SODAMeteorites(client), storage: .directory(folder))
/// try await catalog.refresh()
/// ```
///
/// The first refresh reads all rows, the later ones those that have changed. What is gone is only found
/// out when ``deletion`` asks for it.
public struct SODAMeteorites: MeteoriteSource {
  /// What asks the portal.
  public let client: SODAClient
  /// What the rows have to meet; all when nil. A row that does not meet it any more is gone.
  public var condition: SoQL.Condition?
  /// Columns and the values that they have to have, beside ``condition``.
  public var filters: [SoQL.Filter]
  /// When stored meteorites that the portal no longer has are removed; never, as in the old app, unless
  /// told otherwise. ``/FieldCore/DeletionPolicy/bySnapshot`` reads all rows at every refresh,
  /// ``/FieldCore/DeletionPolicy/byKeys`` the changes and then all ids.
  public var deletion: DeletionPolicy
  /// How the portal is read: the size of pages and the rest.
  public var options: SyncOptions
  /// What the data is and whom to name beside it.
  public var dataSource: DataSource

  /// Makes a source.
  public init(
    _ client: SODAClient,
    where condition: SoQL.Condition? = nil,
    filters: [SoQL.Filter] = [],
    deletion: DeletionPolicy = .never,
    options: SyncOptions = SyncOptions(),
    dataSource: DataSource = .meteoriteLandings
  ) {
    self.client = client
    self.condition = condition
    self.filters = filters
    self.deletion = deletion
    self.options = options
    self.dataSource = dataSource
  }

  /// The source, page by page.
  public var pages: (any PagedSource<Meteorite>)? { source }

  private var source: any PagedSource<Meteorite> {
    client.source(
      of: .meteorites, where: condition, filters: filters, options: options,
      operation: "meteorites")
  }

  /// Gets all rows at once: a catalog reads ``pages`` instead.
  public func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteBatch {
    let store = InMemoryStore<Meteorite>()
    let report = try await SyncEngine(
      source: source, store: store, deletion: .never, clock: .system
    ).run()
    return MeteoriteBatch(
      rows: MeteoriteRows(
        meteorites: Array(try await store.snapshot()), failures: report.failures,
        count: report.rows),
      origin: report.origin)
  }
}
