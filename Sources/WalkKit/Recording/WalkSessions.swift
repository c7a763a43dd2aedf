internal import FieldCore
internal import FieldFoundation

/// The walks that are being recorded, and those that were interrupted when the app quit.
///
/// Each walk has its own journal, whose lock the recorder holds. A journal without an owner is an
/// unfinished walk, whichever process began it.
final class WalkSessions: Sendable {
  /// The journals and photos of walks that aren't saved yet.
  typealias Places = (journals: JournalDirectory, drafts: any BlobStore)

  private struct Live: Sendable {
    weak let recorder: WalkRecorder?
  }

  private struct State: Sendable {
    var live: [Walk.ID: Live] = [:]
    var cuts: [OpeningReport.Cut] = []
    var failures: [Walk.ID: FieldError] = [:]
    var isClosed = false
    var isSuspended = false
  }

  let clock: any FieldClock
  let options: RecordingOptions
  let newID: @Sendable () -> String
  private let findPlaces: @Sendable () throws -> Places
  private let foundPlaces = Lock<Places?>(nil)
  private let random: @Sendable () -> Double
  private let asyncLock = AsyncLock()
  private let state = Lock(State())

  /// Creates the sessions of a storage without opening it.
  ///
  /// - Parameter random: Returns a number from 0 up to but not including 1, for random goals.
  convenience init(
    storage: Storage, clock: any FieldClock = .system, options: RecordingOptions = .standard,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.init(
      findPlaces: { (try storage.journals("walks"), try storage.blobs("walk-drafts")) },
      clock: clock, options: options, random: random)
  }

  /// Creates sessions whose journals and photos are found on first use.
  init(
    findPlaces: @escaping @Sendable () throws -> Places, clock: any FieldClock,
    options: RecordingOptions = .standard,
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
    newID: @escaping @Sendable () -> String = { UUID().uuidString }
  ) {
    self.findPlaces = findPlaces
    self.clock = clock
    self.options = options
    self.random = random
    self.newID = newID
  }

  /// Returns the journals and the drafts, which are requested from the storage on first use.
  private func places() throws -> Places {
    try foundPlaces.withLock { found in
      if let found { return found }
      let places = try findPlaces()
      found = places
      return places
    }
  }

  func journals() throws -> JournalDirectory { try places().journals }

  func drafts() throws -> any BlobStore { try places().drafts }

  /// Starts a walk; when the method returns, its start is synced to the device.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if there are no pets, or
  ///   `walks.petIsOut` if one of them is on another walk of this process.
  @concurrent
  func start(
    pets: [Pet.ID], goal: WalkGoal? = nil, saving: any WalkSaving
  ) async throws -> WalkRecorder {
    let unique = pets.uniqued()
    guard !unique.isEmpty else { throw FieldError(.invalidInput, "A walk needs at least one pet.") }
    return try await admitting(unique) { try self.begin(unique, goal, saving) }
  }

  private func begin(
    _ pets: [Pet.ID], _ goal: WalkGoal?, _ saving: any WalkSaving
  ) throws -> WalkRecorder {
    let (place, candidates) = choose(goal)
    let beginning = WalkBeginning(
      id: Walk.ID(rawValue: newID()), start: clock.now, zone: options.zone, pets: pets,
      goal: place, candidates: candidates)
    let entry = WalkEntry(elapsed: 0, event: .begun(beginning))
    let journal = try journals().make(
      beginning.id.rawValue, WalkEntry.header, first: try entry.encoded())
    let recorder = WalkRecorder(
      WalkDraft(beginning, goals: options.goals), journal: journal, saving: saving,
      sessions: self, phase: .running)
    enlist(recorder)
    return recorder
  }

  /// Returns the goal if it is known now, and the candidates for the nearest place.
  private func choose(_ goal: WalkGoal?) -> (Place?, [Place]) {
    switch goal?.choice {
    case nil: return (nil, [])
    case .place(let place): return (place, [])
    case .nearest(let places): return (nil, places)
    case .random(let places):
      guard !places.isEmpty else { return (nil, []) }
      let drawn = random()
      let place = drawn > 0 && drawn < 1 ? Int(drawn * Double(places.count)) : 0
      return (places[min(place, places.count - 1)], [])
    }
  }

  // MARK: Active walks

  /// The recorders of this process whose walks aren't over.
  var recorders: [WalkRecorder] {
    state.withLock { state in
      state.live = state.live.filter { $0.value.recorder != nil }
      return state.live.values.compactMap(\.recorder)
    }
  }

  func enlist(_ recorder: WalkRecorder) {
    let isSuspended = state.withLock { state in
      state.live[recorder.id] = Live(recorder: recorder)
      return state.isSuspended
    }
    // A lock that can't be released is held until the walk ends.
    if isSuspended { _ = try? recorder.suspend() }
  }

  /// Writes pending entries and releases the locks of all journals during a suspension.
  @concurrent
  func suspend() async throws {
    state.withLock { $0.isSuspended = true }
    try forEachRecorder { recorder throws(FieldError) in try recorder.suspend() }
  }

