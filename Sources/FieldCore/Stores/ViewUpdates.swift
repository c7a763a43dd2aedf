/// What a kit shows of its store, as it is now and then the newest after each change.
///
/// A slow reader misses states in between, never the newest one. Each iteration is an observer of its own;
/// it ends when its task is cancelled and when the store is closed, and throws ``FieldError`` if the store
/// can't be opened.
///
/// ```swift
/// for try await view in catalog.updates() {
///   show(view.count)
/// }
/// ```
public typealias ViewUpdates<View: Sendable> = FieldSequence<View, any Error>

extension FieldSequence where Failure == any Error {
  /// Returns the views of a store's contents.
  package func views<View: StoreView>() -> ViewUpdates<View>
  where Element == Snapshot<View.Record> {
    scan(nil) { (newest: inout View?, snapshot) in
      newest = View(of: snapshot, after: newest)
      return newest
    }
  }
}
