/// The bounds of the stamps and numbers of all rows that satisfy a condition.
///
/// They make a page cost its rows instead of the table: reading begins where a cursor's condition
/// says that the requested rows begin.
struct FakeSoQLBounds: Equatable {
  var updatedAt = Int64.min...Int64.max
  var number = Int64.min...Int64.max
  /// The first position in the order of stamps, which can be later than the two ranges say.
  private var first = FakeSODAStamp.first
  /// A Boolean value that indicates whether no row can satisfy the condition.
  var isEmpty = false

  init() {}

  /// The first position in the order of stamps where a row can be.
  var firstStamp: FakeSODAStamp {
    max(first, FakeSODAStamp(updatedAt: updatedAt.lowerBound, number: number.lowerBound))
  }

  init(_ condition: FakeSoQLExpression, _ ids: FakeSODAIdentifier) {
    guard case .call(let name, let arguments, _) = condition else { return }
    switch (name, arguments.count) {
    case ("and", 2):
      let (left, right) = (Self(arguments[0], ids), Self(arguments[1], ids))
      isEmpty = left.isEmpty || right.isEmpty
      clamp(left.updatedAt, left.number)
      clamp(right.updatedAt, right.number)
      first = max(left.firstStamp, right.firstStamp)
    case ("or", 2):
      let (left, right) = (Self(arguments[0], ids), Self(arguments[1], ids))
      if left.isEmpty || right.isEmpty {
        self = left.isEmpty ? right : left
        return
      }
      updatedAt = Self.hull(left.updatedAt, right.updatedAt)
      number = Self.hull(left.number, right.number)
      first = min(left.firstStamp, right.firstStamp)
    case ("=", 2), ("<", 2), ("<=", 2), (">", 2), (">=", 2):
      if case .column(let column, _) = arguments[0], case .text(let text, _) = arguments[1] {
        compare(column, name, text, ids)
      } else if case .text(let text, _) = arguments[0], case .column(let column, _) = arguments[1] {
        compare(column, Self.mirrored[name] ?? name, text, ids)
      }
    case ("between", 3):
      if case .column(let column, _) = arguments[0], case .text(let low, _) = arguments[1],
        case .text(let high, _) = arguments[2]
      {
        compare(column, ">=", low, ids)
        compare(column, "<=", high, ids)
      }
    default: break
    }
  }

  private static let mirrored = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]

  private mutating func compare(
    _ column: String, _ sign: String, _ text: String, _ ids: FakeSODAIdentifier
  ) {
    if column == ":updated_at", let value = FakeSoQLTime.micros(text, isFixed: true) {
      clamp(range(sign, value), Int64.min...Int64.max)
    } else if column == ":id", let value = ids.number(text) {
      clamp(Int64.min...Int64.max, range(sign, value))
    }
  }

  /// Returns the values that compare to one by an operator.
  private mutating func range(_ sign: String, _ value: Int64) -> ClosedRange<Int64> {
    switch sign {
    case "=": return value...value
    case ">=": return value...Int64.max
    case "<=": return Int64.min...value
    case ">" where value < .max: return (value + 1)...Int64.max
    case "<" where value > .min: return Int64.min...(value - 1)
    default:
      isEmpty = true
      return value...value
    }
  }

  private mutating func clamp(_ stamps: ClosedRange<Int64>, _ numbers: ClosedRange<Int64>) {
    guard updatedAt.overlaps(stamps), number.overlaps(numbers) else { return isEmpty = true }
    updatedAt = updatedAt.clamped(to: stamps)
    number = number.clamped(to: numbers)
  }

  private static func hull(
    _ left: ClosedRange<Int64>, _ right: ClosedRange<Int64>
  ) -> ClosedRange<Int64> {
    min(left.lowerBound, right.lowerBound)...max(left.upperBound, right.upperBound)
  }
}
