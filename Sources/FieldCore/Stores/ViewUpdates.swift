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

  /// Returns the first snapshot of a store, and then those with other records than the one before.
  ///
  /// A refresh that finds no change commits only its date, for which no list needs to be drawn again.
  package func changingRecords<Record: StoredRecord>() -> SnapshotUpdates<Record>
  where Element == Snapshot<Record> {
    scan(nil) { (last: inout Snapshot<Record>?, snapshot) in
      defer { last = snapshot }
      return last.map(snapshot.hasRecords(of:)) ?? false ? nil : snapshot
    }
  }
}

extension Snapshot {
  /// Returns whether this later snapshot is known to have the same records as an earlier one.
  package func hasRecords(of earlier: Snapshot) -> Bool {
    generation == earlier.generation && count == earlier.count
      && changedIDs(since: earlier.revision)?.isEmpty ?? false
  }
}

/// A type that presents a snapshot of a store and answers queries synchronously.
package protocol StoreView: Sendable {
  associatedtype Record: StoredRecord

  var snapshot: Snapshot<Record> { get }

  /// The damage found while opening the store, until a refresh or `open()` has reported it.
  var damage: [OpeningReport.Cut] { get set }

  /// Creates a view, reusing the indexes of an earlier one for unchanged records.
  init(of snapshot: Snapshot<Record>, after earlier: Self?)
}
