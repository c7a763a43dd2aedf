internal import FieldCore

/// A state of a recorder between the start of a walk and its end.
///
/// ```
/// idle ─▶ running ◀─▶ paused
///            │           │
///            └──▶ saving ◀┘ ─▶ saved
///                  ▲  │
///                  │  ▼
///                 failed                 and from all but saving and saved: discarded
/// ```
public enum WalkState: String, Sendable, Hashable, Codable, CaseIterable {
  /// The walk is being set up; nothing is recorded yet.
  case idle
  /// Fixes are recorded.
  case running
  /// The walk is paused; time and fixes don't count.
  case paused
  /// The walk is over and being saved.
  case saving
  /// The walk is in the diary.
  case saved
  /// Saving failed.
  ///
  /// The draft and its photos are kept, and you can try again.
  case failed
  /// The walk and its photos were discarded.
  case discarded

  /// A Boolean value that indicates whether the walk is saved or discarded.
  public var isFinal: Bool { self == .saved || self == .discarded }

  enum Action: String, Sendable, CaseIterable {
    case begin, add, pause, resume, finish, save, fail, discard
  }

  /// Returns the state after an action, or `nil` if this state doesn't allow the action.
  func after(_ action: Action) -> WalkState? {
    switch (self, action) {
    case (.idle, .begin): .running
    case (.running, .add), (.paused, .add): self
    case (.running, .pause): .paused
    case (.paused, .resume): .running
    case (.running, .finish), (.paused, .finish), (.failed, .finish): .saving
    case (.saving, .save): .saved
    case (.saving, .fail): .failed
    case (.idle, .discard), (.running, .discard), (.paused, .discard), (.failed, .discard):
      .discarded
    default: nil
    }
  }

  func refusal(of action: Action) -> FieldError {
    self == .saving
      ? FieldError(
        .operationInProgress, "The walk is being saved. Wait for that before \"\(action)\".")
      : FieldError(.walkState, "\"\(action)\" isn't possible on a walk that is \(self).")
  }
}
