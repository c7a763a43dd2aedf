public import FieldFoundation

/// A report of what a refresh changed.
public struct RefreshReport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The outcome of the refresh.
  public var outcome: Outcome
  /// The number of rows that the source returned, including failed ones.
  public var rows: Int
  /// The number of new records.
  public var added: Int
  /// The number of changed records.
  public var updated: Int
  /// The number of deleted records.
  public var removed: Int
  /// The number of records that were returned as they are stored.
  public var unchanged: Int
  /// The rows that couldn't be used, at most 1,000.
  ///
  /// The stored records with their keys stay unchanged.
  public var failures: [RowFailure]
  /// The number of rows that couldn't be used.
  public var failureCount: Int
  /// The notices for the caller, although nothing has failed.
  public var notices: [Notice]
  /// The URL that the rows came from, after redirects; `nil` if no request was sent.
  public var origin: URL?
  /// The date of the refresh.
  public var date: Date

  /// Creates a report.
  public init(
    outcome: Outcome,
    rows: Int = 0,
    added: Int = 0,
    updated: Int = 0,
    removed: Int = 0,
    unchanged: Int = 0,
    failures: [RowFailure] = [],
    failureCount: Int? = nil,
    notices: [Notice] = [],
    origin: URL? = nil,
    date: Date
  ) {
    self.outcome = outcome
    self.rows = rows
    self.added = added
    self.updated = updated
    self.removed = removed
    self.unchanged = unchanged
    self.failures = failures
    self.failureCount = failureCount ?? failures.count
    self.notices = notices
    self.origin = origin
    self.date = date
  }

  /// The outcome of a refresh that didn't fail.
  public struct Outcome: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the outcome.
    public var rawValue: String
    /// Creates an outcome from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the outcome.
    public var description: String { rawValue }

    /// The store has changed.
    public static var updated: Self { Self(rawValue: "updated") }
    /// The source was read, and the store was up to date.
    public static var unchanged: Self { Self(rawValue: "unchanged") }
    /// The source reported that nothing has changed, and sent no rows.
    public static var notModified: Self { Self(rawValue: "notModified") }
    /// The last refresh, or the last failure of one, is recent enough, so no request was sent.
    public static var notDue: Self { Self(rawValue: "notDue") }
  }

  /// The outcome and the numbers of changed rows.
  public var description: String {
    "\(outcome): \(added) added, \(updated) updated, \(removed) removed"
  }
}
