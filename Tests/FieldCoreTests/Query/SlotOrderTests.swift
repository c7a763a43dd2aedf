import FieldCore
import TestSupport
import Testing

@Suite("An order of a snapshot's records")
struct SlotOrderTests {
  private static func ids(_ snapshot: Snapshot<Stone>) -> SlotOrder {
    SlotOrder(of: snapshot, key: { $0.id }, precedes: { $0 < $1 })
  }

  private static func order(_ snapshot: Snapshot<Stone>, descending: Bool) -> SlotOrder? {
    SlotOrder(of: snapshot, ties: ids(snapshot), descending: descending, by: { $0.mass })
  }

  /// Stones of few masses, with holes among their slots.
  private static func stones(_ generator: inout SeededGenerator) -> Snapshot<Stone> {
    let count = Int.random(in: 0...300, using: &generator)
    let masses: [Double?] = [nil, -0.0, 0, 1, 2.5, -3, .infinity, -.infinity, 1e-300]
    var changes = Changes<Stone>()
    for number in 0..<count where Int.random(in: 0..<5, using: &generator) == 0 {
      changes.remove("\(number)")
    }
    let all = (0..<count).shuffled(using: &generator).map { number in
      Stone("\(number)", mass: masses.randomElement(using: &generator) ?? nil)
    }
    return Snapshot(all).applying(changes)
  }

  private static func sorted(_ stones: some Sequence<Stone>, descending: Bool) -> [Stone] {
    let valued = stones.filter { $0.mass != nil }.sorted { left, right in
      let (first, second) = (left.mass ?? 0, right.mass ?? 0)
      if first == second { return left.id < right.id }
      return descending ? first > second : first < second
    }
    return valued + stones.filter { $0.mass == nil }.sorted { $0.id < $1.id }
  }

  @Test("lists, ranges, and sorts as a scan does", arguments: Sample.of([1, 2, 3, 4, 5, 6], 2))
  func sameAsScan(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<30 {
      let snapshot = Self.stones(&generator)
      for isDescending in [false, true] {
        let order = try #require(Self.order(snapshot, descending: isDescending))
        let sorted = Self.sorted(snapshot, descending: isDescending)
        func records(_ slots: some Sequence<Int32>) -> [Stone] {
          slots.compactMap { snapshot.record(at: Int($0)) }
        }
        #expect(records(order.slots) == sorted, "seed \(seed)")
        for (lower, upper) in [(nil, 1), (0, nil), (-3, 2.5), (0, 0), (3, 2), (nil, nil)]
          as [(Double?, Double?)]
        {
          let range = ValueRange(lower: lower, upper: upper)
          let slots = try #require(order.slots(in: range))
          let scanned = sorted.filter { $0.mass.map(range.contains) ?? false }
          #expect(records(slots) == scanned, "seed \(seed), \(range)")
          #expect(order.sorted(slots.shuffled(using: &generator)) == Array(slots))
        }
      }
    }
  }

  @Test("doesn't exist if a value is no number, and has no range with such a bound")
  func noNumber() throws {
    #expect(Self.order(Snapshot([Stone("1", mass: .nan)]), descending: false) == nil)
    let order = try #require(Self.order(Snapshot([Stone("1", mass: 1)]), descending: false))
    #expect(order.slots(in: ValueRange(lower: .nan, upper: nil)) == nil)
    #expect(order.sorted([0, 7]) == [0])
  }

  @Test("is indexed once that pays, and kept across small changes")
  func lifetime() throws {
    func orders(
      _ snapshot: Snapshot<Stone>, after earlier: RecordOrders<Stone, Bool>? = nil
    ) -> RecordOrders<Stone, Bool> {
      RecordOrders(of: IndexedSnapshot(snapshot), after: earlier) { isDescending, snapshot in
        OrderedSlots(
          Self.order(snapshot, descending: isDescending),
          isOrderable: { $0.mass?.isNaN != true }
        ) {
          Self.sorted([$1, $0], descending: isDescending).first == $0
        }
      }
    }
    let snapshot = Snapshot((0..<100).map { Stone("\($0)", mass: Double($0)) })
    let first = orders(snapshot)
    for _ in 0..<4 { #expect(first.index(true, insteadOf: 100) == nil) }
    #expect(first.index(true, insteadOf: 100)?.changed.isEmpty == true)
    #expect(first.index(false, insteadOf: 100) == nil)
    let changed = snapshot.applying(Changes(upserting: [Stone("7", mass: 1_000)]))
    let second = orders(changed, after: first)
    #expect(second.index(true, insteadOf: 1)?.changed == [7])
    var last = changed.applying(Changes(upserting: [Stone("8", mass: 999)]))
    let third = orders(last, after: second)
    let index = try #require(third.index(true, insteadOf: 1))
    #expect(index.changed == [7, 8])
    let slots = try #require(index.base).slots
    func top(_ count: Int) -> [Stone] {
      index.first(count, of: slots, in: last, where: { $0.id != "99" }, changed: { _ in true })
    }
    #expect(top(4).map(\.id) == ["7", "8", "98", "97"])
    #expect(top(0).isEmpty)
    #expect(top(1).map(\.id) == ["7"])
    #expect(top(1_000).count == 99)
    // A value that is no number has no place, so there is no order until another is built.
    last = last.applying(Changes(upserting: [Stone("8", mass: .nan)]))
    #expect(orders(last, after: third).index(true, insteadOf: 1) == nil)
  }
}
