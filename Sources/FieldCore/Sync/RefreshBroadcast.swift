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
