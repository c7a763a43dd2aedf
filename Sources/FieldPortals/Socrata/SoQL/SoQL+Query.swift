internal import FieldCore

extension SoQL {
  /// A query of a dataset; omitted parts aren't sent.
  ///
  /// ```swift
  /// SoQL.Query(
  ///   select: "recclass, count(*) AS n, sum(mass) AS grams", where: "mass > \(0)", group: "recclass",
  ///   order: "n DESC, recclass", limit: 20)
  /// ```
  public struct Query: Hashable, Sendable, CustomStringConvertible {
    /// The columns and expressions to return, such as `name, mass / 1000 AS kilograms`; `nil` for all columns, without system fields.
    ///
    /// The server accepts `:*` and `*` only at the beginning, in this order.
    public var select: SoQL?
    /// The condition that rows must meet.
    public var `where`: SoQL?
    /// The columns and expressions whose values are equal in all rows of a group.
    public var group: SoQL?
    /// The condition that groups must meet.
    public var having: SoQL?
    /// The order of the rows, such as `mass DESC, name`; `nil` for an unspecified order.
    public var order: SoQL?
    /// The maximum number of rows; `nil` for the server's default, which is 1,000 in SODA 2.
    public var limit: Int?
    /// The number of rows to skip.
    public var offset: Int

    /// Creates a query.
    public init(
      select: SoQL? = nil, where condition: SoQL? = nil, group: SoQL? = nil, having: SoQL? = nil,
      order: SoQL? = nil, limit: Int? = nil, offset: Int = 0
    ) {
      self.select = select
      self.where = condition
      self.group = group
      self.having = having
      self.order = order
      self.limit = limit
      self.offset = offset
    }

    /// The query as a single statement.
    public var description: String {
      clauses.reduce("SELECT \(select ?? "*")") { $0 + " \($1.keyword) \($1.text)" }
    }
  }
}

extension SoQL.Query {
  /// Returns the query as a single statement, for the body in SODA 3.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a part can't be sent.
  func statement() throws(FieldError) -> String {
    try check()
    return description
  }

  /// Returns the unencoded parameters of SODA 2.
  ///
  /// Equal queries return equal parameters, byte for byte.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a part can't be sent.
  func parameters() throws(FieldError) -> [(name: String, value: String)] {
    try check()
    let selected = select.map { [("$select", $0.description)] } ?? []
    return selected + clauses.map { ($0.parameter, $0.text) }
  }

  /// The clauses after `SELECT`, in the order of the parser.
  private var clauses: [(parameter: String, keyword: String, text: String)] {
    let clauses: [(String, String, String?)] = [
      ("$where", "WHERE", self.where?.description),
      ("$group", "GROUP BY", group?.description),
      ("$having", "HAVING", having?.description),
      ("$order", "ORDER BY", order?.description),
      ("$limit", "LIMIT", limit.map { "\(max(0, $0))" }),
      ("$offset", "OFFSET", offset > 0 ? "\(offset)" : nil),
    ]
    return clauses.compactMap { parameter, keyword, text in text.map { (parameter, keyword, $0) } }
  }

  private func check() throws(FieldError) {
    for part in [select, self.where, group, having, order] { _ = try part?.checked() }
  }

  /// A Boolean value that indicates whether the rows can be requested by `:id`: they are rows of the dataset, neither groups nor
  /// distinct values, without an order of their own.
  var isReadByID: Bool {
    let selected = select?.description ?? "*"
    return group == nil && having == nil && order == nil && offset == 0
      && !selected.utf8.contains(UInt8(ascii: "("))
      && selected.split(whereSeparator: \.isWhitespace).first?.lowercased() != "distinct"
  }
}
