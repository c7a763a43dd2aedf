/// The orders of a snapshot's records, each of which is indexed once that pays, and kept across
/// small changes.
///
/// An index costs about as much as testing all records four times, so it is built by the first query
/// before which that many have been tested without it.
package final class RecordOrders<Record: StoredRecord, Order: Hashable & Sendable>: Sendable {
  /// The index of an order, without a base if the records have no such order.
  package typealias Index = DerivedIndex<Record, SlotOrder?>

  private struct State: Sendable {
    var indexes: [Order: Index] = [:]
    /// The indexes of an earlier snapshot, to continue from.
    var earlier: [Order: Index] = [:]
    /// The number of records that queries have tested for want of an index.
    var work: [Order: Int] = [:]
  }

  private let snapshot: Snapshot<Record>
  private let build: @Sendable (Order, Snapshot<Record>) -> SlotOrder?
  private let state: Lock<State>

  /// Creates the orders of a snapshot.
  ///
  /// - Parameters:
  ///   - earlier: The orders of an earlier snapshot.
  ///   - build: A closure that returns an order of a snapshot, or `nil` if there is none.
  package init(
    of snapshot: Snapshot<Record>, after earlier: RecordOrders?,
    build: @escaping @Sendable (Order, Snapshot<Record>) -> SlotOrder?
  ) {
    self.snapshot = snapshot
    self.build = build
    state = Lock(
      earlier?.state.withLock { earlier in
        State(
          earlier: earlier.earlier.merging(earlier.indexes) { $1 }, work: earlier.work)
      } ?? State())
  }

  /// Returns the index of an order, or `nil` if it doesn't pay yet, or the records have no such
  /// order.
  ///
  /// - Parameter work: The number of records to test without the index.
  package func index(_ order: Order, insteadOf work: Int) -> Index? {
    state.withLock { state in
      if let index = state.indexes[order] { return index.base == nil ? nil : index }
      let isKnown = state.earlier[order] != nil
      if !isKnown {
        let done = state.work[order, default: 0]
        state.work[order] = done + work
        guard done >= 4 * snapshot.count else { return nil }
      }
      let index = Index(of: snapshot, reusing: state.earlier[order]) { build(order, $0) }
      state.indexes[order] = index
      return index.base == nil ? nil : index
    }
  }
}
