public import FieldCore
public import FieldFoundation

/// A walk that was not finished, since the app ended before: to go on with, to finish, or to give up.
///
/// ```swift
/// for walk in try await diary.unfinished() {
///   switch await ask(walk.start, walk.figures.distance) {
///   case .goOn: recorder = try await walk.resume()
///   case .save: try await walk.finish()
///   case .discard: try await walk.discard()
///   }
/// }
/// ```
///
/// Nothing happens to it until one of the three is called; asking again gives it again.
public struct UnfinishedWalk: Identifiable, Sendable, Codable, CustomStringConvertible {
  /// What the walk is known by.
  public let id: Walk.ID
  /// When it began.
  public let start: Date
  /// Who went along, in the order in which they joined.
  public let pets: [Walk.Participant]
  /// The last point of the route that was recorded; nil when there was none.
  public let lastPoint: TrackPoint?
  /// How far it has come, counted as while it was recorded.
  public let figures: TrackFigures
  /// How long it took until the last point, pauses included; without points, until the last event.
  public let elapsed: Duration
  /// The same without the pauses.
  public let duration: Duration
  /// How it stood to its goal; nil without one.
  public let goal: GoalProgress?
  /// How many photos there are.
  public let photoCount: Int
  /// What was noted.
  public let notes: [WalkNote]
  /// Whether it was being recorded when the app ended, and not paused or over.
  public let wasRunning: Bool

  private var owner: Owner?

  /// What can go on with the walk; a walk that was decoded or made by hand has none.
  private struct Owner: Sendable {
    let sessions: WalkSessions
    let saving: any WalkSaving
  }

  private enum CodingKeys: String, CodingKey {
    case id, start, pets, lastPoint, figures, elapsed, duration, goal, photoCount, notes
    case wasRunning
  }

  /// Creates a walk to show in previews and tests, which can't be resumed, finished, or discarded.
  public init(
    id: Walk.ID, start: Date, pets: [Walk.Participant], lastPoint: TrackPoint? = nil,
    figures: TrackFigures = TrackFigures(), elapsed: Duration = .zero, duration: Duration = .zero,
    goal: GoalProgress? = nil, photoCount: Int = 0, notes: [WalkNote] = [],
    wasRunning: Bool = false
  ) {
    self.id = id
    self.start = start
    self.pets = pets
    self.lastPoint = lastPoint
    self.figures = figures
    self.elapsed = elapsed
    self.duration = duration
    self.goal = goal
    self.photoCount = photoCount
    self.notes = notes
    self.wasRunning = wasRunning
  }

  init(_ draft: WalkDraft, sessions: WalkSessions, saving: any WalkSaving) {
    let ending = Self.ending(of: draft)
    self.init(
      id: draft.id, start: draft.start, pets: draft.participants, lastPoint: draft.lastPoint,
      figures: draft.meter.figures, elapsed: .milliseconds(ending.elapsed),
      duration: .milliseconds(ending.active), goal: draft.goal.progress,
      photoCount: draft.photos.count, notes: draft.notes, wasRunning: draft.isRunning)
    owner = Owner(sessions: sessions, saving: saving)
  }

  /// The recorder of the walk, after something was done to it while its pets are admitted.
  @concurrent
  private func reopened(
    with pets: [Pet.ID] = [], _ body: @Sendable (WalkRecorder) -> Void = { _ in }
  ) async throws -> WalkRecorder {
    guard let owner else {
      throw FieldError(
        .unknownWalk, "The walk \(id) is a copy. Take the walk itself from `unfinished()`.")
    }
    return try await owner.sessions.admitting(pets) {
      let recorder = try owner.sessions.reopen(id, saving: owner.saving)
      body(recorder)
      return recorder
    }
  }

  /// Goes on recording, with a new segment of the route. The time since the end of the app does not
  /// count, but for ``Walk/elapsed``.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` when somebody else has it, and
  ///   `walks.petIsOut` when one of the pets is on another walk.
  @concurrent
  public func resume() async throws -> WalkRecorder {
    let along = pets.filter { $0.left == nil }.map(\.pet)
    return try await reopened(with: along) { $0.goOn() }
  }

  /// Saves the walk as it was recorded.
  ///
  /// - Parameters:
  ///   - weather: What the sky was like; nil for what was said before the app ended, if anything was.
  ///   - dust: How bad the fine dust was; nil in the same way.
  ///   - air: What was measured in the air; nil in the same way.
  ///   - end: When it ended; nil for the time of the last point, or the one at which it was finished when
  ///     only saving it was cut off. A time before the last point is taken for that of the last point.
  /// - Throws: As ``WalkRecorder/finish(weather:dust:air:)``, and `walks.taken` when somebody else has
  ///   it. It is unfinished then, as before.
  @concurrent
  @discardableResult
  public func finish(
    weather: WalkWeather? = nil, dust: DustGrade? = nil, air: AirQuality? = nil, end: Date? = nil
  ) async throws -> Walk {
    try Task.checkCancellation()
    let recorder = try await reopened()
    defer { recorder.close() }
    var ending = recorder.core.withLock { Self.ending(of: $0.draft) }
    if let end {
      let given = Int64(clampedSeconds: end.timeIntervalSince(start))
      let later = max(given - ending.elapsed, 0)
      let isCounted = recorder.core.withLock { $0.draft.isRunning }
      ending.elapsed += later
      if isCounted { ending.active += later }
    }
    ending.weather = weather ?? ending.weather
    ending.dust = dust ?? ending.dust
    ending.air = air ?? ending.air
    return try await recorder.finish { [ending] in $0 = ending }
  }

  /// Gives the walk up, with its photos; nothing is left of it.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` when somebody else has it.
  @concurrent
  public func discard() async throws {
    try Task.checkCancellation()
    let recorder = try await reopened()
    defer { recorder.close() }
    try await recorder.discard()
  }

  /// The end that the walk has, or would have at its last point.
  private static func ending(of draft: WalkDraft) -> WalkEnding {
    if let ending = draft.ending { return ending }
    let last = draft.atLastPoint ?? (elapsed: draft.elapsed, active: draft.active)
    return WalkEnding(elapsed: last.elapsed, active: last.active)
  }

  /// The start and the distance.
  public var description: String { "\(start), \(figures.distance)" }
}

extension Int64 {
  /// Seconds as milliseconds, at most a century of them.
  fileprivate init(clampedSeconds seconds: Double) {
    self = seconds.isFinite ? Int64(Swift.min(Swift.max(seconds, 0), 3_155_760_000) * 1000) : 0
  }
}
