internal import FieldCore

extension MetroNetwork {
  /// Returns the best route between two stations, in any spelling that ``station(named:)`` accepts.
  ///
  /// A route from a station to itself has no legs and takes no time.
  ///
  /// ```swift
  /// let route = try MetroNetwork.taipei.route(from: "動物園", to: "Tamsui")
  /// print(route.stations.map(\.name), route.transfers, route.duration)
  /// ```
  ///
  /// - Throws: `FieldError` with the code `.unknownStation`, whose `problems` suggest similar
  ///   spellings, or an error of ``route(from:to:preferring:options:)-(MetroStation.ID,_,_,_)``.
  public func route(
    from: String, to: String, preferring preference: RoutePreference = .fewestMinutes,
    options: MetroRoute.Options = MetroRoute.Options()
  ) throws -> MetroRoute {
    try route(from: try position(named: from), to: try position(named: to), preference, options)
  }

  /// Returns the best route between two stations.
  ///
  /// The time of a route is the sum of
  /// - the source's running times between stations, which are for one direction and apply to both;
  /// - the source's dwell times at the stops where you stay on the train;
  /// - the assumed time in `options` for each change.
  ///
  /// A change between trains of the same line is a change like any other: at 大橋頭 between the
  /// branches of the Zhonghe-Xinlu line, at 七張 for 小碧潭, at 北投 for 新北投. If time and transfers are
  /// equal, the route with fewer stations is chosen. If those are equal, too, it's the route whose
  /// first leg (then second, and so on) is on the earlier of ``services`` and ends at the earlier
  /// of ``stations``.
  ///
  /// - Throws: `FieldError` with the code `.unknownStation` if a station isn't in this network,
  ///   `.noRoute` if no train runs between the stations, or `.invalidInput` if the options are out
  ///   of range.
  public func route(
    from: MetroStation.ID, to: MetroStation.ID,
    preferring preference: RoutePreference = .fewestMinutes,
    options: MetroRoute.Options = MetroRoute.Options()
  ) throws -> MetroRoute {
    guard let start = content.position(of: from) else { throw unknownStation(from.rawValue) }
    guard let goal = content.position(of: to) else { throw unknownStation(to.rawValue) }
    return try route(from: start, to: goal, preference, options)
  }

  private func position(named name: String) throws(FieldError) -> Int {
    guard let position = content.position(named: name) else { throw unknownStation(name) }
    return position
  }

  private func route(
    from start: Int, to goal: Int, _ preference: RoutePreference, _ options: MetroRoute.Options
  ) throws(FieldError) -> MetroRoute {
    try options.check(longestStand: content.graph.longestStand)
    if start == goal { return content.route(from: start, [], options) }
    guard let steps = content.searches.search(to: goal, options).steps(from: start, preference)
    else {
      throw FieldError(
        .noRoute,
        "No trains run between \(content.stations[start].id) and \(content.stations[goal].id).")
    }
    return content.route(from: start, steps, options)
  }
}

extension NetworkContent {
  fileprivate func route(
    from start: Int, _ steps: [RouteSearch.Step], _ options: MetroRoute.Options
  ) -> MetroRoute {
    var route = MetroRoute(
      stations: [stations[start]], legs: [], transfers: 0, rideSeconds: 0, changeSeconds: 0)
    route.legs.reserveCapacity(steps.count)
    route.stations.reserveCapacity(steps.reduce(1) { $0 + $1.stationCount })
    var wasRide = false
    for step in steps {
      switch step {
      case .ride(let service, let from, let to):
        if wasRide {
          route.transfers += 1
          route.changeSeconds += options.transferSeconds
        }
        let leg = leg(service, from, to)
        for slot in slots(from, to).dropFirst() { route.stations.append(stations[station(slot)]) }
        route.rideSeconds += leg.seconds
        route.legs.append(leg)
        wasRide = true
      case .walk(let to):
        let seconds = options.walkSeconds ?? 0
        let from = route.stations[route.stations.count - 1].id
        route.legs.append(
          MetroRoute.Leg(
            line: nil, stations: [from, stations[to].id], headings: [], seconds: seconds))
        route.stations.append(stations[to])
        route.transfers += 1
        route.changeSeconds += seconds
        wasRide = false
      }
    }
    return route
  }

  private func slots(_ from: Int, _ to: Int) -> StrideThrough<Int> {
    stride(from: from, through: to, by: from < to ? 1 : -1)
  }

  /// Returns the position of a slot's station. Copying the station to read its ID alone would
  /// retain all of its texts.
  private func station(_ slot: Int) -> Int { Int(graph.stations[slot]) }

  private func leg(_ row: Int, _ from: Int, _ to: Int) -> MetroRoute.Leg {
    let service = Int(graph.services[row])
    var seconds = 0
    for slot in min(from, to)..<max(from, to) {
      seconds += graph.runs[slot].seconds
      if slot > min(from, to) { seconds += graph.stands[slot].seconds }
    }
    return MetroRoute.Leg(
      line: services[service].line, stations: slots(from, to).map { stations[station($0)].id },
      headings: headings(withLineOf: service, station(from), station(to)), seconds: seconds)
  }

  private func headings(withLineOf service: Int, _ from: Int, _ to: Int) -> [MetroStation.ID] {
    var found: [MetroStation.ID] = []
    for service in servicesOfLine[service] {
      guard let start = place(of: from, in: service), let goal = place(of: to, in: service),
        let end = start < goal ? ends[service].last : ends[service].first,
        !found.contains(end)
      else { continue }
      found.append(end)
    }
    return found
  }
}
