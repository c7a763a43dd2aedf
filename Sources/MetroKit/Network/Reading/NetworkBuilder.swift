internal import FieldCore

/// Assembles the records of a network and finds inconsistencies.
struct NetworkBuilder {
  private let draft: NetworkDraft
  private var problems: [String]
  private var lines: [MetroLine] = []
  private var stations: [MetroStation] = []
  private var stationOfCode: [MetroStation.Code: Int32] = [:]
  private var lineOfCode: [MetroStation.Code: MetroLine.ID] = [:]
  private var services: [MetroService] = []
  private var walks: [MetroWalk] = []
  private var trainTimes: [MetroStation.Code: [MetroTrainTimes]] = [:]
  private var names = StationNames()
  private var spellings: [String: Int32] = [:]
  private var aliases: [String: MetroStation.ID] = [:]

  /// Far more than any metro has. A larger file isn't a network and would only fill the memory.
  private static let mostStops = 5_000
  private static let mostServices = 500

  init(_ draft: NetworkDraft) {
    self.draft = draft
    problems = draft.problems
  }

  /// Returns the content of the network.
  ///
  /// - Parameter isVerified: Whether the names are known not to contradict each other, as those of the compiled-in
  ///   network. They are then folded when the first name is looked up that isn't spelled as in the network.
  mutating func build(isVerified: Bool = false) throws(FieldError) -> NetworkContent {
    if draft.stops.count > Self.mostStops || draft.services.count > Self.mostServices {
      problems.append("there are \(draft.stops.count) stops and \(draft.services.count) services")
    } else {
      addLines()
      addStops()
      addServices()
      addWalks()
      if isVerified { addSpellings() } else { addNames() }
      addExits()
      addTrains()
      if stations.isEmpty { problems.append("there are no stops") }
    }
    guard problems.isEmpty else {
      let shown = problems.prefix(20)
      let rest = problems.count - shown.count
      throw FieldError(
        .malformed,
        "The network file violates its format in \(problems.count) "
          + "\(problems.count == 1 ? "place" : "places"). Keep the network you have.",
        problems: shown + (rest > 0 ? ["and \(rest) more"] : []))
    }
    return NetworkContent(
      version: draft.version, lines: lines, stations: stations, services: services,
      trainTimes: trainTimes, stationOfCode: stationOfCode, spellings: spellings,
      names: isVerified ? foldingLater() : Once(made: names), walks: walks, aliases: aliases)
  }

  private func foldingLater() -> Once<StationNames> {
    Once { [self] in
      var builder = self
      builder.addNames()
      return builder.names
    }
  }

  private mutating func addLines() {
    for line in draft.lines {
      if lines.contains(where: { $0.id == line.id }) {
        problems.append("line \(line.id) occurs twice")
      }
      lines.append(line)
    }
  }

  private mutating func addStops() {
    var positions: [String: Int] = [:]
    for (stop, names) in draft.stops {
      let (code, line) = (stop.code, stop.line)
      if !lines.contains(where: { $0.id == line }) {
        problems.append("stop \(code) is on line \(line), which doesn't exist")
      }
      guard stationOfCode[code] == nil else {
        problems.append("stop \(code) occurs twice")
        continue
      }
      let position = positions[names.chinese] ?? stations.count
      if position < stations.count {
        stations[position].stops.append(stop)
      } else {
        positions[names.chinese] = position
        stations.append(
          MetroStation(
            id: MetroStation.ID(rawValue: names.chinese), englishName: names.english,
            japaneseName: names.japanese, koreanName: names.korean, coordinate: stop.coordinate,
            stops: [stop]))
      }
      stationOfCode[code] = Int32(position)
      lineOfCode[code] = line
    }
  }

  private mutating func addServices() {
    for service in draft.services {
      if let problem = problem(of: service) {
        problems.append("service \(service.id) \(problem)")
      } else if let index = lines.firstIndex(where: { $0.id == service.line }) {
        services.append(service)
        place(service.stops, on: &lines[index])
      }
    }
    finishLines()
  }

  private func problem(of service: MetroService) -> String? {
    let (line, codes) = (service.line, service.stops)
    let strange = codes.filter { lineOfCode[$0] != line }.map(\.rawValue)
    if !strange.isEmpty || !lines.contains(where: { $0.id == line }) {
      return "has stops that aren't on line \(line): \(strange.joined(separator: ", "))"
    }
    // A train that stops at a station twice would have two positions there.
    if Set(codes.map { stationOfCode[$0] }).count < codes.count {
      return "stops at a station twice"
    }
    if service.stopSeconds.first != 0 || service.stopSeconds.last != 0 {
      return "has a dwell time at its terminus"
    }
    return services.contains { $0.id == service.id } ? "occurs twice" : nil
  }

