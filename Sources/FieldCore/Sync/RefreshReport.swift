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

// MARK: - Adding

extension RefreshReport {
  /// The maximum number of failed rows that a report keeps.
  static var keptFailures: Int { 1_000 }

  /// Counts rows that couldn't be used, and keeps as many of them as fit.
  ///
  /// - Parameter count: The number of all rows, if the given ones are only the first of them.
  package mutating func add(_ failures: [RowFailure], of count: Int? = nil) {
    failureCount += count ?? failures.count
    self.failures += failures.prefix(max(0, Self.keptFailures - self.failures.count))
  }

  /// Adds the counts of another part of the same refresh; the outcome, the URL, and the date stay.
  package mutating func addCounts(of part: RefreshReport) {
    rows += part.rows
    added += part.added
    updated += part.updated
    removed += part.removed
    unchanged += part.unchanged
    add(part.failures, of: part.failureCount)
    notices += part.notices
  }

  /// The quantities of the report, for observers.
  var measures: [FieldEvent.Measure: Int] {
    [
      .rows: rows, .added: added, .updated: updated, .removed: removed, .unchanged: unchanged,
      .failedRows: failureCount, .notices: notices.count,
    ]
  }
}

// MARK: - Notice

extension RefreshReport {
  /// A notice about a refresh that didn't fail.
  public struct Notice: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of the notice, to base decisions on.
    public var code: Code
    /// A description of what happened and what to do about it, in English.
    public var message: String
    /// The removal that the ``SnapshotGuard`` refused in a part of a kit, if that is what happened.
    public var refusedRemoval: RefusedRemoval?

    /// Creates a notice.
    public init(_ code: Code, _ message: String, refusedRemoval: RefusedRemoval? = nil) {
      self.code = code
      self.message = message
      self.refusedRemoval = refusedRemoval
    }

    /// The code and the message, on one line.
    public var description: String { "\(code): \(message)" }
  }
}

extension RefreshReport.Notice {
  /// Returns the notice about rows whose ID a later row has as well; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - count: The number of rows that aren't used.
  ///   - rows: The name of the rows, a plural.
  package static func repeatedIDs(_ count: Int, of rows: String = "rows") -> Self? {
    guard count > 0 else { return nil }
    return Self(
      .repeatedIDs,
      "\(count) \(rows) repeated an earlier ID. The last row with each ID was used.")
  }
}

extension RefreshReport.Notice {
  /// A code that identifies the kind of a notice, from an open set of dotted names.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The dotted name.
    public var rawValue: String
    /// Creates a code from its dotted name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The dotted name.
    public var description: String { rawValue }

    /// The run continued where an earlier one had stopped.
    public static var resumed: Self { Self(rawValue: "refresh.resumed") }
    /// The stored data or position couldn't be used, so all rows were read.
    public static var startedAnew: Self { Self(rawValue: "refresh.startedAnew") }
    /// The source took too long, so smaller pages were requested.
    public static var smallerPages: Self { Self(rawValue: "refresh.smallerPages") }
    /// Deleted records couldn't be determined for certain, so nothing was removed.
    public static var removalSkipped: Self { Self(rawValue: "refresh.removalSkipped") }
    /// Some IDs occurred more than once, and the last row of each was used.
    public static var repeatedIDs: Self { Self(rawValue: "refresh.repeatedIDs") }
    /// Rows contain numbers, dates, locations, or web addresses that can't be read, so their records
    /// lack them.
    ///
    /// Only reading rows sends this notice, not a response that the source hasn't changed.
    public static var unreadableValues: Self { Self(rawValue: "refresh.unreadableValues") }
    /// No row has a column that a catalog's record reads: it may have a new name, or none was ever called like that.
    public static var missingColumns: Self { Self(rawValue: "refresh.missingColumns") }
    /// The source prints times with fewer digits than it compares by, so it was read by key.
    public static var coarseTimes: Self { Self(rawValue: "refresh.coarseTimes") }
  }
}
