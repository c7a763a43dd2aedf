internal import FieldCore

extension FeedTables {
  /// Reads the rules for changing.
  mutating func readTransfers(_ files: FeedFiles) throws(FieldError) {
    guard let file = try files.file("transfers.txt") else { return }
    var log = log
    let columns = [
      "from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time", "from_route_id",
      "to_route_id", "from_trip_id", "to_trip_id",
    ]
    try file.forEachRow(columns, required: 0, &log) { row, log in
      let type = row.number(2) ?? 0
      guard type <= 5 else { return log.add("its transfer_type is unknown", row, file) }
      // Of a trip and a route, the trip counts.
      let trips = [6, 7].map { row.isEmpty($0) ? Self.none : number(row, $0, tripIDs) }
      let routes = [4, 5].map { row.isEmpty($0) ? Self.none : number(row, $0, routeIDs) }
      guard let fromTrip = trips[0], let toTrip = trips[1], let fromRoute = routes[0],
        let toRoute = routes[1]
      else { return log.add("one of its routes or trips doesn't exist", row, file) }
      if type >= 4 {
        guard fromTrip != Self.none, toTrip != Self.none, fromTrip != toTrip else {
          return log.add("it links no two trips", row, file)
        }
        links.append(Link(from: fromTrip, to: toTrip, isSeat: type == 4))
        return
      }
      guard let from = number(row, 0, stopIDs), let to = number(row, 1, stopIDs) else {
        return log.add("one of its stops doesn't exist", row, file)
      }
      transfers.append(
        Transfer(
          from: .init(
            stop: from, route: fromTrip == Self.none ? fromRoute : Self.none, trip: fromTrip),
          to: .init(stop: to, route: toTrip == Self.none ? toRoute : Self.none, trip: toTrip),
          type: type, time: row.number(3) ?? -1))
    }
    self.log = log
  }

  private func number(_ row: FeedRow, _ column: Int, _ ids: IDTable) -> UInt32? {
    row.withBytes(column) { ids.number(of: $0) }
  }
}
