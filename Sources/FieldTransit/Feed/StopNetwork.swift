internal import FieldCore

/// Which stops belong to a station, and how long changing and walking between stops takes.
struct StopNetwork {
  struct Walk { var to: UInt32, minutes: UInt32 }

  /// The station of each stop, or `FeedTables.none`.
  private(set) var stations: [UInt32]
  /// The platforms of each station; a stop that is none has itself.
  private(set) var members: [[UInt32]]
  /// The minutes of changing at each stop; 0xFFFF if that isn't possible.
  private(set) var changes: [UInt32]
  /// The walks from each stop, by destination.
  private(set) var walks: [[Walk]]

  /// A station with more platforms than this gets no walks of its own between all of them.
  private static let mostMembers = 200

  init(_ tables: FeedTables, change: UInt32) {
    let stops = tables.stops
    stations = stops.map { stop in
      var (station, steps) = (stop.parent, 0)
      while station != FeedTables.none, stops[Int(station)].parent != FeedTables.none, steps < 4 {
        (station, steps) = (stops[Int(station)].parent, steps + 1)
      }
      return station
    }
    changes = Array(repeating: change, count: stops.count)
    members = Array(repeating: [], count: stops.count)
    walks = Array(repeating: [], count: stops.count)
    for stop in stops.indices where stops[stop].kind == 0 || stops[stop].kind == 4 {
      members[stop].append(UInt32(stop))
      let parent = stops[stop].parent
      if parent != FeedTables.none { members[Int(parent)].append(UInt32(stop)) }
      let station = stations[stop]
      if station != FeedTables.none, station != parent {
        members[Int(station)].append(UInt32(stop))
      }
    }
    // Stop times at a station itself are against the specification, but the station then is a stop.
    for stop in stops.indices where members[stop].isEmpty { members[stop].append(UInt32(stop)) }
    addWalks(tables, change)
  }

  private mutating func addWalks(_ tables: FeedTables, _ change: UInt32) {
    var minutes: [UInt64: UInt32] = [:]
    for stop in tables.stops.indices where tables.stops[stop].kind == 1 {
      let members = members[stop]
      guard members.count <= Self.mostMembers else { continue }
      for from in members {
        for to in members where from != to { minutes[Self.key(from, to)] = change }
      }
    }
    // A row for stations stands for all their platforms, and one for platforms counts more.
    var budget = 10_000_000
    let isForStations = { (row: FeedTables.Transfer) in
      tables.stops[Int(row.from)].kind == 1 || tables.stops[Int(row.to)].kind == 1
    }
    for row in tables.transfers.filter(isForStations)
      + tables.transfers.filter({ !isForStations($0) })
    {
      let time = row.time <= 0 ? change : max(change, UInt32((row.time + 59) / 60))
      for from in members[Int(row.from)] {
        for to in members[Int(row.to)] where budget > 0 {
          budget -= 1
          let value = row.type == 3 ? 0xFFFF : min(time, 0xFFFE)
          if from == to { changes[Int(from)] = value } else { minutes[Self.key(from, to)] = value }
        }
      }
    }
    for (key, value) in minutes where value != 0xFFFF {
      walks[Int(key >> 32)].append(Walk(to: UInt32(truncatingIfNeeded: key), minutes: value))
    }
    for stop in walks.indices { walks[stop].sort { $0.to < $1.to } }
  }

  private static func key(_ from: UInt32, _ to: UInt32) -> UInt64 {
    UInt64(from) << 32 | UInt64(to)
  }
}
