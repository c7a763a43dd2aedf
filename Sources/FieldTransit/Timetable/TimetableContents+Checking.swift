extension TimetableContents {
  /// Returns whether all numbers are within their ranges, so that queries needn't check them.
  ///
  /// A checksum proves that the bytes are those that were written, but not that they were written by this package.
  func isValid() -> Bool {
    let none = UInt32.max
    func areStarts(_ starts: Column<UInt32>, of count: Int) -> Bool {
      guard starts.count > 0, starts[0] == 0, starts[starts.count - 1] == count else {
        return false
      }
      return (1..<starts.count).allSatisfy { starts[$0 - 1] <= starts[$0] }
    }
    func are(
      _ numbers: Column<UInt32>, below count: Int, every stride: Int = 1, from first: Int = 0,
      orNone: Bool = false
    ) -> Bool {
      Swift.stride(from: first, to: numbers.count, by: stride).allSatisfy {
        numbers[$0] < count || orNone && numbers[$0] == none
      }
    }
    guard facts.count == 9, areStarts(stringStarts, of: stringBytes.count),
      areStarts(stopIDStarts, of: stopIDBytes.count),
      areStarts(routeIDStarts, of: routeIDBytes.count),
      areStarts(tripIDStarts, of: tripIDBytes.count), stopCount >= 0,
      stops.count == stopCount * 7, stopIDStarts.count == stopCount + 1,
      stopOrder.count == stopCount, nodeCount >= stopCount,
      nodeCount < 1 << 24, visitStarts.count == nodeCount + 1,
      walkStarts.count == nodeCount + 1, reverseStarts.count == nodeCount + 1,
      routeIDStarts.count == routes.count / 6 + 1, tripIDStarts.count == trips.count / 3 + 1,
      services.count >= 4, runTrips.count == runServices.count,
      patternStops.count == patternFlags.count, runTrips.count < 1 << 27,
      facts[TimetableFact.latest.rawValue] < 7 * 1440,
      zone.count > 0
    else { return false }
    let strings = stringStarts.count - 1
    guard are(stopOrder, below: stopCount),
      are(stops, below: stopCount, every: 7, from: 6, orNone: true),
      (0..<3).allSatisfy({ are(stops, below: strings, every: 7, from: $0, orNone: true) }),
      (0..<2).allSatisfy({ are(routes, below: strings, every: 6, from: $0, orNone: true) }),
      are(routes, below: agencies.count / 2, every: 6, from: 5, orNone: true),
      are(agencies, below: strings, orNone: true),
      (0..<2).allSatisfy({ are(trips, below: strings, every: 3, from: $0, orNone: true) }),
      (6..<9).allSatisfy({ facts[$0] < strings || facts[$0] == none }),
      are(nodes, below: stopCount, every: 2), are(nodes, below: 1 << 16, every: 2, from: 1),
      are(patternStops, below: nodeCount), are(runTrips, below: trips.count / 3),
      are(seats, below: runTrips.count, every: 3),
      are(seats, below: runTrips.count, every: 3, from: 1),
      seatOrder.count == seats.count / 3, are(seatOrder, below: seats.count / 3),
      are(translations, below: strings, every: 4),
      are(translations, below: strings, every: 4, from: 3),
      areShapesValid(are, areStarts),
      areStarts(visitStarts, of: visits.count / 2), areStarts(walkStarts, of: walks.count / 2),
      areStarts(reverseStarts, of: reverseWalks.count / 2),
      areStarts(memberStarts, of: members.count), are(members, below: nodeCount),
      are(walks, below: nodeCount, every: 2), are(walks, below: 1 << 16, every: 2, from: 1),
      are(reverseWalks, below: nodeCount, every: 2),
      are(reverseWalks, below: 1 << 16, every: 2, from: 1)
    else { return false }
    return areServicesValid() && arePatternsValid()
  }

  private func areShapesValid(
    _ are: (Column<UInt32>, Int, Int, Int, Bool) -> Bool, _ areStarts: (Column<UInt32>, Int) -> Bool
  ) -> Bool {
    tripShapes.count == 0
      || tripShapes.count == trips.count / 3 && areStarts(shapeStarts, shapePoints.count / 2)
        && are(tripShapes, shapeStarts.count - 1, 1, 0, true)
  }

  private func areServicesValid() -> Bool {
    let last = services.count / 4 - 1
    guard services[3] == 0, services[last * 4 + 3] == exceptions.count else { return false }
    for service in 0..<last where services[service * 4 + 3] > services[service * 4 + 7] {
      return false
    }
    return (0..<runServices.count).allSatisfy {
      runServices[$0] & RunFlags.serviceMask < last
    }
  }

  private func arePatternsValid() -> Bool {
    var nextRun = 0
    // Where an `Int` has 32 bits, larger numbers can't even be read.
    guard (0..<patterns.count).allSatisfy({ patterns[$0] <= Int32.max }) else { return false }
    for number in 0..<patternCount {
      let pattern = pattern(number)
      let (cells, overflow) = pattern.stopCount.multipliedReportingOverflow(by: pattern.runCount)
      guard !overflow, pattern.route < routes.count / 6, pattern.runCount > 0,
        (2...0xFFFF).contains(pattern.stopCount),
        pattern.firstStop <= patternStops.count - pattern.stopCount,
        pattern.firstRun == nextRun, pattern.runCount <= runTrips.count - nextRun,
        pattern.departures <= times.count - cells, pattern.arrivals <= times.count - cells
      else { return false }
      nextRun += pattern.runCount
    }
    for visit in 0..<visits.count / 2 {
      guard visits[visit * 2] < patternCount,
        visits[visit * 2 + 1] < pattern(Int(visits[visit * 2])).stopCount
      else { return false }
    }
    return true
  }
}
