internal import FieldCore

/// The memory of searches, which is used again, so that a search allocates nothing.
struct SearchMemory: Sendable {
  /// The numbers of a search; see ``SearchLayout``.
  var numbers: [Int32] = []
  /// Whether each service runs, for each of the days around `day`.
  var active: [Bool] = []
  /// The service day for which `active` was computed, and the number of days before it.
  var day: Int32?

  /// Computes which services run on the days around a service day, unless that is known.
  mutating func setDay(_ day: Int32, before: Int, after: Int, _ contents: TimetableContents) {
    guard self.day != day else { return }
    active.removeAll(keepingCapacity: true)
    for offset in -before...after {
      let (other, overflow) = day.addingReportingOverflow(Int32(offset))
      for service in 0..<contents.serviceCount {
        active.append(!overflow && contents.isActive(service, on: other))
      }
    }
    self.day = day
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
  private let count: Int

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

/// The arrays of a search.
@safe
struct SearchLayout {
  /// The earliest arrival by vehicle at each stop, by round; and in which run and at which places one boarded and alighted.
  let reached: Cells, reachedRun: Cells, reachedPlaces: Cells
  /// The earliest time at which one can board at each stop, by round; and from where one walked there.
  let ready: Cells, readyFrom: Cells
  /// The best of all rounds up to the current one.
  let bestReached: Cells, bestReady: Cells
  /// The first place of each pattern from which it must be scanned, or a large number.
  let patternPlace: Cells
  let queue: Cells
  /// The stops whose times have improved in this round, and whether they are in that list.
  let marked: Cells, isMarked: Cells
  /// The stops at which boarding is possible from the next round on, and whether they are in that list.
  let boardable: Cells, isBoardable: Cells
  /// The minutes from each stop to the destination, or -1.
  let target: Cells

  static func size(stops: Int, patterns: Int, rows: Int) -> Int {
    stops * rows * 5 + stops * 7 + patterns * 2
  }

  init(_ base: UnsafeMutablePointer<Int32>, stops: Int, patterns: Int, rows: Int) {
    var next = unsafe base
    func part(_ count: Int) -> Cells {
      defer { unsafe next += count }
      return unsafe Cells(next, count: count)
    }
    (reached, reachedRun, reachedPlaces) = (
      part(stops * rows), part(stops * rows), part(stops * rows)
    )
    (ready, readyFrom) = (part(stops * rows), part(stops * rows))
    (bestReached, bestReady) = (part(stops), part(stops))
    (marked, isMarked, boardable, isBoardable) = (
      part(stops), part(stops), part(stops), part(stops)
    )
    target = part(stops)
    (patternPlace, queue) = (part(patterns), part(patterns))
  }
}
