public import FieldCore
public import FieldFoundation

/// A walk as it is at one moment, to show while it goes on.
public struct WalkProgress: Sendable, Codable, CustomStringConvertible {
  /// Where the recorder is between start and end.
  public var state: WalkState
  /// When the walk began.
  public var start: Date
  /// How long it has taken, pauses included.
  public var elapsed: Duration
  /// How long it has taken, less the pauses.
  public var duration: Duration
  /// How far, how fast and how high; the same counting as for a track from a file.
  public var figures: TrackFigures
  /// The last point of the route; nil before the first.
  public var lastPoint: TrackPoint?
  /// How the walk stands to its goal; nil without one, and until the nearest is chosen.
  public var goal: GoalProgress?
  /// The pets that are along now.
  public var pets: [Pet.ID]
  /// How many photos there are.
  public var photoCount: Int
  /// How many notes there are.
  public var noteCount: Int
  /// How many points and events wait to be written down, since writing failed; 0 when all is well.
  public var unsavedCount: Int
  /// Why what was recorded cannot be written down, or not be forced onto the device; nil when it can. It
  /// stays until that has succeeded.
  public var savingFailure: FieldError?
  /// Why finishing failed the last time; nil when it did not.
  public var failure: (any Error)? {
    get { codedFailure?.error }
    set { codedFailure = newValue.map(CodedError.init) }
  }

  private var codedFailure: CodedError?

  private enum CodingKeys: String, CodingKey {
    case state, start, elapsed, duration, figures, lastPoint, goal, pets, photoCount, noteCount
    case unsavedCount, savingFailure, codedFailure = "failure"
  }

  /// Makes a progress, for previews and tests.
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
