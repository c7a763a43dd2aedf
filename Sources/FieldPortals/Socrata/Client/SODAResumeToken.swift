/// Where the pages of a query go on: can be kept and used at another time, with the same query.
public struct SODAResumeToken: Sendable, Hashable, Codable {
  /// The query that the token belongs to.
  let statement: String
  /// The last row's `:id`, for a query whose rows are asked for by that.
  let key: String?
  /// How many rows have come.
  let offset: Int
  /// The longest page that has come.
  let capacity: Int
}
