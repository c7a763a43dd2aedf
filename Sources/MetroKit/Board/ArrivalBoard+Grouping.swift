extension ArrivalBoard {
  /// The rows by the station that the trains are at; groups and rows in the source's order.
  public var byStation: [ArrivalGroup<MetroStation.ID>] {
    grouped { ($0.station, $0.stationName) }
  }

  /// The rows by the station that the trains go to; groups and rows in the source's order.
  public var byDestination: [ArrivalGroup<MetroStation.ID>] {
    grouped { ($0.destination, $0.destinationName) }
  }

  /// The rows by line; groups and rows in the source's order. Rows of which no line is known are a group
  /// without a key and with an empty name.
  public var byLine: [ArrivalGroup<MetroLine.ID>] {
    grouped { ($0.line, "") }
  }

  private func grouped<Key>(
    by key: (Arrival) -> (Key?, String)
  ) -> [ArrivalGroup<Key>] where Key: RawRepresentable<String> {
    var groups: [ArrivalGroup<Key>] = []
    var places: [String: Int] = [:]
    for arrival in arrivals {
      let (key, raw) = key(arrival)
      // A name that only the feed knows cannot be taken for a key of the network.
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
