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

  /// Returns a view of the store's current content, and then one after each change of a record.
  ///
  /// Each view contains the damage, as that of ``view()``; if that changes, another view follows at
  /// the next commit.
  package func updates() -> ViewUpdates<View> {
    SnapshotUpdates(following: { [engine, store] in
      try await engine.openIfNeeded()
      return store.updates()
    }).scan(nil) { [engine] (last: inout Shown?, snapshot) -> View? in
      let shown = Shown(
        view: engine.showingDamage(View(of: snapshot, after: last?.view)), snapshot: snapshot)
      defer { last = shown }
      guard let last, snapshot.hasRecords(of: last.snapshot) else { return shown.view }
      return shown.view.damage == last.view.damage ? nil : shown.view
    }
  }

  /// The state of an iteration over updates.
  private struct Shown: Sendable {
    var view: View
    var snapshot: Snapshot<View.Record>
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
