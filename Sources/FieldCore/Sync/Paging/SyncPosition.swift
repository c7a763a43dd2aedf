/// A position in the order in which a source returns its rows: after one row and before the next.
///
/// Both parts are the source's own text and are sent back unchanged, because parsing and formatting
/// a time may lose a digit. Only the beginning of an overlap (see ``SyncOptions/overlap``) is a time
/// that the source hasn't written: it has the form of ``stamp``, such as `20261101080000` or `115/11/01`.
public struct SyncPosition: Sendable, Hashable, Codable {
  /// The time when the row was last changed, as the source writes it; `nil` for a source without
  /// such a time.
  public var stamp: String?
  /// The key by which the source orders rows of the same time, such as Socrata's `:id`, or an
  /// offset.
  ///
  /// `nil` is before all rows that are later than ``stamp``.
  public var key: String?

  /// Creates a position.
  public init(stamp: String? = nil, key: String? = nil) {
    self.stamp = stamp
    self.key = key
  }
}
