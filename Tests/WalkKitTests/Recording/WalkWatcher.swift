import FieldCore

@testable import WalkKit

/// All of a progress but the times, which go on by themselves.
struct WalkSight: Equatable {
  var state: WalkState
  var figures: TrackFigures
  var lastPoint: TrackPoint?
  var goal: GoalProgress?
  var pets: [Pet.ID]
  var counts: [Int]
  var savingFailure: FieldError.Code?
  var failure: String?

  init(_ progress: WalkProgress) {
    state = progress.state
    figures = progress.figures
    lastPoint = progress.lastPoint
    goal = progress.goal
    pets = progress.pets
    counts = [progress.photoCount, progress.noteCount, progress.unsavedCount]
    savingFailure = progress.savingFailure?.code
    failure = progress.failure.map { "\($0)" }
  }
}

/// Somebody who watches a walk, and what he has seen last.
final class WalkWatcher: Sendable {
  private let seen = Lock<WalkSight?>(nil)
  private let task: Lock<Task<Void, Never>?>

  init(_ walk: WalkRecorder) {
    task = Lock(nil)
    let updates = walk.progress
    let task = Task { [seen] in
      for await progress in updates { seen.withLock { $0 = WalkSight(progress) } }
    }
    self.task.withLock { $0 = task }
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// Waits until what was seen last is what there is, also if a flush that is late changes that meanwhile.
  func seesLast(of walk: WalkRecorder) async throws -> Bool {
    for turn in 0..<200_000 {
      if seen.withLock({ $0 }) == WalkSight(walk.current) { return true }
      if turn < 50 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
    }
    return false
  }
}
