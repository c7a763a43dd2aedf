internal import FieldCore
internal import FieldFoundation

extension Sequence<Arrival> {
  /// The names of stations and destinations that aren't in the network, each once, in order.
  var unknownNames: [String] {
    flatMap { arrival in
      [
        arrival.station == nil ? arrival.stationName : nil,
        arrival.destination == nil ? arrival.destinationName : nil,
      ]
    }.compactMap(\.self).uniqued()
  }

  /// The first of the arrivals with the latest time; `nil` if no time is readable.
  var newest: Arrival? {
    filter { $0.updatedAt?.instant != nil }.max {
      ($0.updatedAt?.instant ?? .distantPast) < ($1.updatedAt?.instant ?? .distantPast)
    }
  }
}
