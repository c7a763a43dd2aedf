import CoreLocation
import FieldKit

/// Stands for a view: its state belongs to the main actor, and a task of it records a walk until the state changes.
@MainActor
struct RecordingView {
  final class State { var isEnded = false }

  private let state = State()
  private var isEnded: Bool { state.isEnded }
  let diary: WalkDiary

  func record(_ pets: [Pet.ID]) {
    Task { _ = try await recordWalk(of: pets, in: diary) { isEnded } }
  }
}
