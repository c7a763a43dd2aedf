/// The services of a network as flat arrays for searching.
///
/// A slot is a service's stop. The slots of a service are adjacent and in its order. Times are in
/// ``RouteCost`` units.
struct RouteGraph: Sendable {
  /// A walk along the street from one station to another.
  struct Walk: Sendable, Hashable {
    let from: Int32
    let to: Int32
  }

  /// The service of each row of slots, as a position in the network's services.
  let services: [Int32]
  /// The start of each service's slots, and the end of the last.
  let starts: [Int32]
  /// The station of each slot.
  let stations: [Int32]
  /// The cost of running from each slot to the next: its seconds, and one station.
  let runs: [RouteCost]
  /// The cost of dwelling at each slot and staying on the train.
  let stands: [RouteCost]
  /// The start of each station's slots in ``stationSlots``, and the end of the last.
  let stationStarts: [Int32]
  /// The slots of the stations, in ascending order for each.
  let stationSlots: [Int32]
  let walks: [Walk]
  /// The longest dwell time at a stop, in seconds.
  let longestStand: Int

  var stationCount: Int { stationStarts.count - 1 }

  init(
    services all: [MetroService], stationOfCode: [MetroStation.Code: Int32], stationCount: Int,
    walks: [Walk]
  ) {
    var (services, starts, stations) = ([] as [Int32], [0] as [Int32], [] as [Int32])
    var (runs, stands) = ([] as [RouteCost], [] as [RouteCost])
    var slots = [[Int32]](repeating: [], count: stationCount)
    for (index, service) in all.enumerated()
    where !all.enumerated().contains(where: { Self.contains($0, index, service) }) {
      services.append(Int32(index))
      for (place, code) in service.stops.enumerated() {
        let station = stationOfCode[code] ?? 0
        slots[Int(station)].append(Int32(stations.count))
        stations.append(station)
        let run = place < service.runSeconds.count ? service.runSeconds[place] : 0
        runs.append(RouteCost(seconds: run, stations: 1))
        stands.append(RouteCost(seconds: service.stopSeconds[place], stations: 0))
      }
      starts.append(Int32(stations.count))
    }
    (self.services, self.starts, self.stations) = (services, starts, stations)
    (self.runs, self.stands, self.walks) = (runs, stands, walks)
    stationSlots = slots.flatMap { $0 }
    stationStarts = slots.reduce(into: [0]) { $0.append(($0.last ?? 0) + Int32($1.count)) }
    longestStand = all.lazy.flatMap(\.stopSeconds).max() ?? 0
  }

  /// Returns whether another service offers everything that a service does, as a full run does for
  /// a short turn, which then needn't be searched.
  private static func contains(
    _ other: (offset: Int, element: MetroService), _ index: Int, _ service: MetroService
  ) -> Bool {
    let (long, short) = (other.element, service)
    guard other.offset != index, long.line == short.line,
      long.stops.count > short.stops.count || other.offset < index,
      let start = short.stops.first.flatMap({ long.stops.firstIndex(of: $0) })
    else { return false }
    let hops = short.runSeconds.count
    return long.stops[start...].starts(with: short.stops)
      && long.runSeconds[start...].starts(with: short.runSeconds)
      && long.stopSeconds[(start + 1)...].starts(with: short.stopSeconds[1..<hops])
  }
}

/// A cost in one number: seconds first, then the number of stations if the seconds are equal.
struct RouteCost: Comparable, Sendable {
  /// The seconds in the high bits, and the stations in the low 16.
  private let bits: Int64

  private init(bits: Int64) { self.bits = bits }

  init(seconds: Int, stations: Int) { bits = Int64(seconds) << 16 | Int64(stations) }

  static let zero = RouteCost(bits: 0)
  /// The cost if there is no route; sums with it stay far from overflowing.
  static let unreachable = RouteCost(bits: 1 << 60)

  var seconds: Int { Int(bits >> 16) }
  var isReachable: Bool { bits < 1 << 60 }

  @inline(__always)
  static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
  @inline(__always)
  static func + (left: Self, right: Self) -> Self { Self(bits: left.bits &+ right.bits) }
}
