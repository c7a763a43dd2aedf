@testable internal import FieldCore
@testable internal import FieldFakes
@testable internal import FieldFirestore
@testable internal import FieldPortals
internal import Foundation

extension Target {
  static let cloud: [Target] = [firestore, soql]

  private static let firestore = Target(
    "firestore",
    texts: [
      #"{"name":"projects/p/databases/(default)/documents/a/b","fields":{"x":{"mapValue":{"fields":{"y z":{"arrayValue":{"values":[{"nullValue":null},{"integerValue":"-5"},{"doubleValue":"NaN"},{"doubleValue":-0.0}]}}}}}},"createTime":"2025-07-22T20:42:19.123456Z","updateTime":"2025-07-22T20:42:19Z"}"#,
      #"{"mapValue":{"fields":{"a":{"timestampValue":"2025-07-22T20:42:19.123456789+08:00"},"b":{"bytesValue":"AAEC/w=="},"c":{"geoPointValue":{"latitude":1.5}},"d":{"referenceValue":"projects/p/databases/(default)/documents/a/b"},"e":{"booleanValue":true},"f":{"newValue":[1]},"g":{"stringValue":"é"}}}}"#,
      #"{"fieldPath":"a.`b c`","increment":{"integerValue":"9223372036854775807"}}"#,
      #"{"fieldPath":"a","appendMissingElements":{"values":[{"integerValue":"1"},{"doubleValue":1}]}}"#,
    ]
  ) { text in
    let json = try JSONDocument.value(Array(text.utf8))
    if let value = try? FirestoreValue(json: json) {
      let again = try FirestoreValue(json: value.json)
      holdEqual(again.json.canonicalText, value.json.canonicalText, "The value")
      hold(again == value, "The value differs from itself, read again")
      holdEqual(again.order(to: value), .same, "The order")
      holdEqual(
        try JSONDecoder().decode(FirestoreValue.self, from: try JSONEncoder().encode(value)), value,
        "The decoded value")
    }
    let database = FirestoreDatabase(project: "p")
    if let document = try? FirestoreDocument(json: json, in: database) {
      let again = try FirestoreDocument(json: document.json(in: database), in: database)
      holdEqual(again, document, "The document")
    }
    if let transform = try? FirestoreTransform(json: json) {
      holdEqual(try FirestoreTransform(json: transform.json), transform, "The transform")
      let time = try FirestoreTimestamp(seconds: 0)
      for value in [nil, .integer(.max), .integer(.min), .double(.nan), .array([.integer(1)])]
        as [FirestoreValue?]
      {
        _ = transform.kind.applied(to: value, at: time)
      }
    }
    if case .string(let path) = json, let path = try? FirestoreFieldPath(path) {
      holdEqual(try FirestoreFieldPath(path.description), path, "The path")
    }
  }

  private static func parsed(_ text: String) throws(FakeSoQLError) -> FakeSoQLExpression {
    var parser = try FakeSoQLParser(text)
    let tree = try parser.expression()
    try parser.expect(.end)
    return tree
  }

  private static let soql = Target(
    "soql",
    texts: [
      "a = 1 and not (b < 'x''y' or c is not null) and d in ('p', 'q') or e not between -1 and 2 ^ 3 ^ 4",
      "within_circle(geolocation, 25.0, 121.5, 1000) and upper(name) like 'A%' and x::text = 'y'",
      "(a - b - c) * -(d / e % f) || g >= :id and `order` != 1.5e-3 and not not true and count(*) > 2",
      "case(a = 1, 'x', true, null) is null", "`weird-name` <> \"double\\u0041quoted\" -- comment",
    ]
  ) { text in
    // A deeper tree could overflow the stack, here and in the program that builds it.
    guard text.utf8.count <= 4096,
      let tree = try? parsed(text),
      let expression = tree.soql
    else { return }
    let printed = expression.description
    do throws(FakeSoQLError) {
      let again = try parsed(printed)
      hold(again == tree, "\(text) was printed as \(printed), which is \(again), not \(tree)")
    } catch {
      // The parser reads chains of any length, but at most a hundred parentheses within each other.
      guard error.message.contains("nested too deeply") else {
        fail("\(text) was printed as \(printed): \(error)")
      }
    }
    // Foundation reads at most 512 levels of JSON.
    guard text.utf8.count <= 160 else { return }
    let coded = try JSONEncoder().encode(expression)
    holdEqual(
      try JSONDecoder().decode(SoQL.Expression.self, from: coded), expression,
      "The decoded expression")
  }
}

extension FakeSoQLExpression {
  /// The expression as the client builds it, or `nil` if the client can't express it.
  fileprivate var soql: SoQL.Expression? {
    switch self {
    case .column(let name, _): (try? SoQL.Column(name)).map { SoQL.Expression(.column($0)) }
    case .text(let text, _): SoQL.Expression(.value(.text(text)))
    case .number(let text, _):
      (try? SoQL.Value.number(exactly: text)).map { SoQL.Expression(.value($0)) }
    case .boolean(let value): SoQL.Expression(.value(.boolean(value)))
    case .null: SoQL.Expression(.value(.null))
    case .star: nil
    case .call("count", [.star], _): SoQL.Expression(.countRows)
    case .call(let name, let arguments, _):
      arguments.reduce([] as [SoQL.Expression]?) { parts, argument in
        parts.flatMap { parts in argument.soql.map { parts + [$0] } }
      }.flatMap { Self.call(name, $0) }
    }
  }

  private static func call(_ name: String, _ parts: [SoQL.Expression]) -> SoQL.Expression? {
    func condition(_ part: SoQL.Expression) -> SoQL.Condition {
      if case .condition(let condition) = part.node { return condition }
      return SoQL.Condition(.expression(part))
    }
    func test(_ node: SoQL.Condition.Node) -> SoQL.Expression {
      SoQL.Expression(.condition(SoQL.Condition(node)))
    }
    let isNegated = name.contains("not ")
    switch name {
    case "and": return test(.all(parts.map(condition)))
    case "or": return test(.any(parts.map(condition)))
    case "not": return test(.not(condition(parts[0])))
    case "negate": return SoQL.Expression(.negative(parts[0]))
    case "is null", "is not null": return test(.null(parts[0], isNegated: isNegated))
    case "between", "not between":
      return test(.between(parts[0], parts[1], parts[2], isNegated: isNegated))
    case "in", "not in":
      return test(.membership(parts[0], Array(parts.dropFirst()), isNegated: isNegated))
    case "like", "not like": return test(.like(parts[0], parts[1], isNegated: isNegated))
    default: break
    }
    if let comparison = SoQL.Condition.Comparison(rawValue: name) {
      return test(.comparison(comparison, parts[0], parts[1]))
    }
    if let operation = SoQL.Expression.Operator(rawValue: name) {
      return SoQL.Expression(.operation(operation, parts[0], parts[1]))
    }
    // The client can't express casts, nor functions whose names are keywords.
    guard name != "distinct", let function = try? SoQL.Column(name), function.description == name
    else { return nil }
    return SoQL.Expression(.call(function, parts))
  }
}
