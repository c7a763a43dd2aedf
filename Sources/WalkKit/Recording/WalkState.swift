internal import FieldCore

/// Where a recorder is between the start of a walk and its end.
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
  /// Time and fixes do not count.
  case paused
  /// The walk is over and being saved.
  case saving
  /// The walk is in the diary.
  case saved
  /// Saving failed; the draft and its photos are kept, and finishing can be tried again.
  case failed
  /// The walk was given up, and nothing is left of it.
  case discarded

  /// Whether nothing more will happen: the walk is saved or discarded.
  public var isFinal: Bool { self == .saved || self == .discarded }

  /// What is done to a walk.
  enum Action: String, Sendable, CaseIterable {
    case begin, add, pause, resume, finish, save, fail, discard
  }

  /// The state after an action; nil when the action is not allowed in this one.
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

  /// The error of an action that is not allowed.
  func refusal(of action: Action) -> FieldError {
    self == .saving
      ? FieldError(
        .operationInProgress, "the walk is being saved: wait for that before \"\(action)\"")
      : FieldError(.walkState, "\"\(action)\" is not possible on a walk that is \(self)")
  }
}
