/// A source of views of a kit's store: all callers share one view until the store changes.
package final class ViewSource<View: StoreView>: Sendable {
  package let store: any RecordStore<View.Record>
  private let engine: KitEngine
  private let newest = Lock<View?>(nil)

  package init(_ store: any RecordStore<View.Record>, engine: KitEngine) {
    self.store = store
    self.engine = engine
  }

  package func snapshot() async throws -> Snapshot<View.Record> {
    try await engine.reading { try await store.snapshot() }
  }

  /// Returns a view of the store's current content.
  ///
  /// The view contains the damage that opening the store cut off, until a refresh or `open()` has
  /// reported it.
  @concurrent
  package func view() async throws -> View {
    engine.showingDamage(view(of: try await snapshot()))
  }

  /// Returns a view of the store's current content, and then one after each change.
  ///
  /// Each view contains the damage, as that of ``view()``.
  package func updates() -> ViewUpdates<View> {
    SnapshotUpdates(following: { [engine, store] in
      try await engine.openIfNeeded()
      return store.updates()
    }).views().scan(()) { [engine] _, view in engine.showingDamage(view) }
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

extension KitEngine {
  /// Returns a view with the damage that opening cut off and that hasn't been reported.
  fileprivate func showingDamage<View: StoreView>(_ view: View) -> View {
    let cuts = unreportedCuts
    guard !cuts.isEmpty else { return view }
    var view = view
    view.damage = cuts
    return view
  }
}
