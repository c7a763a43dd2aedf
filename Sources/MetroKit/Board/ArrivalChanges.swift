/// How a board differs from an earlier one, row by row.
///
/// Rows are the same when their ids are. A row without a countdown is an event: the next train to the
/// same destination is another row, so one event leaves the board and another arrives.
public struct ArrivalChanges: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The rows that the earlier board did not have, in the later one's order.
  public var arrived: [Arrival]
  /// The rows that the later board does not have, in the earlier one's order.
  public var left: [Arrival]
  /// The rows that both have and that differ, as they are on the later board and in its order: a
  /// countdown that runs, or a train whose line has become known.
  public var updated: [Arrival]
  /// How many rows are the same on both boards.
  public var unchangedCount: Int

  /// Makes a difference.
  public init(
    arrived: [Arrival] = [], left: [Arrival] = [], updated: [Arrival] = [], unchangedCount: Int = 0
  ) {
    self.arrived = arrived
    self.left = left
    self.updated = updated
    self.unchangedCount = unchangedCount
  }

  /// Whether both boards have the same rows.
  public var isEmpty: Bool { arrived.isEmpty && left.isEmpty && updated.isEmpty }

  /// The numbers of changed arrivals.
  public var description: String {
    "\(arrived.count) arrived, \(left.count) left, \(updated.count) updated"
  }
}

extension ArrivalBoard {
  /// How the board differs from an earlier one.
  ///
  /// The order of the rows is no difference, and neither is when the boards were fetched.
  public func changes(since earlier: ArrivalBoard) -> ArrivalChanges {
    var rest: [Arrival.ID: Arrival] = [:]
    for arrival in earlier.arrivals { rest[arrival.id] = arrival }
    var changes = ArrivalChanges()
    for arrival in arrivals {
      guard let before = rest.removeValue(forKey: arrival.id) else {
        changes.arrived.append(arrival)
        continue
      }
      if before == arrival {
        changes.unchangedCount += 1
      } else {
        changes.updated.append(arrival)
      }
    }
    changes.left = earlier.arrivals.filter { rest[$0.id] == $0 }
    return changes
  }
}
