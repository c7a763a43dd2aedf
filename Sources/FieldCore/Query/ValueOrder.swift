/// The order in which a query returns records by one of their values.
///
/// In both orders, records with equal values are in the order in which they were first inserted, and records without
/// a value come after all others. A value that doesn't equal itself (NaN) counts as none.
public enum ValueOrder: Sendable, Hashable, Codable {
  /// The smallest value first.
  case ascending
  /// The greatest value first.
  case descending
}
