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

// MARK: - Changing

extension WalkRecorder {
  /// Changes the state, writes the event, and syncs the journal. An event that can't be written
  /// waits in memory, so a full device doesn't end a walk.
  func change(_ action: WalkState.Action, _ event: WalkEvent) throws {
    try Task.checkCancellation()
    let (now, uptime) = (clock.now, clock.uptime)
    try core.withLock { state in
      let next = try state.phase(after: action)
      state.endSegment(uptime, in: journal)
      state.keep(event, at: state.elapsed(uptime), in: journal)
      if action == .resume {
        state.noticeClock(now, uptime)
        state.filter.resume(at: now)
      }
      state.phase = next
    }
    flush()
    changes.send()
  }

  /// Resumes a walk that was interrupted when the app quit, in a new segment.
  func goOn() {
    let (now, uptime) = (clock.now, clock.uptime)
    core.withLock { state in
      let since = now.timeIntervalSince(start) * 1000
      if since < 1e13 {
        state.baseElapsed = max(state.baseElapsed, Int64(limiting: since.rounded(.towardZero)))
      }
      state.baseUptime = uptime
      for entry in state.draft.unwrittenMarks {
        state.keep(entry.event, at: entry.elapsed, in: journal)
      }
      state.keep(.recovered, at: state.elapsed(uptime), in: journal)
      state.filter.resume(at: now)
      state.phase = .running
    }
    flush()
  }

  /// Writes an event of a running or paused walk, and syncs the journal.
  ///
  /// - Parameters:
  ///   - lease: The lease of a photo, whose bytes have been stored.
  ///   - orNothing: Whether to throw and leave the event out if it can't be written; otherwise, it waits in memory.
  func write(
    _ lease: BlobLease? = nil, orNothing: Bool = false,
    _ event: (RecorderState) throws -> WalkEvent
  ) throws {
    if lease == nil { try Task.checkCancellation() }
    let uptime = clock.uptime
    let failure = try core.withLock { state in
      // Finishing waits for photos that are being added; discarding doesn't.
      let isInTime = lease != nil && state.phase == .saving && !state.isAssembled
      if isInTime { try state.checkOpen() } else { try state.phase(after: .add) }
      let failure = state.keep(
        try event(state), at: state.elapsed(uptime), in: journal, orNothing: orNothing)
      if let lease, failure == nil { state.leases.append(lease) }
      return failure
    }
    flush()
    changes.send()
    if orNothing, let failure { throw failure }
  }

  // MARK: Syncing

  /// Syncs the journal, and schedules the next sync if something is left.
  func flush() {
    sync()
    scheduleFlush()
  }

  /// Syncs the journal; a failure appears in the progress until a later attempt succeeds.
  private func sync() {
    let hadFailed = core.withLock { state in
      defer { state.drain(in: journal) }
      return state.savingFailure != nil
    }
    let flushed = Result { () throws(FieldError) in try journal.flush() }
    let isNews = core.withLock { state in
      switch flushed {
      case .success: state.flushFailure = nil
      case .failure(let error): if !state.isOver { state.flushFailure = error }
      }
      return hadFailed || state.savingFailure != nil
    }
    if isNews { changes.send() }
  }

  /// Schedules a sync of what was written, by one task that ends with the walk or the recorder.
  func scheduleFlush() {
    core.withLock { state in
      guard state.flusher == nil, !state.isOver,
        journal.isDirty || !state.backlog.isEmpty
      else { return }
      state.flusher = Task { [weak self, clock, interval = options.flushInterval] in
        do {
          try await clock.sleep(for: interval)
        } catch {
          return  // cancelled by the recorder, which has flushed or is gone
        }
        guard let self else { return }
        self.sync()
        self.core.withLock { $0.flusher = nil }
        self.scheduleFlush()
      }
    }
  }

  // MARK: Suspension

  /// Writes pending entries and releases the journal's lock.
  func suspend() throws(FieldError) {
    flush()
    try journal.suspend()
  }