  private mutating func finishLines() {
    for index in lines.indices {
      let stops = draft.stops.map(\.stop).filter { $0.line == lines[index].id }.map(\.code)
      // A line without travel times keeps its stops in the file's order.
      if lines[index].trunk.isEmpty { lines[index].trunk = stops }
      let placed = Set(lines[index].codes)
      for code in stops where !placed.contains(code) {
        problems.append("no service connects stop \(code) to the trunk of its line")
      }
      let trunk = lines[index].trunk
      lines[index].branches.sort {
        (trunk.firstIndex(of: $0.junction) ?? 0) < (trunk.firstIndex(of: $1.junction) ?? 0)
      }
    }
  }

  /// Adds a service's new stops to a line: as the trunk, or as branches, each of which leaves at
  /// the last known stop.
  private func place(_ codes: [MetroStation.Code], on line: inout MetroLine) {
    guard !line.trunk.isEmpty else {
      line.trunk = codes
      return
    }
    for codes in [codes, codes.reversed()] {
      var known = Set(line.codes)
      for place in codes.indices.dropFirst()
      where known.contains(codes[place - 1]) && !known.contains(codes[place]) {
        let stops = codes[place...].prefix { !known.contains($0) }
        line.branches.append(MetroLine.Branch(junction: codes[place - 1], stops: Array(stops)))
        known.formUnion(stops)
      }
    }
  }

  private mutating func addWalks() {
    for (first, second) in draft.walks {
      guard let from = stationOfCode[MetroStation.Code(rawValue: first)],
        let to = stationOfCode[MetroStation.Code(rawValue: second)], from != to
      else {
        problems.append("the walk from \(first) to \(second) doesn't connect two stations")
        continue
      }
      walks.append(MetroWalk(from: stations[Int(from)].id, to: stations[Int(to)].id))
    }
  }

  /// Adds the names that no two stations share, as they are spelled.
  private mutating func addSpellings() {
    for (index, station) in stations.enumerated() {
      for name in [station.name, station.englishName] + station.codes.map(\.rawValue) {
        spellings[name] = Int32(index)
      }
    }
    for alias in draft.aliases {
      guard let station = stationOfCode[MetroStation.Code(rawValue: alias.code)] else { continue }
      spellings[alias.name] = station
      aliases[alias.name] = stations[Int(station)].id
    }
    // The feeds append 站 to every name.
    for (index, station) in stations.enumerated() where spellings[station.name + "站"] == nil {
      spellings[station.name + "站"] = Int32(index)
    }
  }

  private mutating func addNames() {
    // Add identifying names first, because two stations mustn't share them.
    for (index, station) in stations.enumerated() {
      addName(station.name, index)
      addName(station.englishName, index)
      for stop in station.stops {
        addName(stop.code.rawValue, index)
        if let line = lines.first(where: { $0.id == stop.line }) {
          addName("\(line.operatorCode)-\(stop.code)", index, isSearched: false)
        }
      }
    }
    for alias in draft.aliases {
      guard let station = stationOfCode[MetroStation.Code(rawValue: alias.code)] else {
        problems.append("name \(alias.name) belongs to \(alias.code), which doesn't exist")
        continue
      }
      addName(alias.name, Int(station))
      aliases[alias.name] = stations[Int(station)].id
    }
    for line in lines {
      let codes = lineOfCode.filter { $0.value == line.id }.keys
      names.add(line, stations: Set(codes.compactMap { stationOfCode[$0] }))
    }
    // Shorter and foreign names yield to them.
    for (index, station) in stations.enumerated() {
      for name in [station.japaneseName, station.koreanName].compactMap({ $0 }) {
        _ = names.add(name, for: Int32(index))
      }
      for code in station.codes {
        if let short = NameKey(code.rawValue).withoutLeadingZeros {
          _ = names.add(short, for: Int32(index))
        }
      }
      // The feeds append 站 to every name.
      names.addShortcut(station.name + "站", for: Int32(index))
    }
  }

  private mutating func addName(_ name: String, _ station: Int, isSearched: Bool = true) {
    if !names.add(name, for: Int32(station), isSearched: isSearched) {
      problems.append("the name \"\(name)\" of \(stations[station].id) means another station, too")
    }
  }

  private mutating func addExits() {
    for (code, exits) in draft.exits {
      guard let station = stationOfCode[MetroStation.Code(rawValue: code)] else {
        problems.append("there are exits of \(code), which doesn't exist")
        continue
      }
      stations[Int(station)].exits.append(contentsOf: exits)
    }
  }

  private mutating func addTrains() {
    for train in draft.trains {
      let code = MetroStation.Code(rawValue: train.code)
      guard stationOfCode[code] != nil,
        let to = stationOfCode[MetroStation.Code(rawValue: train.destination)]
      else {
        problems.append(
          "there are trains from \(train.code) to \(train.destination), one of which doesn't exist")
        continue
      }
      trainTimes[code, default: []].append(
        MetroTrainTimes(
          code: code, destination: stations[Int(to)].id, first: train.first, last: train.last))
    }
  }
}
