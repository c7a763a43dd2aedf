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

  private static func parsed(_ query: SoQL) -> FakeSoQLExpression? {
    guard let text = try? query.checked(), var parser = try? FakeSoQLParser(text),
      let tree = try? parser.expression(), (try? parser.expect(.end)) != nil
    else { return nil }
    return tree.filled([:])
  }

  /// The first line is a condition with holes, and the other lines are the values for them: `?` is a text, `$` a number, and `@` the
  /// name of a column. Whatever fills a hole, the condition has the structure that harmless values give it.
  private static let soql = Target(
    "soql",
    texts: [
      "a = ? and not (b < ? or c is not null) and d in (?, 'q') or e not between $ and $\nx'y\n' or 1=1 --\n*/\n-1\n2e3",
      "within_circle(@, 25.0, $, 1000) and starts_with(name, ?) and name like ?\norder\n-121.5\nA%\n\\'",
      "'?' = a or $ < -- ?\n b and /* @ */ @ != ?\n'\n-5\nx\ny\n:id",
      "a=?and?<>@or@ is null\n''\n'\na-b\nselect",
    ]
  ) { text in
    // A deeper tree could overflow the stack.
    guard text.utf8.count <= 4096 else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var filled = SoQL.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    var plain = filled
    var leaves: [FakeSoQLExpression: FakeSoQLExpression] = [:]
    var values = lines.dropFirst().map(String.init)[...]
    let start = FakeSoQLPosition(offset: 0)
    var areTexts = true
    var literal = ""
    for character in lines[0] {
      guard "?$@".contains(character) else {
        literal.append(character)
        continue
      }
      filled.appendLiteral(literal)
      plain.appendLiteral(literal)
      literal = ""
      let value = values.popFirst() ?? "it's"
      let number = leaves.count
      switch character {
      case "?":
        filled.appendInterpolation(value)
        plain.appendInterpolation("hole\(number)")
        leaves[.text("hole\(number)", start)] = .text(value, start)
      case "$":
        // The fake portal reads a minus sign before digits only.
        if filled.text.last(where: { !$0.isWhitespace }) == "-" { return }
        areTexts = false
        var value = Double(value) ?? Double(value.utf8.count)
        if value == 0 { value = 0 }
        filled.appendInterpolation(value)
        plain.appendInterpolation(Double(900_000 + number))
        leaves[.number("\(Double(900_000 + number))", start)] = .number("\(value)", start)
      default:
        areTexts = false
        filled.appendInterpolation(column: value)
        plain.appendInterpolation(column: "hole\(number)")
        leaves[.column("hole\(number)", start)] = .column(value.lowercased(), start)
      }
    }
    filled.appendLiteral(literal)
    plain.appendLiteral(literal)
    let query = SoQL(stringInterpolation: filled)
    // A refused value is never sent.
    guard (try? query.checked()) != nil else { return }
    let (tree, model) = (parsed(query), parsed(SoQL(stringInterpolation: plain)))
    // A name before a parenthesis is a function.
    guard let model, !model.callsHole else {
      hold(tree == nil || !areTexts, "\(query) is a condition only with these values")
      return
    }
    holdEqual(tree, model.filled(leaves), "\(query)")
  }
}

extension FakeSoQLExpression {
  fileprivate var callsHole: Bool {
    guard case .call(let name, let parts, _) = self else { return false }
    return name.hasPrefix("hole") || parts.contains(where: \.callsHole)
  }

  /// The tree with the values in the holes, and with all numbers in one form.
  fileprivate func filled(_ leaves: [Self: Self]) -> Self {
    switch self {
    case .call(let name, let parts, let position):
      return .call(name, parts.map { $0.filled(leaves) }, position)
    case .number(let text, let position):
      let number = Self.number("\(Double(text) ?? 0)", position)
      return leaves[number] ?? number
    default: return leaves[self] ?? self
    }
  }
}
