public import FieldCore

/// The lines and stations of a metro: names, locations, and routes.
///
/// ```swift
/// let route = try MetroNetwork.taipei.route(from: "動物園", to: "淡水")
/// print(route.stations.map(\.name), route.transfers, route.duration)
/// ```
///
/// A network is immutable, and copies share their content. ``taipei`` is compiled in, and is read when it is first
/// used. To load a newer one from a file, see ``init(reading:)``.
public struct MetroNetwork: Sendable, CustomStringConvertible {
  private let once: Once<NetworkContent>

  /// The content, which the first use of the compiled-in network reads.
  var content: NetworkContent { once.value }

  /// The metro of Taipei: TRTC's five lines and the Circular line, 118 stations with 135 codes.
  ///
  /// The airport line and the Sanying line are missing because the source has no travel times for
  /// them. Check ``version`` for the date of the data.
  ///
  /// ```swift
  /// let network = MetroNetwork.taipei
  /// print(network.lines.count, network.stations.count)
  /// ```
  public static var taipei: MetroNetwork { builtIn }

  // Tests read the compiled-in data, and compare its names with those of the same network that is validated. If it were
  // unreadable all the same, the app would continue with a network without stations.
  private static let builtIn = MetroNetwork(
    once: Once {
      guard let draft = try? NetworkReader(TaipeiNetwork.bytes).draft else { return .empty }
      var builder = NetworkBuilder(draft)
      return (try? builder.build(isVerified: true)) ?? .empty
    })

  /// The date of the data, such as `2026-07-24`.
  public var version: String { content.version }

  /// The lines, in source order.
  ///
  /// ```swift
  /// for line in MetroNetwork.taipei.lines { print(line.name, line.color) }
  /// ```
  public var lines: [MetroLine] { content.lines }

  /// The stations, each once, in line order.
  ///
  /// ```swift
  /// let transfers = MetroNetwork.taipei.stations.filter { $0.codes.count > 1 }
  /// print(transfers.map(\.englishName))
  /// ```
  public var stations: [MetroStation] { content.stations }

  /// The train patterns, including short turns.
  public var services: [MetroService] { content.services }

  /// The pairs of stations between which passengers change along the street.
  public var walks: [MetroWalk] { content.walks }

  /// Returns the line with the given ID, or `nil` if there is none.
  ///
  /// ```swift
  /// if let line = MetroNetwork.taipei.line(.bannan) { show(line.englishName, line.color) }
  /// ```
  public func line(_ id: MetroLine.ID) -> MetroLine? { content.lines.first { $0.id == id } }

  /// Returns the station with the given ID, which is exactly its Chinese name.
  ///
  /// ```swift
  /// for train in board.fresh {
  ///   if let station = train.station.flatMap({ MetroNetwork.taipei.station($0) }) {
  ///     show(station.englishName, station.coordinate)
  ///   }
  /// }
  /// ```
  public func station(_ id: MetroStation.ID) -> MetroStation? {
    content.position(of: id).map { content.stations[$0] }
  }

  /// Returns the station with the given code, or `nil` if there is none.
  ///
  /// ```swift
  /// let station = MetroNetwork.taipei.station(code: "R28")
  /// ```
  public func station(code: MetroStation.Code) -> MetroStation? {
    content.stationOfCode[code].map { content.stations[Int($0)] }
  }

  /// Returns the stations of a line: those of its trunk, then those of each branch.
  ///
  /// ```swift
  /// for station in MetroNetwork.taipei.stations(of: .tamsuiXinyi) { print(station.name) }
  /// ```
  public func stations(of line: MetroLine.ID) -> [MetroStation] {
    (self.line(line)?.codes ?? []).compactMap { station(code: $0) }
  }

  /// Returns the first and last trains of the day from a stop, one pair for each destination.
  ///
  /// Returns `nil` if the source doesn't give them, as for the Circular line.
  ///
  /// ```swift
  /// let times = MetroNetwork.taipei.trainTimes(at: "R28") ?? []
  /// for train in times { print(train.destination, train.last) }
  /// ```
  public func trainTimes(at code: MetroStation.Code) -> [MetroTrainTimes]? {
    content.trainTimes[code]
  }

  /// A description with the version and the numbers of lines and stations.
  public var description: String {
    "\(version): \(lines.count) lines, \(stations.count) stations".printable
  }
}

extension MetroNetwork {
  init(content: NetworkContent) { self.init(once: Once(made: content)) }

  /// Returns the lines whose trains run from one station to another without a change.
  ///
  /// A feed's destination can be the end of any train pattern, so this method finds the line of an
  /// arrival. Two lines run between some stations, such as 忠孝復興 and 南港展覽館.
  ///
  /// ```swift
  /// let lines = MetroNetwork.taipei.lines(from: "台北車站", toward: "淡水")
  /// ```
  public func lines(from: MetroStation.ID, toward destination: MetroStation.ID) -> [MetroLine.ID] {
    guard let from = content.position(of: from), let to = content.position(of: destination),
      from != to
    else { return [] }
    var found: [MetroLine.ID] = []
    for (index, service) in content.services.enumerated()
    where content.place(of: from, in: index) != nil && content.place(of: to, in: index) != nil {
      if !found.contains(service.line) { found.append(service.line) }
    }
    return found
  }
}

