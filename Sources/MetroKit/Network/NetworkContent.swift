internal import FieldCore

/// The content of a network, prepared for queries.
final class NetworkContent: Sendable {
  let version: String
  let lines: [MetroLine]
  let stations: [MetroStation]
  let services: [MetroService]
  let walks: [MetroWalk]
  let trainTimes: [MetroStation.Code: [MetroTrainTimes]]
  let stationOfCode: [MetroStation.Code: Int32]
  /// The positions of stations by names that identify them, as the network spells them; it may lack some.
  private let spellings: [String: Int32]
  private let allNames: Once<StationNames>
  let aliases: [String: MetroStation.ID]
  let graph: RouteGraph
  let searches: RouteSearches
  /// The services of the same line, by service.
  let servicesOfLine: [[Int]]
  /// The first and the last station of each service, if the network has them.
  let ends: [(first: MetroStation.ID?, last: MetroStation.ID?)]
  /// The position of a station's stop for each service and station, or -1.
  private let places: [Int16]

  init(
    version: String, lines: [MetroLine], stations: [MetroStation], services: [MetroService],
    trainTimes: [MetroStation.Code: [MetroTrainTimes]],
    stationOfCode: [MetroStation.Code: Int32], spellings: [String: Int32],
    names: Once<StationNames>, walks: [MetroWalk], aliases: [String: MetroStation.ID] = [:]
  ) {
    self.version = version
    self.lines = lines
    self.stations = stations
    self.services = services
    self.walks = walks
    self.trainTimes = trainTimes
    self.stationOfCode = stationOfCode
    self.spellings = spellings
    allNames = names
    self.aliases = aliases
    var places = [Int16](repeating: -1, count: services.count * stations.count)
    for (index, service) in services.enumerated() {
      for (place, code) in service.stops.enumerated() {
        guard let station = stationOfCode[code] else { continue }
        places[index * stations.count + Int(station)] = Int16(place)
      }
    }
    self.places = places
    graph = RouteGraph(
      services: services, stationOfCode: stationOfCode, stationCount: stations.count,
      walks: walks.flatMap { walk -> [RouteGraph.Walk] in
        func position(_ id: MetroStation.ID) -> Int? {
          spellings[id.rawValue].map(Int.init) ?? names.value.position(of: id.rawValue)
        }
        guard let from = position(walk.from), let to = position(walk.to) else { return [] }
        let there = RouteGraph.Walk(from: Int32(from), to: Int32(to))
        return [there, RouteGraph.Walk(from: there.to, to: there.from)]
      })
    searches = RouteSearches(graph)
    let byLine = Dictionary(grouping: services.indices) { services[$0].line }
    servicesOfLine = services.map { byLine[$0.line] ?? [] }
    ends = services.map { service in
      func station(_ code: MetroStation.Code?) -> MetroStation.ID? {
        code.flatMap { stationOfCode[$0] }.map { stations[Int($0)].id }
      }
      return (station(service.stops.first), station(service.stops.last))
    }
  }

  static var empty: NetworkContent {
    NetworkContent(
      version: "", lines: [], stations: [], services: [], trainTimes: [:], stationOfCode: [:],
      spellings: [:], names: Once(made: StationNames()), walks: [])
  }

  /// All names in all spellings, which the first use folds.
  var names: StationNames { allNames.value }

  /// Returns the position of the station with a name in any spelling.
  func position(named name: String) -> Int? {
    spellings[name.streamSafe].map(Int.init) ?? names.position(of: name)
  }

  func position(of id: MetroStation.ID) -> Int? {
    position(named: id.rawValue).flatMap { stations[$0].id == id ? $0 : nil }
  }

  /// Returns the position of a station among the stops of a service.
  func place(of station: Int, in service: Int) -> Int? {
    let place = Int(places[service * stations.count + station])
    return place < 0 ? nil : place
  }
}
