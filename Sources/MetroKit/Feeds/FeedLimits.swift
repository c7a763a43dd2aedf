/// The limits for the size of a feed.
///
/// The real feeds have some 40 rows in 5 KB. The limits keep a misbehaving server from filling the
/// memory.
public struct FeedLimits: Sendable, Hashable, Codable {
  /// The maximum size of a response, in bytes.
  ///
  /// Defaults to 4 MiB.
  public var bytes: Int
  /// The maximum number of rows.
  ///
  /// Defaults to 10,000.
  public var rows: Int
  /// A Boolean value that indicates whether a feed may have no rows.
  ///
  /// Defaults to `false`: an empty feed throws `metro.emptyFeed`, and the last board stays. The
  /// open feed shows its last rows even when no trains run.
  public var allowsNoRows: Bool

  /// Creates limits.
  public init(bytes: Int = 4 << 20, rows: Int = 10_000, allowsNoRows: Bool = false) {
    self.bytes = bytes
    self.rows = rows
    self.allowsNoRows = allowsNoRows
  }

  /// The default limits: 4 MiB, 10,000 rows, and at least one row.
  public static var `default`: FeedLimits { FeedLimits() }
}
