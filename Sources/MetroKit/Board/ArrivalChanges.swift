/// The differences between a board and an earlier one, row by row.
///
/// Rows are the same if their IDs are. A row without a countdown is an event: the next train to the
/// same destination is another row, so one event leaves the board and another arrives.
public struct ArrivalChanges: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The rows that the earlier board didn't have, in the order of the later one.
  public var arrived: [Arrival]
  /// The rows that the later board doesn't have, in the order of the earlier one.
  public var left: [Arrival]
  /// The rows that are on both boards but differ, as they are on the later board and in its order:
  /// a running countdown, or a train whose line has become known.
  public var updated: [Arrival]
  /// The number of rows that are equal on both boards.
  public var unchangedCount: Int

  /// Creates a set of changes.
  public init(
    arrived: [Arrival] = [], left: [Arrival] = [], updated: [Arrival] = [], unchangedCount: Int = 0
  ) {
    self.arrived = arrived
    self.left = left
    self.updated = updated
    self.unchangedCount = unchangedCount
  }

  /// A Boolean value that indicates whether both boards have the same rows.
  public var isEmpty: Bool { arrived.isEmpty && left.isEmpty && updated.isEmpty }

  /// A description with the numbers of changed arrivals.
  public var description: String {
    "\(arrived.count) arrived, \(left.count) left, \(updated.count) updated"
  }
}

extension ArrivalBoard {
  /// Returns the changes since an earlier board.
  ///
  /// ```swift
  /// let earlier = board
  /// try await metro.refresh(.now)
  /// let changes = try await metro.board().changes(since: earlier)
  /// print(changes.arrived.count, "arrived,", changes.left.count, "left")
  /// ```
  ///
  /// The order of the rows doesn't count as a change, and neither does the date of a board.
  public func changes(since earlier: ArrivalBoard) -> ArrivalChanges {
    var rest: [Arrival.ID: Arrival] = [:]
    for arrival in earlier.arrivals { rest[arrival.id] = arrival }
    var changes = ArrivalChanges()
    for arrival in arrivals {
      switch rest.removeValue(forKey: arrival.id) {
      case nil: changes.arrived.append(arrival)
      case let before? where before == arrival: changes.unchangedCount += 1
      default: changes.updated.append(arrival)
      }
    }
    changes.left = earlier.arrivals.filter { rest[$0.id] == $0 }
    return changes
  }
}
