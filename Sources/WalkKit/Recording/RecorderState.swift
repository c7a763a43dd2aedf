internal import FieldCore
internal import FieldFoundation

/// The state of a recorder, protected by its lock.
struct RecorderState: Sendable {
  struct Outcome {
    var result: FixResult
    var isNews = false
    var isFirstUnsynced = false
  }

  /// The maximum number of bytes that wait to be written if the device accepts none, about one day
  /// at a fix per second. Further fixes are rejected, so that memory stays bounded.
  static let largestBacklog = 5_000_000
  /// The maximum drift between date and uptime from one fix to the next, in seconds.
  private static let clockTremble = 1.0

  var phase: WalkState
  var draft: WalkDraft
  var filter: FixFilter
  /// The uptime that ``baseElapsed`` corresponds to.
  var baseUptime: Duration
  var baseElapsed: Int64
  /// The last difference between date and uptime, in seconds.
  private(set) var clockOffset: Double?
  /// The entries that couldn't be written, in order.
  var backlog: [[UInt8]] = []
  var backlogSize = 0
  /// The error that keeps the backlog from being written, or `nil` if the backlog is empty.
  private(set) var writingFailure: FieldError?
  /// The error of the last sync, or `nil` if it succeeded.
  var flushFailure: FieldError?
  var failure: (any Error)?
  var saved: Walk?
  /// Whether the walk being saved is assembled, so that nothing can be added.
  var isAssembled = false
  /// Whether the recorder was closed with its walk unfinished.
  var isClosed = false
  /// The leases that protect the photos from sweeps.
  var leases: [BlobLease] = []
  var flusher: Task<Void, Never>?

  /// The error that keeps the recording from being safe.
  var savingFailure: FieldError? { writingFailure ?? flushFailure }

  func elapsed(_ uptime: Duration) -> Int64 {
    let parts = (uptime - baseUptime).components
    return baseElapsed + parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
  }

  /// Returns the state after an action, unless this state doesn't allow it or the recorder is closed.
  @discardableResult
  func phase(after action: WalkState.Action) throws -> WalkState {
    guard let next = phase.after(action) else { throw phase.refusal(of: action) }
    try checkOpen()
    return next
  }

  func checkOpen() throws {
    if isClosed { throw FieldError(.closed, "The diary of this walk has been closed.") }
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
    switch filter.evaluate(fix, point, now: now) {
    case .reject(let reason): return Outcome(result: .ignored(reason))
    case .keepBack(let reason):
      let distance = draft.goal.distance
      let isNews = observeGoal(point, elapsed(uptime), journal)
      return Outcome(
        result: .ignored(reason), isNews: isNews || draft.goal.distance != distance,
        isFirstUnsynced: isNews)
    case .accept(let startsSegment):
      guard backlogSize < Self.largestBacklog else {
        filter = before
        let refused = FieldError(
          .diskFull,
          "Too much is waiting to be saved, so no more is recorded. Free up storage on the device.",
          underlying: savingFailure)
        return Outcome(result: .notSaved(refused))
      }
      let elapsed = elapsed(uptime)
      let isClean = !journal.isDirty
      let failure = keep(.point(point, startsSegment: startsSegment), at: elapsed, in: journal)
      _ = observeGoal(point, elapsed, journal)
      return Outcome(
        result: failure.map { .notSaved($0) } ?? .accepted, isNews: true,
        isFirstUnsynced: isClean || failure != nil)
    }
  }

  /// Detects that the clock was set back, so that fixes aren't compared with later times.
  ///
  /// Times that are hours ahead need no treatment: they are a gap.
  mutating func noticeClock(_ now: Date, _ uptime: Duration) {
    let offset = now.timeIntervalSinceReferenceDate - uptime / .seconds(1)
    guard offset.isFinite else { return }
    if let clockOffset, clockOffset - offset > Self.clockTremble {
      filter.clockWasSet(by: offset - clockOffset)
    }
    clockOffset = offset
  }

  /// Passes a good fix to the goal and writes its marks; returns whether there were any.
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

  /// Applies an event to the walk and writes it, and returns the error that keeps it from being written.
  ///
  /// - Parameter orNothing: Whether to leave the event out if it can't be written; otherwise, it waits in memory.
  @discardableResult
  mutating func keep(
    _ event: WalkEvent, at elapsed: Int64, in journal: Journal, orNothing: Bool = false
  ) -> FieldError? {
    let entry = WalkEntry(elapsed: elapsed, event: event)
    var failure: FieldError?
    do {
      let bytes = try entry.encoded()
      do throws(FieldError) {
        try writeBacklog(in: journal)
        try journal.append(bytes)
      } catch {
        failure = error
        if !orNothing {
          backlog.append(bytes)
          backlogSize += bytes.count
          writingFailure = error
        }
      }
    } catch {
      failure = FieldError(.invalidInput, "This can't be recorded.", underlying: error)
    }
    if failure == nil || !orNothing { draft.apply(entry) }
    return failure
  }

  /// Tries again to write the backlog, unless the walk is assembled: it contains the backlog, and
  /// mustn't find it in the journal, too.
  mutating func drain(in journal: Journal) {
    guard !isOver, !isAssembled else { return }
    // The state then contains the error.
    _ = try? writeBacklog(in: journal)
  }

  private mutating func writeBacklog(in journal: Journal) throws(FieldError) {
    guard !backlog.isEmpty else { return }
    var count = 0
    defer {
      // Nothing is moved while a full device rejects the first entry.
      if count > 0 { backlog.removeFirst(count) }
      if backlog.isEmpty { writingFailure = nil }
    }
    for bytes in backlog {
      do throws(FieldError) {
        try journal.append(bytes)
      } catch {
        writingFailure = error
        throw error
      }
      backlogSize -= bytes.count
      count += 1
    }
  }

  /// Whether recording has ended: the walk is over, or the recorder was closed.
  var isOver: Bool { phase.isFinal || isClosed }

  /// Releases what was kept for a walk that is over.
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
