import MetroKit

/// Ways through the metro: all pairs of stations, against Dijkstra's algorithm as one writes it.
struct RouteBenchmarks {
  private let network = MetroNetwork.taipei

  func run(into table: inout ResultTable) async throws {
    let ids = network.stations.map(\.id)
    let textbook = TextbookSearch(network)
    func seconds(from starts: some Sequence<MetroStation.ID>) throws -> [Int] {
      try starts.flatMap { from in
        try ids.map { to in
          let route = try network.route(from: from, to: to)
          return route.rideSeconds + route.changeSeconds
        }
      }
    }
    let starts = ids.prefix(6)
    try await table.race(
      "a route in the metro", against: "Dijkstra over dictionaries", floor: 10, rounds: 5
    ) {
      try await measured(per: starts.count * ids.count) { try seconds(from: starts) }
    } baseline: {
      await measured(per: starts.count * ids.count) {
        starts.flatMap { from in ids.map { textbook.seconds(from: from, to: $0) ?? 0 } }
      }
    } check: { own, baseline in
      own == baseline
    }
    try await table.race(
      "a route in the metro, all pairs", against: "the limit of 50 µs", floor: 1, rounds: 5
    ) {
      try await measured(per: ids.count * ids.count) { try seconds(from: ids) }
    } baseline: {
      .limit(.microseconds(50))
    }
  }
}

/// Dijkstra's algorithm over dictionaries, with a heap; it finds the seconds alone.
private struct TextbookSearch {
  private struct Place: Hashable {
    var station: MetroStation.ID
    /// The train that one sits in, and whether it runs up or down; nil on the platform.
    var train: Train?
    var hasWalked = false
  }

  private struct Train: Hashable {
    var service: String
    var runsUp: Bool
  }

  private struct Way {
    var to: Place
    var seconds: Int
  }

  private var ways: [Place: [Way]] = [:]

  init(_ network: MetroNetwork) {
    let options = MetroRoute.Options()
    for service in network.services {
      let stations = service.stops.compactMap { network.station(code: $0)?.id }
      for runsUp in [true, false] {
        let train = Train(service: service.id, runsUp: runsUp)
        for place in stations.indices {
          let next = runsUp ? place + 1 : place - 1
          let here = Place(station: stations[place], train: train)
          let platform = Place(station: stations[place])
          ways[here, default: []].append(Way(to: platform, seconds: options.transferSeconds))
          guard stations.indices.contains(next) else { continue }
          let there = Place(station: stations[next], train: train)
          let run = service.runSeconds[min(place, next)]
          ways[here, default: []].append(Way(to: there, seconds: service.stopSeconds[place] + run))
          ways[platform, default: []].append(Way(to: there, seconds: run))
          let walked = Place(station: stations[place], hasWalked: true)
          ways[walked, default: []].append(Way(to: there, seconds: run))
        }
      }
    }
    guard let seconds = options.walkSeconds else { return }
    for walk in network.walks {
      for (from, to) in [(walk.from, walk.to), (walk.to, walk.from)] {
        let there = Place(station: to, hasWalked: true)
        ways[Place(station: from), default: []].append(Way(to: there, seconds: seconds))
        for train in ways.keys.filter({ $0.station == from }).compactMap(\.train) {
          let here = Place(station: from, train: train)
          ways[here, default: []].append(Way(to: there, seconds: seconds))
        }
      }
    }
  }

  func seconds(from: MetroStation.ID, to: MetroStation.ID) -> Int? {
    if from == to { return 0 }
    let start = Place(station: from)
    var best = [start: 0]
    var heap = Heap()
    heap.push(start, 0)
    while let (place, seconds) = heap.pop() {
      guard seconds == best[place] else { continue }
      // Who arrives on a train or on foot is there; the platform costs a transfer.
      if place.station == to, place.train != nil || place.hasWalked { return seconds }
      for way in ways[place] ?? [] where seconds + way.seconds < best[way.to] ?? .max {
        best[way.to] = seconds + way.seconds
        heap.push(way.to, seconds + way.seconds)
      }
    }
    return nil
  }

  /// A binary heap, the least first.
  private struct Heap {
    private var entries: [(place: Place, seconds: Int)] = []

    mutating func push(_ place: Place, _ seconds: Int) {
      entries.append((place, seconds))
      var child = entries.count - 1
      while child > 0, entries[child].seconds < entries[(child - 1) / 2].seconds {
        entries.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    mutating func pop() -> (place: Place, seconds: Int)? {
      guard let first = entries.first, let last = entries.popLast() else { return nil }
      if entries.isEmpty { return first }
      entries[0] = last
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2]
        where child < entries.count && entries[child].seconds < entries[least].seconds {
          least = child
        }
        if least == parent { return first }
        entries.swapAt(least, parent)
        parent = least
      }
    }
  }
}
