public import FieldCore
public import FieldFoundation

/// A snapshot of a walk that is being recorded.
public struct WalkProgress: Sendable, Codable, CustomStringConvertible {
  /// The state of the recording.
  public var state: WalkState
  /// The time at which the walk began.
  public var start: Date
  /// The time since the start, including pauses.
  public var elapsed: Duration
  /// The time since the start, without pauses.
  public var duration: Duration
  /// The statistics of the route, computed as for a track from a file.
  public var figures: TrackFigures
  /// The last point of the route, or `nil` before the first.
  public var lastPoint: TrackPoint?
  /// The progress toward the goal, or `nil` if there is no goal or the nearest isn't known yet.
  public var goal: GoalProgress?
  /// The pets that currently take part.
  public var pets: [Pet.ID]
  /// The number of photos.
  public var photoCount: Int
  /// The number of notes.
  public var noteCount: Int
  /// The number of points and events that couldn't be written yet; 0 if everything is saved.
  public var unsavedCount: Int
  /// The error that keeps the recording from being written or synced, or `nil` if there is none.
  ///
  /// The error remains until writing or syncing has succeeded.
  public var savingFailure: FieldError?
  /// The error of the last attempt to finish the walk, or `nil` if there was none.
  public var failure: (any Error)? {
    get { codedFailure?.error }
    set { codedFailure = newValue.map(CodedError.init) }
  }

  private var codedFailure: CodedError?

  private enum CodingKeys: String, CodingKey {
    case state, start, elapsed, duration, figures, lastPoint, goal, pets, photoCount, noteCount
    case unsavedCount, savingFailure, codedFailure = "failure"
  }

  /// Creates a snapshot, for previews and tests.
  public init(
    state: WalkState, start: Date, elapsed: Duration = .zero, duration: Duration = .zero,
    figures: TrackFigures = TrackFigures(), lastPoint: TrackPoint? = nil,
    goal: GoalProgress? = nil, pets: [Pet.ID] = [], photoCount: Int = 0, noteCount: Int = 0,
    unsavedCount: Int = 0, savingFailure: FieldError? = nil, failure: (any Error)? = nil
  ) {
    self.state = state
    self.start = start
    self.elapsed = elapsed
    self.duration = duration
    self.figures = figures
    self.lastPoint = lastPoint
    self.goal = goal
    self.pets = pets
    self.photoCount = photoCount
    self.noteCount = noteCount
    self.unsavedCount = unsavedCount
    self.savingFailure = savingFailure
    self.failure = failure
  }

  /// The state and the distance.
  public var description: String { "\(state), \(figures.distance)" }
}
