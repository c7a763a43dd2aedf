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
public struct UnfinishedWalk: Identifiable, Sendable {
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

  private let sessions: WalkSessions
  private let saving: any WalkSaving

  init(_ draft: WalkDraft, sessions: WalkSessions, saving: any WalkSaving) {
    id = draft.id
    start = draft.start
    pets = draft.participants
    lastPoint = draft.lastPoint
    figures = draft.meter.figures
    let ending = Self.ending(of: draft)
    elapsed = .milliseconds(ending.elapsed)
    duration = .milliseconds(ending.active)
    goal = draft.goal.progress
    photoCount = draft.photos.count
    notes = draft.notes
    wasRunning = draft.isRunning
    self.sessions = sessions
    self.saving = saving
  }

  /// Goes on recording, with a new segment of the route. The time since the end of the app does not
  /// count, but for ``Walk/elapsed``.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` when somebody else has it, and
  ///   `walks.petIsOut` when one of the pets is on another walk.
  @concurrent
  public func resume() async throws -> WalkRecorder {
    let along = pets.filter { $0.left == nil }.map(\.pet)
    return try await sessions.admitting(along) {
      let recorder = try sessions.reopen(id, saving: saving)
      recorder.goOn()
      return recorder
    }
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
    weather: Weather? = nil, dust: DustGrade? = nil, air: AirQuality? = nil, end: Date? = nil
  ) async throws -> Walk {
    try Task.checkCancellation()
    let recorder = try await sessions.admitting([]) {
      try sessions.reopen(id, saving: saving)
    }
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
    let recorder = try await sessions.admitting([]) {
      try sessions.reopen(id, saving: saving)
    }
    defer { recorder.close() }
    try await recorder.discard()
  }

  /// The end that the walk has, or would have at its last point.
  private static func ending(of draft: WalkDraft) -> WalkEnding {
    if let ending = draft.ending { return ending }
    let last = draft.atLastPoint ?? (elapsed: draft.elapsed, active: draft.active)
    return WalkEnding(elapsed: last.elapsed, active: last.active)
  }
}

extension Int64 {
  /// Seconds as milliseconds, at most a century of them.
  fileprivate init(clampedSeconds seconds: Double) {
    self = seconds.isFinite ? Int64(Swift.min(Swift.max(seconds, 0), 3_155_760_000) * 1000) : 0
  }
}
