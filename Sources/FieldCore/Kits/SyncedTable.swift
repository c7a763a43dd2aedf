/// A custom kit whose records are in a table of your own database.
///
/// It refreshes like a ``Catalog``, with the same checks, but has no views: your app reads the table in its own way.
///
/// ```swift
/// let trees = SyncedTable("trees", sources: [Download<Tree>(url, transport: transport)], target: target)
/// try await trees.refresh()
/// ```
///
/// Each page of a source, and each set of rows that arrives at once, is one transaction, which includes the position in the source. A refresh
/// that stops anywhere continues after the last page. If a source lies, such as by returning the same rows for ever, the
/// table gets back what it contained before the refresh.
public final class SyncedTable<Record: StoredRecord>: EngineKit {
  /// The engine that refreshes, erases, and closes the table.
  public let engine: KitEngine

  /// Creates a table of sources that are tried in turn and used as they are, without decorators.
  ///
  /// - Parameters:
  ///   - name: The name of the kit in progress, reports, and errors.
  ///   - sources: The sources, the best first. Sources after the first are for the case that it fails.
  ///   - target: The place to write to. Use it for one synced table only.
  ///   - clock: The clock to use.
  ///   - policy: The policy that decides when a refresh is due. Defaults to once a day.
  ///   - snapshotGuard: The checks that decide whether rows can be the complete source.
  public convenience init(
    _ name: String, sources: [any RecordSource<Record>], target: any SyncTarget<Record>,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    let target = ClosableTarget(target, name: name)
    self.init(
      name, target, sources.compactMap(\.dataSource).uniqued(), clock,
      RefreshPart(
        sources: sources, fingerprint: Record.rowFingerprint("table/1"), target: target,
        snapshotGuard: snapshotGuard, clock: clock, policy: policy))
  }

  /// Creates a table of a source that is read page by page and used as it is, without decorators.
  ///
  /// - Parameters:
  ///   - name: The name of the kit in progress, reports, and errors.
  ///   - source: The source to read.
  ///   - target: The place to write to. Use it for one synced table only.
  ///   - clock: The clock to use.
  ///   - policy: The policy that decides when a refresh is due. Defaults to once a day.
  ///   - deletion: When to delete a record that the source no longer contains.
  ///   - snapshotGuard: The limit of records that may be deleted at once.
  ///   - dataSource: A description of the data, with its attribution.
  public convenience init(
    _ name: String, source: any PagedSource<Record>, target: any SyncTarget<Record>,
    clock: any FieldClock = .system, policy: RefreshPolicy = .daily,
    deletion: DeletionPolicy = .byKeys, snapshotGuard: SnapshotGuard = SnapshotGuard(),
    dataSource: DataSource? = nil
  ) {
    let target = ClosableTarget(target, name: name)
    let engine = SyncEngine(
      source: source, store: target, deletion: deletion, snapshotGuard: snapshotGuard, clock: clock)
    self.init(
      name, target, [dataSource].compactMap(\.self), clock, RefreshPart(engine, policy: policy))
  }

  private init(
    _ name: String, _ target: ClosableTarget<Record>, _ dataSources: [DataSource],
    _ clock: any FieldClock, _ part: RefreshPart
  ) {
    var hooks = KitEngine.Hooks()
    hooks.opened = { _ = try await target.content() }
    hooks.erase = {
      try await target.beginRun().update { try $0.eraseAll() }
    }
    hooks.closing = { target.close() }
    engine = KitEngine(
      name, dataSources: dataSources, stores: [], clock: clock, parts: [part], hooks: hooks)
  }
}

extension SyncTransaction {
  /// Removes all records, and leaves a checkpoint by which a running refresh notices that.
  fileprivate func eraseAll() throws {
    try remove(try unseenIDs(limit: .max))
    let mark = (checkpoint?.erasure).flatMap { UInt64($0) } ?? 0
    try store(.erased(at: Revision(number: mark &+ 1)))
  }
}

/// A target that a kit closes, although its database stays open.
private final class ClosableTarget<Record: StoredRecord>: SyncTarget {
  private let target: any SyncTarget<Record>
  private let name: String
  private let isClosed = Lock(false)

  init(_ target: any SyncTarget<Record>, name: String) {
    self.target = target
    self.name = name
  }

  func close() { isClosed.withLock { $0 = true } }

  func content() async throws -> SyncContent {
    try checkIsOpen()
    return try await target.content()
  }

  func beginRun() async throws -> any SyncTargetRun<Record> {
    try checkIsOpen()
    return ClosableRun(target: self, run: try await target.beginRun())
  }

  fileprivate func checkIsOpen() throws(FieldError) {
    guard isClosed.withLock({ $0 }) else { return }
    throw FieldError(.closed, "The \(name) table was closed. Create another one to refresh it.")
  }
}

private struct ClosableRun<Record: StoredRecord>: SyncTargetRun {
  let target: ClosableTarget<Record>
  let run: any SyncTargetRun<Record>

  var base: SyncContent { run.base }

  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result {
    try await run.update { [target] transaction in
      let result = try body(transaction)
      // Nothing is stored once the kit is closed.
      try target.checkIsOpen()
      return result
    }
  }
}