  /// Takes the locks of all journals again.
  ///
  /// - Throws: `walks.taken` if another process has continued one of the walks.
  @concurrent
  func resume() async throws {
    state.withLock { $0.isSuspended = false }
    try forEachRecorder { recorder throws(FieldError) in try recorder.resumeRecording() }
  }

  /// Calls `body` with all recorders, and then throws the first error.
  private func forEachRecorder(_ body: (WalkRecorder) throws(FieldError) -> Void) throws {
    var failure: FieldError?
    for recorder in recorders {
      do throws(FieldError) {
        try body(recorder)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Runs `body`, one call at a time, unless one of the pets is already on a walk.
  func admitting<Result: Sendable>(
    _ pets: [Pet.ID], _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    try await asyncLock.withLock {
      if self.state.withLock({ $0.isClosed }) {
        throw FieldError(.closed, "The diary has been closed.")
      }
      let out = Set(self.recorders.filter { !$0.state.isFinal }.flatMap(\.pets))
      if let pet = pets.first(where: out.contains) {
        throw FieldError(.petIsOut, "The pet \(pet) is already on a walk. Finish that walk first.")
      }
      return try await body()
    }
  }

  /// Removes a recorder whose walk is over, and cleans up its photos.
  func ended(_ recorder: WalkRecorder) async {
    state.withLock { $0.live[recorder.id] = nil }
    await tidy(after: recorder.photos)
  }

  // MARK: Unfinished walks

  /// The parts of journals that were cut off or set aside, which are saved next to them.
  var cuts: [OpeningReport.Cut] { state.withLock { $0.cuts } }

  /// The walks whose journals couldn't be read at the last attempt, for example because newer code
  /// wrote them.
  ///
  /// The journals are left unchanged.
  var failures: [Walk.ID: FieldError] { state.withLock { $0.failures } }

  func forgetFailures() { state.withLock { $0.failures = [:] } }

  /// Returns the unfinished walks that nobody is recording, oldest first.
  ///
  /// Each walk stays unchanged until it is resumed, finished, or discarded. A walk that was saved
  /// just before the app quit isn't among them.
  @concurrent
  func unfinished(saving: any WalkSaving) async throws -> [UnfinishedWalk] {
    try await admitting([]) {
      self.forgetFailures()
      var found: [UnfinishedWalk] = []
      for name in try self.journals().names() {
        if let walk = try await self.unfinished(Walk.ID(rawValue: name), saving) {
          found.append(walk)
        }
      }
      await self.tidy()
      return found.sorted { ($0.start, $0.id.rawValue) < ($1.start, $1.id.rawValue) }
    }
  }

  private func unfinished(_ id: Walk.ID, _ saving: any WalkSaving) async throws -> UnfinishedWalk? {
    guard let (draft, journal) = try take(id) else { return nil }
    // Nobody owns the journal until the user decides.
    defer { journal.close() }
    if try await saving.savedWalk(id) != nil {
      // A journal that can't be removed doesn't affect the others; the next search tries again.
      _ = try? await removeSaved(id, draft, journal, saving)
      return nil
    }
    return UnfinishedWalk(draft, sessions: self, saving: saving)
  }

  /// Removes what is left of the recording of a saved walk, which would be unfinished without the walk.
  @concurrent
  func removeRest(of id: Walk.ID, _ saving: any WalkSaving) async throws {
    try await admitting([]) {
      guard let (draft, journal) = try self.take(id) else { return }
      defer { journal.close() }
      try await self.removeSaved(id, draft, journal, saving)
    }
  }

  /// Removes the journal of a saved walk, if a power failure can't remove the walk.
  private func removeSaved(
    _ id: Walk.ID, _ draft: WalkDraft, _ journal: Journal, _ saving: any WalkSaving
  ) async throws {
    guard try await saving.durableWalk(id) != nil else { return }
    await release(Set(draft.photos.map(\.blob)))
    try journal.remove()
  }

  /// Takes ownership of a walk's journal.
  ///
  /// Returns `nil` if the journal has an owner, doesn't exist, or can't be read. The error of an
  /// unreadable journal is stored in the failures, and doesn't affect the others.
  private func take(_ id: Walk.ID) throws -> (WalkDraft, Journal)? {
    let journals = try journals()
    // A recorder of this process may have released its lock.
    if let recorder = state.withLock({ $0.live[id]?.recorder }), !recorder.isOver { return nil }
    state.withLock { $0.failures[id] = nil }
    do {
      return try take(id, of: journals)
    } catch let error as FieldError where error.code != .readOnly {
      state.withLock { $0.failures[id] = error }
      return nil
    }
  }

  private func take(_ id: Walk.ID, of journals: JournalDirectory) throws -> (WalkDraft, Journal)? {
    switch try journals.open(id.rawValue, kind: WalkEntry.header.kind) {
    case .owned, .gone: return nil
    case .setAside(let cut):
      state.withLock { $0.cuts.append(cut) }
      return nil
    case .opened(let opened):
      if let cut = opened.cut { state.withLock { $0.cuts.append(cut) } }
      if opened.payloads.isEmpty, opened.header.kindVersion <= WalkEntry.header.kindVersion {
        // Damaged from the first entry; all its bytes are saved next to it.
        try opened.journal.remove()
        return nil
      }
      do {
        return (try Self.draft(opened, goals: options.goals), opened.journal)
      } catch {
        opened.journal.close()
        throw error
      }
    }
  }

  private static func draft(
    _ opened: JournalDirectory.Opened, goals: GoalPolicy
  ) throws -> WalkDraft {
    guard opened.header.kindVersion <= WalkEntry.header.kindVersion else {
      throw FieldError(.newerFormat, "A newer version wrote the walk's journal. Update the app.")
    }
    guard let first = opened.payloads.first,
      case .begun(let beginning) = try WalkEntry(opened.bytes, first).event
    else { throw FieldError(.damaged, "The walk's journal doesn't begin with its start.") }
    var draft = WalkDraft(beginning, goals: goals)
    for payload in opened.payloads.dropFirst() { draft.apply(try WalkEntry(opened.bytes, payload)) }
    draft.observeLastPoint()
    return draft
  }

  func reopen(_ id: Walk.ID, saving: any WalkSaving) throws -> WalkRecorder {
    guard let (draft, journal) = try take(id) else {
      if let failure = failures[id] { throw failure }
      throw FieldError(
        .walkIsTaken,
        "The walk \(id) has another recorder or is finished. Fetch the unfinished walks again.")
    }
    let recorder = WalkRecorder(
      draft, journal: journal, saving: saving, sessions: self, phase: .paused)
    enlist(recorder)
    return recorder
  }

  // MARK: Closing

  /// Closes the recorders of this process, leaving their walks unfinished.
  func close() async throws {
    await asyncLock.withLockUncancellably {
      self.state.withLock { $0.isClosed = true }
      for recorder in self.recorders { recorder.close() }
    }
  }
}

// MARK: - Tidying

extension WalkSessions {
  /// Discards all unfinished walks, including those that this process is recording, and damaged
  /// journals that were set aside.
  ///
  /// If a walk is being saved, the method waits, and the saved walk stays.
  ///
  /// - Returns: The walks that other processes are recording, which stay.
  @concurrent
  func eraseAll() async throws -> [Walk.ID] {
    try await admitting([]) {
      let photos = try self.photos(rescue: { _ in [] })
      for recorder in self.recorders { try await self.giveUp(recorder) }
      let taken = try self.journals().eraseAll()
      let kept = taken.isEmpty ? [] : try self.photos()
      // A sweep spares recent photos, but none of these may stay.
      for photo in photos.subtracting(kept) { try await self.drafts().remove(photo) }
      // The photos of damaged journals are claimed, but nothing else refers to them.
      try await self.drafts().sweep(keepingThoseOf: { try self.photos() })
      self.forgetFailures()
      return taken.map(Walk.ID.init(rawValue:))
    }
  }

  private func giveUp(_ recorder: WalkRecorder) async throws {
    while !recorder.isOver {
      do {
        try await recorder.discard()
      } catch let error as FieldError where error.code == .operationInProgress {
        for await progress in recorder.progress where progress.state != .saving { break }
      } catch  where recorder.isOver {
        // Saved, discarded, or closed meanwhile; the journal of a closed one is erased with the others.
      }
    }
  }

  /// Removes everything that is no longer referenced, ignoring errors.
  ///
  /// What can't be removed now is removed after the next walk, or at the next search for unfinished ones.
  ///
  /// - Parameter photos: The photos of a walk that is over, which a sweep would spare for a while.
  func tidy(after photos: Set<BlobID> = []) async {
    do {
      try journals().removeLeftovers()
      // A journal that can't be read may refer to any photo, so nothing is removed then.
      let released = photos.subtracting(try self.photos())
      let kept = try journals().mentioned(among: released)
      for photo in released.subtracting(kept) { try await drafts().remove(photo) }
      try await drafts().sweepUnclaimed(releasing: released) {
        let kept = try self.photos()
        // Asked last, because a part is set aside before it is cut off.
        return try self.journals().hasSetAside() ? nil : kept
      }
    } catch {}
  }

  /// Claims photos that journals refer to. If that fails, the next search for unfinished walks does
  /// it.
  func claim(_ photos: Set<BlobID>) async { try? await drafts().claim(photos) }

  /// Releases photos whose journal is about to be removed, so that a later search removes what this
  /// process can't. If that fails, the photos stay.
  func release(_ photos: Set<BlobID>) async {
    guard !photos.isEmpty else { return }
    try? await drafts().release(photos)
  }

  /// Returns the photos that the journals refer to.
  ///
  /// - Parameter rescue: Returns the photos of a journal that can't be read. By default, it
  ///   throws the error.
  private func photos(
    rescue: (any Error) throws -> Set<BlobID> = { throw $0 }
  ) throws -> Set<BlobID> {
    let journals = try journals()
    return try journals.names().reduce(into: []) { all, name in
      do {
        guard let (bytes, payloads) = try journals.peek(name) else { return }
        all.formUnion(try payloads.compactMap { try WalkEntry.photo(bytes, $0) })
      } catch {
        all.formUnion(try rescue(error))
      }
    }
  }
}
