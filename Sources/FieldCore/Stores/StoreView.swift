/// A type that presents a snapshot of a store and answers queries synchronously.
package protocol StoreView: Sendable {
  associatedtype Record: StoredRecord

  var snapshot: Snapshot<Record> { get }

  /// The damage found while opening the store, until a refresh or `open()` has reported it.
  var damage: [OpeningReport.Cut] { get set }

  /// Creates a view, reusing the indexes of an earlier one for unchanged records.
  init(of snapshot: Snapshot<Record>, after earlier: Self?)
}
