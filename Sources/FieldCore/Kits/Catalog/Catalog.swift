public import FieldFoundation

/// A custom kit: the records of one source, stored on the device and queried offline.
///
/// ```swift
/// let bikes = Catalog<BikeStation>(
///   "bikes", at: url, storage: storage, transport: transport, policy: .every(.seconds(60)))
/// try await bikes.refresh()
/// let view = try await bikes.view()
/// print(view.nearest(to: here, count: 5), view.search("臺北車站"))
/// ```
///
/// A row that can't be used is reported, and the others are stored. If a response can't be the
/// complete source (an HTML page, a truncated body, an empty list, or one that removes too many
/// records), it is refused, and the catalog keeps its data.
public final class Catalog<Record: CatalogRecord>: EngineKit, LiveKit {
  /// The engine that opens, refreshes, erases, and closes the catalog.
  public let engine: KitEngine
  private let views: ViewSource<CatalogView<Record>>

  /// Creates a catalog of the rows at a URL, in any of the formats that ``RowReadable`` names.
  ///
  /// If records are stored, the request is conditional, so a source that hasn't changed sends no
  /// rows.
  ///
  /// - Parameters:
  ///   - name: The name of the kit, and of its store in the storage: 1 through 64 ASCII letters,
  ///     digits, `-`, `_`, and `.`, beginning with a letter or digit. Use each name for one type of
  ///     record and one source only. An invalid name is an error of the first use.
  ///   - url: The URL of the rows.
  ///   - storage: The storage to keep the records in.
  ///   - transport: The transport to fetch the rows with. The catalog adds request sharing, and
  ///     retries unless the transport already retries.
  ///   - clock: The clock to use.
  ///   - policy: The policy that decides when a refresh is due. Defaults to once a day.
  ///   - deletion: When to delete a record that the source no longer contains. A URL can't be
  ///     queried for IDs alone, so ``DeletionPolicy/byKeys`` means ``DeletionPolicy/bySnapshot``.
  ///   - snapshotGuard: The checks that decide whether rows can be the complete source.
  ///   - dataSource: A description of the data, with its attribution.
  ///   - fields: Additional header fields to send.
  ///   - timeout: The time limit of a download. Defaults to 60 seconds.
  public convenience init(
    _ name: String, at url: URL, storage: Storage, transport: any Transport,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    deletion: DeletionPolicy = .bySnapshot, snapshotGuard: SnapshotGuard = SnapshotGuard(),
    dataSource: DataSource? = nil, fields: HTTPHeaderFields = [:],
    timeout: Duration = .seconds(60)
  ) {
    let download = Download<Record>(
      url, transport: transport.retrying(clock: clock).coalescing(), fields: fields,
      timeout: timeout, deletion: deletion, dataSource: dataSource, operation: "\(name).rows")
    self.init(
      name, [download], " \(url.absoluteString)", storage, clock, policy, snapshotGuard)
  }

  /// Creates a catalog of sources that are tried in turn and used as they are, without decorators.
  ///
  /// ```swift
  /// let trees = Catalog(
  ///   "trees", sources: [Download<Tree>(url, transport: transport), Download(mirror, transport: transport)],
  ///   storage: storage)
  /// ```
  ///
  /// A refresh stores the rows of the first source that returns them, if the guard accepts them. Sources after the first are for the
  /// case that it fails, so list only those that have the same records. If the device is offline, none of them is tried.
  ///
  /// - Parameters:
  ///   - name: The name of the kit, and of its store in the storage: 1 through 64 ASCII letters,
  ///     digits, `-`, `_`, and `.`, beginning with a letter or digit. Use each name for one type of
  ///     record and one source only. An invalid name is an error of the first use.
  ///   - sources: The sources, the best first.
  ///   - storage: The storage to keep the records in.
  ///   - clock: The clock to use.
  ///   - policy: The policy that decides when a refresh is due. Defaults to once a day.
  ///   - snapshotGuard: The checks that decide whether rows can be the complete source.
  public convenience init(
    _ name: String, sources: [any RecordSource<Record>], storage: Storage,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.init(name, sources, "", storage, clock, policy, snapshotGuard)
  }

  private convenience init(
    _ name: String, _ sources: [any RecordSource<Record>], _ address: String, _ storage: Storage,
    _ clock: any FieldClock, _ policy: RefreshPolicy, _ snapshotGuard: SnapshotGuard
  ) {
    let store: any RecordStore<Record> = storage.store(name)
    self.init(
      name, store, sources.compactMap(\.dataSource).uniqued(), clock,
      RefreshPart(
        sources: sources, fingerprint: Record.rowFingerprint("catalog/1") + address, store: store,
        snapshotGuard: snapshotGuard, clock: clock, policy: policy))
  }

  /// Creates a catalog of a source that is read page by page and used as it is, without decorators.
  ///
  /// - Parameters:
  ///   - name: The name of the kit, and of its store in the storage: 1 through 64 ASCII letters,
  ///     digits, `-`, `_`, and `.`, beginning with a letter or digit. Use each name for one type of
  ///     record and one source only. An invalid name is an error of the first use.
  ///   - source: The source to read.
  ///   - storage: The storage to keep the records in.
  ///   - clock: The clock to use.
  ///   - policy: The policy that decides when a refresh is due. Defaults to once a day.
  ///   - deletion: When to delete a record that the source no longer contains.
  ///   - snapshotGuard: The limit of records that may be deleted at once.
  ///   - dataSource: A description of the data, with its attribution.
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

  /// Returns a view of the current records, which you can query synchronously.
  ///
  /// ```swift
  /// let view = try await bikes.view()
  /// print(view.count, view.nearest(to: here, count: 5))
  /// ```
  @concurrent
  public func view() async throws -> CatalogView<Record> { try await views.view() }

  /// Returns a view of the current records, and then one after each change.
  ///
  /// A refresh that changes no record yields nothing. To show the age of the data, follow
  /// ``refreshProgress()``, whose last step contains the date of the refresh.
  ///
  /// ```swift
  /// for try await view in bikes.updates() { print(view.count) }
  /// ```
  public func updates() -> CatalogUpdates<Record> { views.updates() }
}

/// The views of a catalog's records, now and after each change: see ``Catalog/updates()``.
///
/// Slow consumers skip intermediate states, but never the newest.
public typealias CatalogUpdates<Record: CatalogRecord> = ViewUpdates<CatalogView<Record>>
