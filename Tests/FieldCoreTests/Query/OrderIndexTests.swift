import FieldCore
import TestSupport
import Testing

@Suite("An order of a snapshot's records")
struct OrderIndexTests {
  /// An order of stones, and its model.
  private struct Order<Value: Comparable & Hashable & Sendable>: Sendable {
    let ties: (@Sendable (Stone, Stone) -> Bool)?
    let value: @Sendable (Stone) -> Value?

    func index(of snapshot: Snapshot<Stone>) -> OrderIndex<Value> {
      OrderIndex(of: snapshot, ties: ties.map { slots(of: snapshot, $0) }, by: value)
    }

    func updated(
      _ index: OrderIndex<Value>, _ changes: SlotChanges<Stone>
    ) -> OrderIndex<Value> {
      index.updated(by: changes, ties: ties, value: value)
    }

    private func slots(
      of snapshot: Snapshot<Stone>, _ precedes: (Stone, Stone) -> Bool
    ) -> [Int32] {
      snapshot.sorted(by: precedes).compactMap { snapshot.slot(of: $0.id).map { Int32($0) } }
    }

    /// Returns the stones of a range in the order, or all, those without a value last.
    func sorted(
      _ stones: [Stone], in range: ValueRange<Value>?, _ order: ValueOrder
    ) -> [Stone] {
      let stones = ties.map { stones.sorted(by: $0) } ?? stones
      var valued: [(place: Int, value: Value)] = []
      var others: [Stone] = []
      for (place, stone) in stones.enumerated() {
        if let value = value(stone), value == value {
          if range?.contains(value) ?? true { valued.append((place, value)) }
        } else if range == nil {
          others.append(stone)
        }
      }
      valued.sort { left, right in
        if left.value == right.value { return left.place < right.place }
        return order == .ascending ? left.value < right.value : left.value > right.value
      }
      return valued.map { stones[$0.place] } + others
    }

    /// Compares an index with its model.
    func check(
      _ index: OrderIndex<Value>, _ snapshot: Snapshot<Stone>, ranges: [ValueRange<Value>],
      _ comment: Comment, _ chance: inout SeededGenerator
    ) {
      let stones = Array(snapshot)
      func ids(_ slots: [Int32]) -> [String] {
        slots.compactMap { snapshot.record(at: Int($0))?.id }
      }
      for order in [ValueOrder.ascending, .descending] {
        for range in ranges.map(Optional.some) + [nil] {
          let model = sorted(stones, in: range, order).map(\.id)
          #expect(ids(index.slots(in: range, order, limit: .max)) == model, comment)
          #expect(ids(index.slots(in: range, order, limit: 3)) == Array(model.prefix(3)), comment)
          if let range { #expect(index.count(in: range) == model.count, comment) }
        }
        let some = stones.filter { _ in Int.random(in: 0..<3, using: &chance) > 0 }
        var found: [Int32] = []
        index.forEach(
          among: some.shuffled(using: &chance).compactMap {
            snapshot.slot(of: $0.id).map { Int32($0) }
          } + [.max], order
        ) { slot in
          found.append(slot)
          return true
        }
        #expect(ids(found) == sorted(some, in: nil, order).map(\.id), comment)
        var first: Int32?
        index.forEach(among: found, order) { slot in
          first = slot
          return false
        }
        #expect(first == found.first, comment)
      }
    }
  }

  private static let masses: [Double?] = [
    nil, nil, -0.0, 0, 1, 1, 1, 2.5, -3, .infinity, -.infinity, 1e-300, .nan,
  ]

  private static func stone(_ number: Int, _ chance: inout SeededGenerator) -> Stone {
    Stone(
      "\(number)", kind: ["L6", "H5", "Iron"].randomElement(using: &chance) ?? "",
      mass: masses.randomElement(using: &chance) ?? nil)
  }

