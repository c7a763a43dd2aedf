/// Sends the progress of refreshes to all listeners.
package final class RefreshBroadcast: Sendable {
  private let kit: String
  private let broadcast = Broadcast<RefreshProgress>(buffer: 16)

  /// Makes a broadcast for a kit, by its name.
  package init(kit: String) { self.kit = kit }

  /// The steps from now on, after the newest of the run in flight when there is one.
  package func steps() -> RefreshProgressUpdates {
    RefreshProgressUpdates(broadcast.listen()?.stream ?? AsyncStream { $0.finish() })
  }

  /// Sends a step.
  package func send(
    _ phase: RefreshProgress.Phase, _ fraction: Double, rows: Int? = nil,
    outcome: RefreshProgress.Outcome? = nil
  ) {
    broadcast.send { current in
      // A guess at the whole may turn out too small; the bar waits then.
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
