/// The current view of a kit's store, and the newest view after each change.
///
/// Slow consumers skip intermediate states, but never miss the latest. Iterations are independent
/// of each other. An iteration ends when its task is canceled or the store is closed, and throws
/// ``FieldError`` if the store can't be opened.
///
/// ```swift
/// for try await view in catalog.updates() {
///   show(view.count)
/// }
/// ```
public typealias ViewUpdates<View: Sendable> = FieldSequence<View, any Error>

extension FieldSequence where Failure == any Error {
  /// Returns a sequence of views of a store's contents.
  package func views<View: StoreView>() -> ViewUpdates<View>
  where Element == Snapshot<View.Record> {
    scan(nil) { (newest: inout View?, snapshot) in
      newest = View(of: snapshot, after: newest)
      return newest
    }
  }
}
