internal import FieldCore
internal import FieldFoundation

/// What a recorder knows, behind its lock.
struct RecorderState: Sendable {
  typealias Listener = AsyncStream<Void>.Continuation

  /// What came of recording a fix.
  struct Outcome {
    var result: FixResult
    var listeners: [Listener] = []
    var isFirstUnsynced = false
  }

  /// How many bytes may wait for a device that takes none: a day at a fix a second. After that, fixes are
  /// refused, so that memory is bounded.
  static let largestBacklog = 5_000_000
  /// How far date and uptime may come apart between two fixes, in seconds, without the date being set.
  private static let clockTremble = 1.0

  var phase: WalkState
  var draft: WalkDraft
  var filter: FixFilter
  /// The uptime of the clock that ``baseElapsed`` is of.
  var baseUptime: Duration
  var baseElapsed: Int64
  /// How far the date was ahead of the uptime, in seconds, when that was asked last.
  private var clockOffset: Double?
  /// The entries that could not be written, in order.
  var backlog: [[UInt8]] = []
  var backlogSize = 0
  /// Why what waits could not be written; nil when nothing waits.
  private var writingFailure: FieldError?
  /// Why what was written could not be forced onto the device; nil when it could.
  var flushFailure: FieldError?
  var failure: (any Error)?
  var saved: Walk?
  /// Whether the walk that is being saved is put together, so that nothing can be added.
  var isAssembled = false
  /// Whether the recorder was closed with its walk unfinished.
  var isClosed = false
  /// Keeps the bytes of the photos from sweeps.
  var leases: [BlobLease] = []
  var listeners: [Int: Listener] = [:]
  var lastListener = 0
  var flusher: Task<Void, Never>?

  init(
    phase: WalkState, draft: WalkDraft, filter: FixFilter, baseUptime: Duration, baseElapsed: Int64
  ) {
    self.phase = phase
    self.draft = draft
    self.filter = filter
    self.baseUptime = baseUptime
    self.baseElapsed = baseElapsed
  }

  /// Why not all that was recorded is safe.
  var savingFailure: FieldError? { writingFailure ?? flushFailure }

  /// Milliseconds since the start.
  func elapsed(_ uptime: Duration) -> Int64 {
    let parts = (uptime - baseUptime).components
    return baseElapsed + parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
  }

  func checkOpen() throws {
    if isClosed { throw FieldError(.closed, "the diary of this walk has been closed") }
  }

  mutating func record(
    _ fix: LocationFix, now: Date, uptime: Duration, in journal: Journal
  ) -> Outcome {
    guard phase == .running, !isClosed else {
      return Outcome(result: .ignored(phase == .paused ? .paused : .notRunning))
    }
    let point = fix.point
    noticeClock(now, uptime)
    let before = filter
    switch filter.judge(fix, point, now: now) {
    case .reject(let reason): return Outcome(result: .ignored(reason))
    case .keepBack(let reason):
      let distance = draft.goal.distance
      let isNews = observeGoal(point, elapsed(uptime), journal)
      return Outcome(
        result: .ignored(reason),
        listeners: isNews || draft.goal.distance != distance ? Array(listeners.values) : [],
        isFirstUnsynced: isNews)
    case .accept(let startsSegment):
      guard backlogSize < Self.largestBacklog else {
        filter = before
        return Outcome(result: .notSaved(refused))
      }
      let elapsed = elapsed(uptime)
      let isClean = !journal.isDirty
      let failure = keep(.point(point, startsSegment: startsSegment), at: elapsed, in: journal)
      _ = observeGoal(point, elapsed, journal)
      return Outcome(
        result: failure.map { .notSaved($0) } ?? .accepted,
        listeners: listeners.isEmpty ? [] : Array(listeners.values),
        isFirstUnsynced: isClean || failure != nil)
    }
  }

  /// Notices that the device's clock was set back, so that fixes are not held against later times.
  ///
  /// Times that are hours ahead need no notice: they are a gap.
  mutating func noticeClock(_ now: Date, _ uptime: Duration) {
    let offset = now.timeIntervalSinceReferenceDate - uptime / .seconds(1)
    guard offset.isFinite else { return }
    if let clockOffset, clockOffset - offset > Self.clockTremble {
      filter.clockWasSet(by: offset - clockOffset)
    }
    clockOffset = offset
  }

