public import FieldFoundation

/// A kit of your own: the records of one source, stored on the device, and queried without a network.
///
/// ```swift
/// let bikes = Catalog<BikeStation>(
///   "bikes", at: url, storage: storage, transport: transport, policy: .every(.seconds(60)))
/// try await bikes.refresh()
/// let view = try await bikes.view()
/// print(view.nearest(to: here, count: 5), view.search("臺北車站"))
/// ```
///
/// A row that can't be used is reported, and the others are stored. A response that can't be the whole
/// source, such as a web page, a truncated body, an empty list, or one that loses too many records, is refused,
/// and the catalog keeps what it has.
public final class Catalog<Record: CatalogRecord>: EngineKit {
  /// What opens, refreshes, erases, and closes the catalog.
  public let engine: KitEngine
  private let views: ViewSource<CatalogView<Record>>

  /// Creates a catalog of the rows at a URL, in any of the formats that ``RowReadable`` names.
  ///
  /// The request is conditional if something is stored, so that a source that hasn't changed sends no rows.
  ///
  /// - Parameters:
  ///   - name: The name of the kit, and of its store in the storage.
  ///   - url: The URL of the rows.
  ///   - storage: The storage to keep the records in.
  ///   - transport: The transport to fetch the rows with. Retries and shared requests are added once.
  ///   - clock: The clock to use.
  ///   - policy: When a refresh is due. Defaults to once a day.
  ///   - deletion: When a record is deleted that the source no longer has. A URL can't be asked for IDs
  ///     alone, so ``DeletionPolicy/byKeys`` means ``DeletionPolicy/bySnapshot``.
  ///   - snapshotGuard: Decides whether rows can be the whole source.
  ///   - dataSource: What the data is, and whom to name beside it.
  ///   - fields: Header fields to send.
  ///   - timeout: How long a download may take. Defaults to 60 seconds.
  public convenience init(
    _ name: String, at url: URL, storage: Storage, transport: any Transport,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    deletion: DeletionPolicy = .bySnapshot, snapshotGuard: SnapshotGuard = SnapshotGuard(),
    dataSource: DataSource? = nil, fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(60)
  ) where Record: RowReadable {
    let store: any RecordStore<Record> = storage.store(name)
    let download = CatalogDownload<Record>(
      url: url, fields: fields, timeout: timeout, operation: "\(name).rows",
      transport: transport.retrying(clock: clock).coalescing(),
      sync: SnapshotSync(
        fingerprint: "catalog/1 \(url.absoluteString)", store: store, deletion: deletion,
        snapshotGuard: snapshotGuard, clock: clock),
      store: store, clock: clock)
    self.init(
      name, store, [dataSource].compactMap(\.self), clock, download.part(policy: policy))
  }

  /// Creates a catalog of a source that is read page by page, which is used as it is.
  ///
  /// - Parameters:
  ///   - name: The name of the kit, and of its store in the storage.
  ///   - source: The source.
  ///   - storage: The storage to keep the records in.
  ///   - clock: The clock to use.
  ///   - policy: When a refresh is due. Defaults to once a day.
  ///   - deletion: When a record is deleted that the source no longer has.
  ///   - snapshotGuard: Decides how many records may be deleted at once.
  ///   - dataSource: What the data is, and whom to name beside it.
  public convenience init(
    _ name: String, source: any PagedSource<Record>, storage: Storage,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    deletion: DeletionPolicy = .byKeys, snapshotGuard: SnapshotGuard = SnapshotGuard(),
    dataSource: DataSource? = nil
  ) {
    let store: any RecordStore<Record> = storage.store(name)
    let engine = SyncEngine(
      source: source, store: store, deletion: deletion, snapshotGuard: snapshotGuard, clock: clock)
    self.init(
      name, store, [dataSource].compactMap(\.self), clock, RefreshPart(engine, policy: policy))
  }

  private init(
    _ name: String, _ store: any RecordStore<Record>, _ dataSources: [DataSource],
    _ clock: any FieldClock, _ part: RefreshPart
  ) {
    engine = KitEngine(
      name, dataSources: dataSources, stores: [store], clock: clock, parts: [part])
    views = ViewSource(store, engine: engine)
  }

  /// Returns the records as they are now, to be queried synchronously.
  @concurrent
  public func view() async throws -> CatalogView<Record> { try await views.view() }

  /// Returns the records as they are now, and then after each change.
  public func updates() -> CatalogUpdates<Record> { views.updates() }
}

/// The records of a catalog as they are, and then after each change: see ``Catalog/updates()``.
///
/// A slow reader misses states in between, but never the newest.
public typealias CatalogUpdates<Record: CatalogRecord> = ViewUpdates<CatalogView<Record>>
