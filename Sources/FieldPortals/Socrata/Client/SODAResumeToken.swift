/// A position between a query's pages, at which you can continue the same query at another time.
public struct SODAResumeToken: Sendable, Hashable, Codable {
  /// The query to which the token belongs.
  let statement: String
  /// The last row's `:id`, for a query that is read by `:id`.
  var key: String?
  /// The number of received rows.
  var offset = 0
  /// The length of the longest received page.
  var capacity = 0
}