  /// Takes the journal's lock again, and writes the entries that are pending.
  func resumeRecording() throws(FieldError) {
    do throws(FieldError) {
      try journal.resume()
    } catch  where error.code == .busy || error.code == .conflict {
      throw FieldError(
        .walkIsTaken, "Another process has continued or finished the walk \(id).",
        underlying: error)
    }
    flush()
  }

  // MARK: Observing

  /// Returns a stream of signals, one now, one after each change, and one at each second of the walk,
  /// keeping at most one.
  func listen() -> AsyncStream<Void> {
    if let (number, stream) = changes.listen(ended: { [weak self] in self?.stopTicking($0) }) {
      startTicking(for: number)
      return stream
    }
    return AsyncStream { listener in
      listener.yield()
      listener.finish()
    }
  }

  /// Notifies all listeners of the last change, and ends their streams.
  func finishListeners() {
    let flusher = core.withLock { state in
      defer { state.flusher = nil }
      return state.flusher
    }
    flusher?.cancel()
    changes.send()
    changes.close()
  }
}

// MARK: - Finishing

extension WalkRecorder {
  /// Ends the walk and saves it in the diary.
  ///
  /// If saving fails, the walk is ``WalkState/failed``: the recording and the photos are kept, and
  /// you can call the method again; the walk keeps its original end. After the walk is saved,
  /// further calls return the saved walk.
  ///
  /// If the bytes of a photo are missing or damaged, the walk is saved without them, and
  /// ``WalkDiary/photo(_:)`` throws `walks.blobMissing` for that photo.
  ///
  /// ```swift
  /// let finished = try await walk.finish(weather: .clear, dust: .good)
  /// print(finished.distance, finished.movingTime, finished.reward as Any)
  /// ```
  ///
  /// - Parameters:
  ///   - weather: The weather, or `nil` to keep that of an earlier attempt, if any.
  ///   - dust: The fine dust grade, or `nil` to keep that of an earlier attempt, if any.
  ///   - air: The measured air quality, or `nil` to keep that of an earlier attempt, if any.
  /// - Returns: The walk as it is stored in the diary.
  /// - Throws: `FieldError` with the code `walks.operationInProgress` while another call is
  ///   saving the walk, or `walks.state` if it was discarded, or if it is running and
  ///   ``RecordingOptions/allowsFinishingWhileRunning`` is `false`; or the error that saving
  ///   caused.
  @concurrent
  @discardableResult
  public func finish(
    weather: WalkWeather? = nil, dust: DustGrade? = nil, air: AirQuality? = nil
  ) async throws -> Walk {
    try await finish { ending in
      ending.weather = weather ?? ending.weather
      ending.dust = dust ?? ending.dust
      ending.air = air ?? ending.air
    }
  }

  /// Ends the walk. `complete` adjusts its ending, which is now or that of an earlier attempt.
  func finish(_ complete: @Sendable (inout WalkEnding) -> Void) async throws -> Walk {
    try Task.checkCancellation()
    if let saved = try beginSaving(complete) { return saved }
    do {
      // Wait for photos that are already being added.
      await photoLock.withLockUncancellably {}
      let saved = try await saving.save(try assemble())
      await sessions.release(photos)
      endSaving(.success(saved))
      await sessions.ended(self)
      return saved
    } catch {
      let error = FieldError.wrapping(error, as: .io, "The walk couldn't be saved.")
      endSaving(.failure(error))
      throw error
    }
  }

  /// Discards the walk and its photos.
  ///
  /// If the device fails to sync the removal and then loses power, the walk may be found as unfinished again.
  ///
  /// ```swift
  /// if walk.current.figures.pointCount < 2 { try await walk.discard() }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.state` if the walk is already saved, or the
  ///   error that kept the journal from being removed; the walk is then unchanged.
  @concurrent
  public func discard() async throws {
    try Task.checkCancellation()
    let photos = state.after(.discard) == nil ? [] : photos
    await sessions.release(photos)
    do {
      try core.withLock { state in
        let next = try state.phase(after: .discard)
        // Nobody may see a walk as discarded while its journal still exists.
        try journal.remove()
        state.phase = next
        state.letGo()
      }
    } catch {
      await sessions.claim(photos)
      throw error
    }
    finishListeners()
    await sessions.ended(self)
  }

