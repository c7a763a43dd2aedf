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
