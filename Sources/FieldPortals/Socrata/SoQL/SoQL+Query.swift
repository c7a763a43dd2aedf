internal import FieldCore

extension SoQL {
  /// A whole query; parts that are not given are not printed.
  ///
  /// ```swift
  /// SoQL.Query(
  ///   select: ["recclass", .count(named: "n"), mass.sum.named("grams")],
  ///   where: mass > 0, group: [recclass], having: SoQL.Expression.count > 10,
  ///   order: [SoQL.column("n").descending, "recclass"], limit: 20)
  /// ```
  public struct Query: Hashable, Sendable, Codable {
    /// What each row has; empty for all columns, without system fields.
    ///
    /// However they stand here, `:*` and `*` are printed first and once, since the server refuses them
    /// anywhere else.
    public var select: [Selection]
    /// What the rows have to meet.
    public var `where`: Condition?
    /// What has to be equal in all rows of a group.
    public var group: [Expression]
    /// What the groups have to meet.
    public var having: Condition?
    /// The order of the rows; empty for none in particular.
    public var order: [Ordering]
    /// How many rows at the most; nil for the server's default, which is 1,000 in SODA 2.
    public var limit: Int?
    /// How many rows to leave out at the beginning.
    public var offset: Int
    /// Words that must all be somewhere in the row's texts, in any form that has their stem.
    public var search: String? {
      get {
        if case .text(let text) = words?.content { text } else { nil }
      }
      set { words = newValue.map(Value.text) }
    }
    /// Columns and the values that they have to have, beside ``where``.
    public var filters: [Filter]
    /// ``search`` as a literal, which is equal to another by its bytes.
    private var words: Value?

    private enum CodingKeys: String, CodingKey {
      case select, `where`, group, having, order, limit, offset, filters, words = "search"
    }

    /// Makes a query.
    public init(
      select: [Selection] = [],
      where condition: Condition? = nil,
      group: [Expression] = [],
      having: Condition? = nil,
      order: [Ordering] = [],
      limit: Int? = nil,
      offset: Int = 0,
      search: String? = nil,
      filters: [Filter] = []
    ) {
      self.select = select
      self.where = condition
      self.group = group
      self.having = having
      self.order = order
      self.limit = limit
      self.offset = offset
      self.filters = filters
      words = search.map(Value.text)
    }
  }
}

extension SoQL.Query {
  /// The query with one more condition that the rows have to meet.
  public func narrowed(to condition: SoQL.Condition) -> Self {
    var query = self
    query.where = query.where.map { $0 && condition } ?? condition
    return query
  }

  /// The parameters of SODA 2, not encoded, in this order: `$select`, `$where`, `$group`, `$having`,
  /// `$order`, `$limit`, `$offset`, `$q`, then the filters in theirs.
  ///
  /// Equal queries give equal parameters, byte for byte. A part without content gives none. A filter
  /// that cannot be a parameter, such as one for null or a second one on a column, is a part of `$where`.
  public func parameters() -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) {
      if let value { parameters.append((name, value)) }
    }
    var simple: [(name: String, value: String)] = []
    var conditions = self.where.map { [$0] } ?? []
    for filter in filters {
      if let value = filter.parameterValue,
        !simple.contains(where: { $0.name == filter.column.name })
      {
        simple.append((filter.column.name, value))
      } else {
        conditions.append(filter.condition)
      }
    }
    add("$select", list(select.isEmpty ? [] : SoQLPrinter.starsFirst(select)))
    add("$where", conditions.isEmpty ? nil : "\(SoQL.Condition.all(conditions))")
    add("$group", list(group))
    add("$having", having.map { "\($0)" })
    add("$order", list(order))
    add("$limit", limit.map { "\(max(0, $0))" })
    add("$offset", offset > 0 ? "\(offset)" : nil)
    add("$q", search)
    return parameters + simple
  }

  /// The parameters as the query of an address, with everything encoded but letters, digits, `-`, `.`,
  /// `_` and `~`.
  public var queryText: String { PercentEncoding.query(parameters()) }

  /// The query as one text, for `$query` of SODA 2 and the body of SODA 3: `SELECT`, `WHERE`,
  /// `GROUP BY`, `HAVING`, `ORDER BY`, `SEARCH`, `LIMIT`, `OFFSET`, which is the order of the parser.
  ///
  /// The filters are a part of `WHERE`.
  public var statement: String {
    var text = "SELECT " + (list(SoQLPrinter.starsFirst(select)) ?? "*")
    func add(_ keyword: String, _ value: String?) {
      if let value { text += " \(keyword) \(value)" }
    }
    let conditions = (self.where.map { [$0] } ?? []) + filters.map(\.condition)
    add("WHERE", conditions.isEmpty ? nil : "\(SoQL.Condition.all(conditions))")
    add("GROUP BY", list(group))
    add("HAVING", having.map { "\($0)" })
    add("ORDER BY", list(order))
    add("SEARCH", search.map { "\(SoQL.Value.text($0))" })
    add("LIMIT", limit.map { "\(max(0, $0))" })
    add("OFFSET", offset > 0 ? "\(offset)" : nil)
    return text
  }

  private func list(_ items: [some CustomStringConvertible]) -> String? {
    items.isEmpty ? nil : items.map(\.description).joined(separator: ", ")
  }
}

extension SoQL.Query: CustomStringConvertible {
  /// The query as one text.
  public var description: String { statement }
}
