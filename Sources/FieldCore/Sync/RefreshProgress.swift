/// A step of a refresh, for a progress bar.
public struct RefreshProgress: Sendable, Codable, CustomStringConvertible {
  /// The name of the kit, such as `meteorites`.
  public var kit: String
  /// The current phase.
  public var phase: Phase
  /// The completed fraction, from 0 through 1, which never decreases within a run.
  public var fractionCompleted: Double
  /// The completed fraction of all kits, from 0 through 1; `nil` in the progress of a single kit.
  ///
  /// `Field.refreshAll()` counts all kits with something to fetch, and its last step has 1.
  /// `Field.refreshProgress()` counts the kits that have been refreshed since the last time that no
  /// kit was: the fraction never decreases until all of them have ended, and then it is 1.
  public var totalFraction: Double?
  /// The number of rows received, if they arrive page by page.
  public var rows: Int?
  /// The outcome of the refresh; `nil` until its last step.
  public var outcome: Outcome?

  /// Creates a step.
  public init(
    kit: String, phase: Phase, fractionCompleted: Double, rows: Int? = nil, outcome: Outcome? = nil
  ) {
    self.kit = kit
    self.phase = phase
    self.fractionCompleted = fractionCompleted
    self.rows = rows
    self.outcome = outcome
  }

  /// A phase of a refresh.
  public struct Phase: RawRepresentable, Sendable, Hashable, CustomStringConvertible, Codable {
    /// The name of the phase.
    public var rawValue: String
    /// Creates a phase from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the phase.
    public var description: String { rawValue }

    /// A request has been sent, and its response is awaited.
    public static var requesting: Self { Self(rawValue: "requesting") }
    /// The rows are being read and compared with the store.
    public static var reading: Self { Self(rawValue: "reading") }
    /// Deleted records are being searched for.
    public static var sweeping: Self { Self(rawValue: "sweeping") }
    /// The changes are being written.
    public static var storing: Self { Self(rawValue: "storing") }
    /// The run has ended.
    public static var finished: Self { Self(rawValue: "finished") }
  }

  /// The outcome of a run.
  public enum Outcome: Sendable, Codable {
    /// The run succeeded.
    case finished(RefreshReport)
    /// The run failed, and the stored data can be read as before.
    ///
    /// If rows arrive page by page, the complete pages received before the failure are stored, and
    /// the next run continues after them.
    case failed(FieldError)
    /// The run was canceled; the store is in the same state as after a failure.
    case cancelled

    /// Creates the outcome of a run that threw an error: a `FieldError`, or else a cancellation.
    init(of error: any Error) { self = (error as? FieldError).map(Self.failed) ?? .cancelled }

    private enum FinishedCodingKeys: String, CodingKey { case _0 = "report" }
    private enum FailedCodingKeys: String, CodingKey { case _0 = "error" }
  }

  /// The kit, the phase, and the completed percentage.
  public var description: String {
    "\(kit): \(phase), \(Int(limiting: (fractionCompleted * 100).rounded(.down)))%"
  }
}

/// The steps of refreshes as they occur, for a progress bar.
///
/// Slow consumers skip intermediate steps, but never the newest.
public typealias RefreshProgressUpdates = FieldSequence<RefreshProgress, Never>

/// A sender of refresh progress to all listeners.
package final class RefreshBroadcast: Sendable {
  private let kit: String
  private let broadcast = Broadcast<RefreshProgress>(buffer: 16)

  package init(kit: String) { self.kit = kit }

  /// Returns the steps from now on, beginning with the newest one of a run in flight.
  package func steps() -> RefreshProgressUpdates {
    RefreshProgressUpdates(broadcast.listen()?.stream ?? AsyncStream { $0.finish() })
  }

  package func send(
    _ phase: RefreshProgress.Phase, _ fraction: Double, rows: Int? = nil,
    outcome: RefreshProgress.Outcome? = nil
  ) {
    broadcast.send { current in
      // An estimate of the total may be too low; then the progress pauses.
      let fraction = max(fraction, current?.fractionCompleted ?? 0)
      let step = RefreshProgress(
        kit: kit, phase: phase, fractionCompleted: fraction, rows: rows, outcome: outcome)
      current = outcome == nil ? step : nil
      return step
    }
  }

  /// Ends all sequences.
  package func close() { broadcast.close() }
}
