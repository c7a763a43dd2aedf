package import FieldFoundation

/// An engine that opens, refreshes, erases, and closes the data of a kit, once for all callers.
///
/// A kit consists of parts, such as tables or feeds. Each part is due separately and fails
/// separately: if a part can't be refreshed, it keeps its data and is due again, while the others
/// are stored.
public final class KitEngine: Sendable {
  /// The actions of a kit besides opening, erasing, and closing its stores.
  package struct Hooks: Sendable {
    /// A closure to call after opening the stores.
    package var opened: @Sendable () async throws -> Void = {}
    /// A closure that erases everything; `nil` if erasing the stores is enough.
    package var erase: (@Sendable () async throws -> Void)?
    /// A closure to call if a refresh can't open the stores.
    package var failedToOpen: @Sendable (any Error) async -> Void = { _ in }
    /// A closure to call before the stores are closed.
    package var closing: @Sendable () async throws -> Void = {}

    package init() {}
  }

  private struct Attempts: Sendable {
    var failures = 0
    var last: Date?
  }

  private struct State: Sendable {
    var attempts: [String: Attempts] = [:]
    var erasures = 0
    var isOpen = false
    var unreportedCuts: [OpeningReport.Cut] = []
  }

  package let name: String
  package let dataSources: [DataSource]
  package let clock: any FieldClock
  private let stores: [any RecordStore]
  private let parts: [RefreshPart]
  private let hooks: Hooks
  private let observers: [FieldObserver]
  private let flight = SingleFlight<RefreshReport>()
  private let broadcast: RefreshBroadcast
  private let opening = AsyncLock()
  private let state = Lock(State())

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - stores: The stores that contain all of the kit's data.
  ///   - parts: The parts to refresh, in this order; the first main part determines the age.
  ///   - observer: The observer of the kit. Defaults to that of its stores.
  package init(
    _ name: String, dataSources: [DataSource] = [], stores: [any RecordStore],
    clock: any FieldClock,
    parts: [RefreshPart], hooks: Hooks = Hooks(), observer: FieldObserver? = nil
  ) {
    self.name = name
    self.dataSources = dataSources
    self.stores = stores
    self.clock = clock
    self.parts = parts
    self.hooks = hooks
    observers = [observer ?? stores.lazy.compactMap(\.observer).first].compactMap(\.self)
    broadcast = RefreshBroadcast(kit: name)
  }
}

// MARK: - Opening, erasing, closing

extension KitEngine {
  package func open() async throws -> OpeningReport {
    try await opening.withLock {
      let report = try await openStores()
      state.withLock { $0.unreportedCuts = [] }
      return report
    }
  }

  /// Opens the stores unless they are open.
  package func openIfNeeded() async throws {
    if state.withLock(\.isOpen) { return }
    try await opening.withLock {
      if state.withLock(\.isOpen) { return }
      let report = try await openStores()
      state.withLock { $0.unreportedCuts = report.cuts }
    }
  }

  private func openStores() async throws -> OpeningReport {
    let report = try await span(.kitOpen).run(\.measures) {
      try await FieldError.wrapping("The \(name) data can't be opened.") {
        var report = OpeningReport(recordCount: 0)
        for (index, store) in stores.enumerated() {
          let part = try await store.open()
          if index == 0 { report = part } else { report.add(part) }
        }
        try await hooks.opened()
        return report
      }
    }
    state.withLock { $0.isOpen = true }
    return report
  }

