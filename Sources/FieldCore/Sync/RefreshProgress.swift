/// A step of a refresh, for a progress bar.
public struct RefreshProgress: Sendable, Codable, CustomStringConvertible {
  /// The kit that is refreshed, such as `meteorites`.
  public var kit: String
  /// What is being done.
  public var phase: Phase
  /// How much is done, from 0 to 1; it never goes back within a run.
  public var fractionCompleted: Double
  /// How many rows have come, when they come a page at a time.
  public var rows: Int?
  /// What came of the refresh; nil until its last step.
  public var outcome: Outcome?

  /// Makes a step.
  public init(
    kit: String, phase: Phase, fractionCompleted: Double, rows: Int? = nil, outcome: Outcome? = nil
  ) {
    self.kit = kit
    self.phase = phase
    self.fractionCompleted = fractionCompleted
    self.rows = rows
    self.outcome = outcome
  }

  /// What is being done.
  public struct Phase: RawRepresentable, Sendable, Hashable, CustomStringConvertible, Codable {
    /// The name of the phase.
    public var rawValue: String
    /// Makes a phase from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the phase.
    public var description: String { rawValue }

    /// The source is asked, and its answer awaited.
    public static var requesting: Self { Self(rawValue: "requesting") }
    /// The rows are read and compared with the store.
    public static var reading: Self { Self(rawValue: "reading") }
    /// It is found out what is gone.
    public static var sweeping: Self { Self(rawValue: "sweeping") }
    /// The changes are written.
    public static var storing: Self { Self(rawValue: "storing") }
    /// The run has ended.
    public static var finished: Self { Self(rawValue: "finished") }
  }

  /// How a run has ended.
  public enum Outcome: Sendable, Codable {
    /// It has done what it should.
    case finished(RefreshReport)
    /// It has failed: what was stored can be read as before, and the whole pages that had come by then,
    /// when rows come page by page, are stored; the next run goes on behind them.
    case failed(FieldError)
    /// It was cancelled; the store is as after a failure.
    case cancelled

    private enum FinishedCodingKeys: String, CodingKey { case _0 = "report" }
    private enum FailedCodingKeys: String, CodingKey { case _0 = "error" }
  }

  /// The kit, the phase, and the completed percentage.
  public var description: String { "\(kit): \(phase), \(Int(fractionCompleted * 100))%" }
}