// MARK: - Codable

extension MetroNetwork: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, lines, stations, services, walks, trainTimes, aliases
  }

  /// Creates a network by decoding it, with the same validation as ``init(reading:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var draft = NetworkDraft()
    func add(_ kind: String, _ fields: [String], isFirst: Bool = false) {
      if let problem = draft.add(kind, fields, isFirst: isFirst) {
        draft.problems.append("\(kind) \(fields.joined(separator: "|")): \(problem)")
      }
    }
    let lines = try container.decode([MetroLine].self, forKey: .lines)
    let stations = try container.decode([MetroStation].self, forKey: .stations)
    let services = try container.decode([MetroService].self, forKey: .services)
    let codes = Dictionary(stations.map { ($0.id, $0.codes.first?.rawValue ?? "") }) { $1 }
    add("metro", ["1", try container.decode(String.self, forKey: .version)], isFirst: true)
    for line in lines {
      add(
        "line",
        [line.id.rawValue, line.operatorCode, line.color, line.name, line.englishName]
          + [line.japaneseName, line.koreanName].map { $0 ?? "-" })
      let hasService = services.contains { $0.line == line.id }
      let stops = stations.flatMap { station in
        station.stops.filter { $0.line == line.id }.map { (station, $0) }
      }
      let order = Dictionary(line.codes.enumerated().map { ($0.element, $0.offset) }) { $1 }
      func place(_ stop: MetroStation.Stop) -> Int { order[stop.code] ?? .max }
      // The stations keep their order; only a line without services has an order of its own.
      for (station, stop) in hasService ? stops : stops.sorted(by: { place($0.1) < place($1.1) }) {
        let coordinate = stop.coordinate
        add(
          "stop",
          [
            line.id.rawValue, stop.code.rawValue, "\(coordinate.latitude)",
            "\(coordinate.longitude)", station.name, station.englishName,
          ] + [station.japaneseName, station.koreanName].map { $0 ?? "-" })
      }
    }
    for service in services {
      let count = service.stops.count
      guard service.stopSeconds.count == count, service.runSeconds.count == count - 1 else {
        draft.problems.append("service \(service.id) doesn't have a time for each stop")
        continue
      }
      var words = zip(service.stops, service.stopSeconds).map { "\($0):\($1)" }
      words = zip(words, service.runSeconds.map(String.init) + [""]).flatMap { [$0, $1] }
      add("service", [service.line.rawValue, service.id, words.dropLast().joined(separator: " ")])
    }
    for walk in try container.decode([MetroWalk].self, forKey: .walks) {
      add("walk", [codes[walk.from] ?? "", codes[walk.to] ?? ""])
    }
    let aliases = try container.decode([String: MetroStation.ID].self, forKey: .aliases)
    for (name, station) in aliases.sorted(by: { $0.key < $1.key }) {
      add("alias", [codes[station] ?? "", name])
    }
    for station in stations where !station.exits.isEmpty {
      let exits = station.exits.map {
        "\($0.number ?? "-") \($0.coordinate.latitude) \($0.coordinate.longitude)"
      }
      add("exits", [codes[station.id] ?? ""] + exits)
    }
    let times = try container.decode(
      [MetroStation.Code: [MetroTrainTimes]].self, forKey: .trainTimes)
    for (code, times) in times.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let trains = times.map { "\(codes[$0.destination] ?? "") \($0.first) \($0.last)" }
      add("trains", [code.rawValue] + trains)
    }
    var builder = NetworkBuilder(draft)
    self.init(content: try builder.build())
  }

  /// Encodes the whole network.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(lines, forKey: .lines)
    try container.encode(stations, forKey: .stations)
    try container.encode(services, forKey: .services)
    try container.encode(walks, forKey: .walks)
    try container.encode(content.trainTimes, forKey: .trainTimes)
    try container.encode(content.aliases, forKey: .aliases)
  }
}

extension MetroNetwork {
  /// Returns the stations closest to a location, nearest first.
  ///
  /// Stations at the same distance are in the order of ``stations``. The distance is to the nearest
  /// stop of a station, along the ellipsoid. Returns an empty array unless `count` is positive.
  ///
  /// ```swift
  /// for near in MetroNetwork.taipei.nearest(to: here, count: 3) {
  ///   print(near.record.name, near.distance)
  /// }
  /// ```
  public func nearest(to place: Coordinate, count: Int) -> [NearbyStation] {
    let far = content.stations.indices.compactMap { index -> (distance: Distance, index: Int)? in
      content.stations[index].stops.lazy.map { place.distance(to: $0.coordinate) }.min()
        .map { ($0, index) }
    }
    return far.sorted { $0 < $1 }.prefix(max(count, 0)).map {
      NearbyStation(content.stations[$0.index], distance: $0.distance)
    }
  }
}
