public import FieldCore

/// A dataset of any Socrata portal, stored on the device and updated incrementally.
///
/// ```swift
/// let trees = SODATable(
///   try SODADataset("5rq2-4hqu", at: "data.sfgov.org"), key: "treeid",
///   storage: .directory(folder), transport: URLSessionTransport())
/// try await trees.refresh()
/// let oaks = try await trees.rows().filter { $0["qspecies"]?.text.contains("Quercus") == true }
/// ```
///
/// The first refresh reads all rows, page by page. Each page is stored with the position after it,
/// so an interrupted refresh continues there. Later refreshes fetch the changes and then, with
/// ``/FieldCore/DeletionPolicy/byKeys``, all IDs, to find removed rows.
public final class SODATable: EngineKit {
  /// The client that queries the portal.
  public let client: SODAClient
  /// The engine that opens, refreshes, erases, and closes the table.
  public let engine: KitEngine

  private let store: any RecordStore<SODARow>

  /// Creates a table of a dataset.
  ///
  /// - Parameters:
  ///   - dataset: The dataset to store.
  ///   - key: The column whose values identify rows and never change. Defaults to the portal's
  ///     `:id`, which is new for every row if the publisher replaces the whole dataset.
  ///   - condition: The condition that rows must meet, such as `"dbh > \(5)"`.
  ///   - select: The columns to store in addition to the key; empty for all.
  ///   - storage: The storage for the rows, under a name with the dataset's ID. Tables of one
  ///     dataset with different keys, conditions, or columns are stored separately.
  ///   - transport: The transport to send requests with. The table adds retries.
  ///   - token: The source of the app token.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - policy: The policy that decides when a refresh is due. Defaults to `.daily`.
  ///   - deletion: The policy for removing rows that the portal no longer has. Defaults to
  ///     `.byKeys`.
  ///   - snapshotGuard: The guard that limits how many rows are removed at once.
  ///   - options: The options for reading the portal.
  public convenience init(
    _ dataset: SODADataset,
    key: String? = nil,
    where condition: SoQL? = nil,
    select: [String] = [],
    storage: Storage,
    transport: any Transport,
    token: SODAToken? = nil,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    deletion: DeletionPolicy = .byKeys,
    snapshotGuard: SnapshotGuard = SnapshotGuard(),
    options: SyncOptions = SyncOptions()
  ) {
    self.init(
      client: SODAClient(
        dataset, transport: transport.retrying(.portal, clock: clock), token: token, clock: clock),
      key: key, where: condition, select: select, storage: storage, clock: clock, policy: policy,
      deletion: deletion, snapshotGuard: snapshotGuard, options: options)
  }

  /// Creates a table of a client's dataset, using the client's transport without decorators.
  public init(
    client: SODAClient,
    key: String? = nil,
    where condition: SoQL? = nil,
    select: [String] = [],
    storage: Storage,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    deletion: DeletionPolicy = .byKeys,
    snapshotGuard: SnapshotGuard = SnapshotGuard(),
    options: SyncOptions = SyncOptions()
  ) {
    let store: any RecordStore<SODARow> = storage.store(
      Self.storeName(client.dataset, key: key, where: condition, select: select))
    self.client = client
    self.store = store
    engine = KitEngine(
      "soda", stores: [store], clock: clock,
      parts: [
        RefreshPart(
          SyncEngine(
            source: client.source(
              of: .rows(key: key, selection: select), where: condition, options: options,
              operation: "soda"),
            store: store, deletion: deletion, snapshotGuard: snapshotGuard, clock: clock),
          policy: policy)
      ])
  }

  private static func storeName(
    _ dataset: SODADataset, key: String?, where condition: SoQL?,
    select: [String]
  ) -> String {
    let isWhole = key == nil && condition == nil && select.isEmpty
    let selected: SoQL? = select.isEmpty ? nil : .list(select.map { "\(column: $0)" })
    let query = Array("\(key ?? "") \(SoQL.Query(select: selected, where: condition))".utf8)
    let part = isWhole ? "" : "-" + String(CRC32C.checksum(query, 0..<query.count), radix: 16)
    return "soda-\(dataset.id)\(part)"
  }

  // MARK: Reading

  /// Returns a snapshot of the rows, in the order in which they were first received.
  public func rows() async throws -> Snapshot<SODARow> {
    try await engine.reading { try await store.snapshot() }
  }

  /// Returns the row with the given ID, or `nil` if there is none.
  public func row(_ id: SODARow.ID) async throws -> SODARow? { try await rows()[id: id] }

  /// Returns the current rows, and then the newest after each change.
  ///
  /// A refresh that changes no row yields nothing.
  public func updates() -> SnapshotUpdates<SODARow> { store.updates().changingRecords() }
}

extension RetryPolicy {
  /// The default policy for portals, except that timeouts are left to the sync, which then requests
  /// a smaller page instead of the same one again.
  public static var portal: RetryPolicy {
    var policy = RetryPolicy.default
    policy.codes.remove(.timeout)
    policy.statuses.subtract([408, 504])
    policy.statuses.insert(409)
    return policy
  }
}