  var isOver: Bool { core.withLock { $0.isOver } }

  var photos: Set<BlobID> { core.withLock { Set($0.draft.photos.map(\.blob)) } }

  /// Closes the recorder and leaves the walk unfinished.
  func close() {
    flush()
    core.withLock { state in
      state.isClosed = true
      state.leases = []
    }
    finishListeners()
    journal.close()
  }

  /// Enters the saving state; returns the walk if it is already saved.
  private func beginSaving(_ complete: (inout WalkEnding) -> Void) throws -> Walk? {
    let uptime = clock.uptime
    let saved = try core.withLock { state -> Walk? in
      if let saved = state.saved { return saved }
      let next = try state.phase(after: .finish)
      if state.phase == .running, !options.allowsFinishingWhileRunning {
        throw FieldError(.walkState, "The walk is still running. Pause it before you finish it.")
      }
      state.endSegment(uptime, in: journal)
      let elapsed = state.elapsed(uptime)
      var ending =
        state.draft.ending
        ?? WalkEnding(elapsed: elapsed, active: state.draft.active(at: elapsed))
      complete(&ending)
      state.keep(.ending(ending), at: elapsed, in: journal)
      state.phase = next
      state.isAssembled = false
      state.failure = nil
      return nil
    }
    if saved != nil { return saved }
    flush()
    changes.send()
    return nil
  }

  private func assemble() throws -> FinishedWalk {
    let (draft, backlog) = core.withLock { state in
      state.isAssembled = true
      return (state.draft, state.backlog)
    }
    guard let ending = draft.ending else {
      throw FieldError(.walkState, "The walk hasn't ended yet.")
    }
    return FinishedWalk(
      walk: draft.walk(ending), route: try recordedRoute(with: backlog), photos: draft.photos,
      drafts: try sessions.drafts())
  }

  private func endSaving(_ result: Result<Walk, any Error>) {
    core.withLock { state in
      switch result {
      case .success(let walk):
        state.phase = .saved
        state.saved = walk
        state.letGo()
      case .failure(let error):
        state.phase = .failed
        state.failure = error
        state.isAssembled = false
      }
    }
    guard case .success = result else { return changes.send() }
    finishListeners()
    // If the journal can't be removed, the next recovery recognizes that its walk is saved.
    _ = try? journal.remove()
    journal.close()
  }
}

// MARK: - Photos

extension WalkRecorder {
  /// Adds a photo at the location of the last point.
  ///
  /// When the method returns, the photo is synced to the device, and the walk refers to it. Photos
  /// are ordered by when the calls were made, regardless of their size. Calls from one actor keep
  /// their order, even if it doesn't wait for each.
  ///
  /// ```swift
  /// try await walk.addPhoto(jpeg)
  /// ```
  ///
  /// - Parameter bytes: The photo as a `Data` or an array. It is stored without further
  ///   compression.
  /// - Throws: `FieldError` if the photo couldn't be stored or the walk is over, or
  ///   `CancellationError` if the task was canceled before the photo was stored. Nothing is added
  ///   then.
  @discardableResult
  public func addPhoto(_ bytes: some Sequence<UInt8>) async throws -> DraftPhoto {
    let bytes = Array(bytes)
    guard !bytes.isEmpty else { throw FieldError(.invalidInput, "The photo is empty.") }
    let now = clock.now
    let coordinate = try core.withLock { state in
      try state.phase(after: .add)
      return state.draft.lastPoint?.coordinate
    }
    // Enter the queue here, where the call is made, and not later on another executor.
    return try await photoLock.withLock {
      try await self.store(bytes, takenAt: now, at: coordinate)
    }
  }

  @concurrent
  private func store(
    _ bytes: [UInt8], takenAt date: Date, at coordinate: Coordinate?
  ) async throws -> DraftPhoto {
    let lease = try await sessions.drafts().put(bytes)
    let photo = DraftPhoto(
      id: WalkPhoto.ID(rawValue: sessions.newID()), blob: lease.id, takenAt: date,
      coordinate: coordinate)
    try write(lease, orNothing: true) { _ in .photo(photo) }
    await sessions.claim([lease.id])
    return photo
  }
}
