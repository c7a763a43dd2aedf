internal import FieldCore

/// The memory of searches, which is used again, so that a search allocates nothing.
struct SearchMemory: Sendable {
  /// The numbers of a search; see ``SearchLayout``.
  var numbers: [Int32] = []
  /// Whether each service runs, for each of the days around `day`.
  var active: [Bool] = []
  /// The service day for which `active` was computed, and the numbers of days before and after it.
  private var day: Int32?, before = 0, after = 0

  /// Computes which services run on the days around a service day, unless that is known.
  mutating func setDay(_ day: Int32, before: Int, after: Int, _ contents: TimetableContents) {
    guard self.day != day || self.before != before || self.after < after else { return }
    active.removeAll(keepingCapacity: true)
    for offset in -before...after {
      let (other, overflow) = day.addingReportingOverflow(Int32(offset))
      for service in 0..<contents.serviceCount {
        active.append(!overflow && contents.isActive(service, on: other))
      }
    }
    (self.day, self.before, self.after) = (day, before, after)
  }
}

/// A few memories of searches, one for each query that is in progress at a time.
final class SearchPool: Sendable {
  private let memories = Lock<[SearchMemory]>([])

  func take() -> SearchMemory { memories.withLock { $0.popLast() } ?? SearchMemory() }

  func giveBack(_ memory: SearchMemory) {
    memories.withLock { if $0.count < 4 { $0.append(memory) } }
  }
}

/// A part of a search's memory. The indexes follow from the timetable, which has been checked.
@safe
struct Cells {
  private let base: UnsafeMutablePointer<Int32>
  let count: Int

  init(_ base: UnsafeMutablePointer<Int32>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @inline(__always)
  subscript(index: Int) -> Int32 {
    get {
      assert(index >= 0 && index < count)
      return unsafe base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  func fill(_ value: Int32, _ range: Range<Int>) {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    unsafe (base + range.lowerBound).update(repeating: value, count: range.count)
  }
}

/// How large the arrays of a search are.
struct SearchSize {
  let nodes: Int, patterns: Int
  /// The number of places of all patterns in all remembered rounds, if a search is for a range.
  let useful: Int
  /// The number of rounds and one more.
  let rows: Int
  /// The number of rows of the best times: one, or one for each round.
  let bestRows: Int
  /// The number of runs on all days, or 0 if no passenger stays in a vehicle that continues as another trip.
  let seats: Int

  init(_ contents: TimetableContents, rides: Int, days: Int, isRange: Bool) {
    (nodes, patterns, rows) = (contents.nodeCount, contents.patternCount, rides + 1)
    bestRows = isRange ? rows : 1
    useful = isRange ? contents.patternStops.count * Self.rememberedRounds.count : 0
    seats = contents.seats.count == 0 ? 0 : contents.runTrips.count * days
  }

  /// The number of all numbers.
  var count: Int {
    nodes * (rows * 5 + bestRows * 2 + 8) + patterns * 4 + rows + useful + seats * 4
      + Self.mostDays
  }

  /// The rounds that remember which runs still matter. The first one boards given departures only, and few searches get beyond the
  /// fourth.
  static let rememberedRounds = 2...4

  /// A search looks at 16 days at most.
  static let mostDays = 16
}

/// The arrays of a search.
@safe
struct SearchLayout {
  /// The earliest arrival by vehicle at each node, by round; and in which run and at which places one boarded and alighted.
  let reached: Cells, reachedRun: Cells, reachedPlaces: Cells
  /// The earliest time at which one can board at each node, by round; and from where one walked there.
  let ready: Cells, readyFrom: Cells
  /// The best of all rounds up to the current one; one for each node and round, if a search is for a range.
  let bestReached: Cells, bestReady: Cells
  /// The first place of each pattern from which it must be scanned, or a large number.
  let patternPlace: Cells
  /// The last place at which one can board it anew.
  let patternLast: Cells
  /// The run of each pattern that was looked up last, close to which the next one may be.
  let patternNear: Cells
  let queue: Cells
  /// The nodes whose times have improved in this round, and whether they are in that list.
  let marked: Cells, isMarked: Cells
  /// The nodes at which boarding is possible from the next round on, and whether they are in that list.
  let boardable: Cells, isBoardable: Cells
  /// For a node in that list, the best time before this round.
  let readyBefore: Cells
  /// The minutes from each node to the destination, or -1.
  let target: Cells
  /// The least minutes from each node to the destination.
  let remaining: Cells
  /// The least number of rides from each node to the destination, if a search is for a range.
  let remainingRides: Cells
  /// The earliest arrival at the destination with the rides of each round.
  let bounds: Cells
  /// For each place of each pattern, in each of the remembered rounds of a search for a range: the departure of the last run that
  /// may still matter. Later runs have been boarded for a later departure of the range.
  let lastUseful: Cells
  /// For each run on each day, the round in which passengers stayed in its vehicle, the run from which they did, and the
  /// place at which they boarded that one.
  let seatRound: Cells, seatFrom: Cells, seatPlace: Cells, seatQueue: Cells
  /// The offsets of the days.
  let offsets: Cells

  init(_ base: UnsafeMutablePointer<Int32>, _ size: SearchSize) {
    var next = unsafe base
    func part(_ count: Int) -> Cells {
      defer { unsafe next += count }
      return unsafe Cells(next, count: count)
    }
    let (nodes, all) = (size.nodes, size.nodes * size.rows)
    (reached, reachedRun, reachedPlaces) = (part(all), part(all), part(all))
    (ready, readyFrom) = (part(all), part(all))
    (bestReached, bestReady) = (part(nodes * size.bestRows), part(nodes * size.bestRows))
    (marked, isMarked, boardable, isBoardable) = (
      part(nodes), part(nodes), part(nodes), part(nodes)
    )
    readyBefore = part(nodes)
    (target, remaining, remainingRides) = (part(nodes), part(nodes), part(nodes))
    (patternPlace, patternLast) = (part(size.patterns), part(size.patterns))
    (patternNear, queue) = (part(size.patterns), part(size.patterns))
    (bounds, lastUseful) = (part(size.rows), part(size.useful))
    (seatRound, seatFrom) = (part(size.seats), part(size.seats))
    (seatPlace, seatQueue) = (part(size.seats), part(size.seats))
    offsets = part(SearchSize.mostDays)
  }
}
