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
  /// A number with its sign.
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
}

/// A query as written.
struct FakeSoQLQuery: Hashable {
  var selection = Selection()
  var condition: FakeSoQLExpression?
  var groups: [FakeSoQLExpression] = []
  var orders: [Order] = []
  var limit: Int?
  var offset: Int?

  struct Selection: Hashable {
    var hasSystemStar = false
    var hasStar = true
    var items: [Item] = []
  }

  /// A column or a count.
  struct Item: Hashable {
    var expression: FakeSoQLExpression
    var name: String?

    var isCount: Bool { if case .call("count", _, _) = expression { true } else { false } }

    /// The name of the column in a response: by Socrata's rule, the words of an expression.
    var responseName: String {
      if let name { return name }
      switch expression {
      case .column(let name, _): return name
      case .call(let name, let arguments, _):
        guard case .column(let column, _)? = arguments.first else { return name }
        return "\(name)_\(column)"
      default: return ""
      }
    }
  }

  struct Order: Hashable {
    var expression: FakeSoQLExpression
    var isAscending = true
  }

  var isGrouped: Bool { !groups.isEmpty || selection.items.contains(where: \.isCount) }
}