  /// Returns a snapshot after changes: mostly of few stones, with all kinds of changes.
  private static func next(
    _ snapshot: Snapshot<Stone>, _ chance: inout SeededGenerator
  ) -> Snapshot<Stone> {
    var changes = Changes<Stone>()
    for _ in 0..<([0, 1, 1, 2, 9, 40].randomElement(using: &chance) ?? 1) {
      let known = snapshot.isEmpty ? nil : snapshot.randomElement(using: &chance)
      switch (Int.random(in: 0..<6, using: &chance), known) {
      case (0, let stone?): changes.remove(stone.id)
      case (1, let stone?):  // at the end
        changes.remove(stone.id)
        changes.upsert(stone)
      case (2, var stone?):  // with the same mass
        stone.kind = ["L6", "H5", "Iron"].randomElement(using: &chance) ?? ""
        changes.upsert(stone)
      default: changes.upsert(stone(Int.random(in: 0..<400, using: &chance), &chance))
      }
    }
    return snapshot.applying(changes)
  }

  private static func follow<Value>(
    _ order: Order<Value>, ranges: [ValueRange<Value>], seed: UInt64
  ) {
    var chance = SeededGenerator(seed: seed)
    var snapshot = Snapshot((0..<200).shuffled(using: &chance).map { stone($0, &chance) })
    snapshot = next(snapshot, &chance)
    var index = order.index(of: snapshot)
    order.check(index, snapshot, ranges: ranges, "seed \(seed)", &chance)
    var history = [snapshot]
    for round in 0..<40 {
      // Sometimes, a view of an earlier content follows one of a later.
      let isBack = Int.random(in: 0..<8, using: &chance) == 0
      let after =
        isBack
        ? history[history.count - 1 - .random(in: 0..<min(5, history.count), using: &chance)]
        : next(history[history.count - 1], &chance)
      if !isBack { history.append(after) }
      guard let changes = SlotChanges(from: snapshot, to: after) else {
        Issue.record("The changes are unknown.")
        return
      }
      index = order.updated(index, changes)
      snapshot = after
      order.check(index, snapshot, ranges: ranges, "seed \(seed), round \(round)", &chance)
    }
  }

  private static let ranges: [ValueRange<Double>] =
    ([(nil, 1), (0, nil), (-3, 2.5), (0, 0), (3, 2), (nil, nil), (1, 1)] as [(Double?, Double?)])
    .flatMap { lower, upper in
      [true, false].map { ValueRange(lower: lower, upper: upper, includesUpper: $0) }
    }

  @Test(
    "an order of a value lists, counts, and sorts as a scan does, after any changes",
    arguments: Sample.of([1, 2, 3, 4, 5, 6], 3, inDebug: 2))
  func values(seed: UInt64) {
    Self.follow(Order(ties: nil, value: { $0.mass }), ranges: Self.ranges, seed: seed)
  }

  @Test(
    "an order of a value with ties by ID lists, counts, and sorts as a scan does, after any changes",
    arguments: Sample.of([1, 2, 3, 4, 5, 6], 3, inDebug: 2))
  func ties(seed: UInt64) {
    Self.follow(
      Order(ties: { $0.id < $1.id }, value: { $0.mass }), ranges: Self.ranges, seed: seed)
  }

  @Test(
    "an order of something that isn't kept lists and sorts as a scan does, after any changes",
    arguments: Sample.of([1, 2, 3, 4, 5, 6], 3, inDebug: 2))
  func withoutValues(seed: UInt64) {
    Self.follow(
      Order<Never>(ties: { ($0.kind, $0.id) < ($1.kind, $1.id) }, value: { _ in nil }),
      ranges: [], seed: seed)
  }

  @Test("An order has no range with a bound that is no number")
  func noNumber() {
    let index = OrderIndex(of: Snapshot([Stone("1", mass: 1), Stone("2", mass: .nan)])) { $0.mass }
    #expect(index.count(in: ValueRange(lower: .nan, upper: nil)) == 0)
    #expect(index.slots(in: ValueRange(lower: nil, upper: .nan), .ascending, limit: 9).isEmpty)
    #expect(index.slots(in: nil, .descending, limit: 9) == [0, 1])
  }
}
