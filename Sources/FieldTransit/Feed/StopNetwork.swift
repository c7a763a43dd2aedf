internal import FieldCore

/// Which stops belong to a station, and how long changing and walking between stops takes.
///
/// A rule of `transfers.txt` may hold only for certain routes or trips. Their stops then have several nodes, one for each
/// set of trips for which the same rules hold, so that a search needn't know rules: it changes between nodes.
struct StopNetwork {
  struct Walk { var to: UInt32, minutes: UInt32 }

  /// The trips of a node: those at a stop for which the same rules hold when one alights and when one boards.
  private struct Key: Hashable {
    var stop: UInt32
    /// A route and a trip that rules name, or `FeedTables.none`.
    var from: [UInt32], to: [UInt32]
  }

  /// The station of each stop, or `FeedTables.none`.
  private(set) var stations: [UInt32]
  /// The stop of each node. The first nodes are the stops.
  private(set) var nodeStops: [UInt32]
  /// The nodes of the platforms of each station; a stop that is none has its own.
  private(set) var members: [[UInt32]]
  /// The minutes of changing at each node; 0xFFFF if that isn't possible.
  private(set) var changes: [UInt32]
  /// The walks from each node, by destination.
  private(set) var walks: [[Walk]]
  /// The trips of each node that isn't a stop itself.
  private var keys: [Key] = []
  /// The nodes of each stop whose trips have rules of their own, besides the stop itself.
  private var nodes: [UInt32: [UInt32]] = [:]

  /// A station with more platforms than this gets no walks of its own between all of them.
  private static let mostMembers = 200
  /// The number of walks that are computed: a row for stations may stand for many, and each for those of many nodes.
  private static let mostWalks = 4_000_000
  private static let impossible: UInt32 = 0xFFFF

  /// Creates the network of a feed, and gives its stop times nodes in place of stops.
  init(_ tables: inout FeedTables, change: UInt32) {
    let stops = tables.stops
    stations = stops.map { stop in
      var (station, steps) = (stop.parent, 0)
      while station != FeedTables.none, stops[Int(station)].parent != FeedTables.none, steps < 4 {
        (station, steps) = (stops[Int(station)].parent, steps + 1)
      }
      return station
    }
    nodeStops = stops.indices.map(UInt32.init)
    (changes, walks) = ([], [])
    members = Array(repeating: [], count: stops.count)
    for stop in stops.indices where stops[stop].kind == 0 || stops[stop].kind == 4 {
      members[stop].append(UInt32(stop))
      let parent = stops[stop].parent
      if parent != FeedTables.none { members[Int(parent)].append(UInt32(stop)) }
      let station = stations[stop]
      if station != FeedTables.none, station != parent {
        members[Int(station)].append(UInt32(stop))
      }
    }
    // Stop times at a station itself are against the specification, but the station then is a stop, too.
    var isServed = Array(repeating: false, count: stops.count)
    for time in tables.stopTimes { isServed[Int(time.stop)] = true }
    for stop in stops.indices
    where members[stop].isEmpty || isServed[stop] && !members[stop].contains(UInt32(stop)) {
      members[stop].insert(UInt32(stop), at: 0)
    }
    addNodes(&tables)
    changes = Array(repeating: change, count: nodeStops.count)
    walks = Array(repeating: [], count: nodeStops.count)
    addWalks(tables, change)
    for stop in members.indices {
      members[stop] += members[stop].flatMap { nodes[$0] ?? [] }
    }
  }

  // MARK: Nodes

  /// Gives each stop for which there are rules for certain trips a node for each set of trips, unless they are too many.
  private mutating func addNodes(_ tables: inout FeedTables) {
    var (from, to): ([UInt32: Set<UInt64>], [UInt32: Set<UInt64>]) = ([:], [:])
    func add(_ end: FeedTables.Transfer.End, to names: inout [UInt32: Set<UInt64>]) {
      for stop in members[Int(end.stop)] {
        names[stop, default: []].insert(UInt64(end.route))
        names[stop, default: []].insert(UInt64(end.trip) | 1 << 32)
      }
    }
    for rule in tables.transfers where rule.isSpecific {
      add(rule.from, to: &from)
      add(rule.to, to: &to)
    }
    guard !from.isEmpty else { return }
    var numbers: [Key: UInt32] = [:]
    var stops = tables.stopTimes.map(\.stop)
    for place in stops.indices {
      let (stop, trip) = (stops[place], tables.stopTimes[place].trip)
      guard from[stop] != nil || to[stop] != nil else { continue }
      func names(_ known: [UInt32: Set<UInt64>]) -> [UInt32] {
        let (route, known) = (tables.trips[Int(trip)].route, known[stop] ?? [])
        return [
          known.contains(UInt64(route)) ? route : FeedTables.none,
          known.contains(UInt64(trip) | 1 << 32) ? trip : FeedTables.none,
        ]
      }
      let key = Key(stop: stop, from: names(from), to: names(to))
      if numbers[key] == nil {
        let number = UInt32(nodeStops.count)
        numbers[key] = number
        nodes[stop, default: []].append(number)
        nodeStops.append(stop)
        keys.append(key)
      }
      stops[place] = numbers[key] ?? stop
    }
    guard countPairs(tables) <= Self.mostWalks else {
      nodeStops.removeSubrange(tables.stops.count...)
      (nodes, keys) = ([:], [])
      tables.log.report.failureCount += tables.transfers.count { $0.isSpecific }
      return
    }
    for place in stops.indices { tables.stopTimes[place].stop = stops[place] }
  }

