extension ArrivalBoard {
  /// The rows grouped by the trains' current station; groups and rows are in source order.
  ///
  /// ```swift
  /// for group in board.byStation { show(group.name, group.arrivals.count) }
  /// ```
  public var byStation: [ArrivalGroup<MetroStation.ID>] { grouped { ($0.station, $0.stationName) } }

  /// The rows grouped by destination; groups and rows are in source order.
  ///
  /// ```swift
  /// for group in board.byDestination { show(group.name, group.arrivals.count) }
  /// ```
  public var byDestination: [ArrivalGroup<MetroStation.ID>] {
    grouped { ($0.destination, $0.destinationName) }
  }

  /// The rows grouped by line; groups and rows are in source order.
  ///
  /// Rows without a known line form a group without a key and with an empty name.
  ///
  /// ```swift
  /// for group in board.byLine { show(group.key?.rawValue ?? "?", group.arrivals.count) }
  /// ```
  public var byLine: [ArrivalGroup<MetroLine.ID>] { grouped { ($0.line, "") } }

  private func grouped<Key>(
    by key: (Arrival) -> (Key?, String)
  ) -> [ArrivalGroup<Key>] where Key: RawRepresentable<String> {
    var groups: [ArrivalGroup<Key>] = []
    var places: [String: Int] = [:]
    for arrival in arrivals {
      let (key, raw) = key(arrival)
      // A name that only the feed contains mustn't be mistaken for a key of the network.
      let name = key.map(\.rawValue) ?? raw
      let place = key == nil ? "?\(raw)" : name
      if let index = places[place] {
        groups[index].arrivals.append(arrival)
      } else {
        places[place] = groups.count
        groups.append(ArrivalGroup(key: key, name: name, arrivals: [arrival]))
      }
    }
    return groups
  }
}
