/// A place in the order in which a source gives its rows: behind one row, before the next.
///
/// Both parts are the source's own words and are replayed as they came, since a time that was parsed
/// and printed anew may have lost a digit.
public struct SyncPosition: Sendable, Hashable, Codable {
  /// When the row was last changed, as the source writes it; nil for a source that has no such time.
  public var stamp: String?
  /// What the source orders rows of the same time by, such as Socrata's `:id`, or an offset; nil is
  /// before all rows that are later than ``stamp``.
  public var key: String?

  /// Makes a position.
  public init(stamp: String? = nil, key: String? = nil) {
    self.stamp = stamp
    self.key = key
  }
}
