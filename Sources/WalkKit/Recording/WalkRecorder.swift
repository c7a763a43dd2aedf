internal import FieldCore
public import FieldFoundation

/// Records a walk: fixes, pauses, photos, notes, and who comes along.
///
/// ```swift
/// let walk = try await diary.start(pets: [pet.id], goal: .nearest(of: places))
/// for await location in locations {
///   await walk.record(LocationFix(coordinate: c, accuracy: .meters(8), time: location.time))
/// }
/// let finished = try await walk.finish(weather: .clear, dust: .good)
/// ```
///
/// Every accepted fix is in a journal before ``record(_:)`` returns, so it survives the end of the app,
/// however it ends; a power cut costs what came in the last ``RecordingOptions/flushInterval``. After a
/// restart the diary gives the walk back as an ``UnfinishedWalk``. A recorder that nobody holds any more
/// leaves its walk unfinished in the same way.
///
/// Durations are measured with a clock that nobody sets and that goes on while the app is in the
/// background; nothing counts ticks. Calls may come from anywhere, several at once: each is done as a
/// whole, and one that contradicts the state is refused with `walks.state`, or with
/// `walks.operationInProgress` while the walk is being saved.
public final class WalkRecorder: Sendable {
  /// What the walk is known by.
  public let id: Walk.ID
  /// When it began.
  public let start: Date

  let sessions: WalkSessions
  let saving: any WalkSaving
  let journal: Journal
  let clock: any FieldClock
  let options: RecordingOptions
  /// Photos pass one by one, so that they are in the order in which they were taken.
  let photoLock = AsyncLock()
  let core: Lock<RecorderState>

  init(
    _ draft: WalkDraft, journal: Journal, saving: any WalkSaving, sessions: WalkSessions,
    phase: WalkState
  ) {
    id = draft.id
    start = draft.start
    self.sessions = sessions
    self.saving = saving
    self.journal = journal
    clock = sessions.clock
    options = sessions.options
    var filter = FixFilter(options.fixes)
    filter.goOn(from: draft.lastPoint)
    core = Lock(
      RecorderState(
        phase: phase, draft: draft, filter: filter, baseUptime: clock.uptime,
        baseElapsed: draft.elapsed))
  }

  deinit {
    let (listeners, flusher) = core.withLock { state in
      (Array(state.listeners.values), state.flusher)
    }
    flusher?.cancel()
    for listener in listeners { listener.finish() }
    journal.close()
  }

  // MARK: looking

  /// Where the recorder is between start and end.
  public var state: WalkState { core.withLock { $0.phase } }

  /// The pets that are along now.
  public var pets: [Pet.ID] { core.withLock { $0.draft.pets } }

  /// The walk as it is at this moment.
  public var current: WalkProgress {
    let uptime = clock.uptime
    return core.withLock { $0.progress(start: start, uptime: uptime) }
  }

  /// The walk as it is now, and again after each accepted fix and whatever else changes it.
  public var progress: WalkProgressUpdates { WalkProgressUpdates(self) }

  // MARK: recording

  /// Takes a fix.
  ///
  /// The fix is judged by ``FixPolicy``. One that is accepted has been handed to the operating system
  /// when this returns (one call, about a microsecond; nothing waits for the device).
  @discardableResult
  public func record(_ fix: LocationFix) async -> FixResult {
    let (now, uptime) = (clock.now, clock.uptime)
    let outcome = core.withLock { $0.record(fix, now: now, uptime: uptime, in: journal) }
    if outcome.isFirstUnsynced { scheduleFlush() }
    for listener in outcome.listeners { listener.yield() }
    return outcome.result
  }

  /// Says whether the goal is reached, for a person who asks: one good fix within the radius is enough.
  ///
  /// It changes what ``GoalProgress/isReached`` says.
  @concurrent
  public func checkGoal() async -> GoalCheck {
    let uptime = clock.uptime
    let (check, listeners) = core.withLock { state -> (GoalCheck, [RecorderState.Listener]) in
      let (check, marks) = state.draft.goal.asked()
      guard state.phase == .running || state.phase == .paused, !marks.isEmpty else {
        return (check, [])
      }
      for mark in marks { state.keep(.mark(mark), at: state.elapsed(uptime), in: journal) }
      return (check, Array(state.listeners.values))
    }
    for listener in listeners { listener.yield() }
    scheduleFlush()
    return check
  }

  /// Pauses the walk: until it is resumed, neither time nor fixes count.
  ///
  /// - Throws: `FieldError` with the code `walks.state` when the walk is not running.
  @concurrent
  public func pause() async throws {
    try change(.pause, .paused)
  }

  /// Goes on after a pause, with a new segment of the route.
  ///
  /// - Throws: `FieldError` with the code `walks.state` when the walk is not paused.
  @concurrent
  public func resume() async throws {
    try change(.resume, .resumed)
  }

  /// Takes a pet along from now on; one that is unknown or archived is refused as at the start.
  ///
  /// - Throws: `FieldError` with the code `walks.petIsOut` when it is on this walk already, or on
  ///   another.
  @concurrent
  public func join(_ pet: Pet.ID) async throws {
    try await saving.admit([pet])
    try await sessions.admitting([pet]) {
      try await self.write { _ in .joined(pet) }
    }
  }

  /// Lets a pet leave; the walk goes on, without any if it was the last.
  ///
  /// - Throws: `FieldError` with the code `walks.unknownPet` when it is not along.
  @concurrent
  public func leave(_ pet: Pet.ID) async throws {
    try await write { state in
      guard state.draft.pets.contains(pet) else {
        throw FieldError(.unknownPet, "the pet \(pet) is not on this walk")
      }
      return .left(pet)
    }
  }

  /// Notes something, at the place of the last point.
  ///
  /// - Throws: `FieldError` when it cannot be written down; nothing is noted then.
  @concurrent
  public func addNote(
    _ text: String = "", kind: WalkNote.Kind = .note, pet: Pet.ID? = nil
  ) async throws {
    let now = clock.now
    try await write(orNothing: true) { state in
      .note(
        WalkNote(
          kind, text: text, time: now, coordinate: state.draft.lastPoint?.coordinate, pet: pet))
    }
  }
}
