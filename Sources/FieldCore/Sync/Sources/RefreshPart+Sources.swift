extension RefreshPart {
  /// Creates a part that one of several sources fills.
  ///
  /// The sources are tried in turn until one returns rows that the guard accepts, which is asked once for each of them. If the
  /// device is offline, no further source is tried, because none could be reached either. If none succeeds, the first one's error is
  /// thrown. A single source that has pages is read page by page, unless the part is a table.
  ///
  /// - Parameters:
  ///   - sources: The sources, the best first.
  ///   - name: The name of the part in messages, a plural. Defaults to `rows`.
  ///   - fingerprint: A value that identifies how the record is read, and where it comes from. Those of the sources are added.
  ///   - table: The table of the store that the sources fill; `nil` if they fill the whole store.
  package init<Record: StoredRecord>(
    sources: [any RecordSource<Record>], named name: String = "rows",
    fingerprint: @escaping @autoclosure @Sendable () -> String, store: any RecordStore<Record>,
    table: StoreTable<Record>? = nil, snapshotGuard: SnapshotGuard, clock: any FieldClock,
    policy: RefreshPolicy
  ) {
    self.init(
      sources: sources, named: name, fingerprint: fingerprint(),
      target: TableOfStore(store: store, table: table), table: table,
      snapshotGuard: snapshotGuard, clock: clock, policy: policy)
  }

  /// Creates a part that one of several sources fills in a target.
  ///
  /// - Parameter table: The table of a store that the target is, or `nil` for all of it.
  init<Record: StoredRecord>(
    sources: [any RecordSource<Record>], named name: String = "rows",
    fingerprint: @escaping @autoclosure @Sendable () -> String, target: any SyncTarget<Record>,
    table: StoreTable<Record>? = nil, snapshotGuard: SnapshotGuard, clock: any FieldClock,
    policy: RefreshPolicy
  ) {
    if table == nil, sources.count == 1, let pages = sources[0].pages {
      let engine = SyncEngine(
        source: pages, store: target, deletion: sources[0].deletion, snapshotGuard: snapshotGuard,
        clock: clock)
      self.init(engine, policy: policy)
      return
    }
    let sync = SnapshotSync(
      fingerprint: ([fingerprint()] + sources.map(\.fingerprint).filter { !$0.isEmpty }.uniqued())
        .joined(separator: " "), target: target, table: table, deletion: .bySnapshot,
      snapshotGuard: snapshotGuard, clock: clock,
      named: table == nil ? "rows" : "rows of the \(name)")
    self.init(name, policy: policy, isMain: table?.determinesAge ?? true) {
      try await target.content().status(of: table, fingerprint: sync.fingerprint)
    } work: { progress in
      try await Self.run(sources, into: sync, progress)
    }
  }

  @concurrent
  private static func run<Record: StoredRecord>(
    _ sources: [any RecordSource<Record>], into sync: SnapshotSync<Record>, _ progress: Progress
  ) async throws -> RefreshReport {
    // Changes at a source from here on may be missing from its rows.
    let began = sync.clock.now
    let content = try await sync.target.content()
    var request = RecordRequest(validators: sync.validators(of: content))
    let isReading = Lock(false)
    request.willRead = {
      let isFirst = isReading.withLock { wasReading in
        defer { wasReading = true }
        return !wasReading
      }
      if isFirst { progress.send(.reading, 0.6) }
    }
    var firstError: (any Error)?
    for source in sources {
      try Task.checkCancellation()
      let batch: Batch<Record>
      do {
        batch = try await source.fetch(request)
        try Task.checkCancellation()
        try sync.check(batch)
      } catch let error as CancellationError {
        throw error
      } catch let error as FieldError where error.code == .offline {
        throw error
      } catch {
        firstError = firstError ?? error
        continue
      }
      request.willRead()
      do {
        return try await sync.removing(by: source.deletion).accepting(progress.trigger).store(
          batch, askedAt: began, over: content.checkpoint
        ) { progress.send(.storing, 0.9) }
      } catch let error as FieldError where error.isRefusal {
        firstError = firstError ?? error
      }
    }
    throw firstError ?? FieldError(.invalidInput, "There is no source of the rows.")
  }
}

extension FieldError {
  /// A Boolean value that indicates whether rows were refused, so that those of another source may be better.
  fileprivate var isRefusal: Bool { code == .snapshotRefused || code == .malformed }
}
