internal import FieldCore

extension ArrivalBoard {
  /// The rows of a station, in the source's order.
  ///
  /// - Parameters:
  ///   - station: The station in any spelling that ``MetroNetwork/station(named:)`` knows: `台北車站`,
  ///     `臺北車站`, `淡水` or `淡水站`, `Taipei Main Station`, `R10`. A name that the network does not have
  ///     finds the rows that have it.
  ///   - freshOnly: Whether only ``fresh`` rows are given; all by default.
  public func arrivals(at station: some StringProtocol, freshOnly: Bool = false) -> [Arrival] {
    let place = Place(String(station), in: network)
    return (freshOnly ? fresh : arrivals).filter {
      place.matches($0.station, named: $0.stationName)
    }
  }

  /// The rows of trains to a station, in the source's order.
  ///
  /// - Parameters:
  ///   - destination: The station in any spelling, as in ``arrivals(at:freshOnly:)``.
  ///   - freshOnly: Whether only ``fresh`` rows are given; all by default.
  public func arrivals(to destination: some StringProtocol, freshOnly: Bool = false) -> [Arrival] {
    let place = Place(String(destination), in: network)
    return (freshOnly ? fresh : arrivals).filter {
      place.matches($0.destination, named: $0.destinationName)
    }
  }

  /// The rows of a line, in the source's order; rows of which no line is known are not among them.
  ///
  /// - Parameters:
  ///   - line: The line, such as `BL`.
  ///   - freshOnly: Whether only ``fresh`` rows are given; all by default.
  public func arrivals(on line: MetroLine.ID, freshOnly: Bool = false) -> [Arrival] {
    (freshOnly ? fresh : arrivals).filter { $0.line == line }
  }

  /// The names on the board that the network does not have, each once, in the source's order.
  public var unresolvedNames: [String] {
    var names: [String] = []
    var seen: Set<String> = []
    func note(_ name: String) { if seen.insert(name).inserted { names.append(name) } }
    for arrival in arrivals {
      if arrival.station == nil { note(arrival.stationName) }
      if arrival.destination == nil { note(arrival.destinationName) }
    }
    return names
  }
}

/// A station as somebody wrote it: one of the network, or a name that only rows may know.
struct Place {
  private let station: MetroStation.ID?
  private let name: String

  init(_ text: String, in network: MetroNetwork) {
    station = network.station(named: text)?.id
    name = TextFolding.fold(text)
  }

  /// Whether a row's station is this one.
  func matches(_ id: MetroStation.ID?, named rowName: String) -> Bool {
    if let station, let id { return station == id }
    guard !name.isEmpty else { return false }
    let rowName = TextFolding.fold(rowName)
    // A 站 is dropped from names that the network does not have, never from one that is a name as it
    // stands: 台北車 is no station.
    return id == nil
      ? Self.withoutEnding(name) == Self.withoutEnding(rowName) : name == rowName
  }

  private static func withoutEnding(_ name: String) -> Substring {
    name.count > 1 && name.hasSuffix("站") ? name.dropLast() : name[...]
  }
}
