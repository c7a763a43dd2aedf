/// What a kit shows of a store at one moment, to be asked without waiting.
package protocol StoreView: Sendable {
  associatedtype Record: StoredRecord

  /// What the view shows.
  var snapshot: Snapshot<Record> { get }

  /// What opening the store cut off, until a refresh or `open()` has reported it.
  var damage: [OpeningReport.Cut] { get set }

  /// Makes a view, which takes over what an earlier one has derived from records that are the same.
  init(of snapshot: Snapshot<Record>, after earlier: Self?)
}
