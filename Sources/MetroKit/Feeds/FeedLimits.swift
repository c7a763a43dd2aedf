/// What a feed may be like at most.
///
/// The real feeds have some 40 rows in 5 KB; the limits keep a server gone wrong from filling the
/// memory.
public struct FeedLimits: Sendable, Hashable, Codable {
  /// How many bytes an answer may have; 4 MiB by default.
  public var bytes: Int
  /// How many rows a feed may have; 10,000 by default.
  public var rows: Int
  /// Whether a feed without rows is an answer. By default it is an error, `metro.emptyFeed`, so that
  /// the last board stays: the open feed shows its last rows even when no train runs.
  public var allowsNoRows: Bool

  /// Makes limits; what is not given is as in ``default``.
  public init(bytes: Int = 4 << 20, rows: Int = 10_000, allowsNoRows: Bool = false) {
    self.bytes = bytes
    self.rows = rows
    self.allowsNoRows = allowsNoRows
  }

  /// 4 MiB and 10,000 rows, and at least one row.
  public static var `default`: FeedLimits { FeedLimits() }
}
