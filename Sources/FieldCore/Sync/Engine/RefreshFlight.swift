/// One refresh at a time, shared by all who ask for it meanwhile, with its steps told to all who listen.
package final class RefreshFlight: Sendable {
  private let operation: String
  private let flight = SharedFlight<RefreshReport>()
  private let broadcast: RefreshBroadcast

  /// Makes a flight for a kit, by its name in progress and errors.
  package init(kit: String) {
    operation = "\(kit).refresh"
    broadcast = RefreshBroadcast(kit: kit)
  }

  /// Joins the run in flight when it promises as much, or else starts one.
  ///
  /// - Parameters:
  ///   - strength: What the caller wants to be promised.
  ///   - onFailure: Is told of a failure before those who wait for the run.
  ///   - work: Does the run.
  package func run(
    strength: Int = 0,
    onFailure: @escaping @Sendable (FieldError) async -> Void,
    _ work: @escaping @Sendable (RefreshBroadcast) async throws -> RefreshReport
  ) async throws -> RefreshReport {
    try await flight.run(strength: strength) { [self] in
      do {
        let report = try await work(broadcast)
        broadcast.tell(.finished, 1, rows: report.rows, outcome: .finished(report))
        return report
      } catch is CancellationError {
        broadcast.tell(.finished, 1, outcome: .cancelled)
        throw CancellationError()
      } catch {
        let wrapped = FieldError.wrapping(
          error, as: .transport, "the refresh has failed", operation: operation)
        if let failure = wrapped as? FieldError {
          await onFailure(failure)
          broadcast.tell(.finished, 1, outcome: .failed(failure))
        }
        throw wrapped
      }
    }
  }

  /// The steps of all runs from now on.
  package func steps() -> RefreshSteps { broadcast.steps() }

  /// Cancels the run in flight, and ends the steps.
  package func close() {
    flight.cancel()
    broadcast.close()
  }
}
