internal import FieldCore

/// For each node, the fastest ways to it from the stops before it, from which follows how long the rest of a journey takes
/// at least, and how many rides.
///
/// A search for a range of departures leaves out what can't arrive in time any more.
struct RemainingTimes: Sendable {
  /// The first way to each node, and the node where it begins and its minutes in the lowest 8 bits.
  private let starts: [Int32], ways: [UInt32]
  /// The patterns whose vehicles continue as another one, after that one, in order.
  private let continued: [(next: Int32, first: Int32)]

  private static let mostMinutes: Int32 = 255

  init(_ contents: TimetableContents) {
    var keys: [UInt64] = []
    func add(_ from: UInt32, _ to: UInt32, _ minutes: Int32) {
      let minutes = min(max(minutes, 0), Self.mostMinutes)
      keys.append(UInt64(to) << 40 | UInt64(from) << 8 | UInt64(minutes))
    }
    for number in 0..<contents.patternCount {
      let pattern = contents.pattern(number)
      let count = pattern.runCount
      for place in 0..<pattern.stopCount - 1 {
        let (departures, arrivals) = (
          pattern.departures + place * count, pattern.arrivals + (place + 1) * count
        )
        var least = Self.mostMinutes
        for run in 0..<count {
          least = min(
            least,
            Int32(contents.times[arrivals &+ run]) &- Int32(contents.times[departures &+ run]))
        }
        add(
          contents.patternStops[pattern.firstStop + place],
          contents.patternStops[pattern.firstStop + place + 1], least)
      }
    }
    var pairs: Set<UInt64> = []
    for seat in stride(from: 0, to: contents.seats.count, by: 3) {
      let numbers = (0...1).map { contents.pattern(ofRun: Int(contents.seats[seat + $0])) }
      pairs.insert(UInt64(numbers[1]) << 32 | UInt64(numbers[0]))
      let (first, next) = (contents.pattern(numbers[0]), contents.pattern(numbers[1]))
      add(
        contents.patternStops[first.firstStop + first.stopCount - 1],
        contents.patternStops[next.firstStop], 0)
    }
    keys.sort()
    var (starts, ways) = ([Int32](repeating: 0, count: contents.nodeCount + 1), [UInt32]())
    var last: UInt64?
    // Of several ways between two nodes, the fastest one is the first one.
    for key in keys where last == nil || key >> 8 != last {
      last = key >> 8
      starts[Int(key >> 40) + 1] += 1
      ways.append(UInt32(truncatingIfNeeded: key))
    }
    for node in 0..<contents.nodeCount { starts[node + 1] += starts[node] }
    (self.starts, self.ways) = (starts, ways)
    continued = pairs.sorted().map { (Int32($0 >> 32), Int32($0 & 0xFFFF_FFFF)) }
  }

  /// Sets the least number of rides from each node to a destination.
  ///
  /// - Parameters:
  ///   - rides: 0 at the nodes of the destination, and a large number at all others.
  ///   - most: The greatest number that matters.
  func fillRides(_ rides: Cells, upTo most: Int, _ contents: TimetableContents) {
    var nodes = (0..<contents.nodeCount).filter { rides[$0] == 0 }
    // The number of places of each pattern from which one gets to the destination.
    var done = [Int32](repeating: 0, count: contents.patternCount)
    var isBoarded = [Bool](repeating: false, count: contents.nodeCount)
    for ride in 1...Int32(most) where !nodes.isEmpty {
      var next: [Int] = []
      func add(_ node: Int) {
        guard rides[node] > ride else { return }
        rides[node] = ride
        next.append(node)
      }
      func board(_ number: Int, before place: Int) {
        let pattern = contents.pattern(number)
        let first = Int(done[number])
        guard place > first else { return }
        done[number] = Int32(place)
        for place in first..<place {
          let node = Int(contents.patternStops[pattern.firstStop + place])
          guard !isBoarded[node] else { continue }
          isBoarded[node] = true
          add(node)
          for walk in Int(contents.reverseStarts[node])..<Int(contents.reverseStarts[node + 1]) {
            add(Int(contents.reverseWalks[walk * 2]))
          }
        }
        guard first == 0, !continued.isEmpty else { return }
        // Whoever stays in a vehicle needs no further ride.
        var at = continued.partitioningIndex { $0.next >= number }
        while at < continued.count, continued[at].next == number {
          let other = Int(continued[at].first)
          board(other, before: contents.pattern(other).stopCount - 1)
          at += 1
        }
      }
      for node in nodes {
        for visit in Int(contents.visitStarts[node])..<Int(contents.visitStarts[node + 1]) {
          board(Int(contents.visits[visit * 2]), before: Int(contents.visits[visit * 2 + 1]))
        }
      }
      nodes = next
    }
  }

  /// Sets the least minutes from each node to a destination.
  ///
  /// - Parameters:
  ///   - remaining: The minutes from the nodes of the destination, and a large number at all others.
  func fill(_ remaining: Cells, _ contents: TimetableContents) {
    // The nodes to look at, in lists by their minutes; ways are short, so few lists are in use at a time.
    let size = Int(Self.mostMinutes) + 1
    var lists = [Int32](repeating: -1, count: size)
    var entries: [(node: Int32, next: Int32)] = []
    entries.reserveCapacity(contents.nodeCount * 2)
    func add(_ node: Int, _ minutes: Int32) {
      let list = Int(minutes) % size
      entries.append((Int32(truncatingIfNeeded: node), lists[list]))
      lists[list] = Int32(truncatingIfNeeded: entries.count - 1)
    }
    var far: [(minutes: Int32, node: Int)] = []
    for node in 0..<contents.nodeCount where remaining[node] < 1 << 20 {
      // Walks to a coordinate may be longer than ways.
      if remaining[node] < size {
        add(node, remaining[node])
      } else {
        far.append((remaining[node], node))
      }
    }
    far.sort { $0.minutes > $1.minutes }
    var (minutes, empty) = (Int32(0), 0)
    while empty < size || !far.isEmpty {
      if empty >= size, let next = far.last?.minutes { minutes = max(minutes, next) }
      while let next = far.last, next.minutes <= minutes {
        far.removeLast()
        if remaining[next.node] == next.minutes { add(next.node, minutes) }
      }
      let list = Int(minutes) % size
      empty = lists[list] < 0 ? empty + 1 : 0
      while lists[list] >= 0 {
        let entry = entries[Int(lists[list])]
        lists[list] = entry.next
        let node = Int(entry.node)
        guard remaining[node] == minutes else { continue }
        func improve(_ other: Int, _ more: Int32) {
          let time = minutes + more
          guard time < remaining[other] else { return }
          remaining[other] = time
          add(other, time)
        }
        for way in Int(starts[node])..<Int(starts[node + 1]) {
          improve(Int(ways[way] >> 8), Int32(ways[way] & 0xFF))
        }
        for walk in Int(contents.reverseStarts[node])..<Int(contents.reverseStarts[node + 1]) {
          let more = Int32(bitPattern: contents.reverseWalks[walk * 2 + 1])
          improve(Int(contents.reverseWalks[walk * 2]), min(more, Self.mostMinutes))
        }
      }
      minutes += 1
    }
  }
}
