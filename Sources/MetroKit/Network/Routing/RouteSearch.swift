/// The best routes from all stations to one, the goal, in a graph.
///
/// The search works backward from the goal in rounds. After round `k`, it knows for every station
/// the lowest cost of reaching the goal with at most `k` transfers, by boarding a train there and
/// by walking from there. A round follows each service once in both directions. Then the search
/// follows the costs forward, so that the choice between several best routes is defined: at each
/// step, it's the first service, and on that the station that comes first in the network.
struct RouteSearch: Sendable {
  /// A step of a route: a ride with a service from slot to slot, or a walk along the street.
  enum Step: Equatable {
    case ride(service: Int, from: Int, to: Int)
    case walk(to: Int)

    /// The number of stations that the step adds to a route.
    var stationCount: Int {
      switch self {
      case .ride(_, let from, let to): abs(to - from)
      case .walk: 1
      }
    }
  }

  let graph: RouteGraph
  let goal: Int
  let transfer: RouteCost
  /// The cost of a walk; `nil` if walks are excluded.
  let walk: RouteCost?
  /// The costs by boarding, then by walking, for each round.
  private var costs: [RouteCost] = []
  /// The number of rounds that improved anything.
  private var rounds = 0

  init(_ graph: RouteGraph, to goal: Int, _ options: MetroRoute.Options) {
    self.graph = graph
    self.goal = goal
    transfer = RouteCost(seconds: options.transferSeconds, stations: 0)
    walk = options.walkSeconds.map { RouteCost(seconds: $0, stations: 1) }
    costs.reserveCapacity(10 * graph.stationCount)
    while addRound(rounds) { rounds += 1 }
  }

  /// Returns the best route from a station other than the goal, or `nil` if there is none.
  func steps(from start: Int, _ preference: RoutePreference) -> [Step]? {
    var (best, bestRound) = (RouteCost.unreachable, 0)
    for round in 0..<rounds {
      let cost = min(riding(round, start), walking(round, start))
      // With equal seconds, neither more nor fewer stations are worth a transfer.
      if cost.isReachable && (!best.isReachable || cost.seconds < best.seconds) {
        (best, bestRound) = (cost, round)
        if preference == .fewestTransfers { break }
      }
    }
    return best.isReachable ? follow(from: start, round: bestRound) : nil
  }

  private func riding(_ round: Int, _ station: Int) -> RouteCost {
    costs[2 * round * graph.stationCount + station]
  }

  private func walking(_ round: Int, _ station: Int) -> RouteCost {
    costs[(2 * round + 1) * graph.stationCount + station]
  }

  /// Returns the cost after getting off at a station, with at most `round` transfers from there.
  @inline(__always)
  private func afterAlighting(_ station: Int, _ round: Int) -> RouteCost {
    if station == goal { return .zero }
    guard round > 0 else { return .unreachable }
    return min(transfer + riding(round - 1, station), walking(round, station))
  }

  /// Adds a round. Returns `false` if it improves nothing.
  private mutating func addRound(_ round: Int) -> Bool {
    let count = graph.stationCount
    let (rides, walks) = (2 * round * count, (2 * round + 1) * count)
    if round == 0 {
      costs.append(contentsOf: repeatElement(.unreachable, count: 2 * count))
    } else {
      costs.append(contentsOf: costs[(rides - 2 * count)..<rides])
    }
    var isNew = round == 0
    if let walk, round > 0 {
      for way in graph.walks {
        let (from, to) = (Int(way.from), Int(way.to))
        let cost = walk + (to == goal ? .zero : riding(round - 1, to))
        if cost < costs[walks + from] {
          costs[walks + from] = cost
          isNew = true
        }
      }
    }
    for service in graph.services.indices {
      let (start, end) = (Int(graph.starts[service]), Int(graph.starts[service + 1]))
      // The cost at a slot for passengers who arrive there on the train.
      var aboard = RouteCost.unreachable
      for slot in (start..<end).reversed() {
        let station = Int(graph.stations[slot])
        if slot + 1 < end {
          let cost = graph.runs[slot] + aboard
          if cost < costs[rides + station] {
            costs[rides + station] = cost
            isNew = true
          }
          aboard = graph.stands[slot] + cost
        }
        aboard = min(aboard, afterAlighting(station, round))
      }
      aboard = .unreachable
      for slot in start..<end {
        let station = Int(graph.stations[slot])
        if slot > start {
          let cost = graph.runs[slot - 1] + aboard
          if cost < costs[rides + station] {
            costs[rides + station] = cost
            isNew = true
          }
          aboard = graph.stands[slot] + cost
        }
        aboard = min(aboard, afterAlighting(station, round))
      }
    }
    return isNew
  }

  /// Returns the steps of the route with the costs of the rounds.
  private func follow(from start: Int, round: Int) -> [Step]? {
    var steps: [Step] = []
    var (station, round) = (start, round)
    // A walk after a ride uses the round's transfer; a change of trains uses one by itself.
    var mayRide = true
    var rest = min(riding(round, station), walking(round, station))
    while station != goal {
      if mayRide, rest == riding(round, station), let ride = ride(from: station, round) {
        steps.append(ride.step)
        station = ride.station
        if station == goal { break }
        let change = round > 0 ? transfer + riding(round - 1, station) : .unreachable
        if round > 0, change <= walking(round, station) {
          round -= 1
          rest = riding(round, station)
        } else {
          mayRide = false
          rest = walking(round, station)
        }
      } else if let walk = walkStep(from: station, round) {
        steps.append(.walk(to: walk))
        station = walk
        round -= 1
        mayRide = true
        rest = station == goal ? .zero : riding(round, station)
      } else {
        return nil
      }
    }
    return steps
  }

  /// Returns the first ride whose cost equals that of boarding at a station.
  private func ride(from station: Int, _ round: Int) -> (step: Step, station: Int)? {
    let wanted = riding(round, station)
    for index in Int(graph.stationStarts[station])..<Int(graph.stationStarts[station + 1]) {
      let slot = Int(graph.stationSlots[index])
      let service = serviceIndex(of: slot)
      let (start, end) = (Int(graph.starts[service]), Int(graph.starts[service + 1]))
      var best: (slot: Int, station: Int)?
      func consider(_ slot: Int, _ cost: RouteCost) {
        let station = Int(graph.stations[slot])
        if cost + afterAlighting(station, round) == wanted, station < best?.station ?? .max {
          best = (slot, station)
        }
      }
      var cost = RouteCost.zero
      for next in slot + 1..<max(end, slot + 1) {
        cost = cost + graph.runs[next - 1]
        consider(next, cost)
        cost = cost + graph.stands[next]
      }
      cost = .zero
      for next in (start..<slot).reversed() {
        cost = cost + graph.runs[next]
        consider(next, cost)
        cost = cost + graph.stands[next]
      }
      if let best { return (.ride(service: service, from: slot, to: best.slot), best.station) }
    }
    return nil
  }

  private func walkStep(from station: Int, _ round: Int) -> Int? {
    guard let walk, round > 0 else { return nil }
    let wanted = walking(round, station)
    return graph.walks.lazy.filter { Int($0.from) == station }.map { Int($0.to) }
      .filter { to in
        walk + (to == goal ? .zero : riding(round - 1, to)) == wanted
      }.min()
  }

  private func serviceIndex(of slot: Int) -> Int {
    var service = 0
    while Int(graph.starts[service + 1]) <= slot { service += 1 }
    return service
  }
}
