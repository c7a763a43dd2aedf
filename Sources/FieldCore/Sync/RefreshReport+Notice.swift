extension RefreshReport {
  /// What a caller should know about a refresh that has not failed.
  public struct Notice: Sendable, Hashable, Codable, CustomStringConvertible {
    /// What it is about, to decide on.
    public var code: Code
    /// What happened and what to do about it, in English.
    public var message: String

    /// Makes a notice.
    public init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }

    /// The code and the message, on one line.
    public var description: String { "\(code): \(message)" }
  }
}

extension RefreshReport.Notice {
  /// The kind of a notice: an open set of dotted names.
  public struct Code: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The dotted name.
    public var rawValue: String
    /// Makes a code from its dotted name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The dotted name.
    public var description: String { rawValue }

    /// The run went on where an earlier one had stopped.
    public static var resumed: Self { Self(rawValue: "refresh.resumed") }
    /// What is stored was read in another way, so the run began anew.
    public static var startedAnew: Self { Self(rawValue: "refresh.startedAnew") }
    /// The source took too long, and was asked for smaller pages.
    public static var smallerPages: Self { Self(rawValue: "refresh.smallerPages") }
    /// It could not be told for certain what is gone, so nothing was removed.
    public static var removalSkipped: Self { Self(rawValue: "refresh.removalSkipped") }
    /// Some ids came more than once; the last row of each was used.
    public static var repeatedIDs: Self { Self(rawValue: "refresh.repeatedIDs") }
    /// The source prints times with fewer digits than it compares them by, and was read by key.
    public static var coarseTimes: Self { Self(rawValue: "refresh.coarseTimes") }
  }
}
