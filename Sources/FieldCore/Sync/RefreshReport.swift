public import FieldFoundation

/// What a refresh has done.
public struct RefreshReport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What came of it.
  public var outcome: Outcome
  /// How many rows the source gave, the failed ones included.
  public var rows: Int
  /// How many records are new.
  public var added: Int
  /// How many records have changed.
  public var updated: Int
  /// How many records are gone.
  public var removed: Int
  /// How many records the source gave as they were stored.
  public var unchanged: Int
  /// The rows that could not be used, a thousand at the most; the stored records of their keys are left
  /// as they were.
  public var failures: [RowFailure]
  /// How many rows could not be used.
  public var failureCount: Int
  /// What the caller should know though nothing has failed.
  public var notices: [Notice]
  /// The address that the rows came from, after redirects; nil when nothing was asked.
  public var origin: URL?
  /// When the refresh was done.
  public var date: Date

  /// Makes a report.
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

  /// What came of a refresh that did not fail.
  public struct Outcome: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the outcome.
    public var rawValue: String
    /// Makes an outcome from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the outcome.
    public var description: String { rawValue }

    /// The store has changed.
    public static var updated: Self { Self(rawValue: "updated") }
    /// The source was read, and the store had it all.
    public static var unchanged: Self { Self(rawValue: "unchanged") }
    /// The source said that nothing has changed, and sent no rows.
    public static var notModified: Self { Self(rawValue: "notModified") }
    /// The last refresh is young enough; nothing was asked.
    public static var notDue: Self { Self(rawValue: "notDue") }
  }

  /// The outcome and the numbers of changed rows.
  public var description: String {
    "\(outcome): \(added) added, \(updated) updated, \(removed) removed"
  }
}
