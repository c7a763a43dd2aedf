/// What a kit shows of a store at one moment, to be asked without waiting.
package protocol StoreView: Sendable {
  associatedtype Record: StoredRecord

  /// What the view shows.
  var snapshot: Snapshot<Record> { get }

  /// Makes a view, which takes over what an earlier one has derived from records that are the same.
  init(of snapshot: Snapshot<Record>, after earlier: Self?)
}

/// The newest view of a store: one for all who ask while the store stays as it is.
package final class NewestView<View: StoreView>: Sendable {
  private let newest = Lock<View?>(nil)

  package init() {}

  /// The view of a snapshot.
  package func view(of snapshot: Snapshot<View.Record>) -> View {
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
