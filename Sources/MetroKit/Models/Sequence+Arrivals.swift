internal import FieldCore
internal import FieldFoundation

extension Sequence<Arrival> {
  /// The names of stations and destinations that aren't in the network, each once, in order.
  var unknownNames: [String] {
    var names: [String] = []
    for arrival in self {
      if arrival.station == nil { names.append(arrival.stationName) }
      if arrival.destination == nil { names.append(arrival.destinationName) }
    }
    return names.uniqued()
  }

  /// The first of the arrivals with the latest time; `nil` if no time is readable.
  var newest: Arrival? {
    lazy.filter { $0.updatedAt?.instant != nil }.max {
      ($0.updatedAt?.instant ?? .distantPast) < ($1.updatedAt?.instant ?? .distantPast)
    }
  }
}