  private var refused: FieldError {
    FieldError(
      .diskFull,
      "Too much is waiting to be saved, so no more is recorded. Free up storage on the device.",
      underlying: savingFailure)
  }

  /// Tells the goal of a good fix, and writes down what happened; tells whether something has.
  private mutating func observeGoal(
    _ point: TrackPoint, _ elapsed: Int64, _ journal: Journal
  ) -> Bool {
    let marks = draft.goal.observe(point)
    for mark in marks { keep(.mark(mark), at: elapsed, in: journal) }
    return !marks.isEmpty
  }

  /// Ends the segment at the last good fix, which the filter may have kept back.
  mutating func endSegment(_ uptime: Duration, in journal: Journal) {
    guard let point = filter.endSegment(), phase == .running else { return }
    keep(.point(point, startsSegment: false), at: elapsed(uptime), in: journal)
  }

  /// Makes an event a part of the walk, and writes it down; what cannot be written waits.
  ///
  /// - Parameter orNothing: Whether an event that cannot be written is to be no part of the walk.
  /// - Returns: Why it could not be written; nil when it was.
  @discardableResult
  mutating func keep(
    _ event: WalkEvent, at elapsed: Int64, in journal: Journal, orNothing: Bool = false
  ) -> FieldError? {
    let entry = WalkEntry(elapsed: elapsed, event: event)
    let failure = write(entry, in: journal, orNothing: orNothing)
    if failure == nil || !orNothing { draft.apply(entry) }
    return failure
  }

  private mutating func write(
    _ entry: WalkEntry, in journal: Journal, orNothing: Bool
  ) -> FieldError? {
    do {
      let bytes = try entry.encoded()
      do throws(FieldError) {
        try writeBacklog(in: journal)
        try journal.append(bytes)
        return nil
      } catch {
        if !orNothing {
          backlog.append(bytes)
          backlogSize += bytes.count
          writingFailure = error
        }
        return error
      }
    } catch {
      return FieldError(.invalidInput, "This can't be recorded.", underlying: error)
    }
  }

  /// Tries again to write what waits.
  ///
  /// A walk that has been put together has what waits from here, and must not find it in the journal too.
  mutating func drain(in journal: Journal) {
    guard !isOver, !isAssembled else { return }
    // Why it failed is known to the state then.
    _ = try? writeBacklog(in: journal)
  }

  private mutating func writeBacklog(in journal: Journal) throws(FieldError) {
    guard !backlog.isEmpty else { return }
    var count = 0
    defer {
      // Nothing is moved while a full device refuses the first.
      if count > 0 { dropBacklog(count) }
    }
    for bytes in backlog {
      do throws(FieldError) {
        try journal.append(bytes)
      } catch {
        writingFailure = error
        throw error
      }
      count += 1
    }
  }

  private mutating func dropBacklog(_ count: Int) {
    for bytes in backlog.prefix(count) { backlogSize -= bytes.count }
    backlog.removeFirst(count)
    if backlog.isEmpty { writingFailure = nil }
  }

  /// Whether nothing more will be recorded: the walk is over, or the recorder was closed.
  var isOver: Bool { phase.isFinal || isClosed }

  /// Forgets what was kept for a walk that is over.
  mutating func letGo() {
    leases = []
    backlog = []
    backlogSize = 0
    writingFailure = nil
    flushFailure = nil
  }

  func progress(start: Date, uptime: Duration) -> WalkProgress {
    let isGoing = phase == .running || phase == .paused
    let elapsed = isGoing ? elapsed(uptime) : draft.ending?.elapsed ?? draft.elapsed
    let active = isGoing ? draft.active(at: elapsed) : draft.ending?.active ?? draft.active
    return WalkProgress(
      state: phase, start: start, elapsed: .milliseconds(elapsed),
      duration: .milliseconds(active), figures: draft.meter.figures, lastPoint: draft.lastPoint,
      goal: draft.goal.progress, pets: draft.pets, photoCount: draft.photos.count,
      noteCount: draft.notes.count, unsavedCount: backlog.count, savingFailure: savingFailure,
      failure: failure)
  }
}