  /// Returns how many walks between nodes there are at most.
  private func countPairs(_ tables: FeedTables) -> Int {
    var count = 0
    for rule in tables.transfers {
      let (from, to) = (members[Int(rule.from.stop)], members[Int(rule.to.stop)])
      count += from.reduce(0) { $0 + all($1).count } * to.reduce(0) { $0 + all($1).count }
      if count > Self.mostWalks { break }
    }
    return nodes.values.reduce(count) { $0 + ($1.count + 1) * ($1.count + 1) }
  }

  /// Returns the nodes of a stop.
  private func all(_ stop: UInt32) -> [UInt32] { [stop] + (nodes[stop] ?? []) }

  // MARK: Walks

  /// What rules are looked up by: two stops, and for each the route or trip with a bit, or `none` for all.
  private struct RuleKey: Hashable {
    var from: UInt32, to: UInt32
    var first: UInt64, second: UInt64
  }

  private static let any = UInt64(FeedTables.none)

  private static func name(_ end: FeedTables.Transfer.End) -> UInt64 {
    end.trip != FeedTables.none ? UInt64(end.trip) | 1 << 32 : UInt64(end.route)
  }

  /// Returns the names by which rules may hold for a node's trips, the most specific one first.
  ///
  /// Nobody has come by a trip where a journey begins, or leaves by one where it ends, so rules for certain trips never hold
  /// for a stop itself.
  private func names(_ node: UInt32, isFrom: Bool) -> [UInt64] {
    guard Int(node) >= stations.count else { return [Self.any] }
    let key = keys[Int(node) - stations.count]
    let names = isFrom ? key.from : key.to
    return [
      names[1] == FeedTables.none ? nil : UInt64(names[1]) | 1 << 32,
      names[0] == FeedTables.none ? nil : UInt64(names[0]), Self.any,
    ].compactMap(\.self)
  }

  private mutating func addWalks(_ tables: FeedTables, _ change: UInt32) {
    // Of the rules for the same stops, routes, and trips, the last one of the highest rank counts.
    var rules: [RuleKey: Int] = [:]
    var pairs: Set<UInt64> = []
    for stop in tables.stops.indices where tables.stops[stop].kind == 1 {
      guard members[stop].count <= Self.mostMembers else { continue }
      for from in members[stop] {
        for to in members[stop] where from != to { pairs.insert(Self.key(from, to)) }
      }
    }
    let siblings = pairs
    for stop in nodes.keys { pairs.insert(Self.key(stop, stop)) }
    var budget = Self.mostWalks
    let rows = tables.transfers.indices
      .filter { !nodes.isEmpty || !tables.transfers[$0].isSpecific }
      .sorted {
        let ranks = (Self.rank($0, tables), Self.rank($1, tables))
        return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : $0 < $1
      }
    for row in rows {
      let rule = tables.transfers[row]
      let (first, second) = (Self.name(rule.from), Self.name(rule.to))
      for from in members[Int(rule.from.stop)] {
        for to in members[Int(rule.to.stop)] where budget > 0 {
          budget -= 1
          pairs.insert(Self.key(from, to))
          rules[RuleKey(from: from, to: to, first: first, second: second)] = row
        }
      }
    }
    for key in pairs.sorted() {
      let (first, second) = (UInt32(truncatingIfNeeded: key >> 32), UInt32(truncatingIfNeeded: key))
      let usual = first == second || siblings.contains(key) ? change : Self.impossible
      for from in all(first) {
        for to in all(second) where budget > 0 {
          budget -= 1
          var best: (rank: Int, row: Int)?
          let isRide = Int(from) >= stations.count && Int(to) >= stations.count
          for start in isRide ? names(from, isFrom: true) : [Self.any] {
            for end in isRide ? names(to, isFrom: false) : [Self.any] {
              let key = RuleKey(from: first, to: second, first: start, second: end)
              guard let row = rules[key] else { continue }
              let rank = Self.rank(row, tables)
              if best.map({ ($0.rank, $0.row) < (rank, row) }) ?? true { best = (rank, row) }
            }
          }
          let minutes = best.map { Self.minutes(tables.transfers[$0.row], change) } ?? usual
          if from == to {
            changes[Int(from)] = minutes
          } else if minutes != Self.impossible {
            walks[Int(from)].append(Walk(to: to, minutes: minutes))
          }
        }
      }
    }
    for node in walks.indices { walks[node].sort { $0.to < $1.to } }
  }

  /// Returns the rank of a rule: that of the specification first, and then one for platforms counts more than one for
  /// stations.
  private static func rank(_ row: Int, _ tables: FeedTables) -> Int {
    let rule = tables.transfers[row]
    let trips = [rule.from, rule.to].count { $0.trip != FeedTables.none }
    let routes = [rule.from, rule.to].count { $0.route != FeedTables.none }
    let stations = [rule.from, rule.to].count { tables.stops[Int($0.stop)].kind == 1 }
    return trips * 9 + routes * 3 + (stations == 0 ? 1 : 0)
  }

  /// Returns the minutes that a rule gives.
  private static func minutes(_ rule: FeedTables.Transfer, _ change: UInt32) -> UInt32 {
    switch rule.type {
    case 1: 0
    case 3: impossible
    default: rule.time <= 0 ? change : min(UInt32((rule.time + 59) / 60), impossible - 1)
    }
  }

  private static func key(_ from: UInt32, _ to: UInt32) -> UInt64 {
    UInt64(from) << 32 | UInt64(to)
  }
}