  /// Runs a closure on the open stores, and wraps its errors in a `FieldError`.
  package func reading<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await openIfNeeded()
    return try await FieldError.wrapping("The \(name) data can't be read.", body)
  }

  /// The damage that opening cut off, until a refresh or ``open()`` has reported it.
  package var unreportedCuts: [OpeningReport.Cut] { state.withLock(\.unreportedCuts) }

  /// Returns the damage that opening cut off, once.
  private func damageNotices() -> [RefreshReport.Notice] {
    state.withLock { state in
      defer { state.unreportedCuts = [] }
      return state.unreportedCuts.map(RefreshReport.Notice.init)
    }
  }

  package func eraseAll() async throws {
    try await erase { [self] in
      if let erase = hooks.erase { return try await erase() }
      for store in stores { try await store.eraseAll() }
    }
  }

  /// Runs a closure that erases data, which ends a refresh in flight.
  package func erase(_ body: () async throws -> Void) async throws {
    try await span(.kitErase).run {
      state.withLock { $0.erasures += 1 }
      try await FieldError.wrapping("The \(name) data can't be erased.", body)
    }
    state.withLock { state in
      state.attempts = [:]
      state.unreportedCuts = []
    }
  }

  /// Creates an operation of the kit, unless there are no observers.
  private func span(
    _ event: FieldEvent.Name, part: String? = nil, in parent: FieldSpan? = nil
  ) -> FieldSpan? {
    FieldSpan(event, of: name, part: part, in: parent, observers: observers, clock: clock)
  }

  package func close() async throws {
    flight.cancel(
      throwing: FieldError(
        .closed, "The \(name) data was closed during the refresh, which was stopped.",
        operation: "\(name).refresh"))
    broadcast.close()
    try await FieldError.wrapping("The \(name) data can't be closed.") {
      var failure: (any Error)?
      do { try await hooks.closing() } catch { failure = error }
      // All stores are closed, even if closing the first fails.
      for store in stores {
        do { try await store.close() } catch { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
  }
}

// MARK: - Refreshing

extension KitEngine {
  package func refreshProgress() -> RefreshProgressUpdates { broadcast.steps() }

  package func nextRefreshDate() async throws -> Date? {
    try await reading {
      var next: Date?
      for part in parts where part.isTimed {
        guard let date = try await nextDate(of: part) else { continue }
        next = min(next ?? date, date)
      }
      return next
    }
  }

  package func lastRefresh() async throws -> Date? {
    try await reading { try await mainPart?.status().lastSuccess }
  }

  /// Returns the number of consecutive failures of a part.
  package func failures(of part: String) -> Int {
    state.withLock { $0.attempts[part]?.failures ?? 0 }
  }

  private var mainPart: RefreshPart? { parts.first(where: \.isMain) ?? parts.first }

  private func nextDate(of part: RefreshPart) async throws -> Date? {
    if let schedule = part.schedule { return try await schedule() }
    let status = try await part.status()
    let attempts = state.withLock { $0.attempts[part.name] } ?? Attempts()
    return part.policy.nextDate(
      lastSuccess: status.isComplete ? status.lastSuccess : nil, now: clock.now,
      failures: attempts.failures, lastAttempt: attempts.last)
  }

  /// Refreshes the parts that are due.
  ///
  /// - Parameter reportsDamage: Pass `false` if nobody reads the report, so that the damage stays
  ///   in the views until another report contains it.
  package func refresh(
    _ when: RefreshTrigger, reportsDamage: Bool = true
  ) async throws -> RefreshReport {
    // If every part is fetched on every visit, a run if due does all that a forced one does.
    let isWhole = when == .ifDue && !parts.contains(where: \.isTimed)
    var hasJoined = false
    var report = try await flight.run(
      level: isWhole ? RefreshTrigger.now.level : when.level,
      // A run in flight accepts less.
      isAlone: when.acceptedRemovals > 0,
      joined: {
        hasJoined = true
        span(.refreshJoin)?.occur()
      }
    ) { [self] in
      let span = span(.refresh)
      span?.begin()
      do {
        var report = try await run(when, span)
        if reportsDamage { report.notices += damageNotices() }
        if !parts.isEmpty || !report.notices.isEmpty {
          broadcast.send(.finished, 1, rows: report.rows, outcome: .finished(report))
        }
        span?.end(report.measures, outcome: report.outcome.rawValue)
        return report
      } catch {
        let wrapped = FieldError.wrapping(
          error, as: .transport, "The \(name) data can't be refreshed.",
          operation: "\(name).refresh")
        span?.fail(wrapped)
        broadcast.send(.finished, 1, outcome: RefreshProgress.Outcome(of: wrapped))
        throw wrapped
      }
    }
    // The joined run may be one without a reader, which has left the damage unreported.
    if hasJoined, reportsDamage { report.notices += damageNotices() }
    return report
  }

  private func run(_ when: RefreshTrigger, _ span: FieldSpan?) async throws -> RefreshReport {
    do {
      try await openIfNeeded()
    } catch {
      await hooks.failedToOpen(error)
      throw error
    }
    let erasures = state.withLock(\.erasures)
    return try await RunErasures.$current.withValue(try await RunErasures(of: stores)) {
      try await runParts(when, span, erasures)
    }
  }

  private func runParts(
    _ when: RefreshTrigger, _ span: FieldSpan?, _ erasures: Int
  ) async throws -> RefreshReport {
    var (due, recordCount) = ([RefreshPart](), 0)
    for part in parts {
      if try await isDue(part, when) {
        due.append(part)
      } else {
        recordCount += try await part.status().recordCount
      }
    }
    guard !due.isEmpty else {
      return RefreshReport(outcome: .notDue, unchanged: recordCount, date: clock.now)
    }
    var reports: [RefreshReport] = []
    var failures: [(part: RefreshPart, error: FieldError)] = []
    for (index, part) in due.enumerated() {
      let partSpan = self.span(.refreshPart, part: part.name, in: span)
      partSpan?.begin()
      do {
        try await checkErasures(erasures)
        let progress = RefreshPart.Progress(
          trigger: when, broadcast: broadcast, span: partSpan, index: index,
          partCount: due.count)
        progress.send(.requesting, 0.05)
        let report = try await part.work(progress)
        reports.append(report)
        // A source without rows stores nothing whose age could count; it is queried again soon, but
        // not on every refresh.
        try await note(part, failed: !part.status().isComplete)
        partSpan?.end(report.measures, outcome: report.outcome.rawValue)
      } catch {
        failures.append((part, try failure(error, of: part, partSpan)))
        // Erasing ends the run, but it isn't a failure of the source that would delay the next
        // attempt.
        try await checkErasures(erasures)
        note(part, failed: true)
      }
    }
    return try merged(reports, failures)
  }

  private func isDue(_ part: RefreshPart, _ when: RefreshTrigger) async throws -> Bool {
    // A source with its own schedule is always called.
    if when.isForced || part.schedule != nil { return true }
    guard part.isTimed else { return when == .ifDue }
    return try await nextDate(of: part).map { $0 <= clock.now } ?? false
  }

  /// Throws an error if this kit, or another one with its stores, was erased since the run began.
  private func checkErasures(_ erasures: Int) async throws {
    guard state.withLock(\.erasures) == erasures, try await RunErasures.current.apply(to: stores)
    else { throw FieldError.erasedInRun }
  }

  private func note(_ part: RefreshPart, failed: Bool) {
    state.withLock { state in
      guard failed else { return state.attempts[part.name] = nil }
      state.attempts[part.name, default: Attempts()].failures += 1
      state.attempts[part.name]?.last = clock.now
    }
  }

  /// Returns the error of a part, but throws a cancellation.
  private func failure(
    _ error: any Error, of part: RefreshPart, _ span: FieldSpan?
  ) throws -> FieldError {
    let wrapped = FieldError.wrapping(
      error, as: .transport, "The \(part.name) can't be refreshed.",
      operation: parts.count == 1 ? "\(name).refresh" : "\(name).\(part.name)")
    span?.fail(wrapped)
    guard let failure = wrapped as? FieldError else { throw wrapped }
    return failure
  }

  /// Throws the error of the main part, or of all parts; other failures become notices.
  private func merged(
    _ reports: [RefreshReport], _ failures: [(part: RefreshPart, error: FieldError)]
  ) throws -> RefreshReport {
    let main = failures.first { $0.part.name == mainPart?.name }
    if let (part, error) = main ?? (reports.isEmpty ? failures.first : nil) {
      var error = error
      for other in failures where other.part.name != part.name {
        error.problems.append("\(other.part.name): \(other.error)")
      }
      throw error
    }
    guard var report = reports.first else {
      return RefreshReport(outcome: .notDue, date: clock.now)
    }
    for part in reports.dropFirst() {
      if part.outcome == .updated || report.outcome == .notModified {
        report.outcome = part.outcome
      }
      report.addCounts(of: part)
      report.origin = report.origin ?? part.origin
    }
    report.date = clock.now
    for (part, error) in failures {
      report.notices.append(
        RefreshReport.Notice(
          .partFailed, "The \(part.name) keep their previous content and are due again: \(error)",
          refusedRemoval: error.refusedRemoval))
    }
    return report
  }
}

extension RefreshReport.Notice {
  init(_ cut: OpeningReport.Cut) {
    let place = cut.savedAs.map { "The part was saved as \($0.path)." } ?? "It wasn't saved."
    self.init(
      .damaged,
      "\(cut.file.path) was damaged: \(cut.byteCount) bytes at \(cut.offset) were cut off "
        + "(\(cut.reason)). \(place)")
  }
}

extension RefreshReport.Notice.Code {
  /// A part of the kit couldn't be refreshed, but the others could.
  public static var partFailed: Self { Self(rawValue: "refresh.partFailed") }
  /// Opening a store cut off a damaged part, which was saved where the message says.
  public static var damaged: Self { Self(rawValue: "store.damaged") }
}

extension OpeningReport {
  /// Adds the damage found in another store, but keeps the revision.
  package mutating func add(_ other: OpeningReport) {
    recordCount += other.recordCount
    byteCount += other.byteCount
    cuts += other.cuts
    removedLeftovers += other.removedLeftovers
    setAside += other.setAside
  }
}
