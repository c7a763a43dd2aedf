/// A position in a query, which is ignored in comparisons of expressions.
struct FakeSoQLPosition: Hashable {
  var offset: Int

  static func == (left: Self, right: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// An expression as written, in which operators are calls by their sign: `=`, `and`, `is null`.
indirect enum FakeSoQLExpression: Hashable {
  case column(String, FakeSoQLPosition)
  case text(String, FakeSoQLPosition)
  case number(String, FakeSoQLPosition)
  case boolean(Bool)
  case null
  /// The star of `count(*)`.
  case star
  case call(String, [FakeSoQLExpression], FakeSoQLPosition)

  static func equal(_ column: String, _ text: String) -> Self {
    let start = FakeSoQLPosition(offset: 0)
    return .call("=", [.column(column, start), .text(text, start)], start)
  }

  var offset: Int? {
    switch self {
    case .column(_, let position), .text(_, let position), .number(_, let position),
      .call(_, _, let position):
      position.offset
    case .boolean, .null, .star: nil
    }
  }

  /// The default name of the column in a response: Socrata's rule of joining the words.
  var implicitName: String {
    switch self {
    case .column(let name, _): name
    case .text(let text, _), .number(let text, _): Self.word(text)
    case .boolean(let value): String(value)
    case .null: "null"
    case .star: ""
    case .call(let name, let arguments, _):
      Self.word(
        ([name] + arguments.map(\.implicitName)).filter { !$0.isEmpty }.joined(separator: "_"))
    }
  }

  private static func word(_ text: String) -> String {
    let kept = text.lowercased().unicodeScalars.map { scalar in
      scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        ? Character(scalar) : "_"
    }
    return String(kept)
  }
}

/// A query as written.
struct FakeSoQLQuery: Hashable {
  var selection = Selection()
  var isDistinct = false
  var condition: FakeSoQLExpression?
  var groups: [FakeSoQLExpression] = []
  var having: FakeSoQLExpression?
  var orders: [Order] = []
  var limit: Int?
  var offset: Int?
  var search: String?

  struct Selection: Hashable {
    var hasSystemStar = false
    var hasStar = true
    /// The columns that `* (except a, b)` excludes.
    var exceptions: [String] = []
    var items: [Item] = []
  }

  struct Item: Hashable {
    var expression: FakeSoQLExpression
    var name: String?
  }

  struct Order: Hashable {
    var expression: FakeSoQLExpression
    var isAscending = true
    var hasNullsLast = true
  }
}
