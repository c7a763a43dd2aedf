package import FieldCore

/// The walks that are being recorded, and those that an end of the app has cut off.
package final class WalkSessions: Sendable {
  package init(
    storage: Storage, clock: any FieldClock = .system, options: RecordingOptions = .standard,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {}

  /// Starts a walk.
  package func start(
    pets: [Pet.ID], goal: WalkGoal? = nil, saving: any WalkSaving
  ) async throws -> WalkRecorder {
    throw FieldError(.closed, "not yet")
  }

  /// The walks that were not finished, the oldest first.
  package func unfinished(saving: any WalkSaving) async throws -> [UnfinishedWalk] {
    throw FieldError(.closed, "not yet")
  }

  /// What opening the journals has had to cut off or to set aside so far.
  package var cuts: [OpeningReport.Cut] { [] }

  /// Ends the recorders of this process; their walks are unfinished then.
  package func close() async throws {}

  /// Discards all walks that are not finished, those that are being recorded too.
  package func eraseAll() async throws {}
}
