/// The orders of a snapshot's records, each of which is indexed once that pays, and kept across
/// small changes.
///
/// An index costs about as much as testing all records four times, so it is built by the first query
/// before which that many have been tested without it.
package final class RecordOrders<Record: StoredRecord, Order: Hashable & Sendable>: Sendable {
  /// The index of an order.
  package typealias Index = OrderedSlots<Record>
  private typealias Kept = KeptIndex<Record, Index>

  private struct State: Sendable {
    var kept: [Order: Kept] = [:]
    /// The indexes of earlier snapshots, to continue from.
    var earlier: [Order: Kept] = [:]
  }

  private let content: IndexedSnapshot<Record>
  private let build: @Sendable (Order, Snapshot<Record>) -> Index
  private let state: Lock<State>

  /// Creates the orders of a snapshot.
  ///
  /// - Parameters:
  ///   - earlier: The orders of an earlier snapshot.
  ///   - build: A closure that returns an order of a snapshot.
  package init(
    of content: IndexedSnapshot<Record>, after earlier: RecordOrders?,
    build: @escaping @Sendable (Order, Snapshot<Record>) -> Index
  ) {
    self.content = content
    self.build = build
    state = Lock(
      earlier?.state.withLock { earlier in
        State(earlier: earlier.earlier.merging(earlier.kept) { $1 })
      } ?? State())
  }

  /// Returns the index of an order, or `nil` if it doesn't pay yet, or the records have no such
  /// order.
  ///
  /// - Parameter work: The number of records to test without the index.
  package func index(_ order: Order, insteadOf work: Int) -> Index? {
    let kept = state.withLock { state in
      state.kept[order].making {
        let build = build
        return Kept(of: content, after: state.earlier[order], price: 4 * content.snapshot.count) {
          build(order, $0)
        } update: {
          $0.updated(by: $1) ?? build(order, $1.after)
        }
      }
    }
    guard let index = kept.index(insteadOf: work), index.base != nil else { return nil }
    return index
  }
}
