/// The views of a kit's store: one for all callers as long as the store stays as it is.
package final class ViewSource<View: StoreView>: Sendable {
  package let store: any RecordStore<View.Record>
  private let engine: KitEngine
  private let newest = Lock<View?>(nil)

  /// Creates the source of the views of a store that an engine opens.
  package init(_ store: any RecordStore<View.Record>, engine: KitEngine) {
    self.store = store
    self.engine = engine
  }

  /// Returns the content of the store.
  package func snapshot() async throws -> Snapshot<View.Record> {
    try await engine.reading { try await store.snapshot() }
  }

  /// Returns the view of the store's content.
  ///
  /// It contains what opening the store cut off, until a refresh or `open()` has reported that.
  @concurrent
  package func view() async throws -> View {
    var view = view(of: try await snapshot())
    let cuts = engine.unreportedCuts
    if !cuts.isEmpty { view.damage = cuts }
    return view
  }

  /// Returns the views of the store's content, as it is now and then after each change.
  package func updates() -> ViewUpdates<View> {
    SnapshotUpdates(following: { [engine, store] in
      try await engine.openIfNeeded()
      return store.updates()
    }).views()
  }

  private func view(of snapshot: Snapshot<View.Record>) -> View {
    newest.withLock { newest in
      if let newest, newest.snapshot.revision == snapshot.revision,
        newest.snapshot.generation == snapshot.generation
      {
        return newest
      }
      let view = View(of: snapshot, after: newest)
      newest = view
      return view
    }
  }
}
