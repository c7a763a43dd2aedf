public import FieldCore

/// Any dataset of a Socrata portal: kept on the device, brought up by what has changed.
///
/// ```swift
/// let trees = SODATable(
///   try SODADataset("5rq2-4hqu", at: "data.sfgov.org"), key: "treeid",
///   storage: .directory(folder), transport: URLSessionTransport())
/// try await trees.refresh()
/// let oaks = try await trees.rows().filter { $0["qspecies"]?.text.contains("Quercus") == true }
/// ```
///
/// The first refresh reads all rows, page by page; each page is stored with the position behind it, so
/// that a refresh that was stopped goes on there. Later refreshes ask for what has changed and then, as
/// ``/FieldCore/DeletionPolicy/byKeys`` has it, for all ids, to find out what is gone.
public final class SODATable: EngineKit {
  /// What asks the portal.
  public let client: SODAClient
  /// What opens, refreshes, erases, and closes the table.
  public let engine: KitEngine

  private let store: any RecordStore<SODARow>

  /// Makes a table of a dataset.
  ///
  /// - Parameters:
  ///   - dataset: The dataset.
  ///   - key: The column whose values tell rows apart and never change; without one the portal's `:id`
  ///     does, which is new for every row when the publisher replaces the whole dataset.
  ///   - condition: What the rows have to meet.
  ///   - select: The columns, beside that of the key; empty for all.
  ///   - storage: Where the rows are kept, under a name of the dataset's id; tables of one dataset with
  ///     other keys, conditions or columns are kept apart.
  ///   - transport: What requests are sent with; retries are added here, once.
  ///   - token: Where the app token comes from.
  ///   - clock: Where the time comes from.
  ///   - policy: When a refresh is due.
  ///   - deletion: When stored rows that the portal no longer has are removed.
  ///   - snapshotGuard: How many of them may go at once.
  ///   - options: How the portal is read.
  public convenience init(
    _ dataset: SODADataset,
    key: SoQL.Column? = nil,
    where condition: SoQL.Condition? = nil,
    select: [SoQL.Selection] = [],
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

  /// Makes a table of a client's dataset; nothing is wrapped around the client's transport.
  public init(
    client: SODAClient,
    key: SoQL.Column? = nil,
    where condition: SoQL.Condition? = nil,
    select: [SoQL.Selection] = [],
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
    _ dataset: SODADataset, key: SoQL.Column?, where condition: SoQL.Condition?,
    select: [SoQL.Selection]
  ) -> String {
    let isWhole = key == nil && condition == nil && select.isEmpty
    let query = Array("\(key?.name ?? "") \(SoQL.Query(select: select, where: condition))".utf8)
    let part = isWhole ? "" : "-" + String(CRC32C.checksum(query, 0..<query.count), radix: 16)
    return "soda-\(dataset.id)\(part)"
  }

  // MARK: Reading

  /// The rows as they are now, in the order in which they first came.
  public func rows() async throws -> Snapshot<SODARow> {
    try await engine.reading { try await store.snapshot() }
  }

  /// The row of this id, or nil.
  public func row(_ id: SODARow.ID) async throws -> SODARow? { try await rows()[id: id] }

  /// The rows as they are now, and then the newest after each change.
  public func updates() -> SnapshotUpdates<SODARow> { store.updates() }
}

extension RetryPolicy {
  /// For portals: as the default policy, but what takes too long is left to the sync, which asks for a smaller
  /// page instead of the same one again.
  public static var portal: RetryPolicy {
    var policy = RetryPolicy.default
    policy.codes.remove(.timeout)
    policy.statuses.subtract([408, 504])
    policy.statuses.insert(409)
    return policy
  }
}
