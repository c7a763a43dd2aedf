import FieldPortals
import TestSupport
import Testing

@Suite("SoQL is parsed", .heavy)
struct SoQLTreeTests {
  private struct Maker {
    var generator: SeededGenerator

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func value() -> SoQL.Value {
      switch pick(7) {
      case 0: .number(pick(9) - 4)
      case 1: .init(floatLiteral: Double(pick(2000) - 1000) / 64)
      case 2: .text(["Fell", "L'Aigle", "--", "a OR b", ""][pick(5)])
      case 3: .boolean(pick(2) == 0)
      case 4: .null
      case 5: .floatingTimestamp(verbatim: "1880-01-01T00:00:00.000")
      default: .init(floatLiteral: -1e-30)
      }
    }

    mutating func expression(_ depth: Int) -> SoQL.Expression {
      guard depth > 0 else {
        let names: [SoQL.Column] = ["mass", "order", ":updated_at", "my-column"]
        return pick(2) == 0 ? .value(value()) : .column(names[pick(4)])
      }
      switch pick(6) {
      case 0: return -expression(depth - 1)
      case 1: return .call("coalesce", expression(depth - 1), expression(depth - 1))
      case 2: return pick(2) == 0 ? .count : expression(depth - 1).truncatedToYear
      case 3: return .condition(condition(depth - 1))
      default:
        let operators = SoQL.Expression.Operator.allCases
        return SoQL.Expression(
          .operation(operators[pick(operators.count)], expression(depth - 1), expression(depth - 1))
        )
      }
    }

    mutating func condition(_ depth: Int) -> SoQL.Condition {
      let inner = max(0, depth - 1)
      guard depth > 0 else { return expression(0) == value() }
      switch pick(10) {
      case 0:
        let comparisons = SoQL.Condition.Comparison.allCases
        return SoQL.Condition(
          .comparison(comparisons[pick(comparisons.count)], expression(inner), expression(inner)))
      case 1:
        return SoQL.Condition(
          .between(
            expression(inner), expression(inner), expression(inner), isNegated: pick(2) == 0))
      case 2:
        return SoQL.Condition(
          .membership(
            expression(inner), [expression(inner), expression(0)], isNegated: pick(2) == 0))
      case 3: return SoQL.Condition(.null(expression(inner), isNegated: pick(2) == 0))
      case 4:
        return SoQL.Condition(.like(expression(inner), expression(inner), isNegated: pick(2) == 0))
      case 5: return .isTrue(expression(inner))
      case 6: return !condition(inner)
      case 7: return pick(8) == 0 ? .always : condition(inner) || condition(inner)
      case 8: return condition(inner) || condition(inner)
      default: return condition(inner) && condition(inner)
      }
    }
  }

  @Test("printed SoQL is parsed to the same tree", arguments: [1, 2, 3, 4])
  func roundTrip(seed: UInt64) throws {
    var maker = Maker(generator: SeededGenerator(seed: seed))
    for _ in 0..<Sample.rounds(400, 400, inDebug: 150) {
      let condition = maker.condition(maker.pick(6))
      let text = condition.description
      #expect(try SoQLTree(parsing: text) == SoQLTree(condition), "seed \(seed): \(text)")
      let expression = maker.expression(maker.pick(6))
      #expect(
        try SoQLTree(parsing: "\(expression)") == SoQLTree(expression),
        "seed \(seed): \(expression)")
    }
  }

  @Test("ten thousand conditions are no deeper than two")
  func wide() throws {
    let id = SoQL.column("id")
    let condition = SoQL.Condition.any((0..<10_000).map { id == .number($0) })
    #expect(condition.description.hasSuffix("OR id = 9999"))
    #expect(try SoQLLexer.tokens(condition.description).count == 39_999)
  }

  @Test("the parser of these tests distinguishes trees")
  func parser() throws {
    #expect(try SoQLTree(parsing: "a = 1 AND (b OR c)") != SoQLTree(parsing: "a = 1 AND b OR c"))
    #expect(try SoQLTree(parsing: "a - (b - c)") != SoQLTree(parsing: "a - b - c"))
    #expect(try SoQLTree(parsing: "NOT a = b") == SoQLTree(parsing: "NOT (a = b)"))
    #expect(try SoQLTree(parsing: "-a ^ b") == SoQLTree(parsing: "(-a) ^ b"))
    #expect(throws: (any Error).self) { try SoQLTree(parsing: "a = 'b") }
    #expect(throws: (any Error).self) { try SoQLTree(parsing: "a --b") }
  }
}
