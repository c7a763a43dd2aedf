/// A function over the rows of a group.
struct FakeSoQLAggregate {
  enum Kind: String { case count, sum, avg, min, max }

  let kind: Kind
  /// The argument; `nil` for `count(*)`.
  let argument: FakeSoQLNode?
  let isDistinct: Bool

  /// The running total of a group.
  struct Total {
    private var count = 0
    private var sum = 0.0
    private var best = FakeSoQLValue.null
    private var seen: Set<FakeSoQLValue> = []

    mutating func add(_ record: FakeSODARecord, to aggregate: FakeSoQLAggregate) {
      guard let argument = aggregate.argument else { return count += 1 }
      let value = argument.value(record)
      guard !value.isNull, !aggregate.isDistinct || seen.insert(value).inserted else { return }
      count += 1
      sum += value.number ?? 0
      guard let order = FakeSoQLValue.order(value, best) else { return best = value }
      if aggregate.kind == .min ? order < 0 : order > 0 { best = value }
    }

    func value(_ aggregate: FakeSoQLAggregate) -> FakeSoQLValue {
      switch aggregate.kind {
      case .count: .number(Double(count))
      case .sum: count == 0 ? .null : .number(sum)
      case .avg: count == 0 ? .null : .number(sum / Double(count))
      case .min, .max: best
      }
    }
  }
}
