internal import FieldCore
public import FieldFoundation

/// A recorder of a walk: fixes, pauses, photos, notes, and the pets that take part.
///
/// ```swift
/// let walk = try await diary.start(pets: [pet.id], goal: .nearest(of: places))
/// for await location in locations {
///   await walk.record(LocationFix(coordinate: c, accuracy: .meters(8), time: location.time))
/// }
/// let finished = try await walk.finish(weather: .clear, dust: .good)
/// ```
///
/// Every accepted fix is written to a journal before ``record(_:)`` returns, so it survives a crash
/// of the app. A power failure loses at most the last ``RecordingOptions/flushInterval``. After a
/// restart, the diary returns the walk as an ``UnfinishedWalk``. Releasing a recorder also leaves
/// its walk unfinished.
///
/// Durations are measured with a monotonic clock that keeps running while the app is in the
/// background. You can call the methods concurrently; each call is atomic. A call that the state
/// doesn't allow throws `walks.state`, or `walks.operationInProgress` while the walk is being
/// saved.
public final class WalkRecorder: Sendable {
  /// The ID of the walk.
  public let id: Walk.ID
  /// The time at which the walk began.
  public let start: Date

  let sessions: WalkSessions
  let saving: any WalkSaving
  let journal: Journal
  let clock: any FieldClock
  let options: RecordingOptions
  /// Photos are added one by one, so that they stay in the order in which they were taken.
  let photoLock = AsyncLock()
  let core: Lock<RecorderState>
  /// A signal for each change, of which slow listeners keep one.
  let changes = Broadcast<Void>()
  /// The timer that signals each second of the walk while somebody listens.
  let ticker = Lock(WalkTicker())

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
    changes.send()
  }

  deinit {
    core.withLock(\.flusher)?.cancel()
    ticker.withLock(\.task)?.cancel()
    changes.close()
    journal.close()
  }

  // MARK: Inspecting

  /// The state of the recording.
  ///
  /// ```swift
  /// if walk.state == .paused { try await walk.resume() }
  /// ```
  public var state: WalkState { core.withLock { $0.phase } }

  /// The pets that currently take part.
  ///
  /// ```swift
  /// if !walk.pets.contains(mesh.id) { try await walk.join(mesh.id) }
  /// ```
  public var pets: [Pet.ID] { core.withLock { $0.draft.pets } }

  /// A snapshot of the walk.
  ///
  /// ```swift
  /// let progress = walk.current
  /// print(progress.figures.distance, progress.duration, progress.unsavedCount)
  /// ```
  public var current: WalkProgress {
    let uptime = clock.uptime
    return core.withLock { $0.progress(start: start, uptime: uptime) }
  }

  /// The current state of the walk, and its state after each change, such as an accepted fix, and at
  /// each full second of ``WalkProgress/elapsed``.
  ///
  /// A view that shows the times needs no timer of its own. Seconds are those of the diary's clock,
  /// counted from the start of the walk, also during a pause. Nothing runs while nobody listens.
  ///
  /// ```swift
  /// for await progress in walk.progress { print(progress.figures.distance, progress.duration) }
  /// ```
  public var progress: WalkProgressUpdates { WalkProgressUpdates(self) }

  // MARK: Recording

  /// Records a fix.
  ///
  /// ``FixPolicy`` determines whether the fix is accepted. An accepted fix has been written to the
  /// operating system when the method returns. That is one system call of about a microsecond,
  /// without a sync.
  ///
  /// ```swift
  /// let fix = LocationFix(coordinate: here, accuracy: .meters(8), time: .now)
  /// if case .notSaved(let error) = await walk.record(fix) { print(error.message) }
  /// ```
  @discardableResult
  public func record(_ fix: LocationFix) async -> FixResult {
    let (now, uptime) = (clock.now, clock.uptime)
    let outcome = core.withLock { $0.record(fix, now: now, uptime: uptime, in: journal) }
    if outcome.isFirstUnsynced { scheduleFlush() }
    if outcome.isNews { changes.send() }
    return outcome.result
  }

  /// Returns whether the goal is reached, if the user asks: one good fix within the radius
  /// suffices.
  ///
  /// If it is reached, ``GoalProgress/isReached`` becomes `true`.
  ///
  /// ```swift
  /// if case .reached(let place) = await walk.checkGoal() { print("arrived at", place.name) }
  /// ```
  @concurrent
  public func checkGoal() async -> GoalCheck {
    let uptime = clock.uptime
    let (check, isNews) = core.withLock { state in
      let (check, marks) = state.draft.goal.asked()
      guard state.phase == .running || state.phase == .paused, !marks.isEmpty else {
        return (check, false)
      }
      for mark in marks { state.keep(.mark(mark), at: state.elapsed(uptime), in: journal) }
      return (check, true)
    }
    if isNews { changes.send() }
    scheduleFlush()
    return check
  }

  /// Pauses the walk.
  ///
  /// Until it is resumed, neither time nor fixes count.
  ///
  /// ```swift
  /// try await walk.pause()
  /// try await walk.resume()
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.state` if the walk isn't running.
  @concurrent
  public func pause() async throws { try change(.pause, .paused) }

  /// Resumes the walk after a pause, with a new segment of the route.
  ///
  /// - Throws: `FieldError` with the code `walks.state` if the walk isn't paused.
  @concurrent
  public func resume() async throws { try change(.resume, .resumed) }

  /// Adds a pet to the walk.
  ///
  /// As at the start, unknown and archived pets are rejected.
  ///
  /// ```swift
  /// try await walk.join(mesh.id)
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.petIsOut` if the pet is already on this walk or
  ///   on another.
  @concurrent
  public func join(_ pet: Pet.ID) async throws {
    try await saving.admit([pet])
    try await sessions.admitting([pet]) { try self.write { _ in .joined(pet) } }
  }

  /// Removes a pet from the walk, which continues even without pets.
  ///
  /// ```swift
  /// try await walk.leave(mesh.id)  // taken home early
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.unknownPet` if the pet isn't on the walk.
  @concurrent
  public func leave(_ pet: Pet.ID) async throws {
    try write { state in
      guard state.draft.pets.contains(pet) else {
        throw FieldError(.unknownPet, "The pet \(pet) isn't on this walk.")
      }
      return .left(pet)
    }
  }

  /// Adds a note at the location of the last point.
  ///
  /// ```swift
  /// try await walk.addNote("drank from the stream", kind: .water, pet: mesh.id)
  /// ```
  ///
  /// - Throws: `FieldError` if the note can't be written; nothing is added then.
  @concurrent
  public func addNote(
    _ text: String = "", kind: WalkNote.Kind = .note, pet: Pet.ID? = nil
  ) async throws {
    let now = clock.now
    try write(orNothing: true) { state in
      .note(
        WalkNote(
          kind, text: text, time: now, coordinate: state.draft.lastPoint?.coordinate, pet: pet))
    }
  }

  /// Returns the route so far, such as to draw it after an interrupted walk is resumed.
  ///
  /// The method reads the walk's journal. While you record, append each accepted fix to what you
  /// have drawn instead of calling it again. Once the walk is saved, use ``WalkDiary/route(of:)``.
  ///
  /// ```swift
  /// for segment in try await walk.route().segments { show(segment.map(\.coordinate)) }
  /// ```
  ///
  /// - Throws: `FieldError` if the journal can't be read, such as after the walk is saved.
  @concurrent
  public func route() async throws -> WalkRoute {
    // Under the lock, no entry moves from the backlog to the journal meanwhile.
    try core.withLock { try recordedRoute(with: $0.backlog) }
  }

  /// Returns the route from the journal and the entries that couldn't be written yet.
  func recordedRoute(with backlog: [[UInt8]]) throws -> WalkRoute {
    var segments: [[TrackPoint]] = []
    func add(_ bytes: [UInt8], _ payload: Range<Int>) throws {
      guard case .point(let point, let startsSegment) = try WalkEntry(bytes, payload).event else {
        return
      }
      if startsSegment || segments.isEmpty { segments.append([]) }
      segments[segments.count - 1].append(point)
    }
    try journal.forEachEntry(add)
    for bytes in backlog { try add(bytes, JournalScan.prefixSize..<bytes.count) }
    return WalkRoute(segments: segments)
  }
}
