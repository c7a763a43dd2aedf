internal import FieldCore

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
