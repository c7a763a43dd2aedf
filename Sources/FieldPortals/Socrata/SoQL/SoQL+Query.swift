internal import FieldCore

extension SoQL {
  /// A complete query; omitted parts aren't printed.
  ///
  /// ```swift
  /// SoQL.Query(
  ///   select: ["recclass", .count(named: "n"), mass.sum.named("grams")],
  ///   where: mass > 0, group: [recclass], having: SoQL.Expression.count > 10,
  ///   order: [SoQL.column("n").descending, "recclass"], limit: 20)
  /// ```
  public struct Query: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The selections for each row; empty for all columns, without system fields.
    ///
    /// Wherever `:*` and `*` are in the array, they are printed first and once, because the server
    /// rejects them anywhere else.
    public var select: [Selection]
    /// The condition that rows must meet.
    public var `where`: Condition?
    /// The expressions whose values are equal in all rows of a group.
    public var group: [Expression]
    /// The condition that groups must meet.
    public var having: Condition?
    /// The order of the rows; empty for an unspecified order.
    public var order: [Ordering]
    /// The maximum number of rows; `nil` for the server's default, which is 1,000 in SODA 2.
    public var limit: Int?
    /// The number of rows to skip.
    public var offset: Int
    /// The words that the row's texts must contain, all of them, in any form with the same stem.
    public var search: String? {
      get { if case .text(let text) = words?.content { text } else { nil } }
      set { words = newValue.map(Value.text) }
    }
    /// The required values of columns, in addition to ``where``.
    public var filters: [Filter]
    /// The ``search`` text as a literal, which is compared by its bytes.
    private var words: Value?

    private enum CodingKeys: String, CodingKey {
      case select, `where`, group, having, order, limit, offset, filters, words = "search"
    }

    /// Creates a query.
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

    /// The query as a single statement.
    public var description: String { statement }
  }
}

extension SoQL.Query {
  /// Returns the query with an additional condition for rows.
  public func narrowed(to condition: SoQL.Condition) -> Self {
    var query = self
    query.where = query.where.map { $0 && condition } ?? condition
    return query
  }

  /// Returns the unencoded parameters of SODA 2.
  ///
  /// Their order is `$select`, `$where`, `$group`, `$having`, `$order`, `$limit`, `$offset`, `$q`,
  /// then the filters in their own order. Equal queries return equal parameters, byte for byte.
  /// Empty parts are omitted. A filter that can't be a parameter, such as one for null or a second
  /// one on a column, becomes part of `$where`.
  public func parameters() -> [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    func add(_ name: String, _ value: String?) { if let value { parameters.append((name, value)) } }
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

  /// The parameters as the query of a URL, with everything encoded except letters, digits, `-`,
  /// `.`, `_`, and `~`.
  public var queryText: String { PercentEncoding.query(parameters()) }

  /// The query as a single statement, for `$query` in SODA 2 and the body in SODA 3.
  ///
  /// The clauses are in the order of the parser: `SELECT`, `WHERE`, `GROUP BY`, `HAVING`, `ORDER
  /// BY`, `SEARCH`, `LIMIT`, `OFFSET`. The filters are part of `WHERE`.
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
