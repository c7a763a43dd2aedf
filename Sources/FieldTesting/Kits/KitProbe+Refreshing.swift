internal import FieldCore
internal import FieldFoundation

// MARK: - Refreshing

extension KitProbe {
  func refresh() async throws {
    let kit = try make()
    guard try await fetches(kit) else { return }
    let due = try await kit.nextRefreshDate
    try require(due.map { $0 <= clock.now } ?? true, "a kit that was never refreshed isn't due")
    let report = try await kit.refresh()
    try require(report.outcome == .updated, "the first refresh reported \(report.outcome)")
    try require(report.added > 0, "the first refresh reported no added record")
    try require(report.date == clock.now, "the report is of \(report.date)")
    try require(try await kit.lastRefresh == clock.now, "the age isn't that of the refresh")
    let again = try await kit.refresh(.now)
    try require(
      [.unchanged, .notModified].contains(again.outcome) || again.updated + again.added == 0,
      "the same data again reported \(again.outcome)")
    try await kit.close()
  }

  func confirmation() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    let before = try await content(kit)
    for isConditional in [false, true] {
      if isConditional {
        // The tags come with this refresh.
        transport.setConditional()
        try await kit.refresh(.now)
      }
      advance(seconds: 10)
      let report = try await kit.refresh(.now)
      try require(
        report.added + report.updated + report.removed == 0, "the same data again was \(report)")
      try require(try await content(kit) == before, "the same data again changed the data")
      try require(
        try await kit.lastRefresh == clock.now, "data that was confirmed has its old age")
    }
    try await kit.close()
  }

  func conditionalRequests() async throws {
    transport.setConditional()
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    try await kit.refresh(.now)
    try require(
      transport.notModifiedCount > 0, "no request of a second refresh had the tag of the first")
    try await kit.close()
  }

  func progress() async throws {
    let kit = try make()
    let isFetching = try await fetches(kit)
    let started = try await requests {
      let steps = kit.refreshProgress()
      try await letOthersRun()
      _ = steps
    }
    try require(started == 0, "the progress started a refresh")
    let steps = kit.refreshProgress()
    let reader = Task {
      var steps = steps.makeAsyncIterator()
      var last = 0.0
      var outcomes: [RefreshProgress.Outcome] = []
      while let step = await steps.next() {
        try require(step.kit == kit.name, "a step is of the kit \(step.kit)")
        try require(step.fractionCompleted >= last, "the progress went backward")
        try require(step.fractionCompleted <= 1, "the progress is \(step.fractionCompleted)")
        last = step.outcome == nil ? step.fractionCompleted : 0
        if let outcome = step.outcome { outcomes.append(outcome) }
      }
      return outcomes
    }
    if isFetching {
      try await kit.refresh(.now)
      transport.setOffline(true)
      try await requireError("a refresh without a network") { try await kit.refresh(.now) }
    }
    try await kit.close()
    let outcomes = try await reader.value
    guard isFetching else {
      return try require(outcomes.isEmpty, "a kit that fetches nothing reported outcomes")
    }
    try require(outcomes.count == 2, "two refreshes reported \(outcomes.count) outcomes")
    guard case .finished = outcomes[0], case .failed = outcomes[1] else {
      throw ConformanceMiss("a refresh that succeeded and one that failed reported \(outcomes)")
    }
  }

  func schedule() async throws {
    let kit = try make()
    let isScheduled = try await kit.nextRefreshDate != nil
    guard try await fetches(kit) else { return }
    try await kit.refresh(.now)
    let date = try await nextDate(of: kit)
    try require(
      (date != nil) == isScheduled, "a refresh changed whether the next one is scheduled")
    guard let date else { return try await requireNoSchedule(kit) }
    try require(date > clock.now, "a kit is due right after a refresh")
    clock.set(now: date.addingTimeInterval(-1))
    let early = try await requests { try await kit.refresh(.scheduled) }
    try require(early == 0, "before its date, a scheduled refresh sent \(early) requests")
    clock.set(now: date)
    let due = try await nextDate(of: kit)
    try require(due.map { $0 <= date } ?? false, "a kit isn't due at its date")
    let sent = try await requests { try await kit.refresh(.scheduled) }
    try require(sent > 0, "at its date, a scheduled refresh sent no request")

    guard let next = try await nextDate(of: kit) else {
      throw ConformanceMiss("a scheduled refresh left no date")
    }
    clock.set(now: next)
    transport.setOffline(true)
    try await requireError("a refresh without a network") { try await kit.refresh(.scheduled) }
    transport.setOffline(false)
    let later = try await nextDate(of: kit)
    try require(later.map { $0 > next } ?? false, "a failure doesn't postpone the next refresh")
    let again = try await requests { try await kit.refresh(.scheduled) }
    try require(again == 0, "after a failure, a scheduled refresh sent \(again) requests at once")
    try await kit.close()
  }

  private func requireNoSchedule(_ kit: K) async throws {
    let sent = try await requests { try await kit.refresh(.scheduled) }
    try require(sent == 0, "without a date, a scheduled refresh sent \(sent) requests")
    transport.setOffline(true)
    try await requireError("a refresh without a network") { try await kit.refresh(.now) }
    try require(try await kit.nextRefreshDate == nil, "a failure scheduled a refresh")
    try await kit.close()
  }

  /// Returns the date of the next refresh, which sends no request.
  private func nextDate(of kit: K) async throws -> Date? {
    var date: Date?
    let sent = try await requests { date = try await kit.nextRefreshDate }
    try require(sent == 0, "the date of the next refresh sent \(sent) requests")
    return date
  }
}

// MARK: - Sharing a refresh

extension KitProbe {
  func sharedRun() async throws {
    let kit = try make()
    guard try await fetches(kit) else { return }
    // The first run may send a request that no later one needs.
    try await kit.refresh(.now)
    try await kit.eraseAll()
    let single = try await requests { try await kit.refresh(.now) }
    try await kit.eraseAll()
    let before = transport.count
    transport.hold()
    let callers = CallerExecutor()
    let tasks = (0..<8).map { _ in callers.start { try await kit.refresh(.now) } }
    await transport.heldAnswer()
    await callers.idle()
    transport.release()
    for task in tasks { _ = try await task.value }
    let shared = transport.count - before
    try require(shared == single, "8 calls at once sent \(shared) requests, one sends \(single)")
    try await kit.close()
  }

  func nowNeverJoinsWeaker() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    let single = try await requests { try await kit.refresh(.now) }
    try require(single > 0, "a refresh with .now sent no request")
    guard let next = try await kit.nextRefreshDate, next > clock.now else {
      // No run of such a kit is weaker, so any may be joined.
      let weak = try await requests { try await kit.refresh(.ifDue) }
      try require(
        weak == single,
        "a kit that is always due sent \(weak) requests if due, and \(single) with .now")
      return try await kit.close()
    }
    clock.set(now: next.addingTimeInterval(1))
    let both = try await requests { _ = try await refreshTwice(kit, .ifDue, beside: .now) }
    try require(both > single, "a call with .now joined a run that started if due")
    var outcome: RefreshReport.Outcome?
    let idle = try await requests { outcome = try await kit.refresh(.ifDue).outcome }
    // A kit may have other parts that are always due.
    try require(
      idle == 0 || outcome != .notDue && idle < single,
      "a refresh that isn't due sent \(idle) requests")
    try await kit.close()
  }

  func noneJoinsScheduled() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit), var next = try await kit.nextRefreshDate else { return }
    func passDate() async throws {
      next = try await kit.nextRefreshDate ?? next
      clock.set(now: next.addingTimeInterval(1))
    }
    try await passDate()
    let single = try await requests { try await kit.refresh(.scheduled) }
    for strong in [RefreshTrigger.now, .ifDue] {
      try await passDate()
      var outcome: RefreshReport.Outcome?
      let both = try await requests {
        outcome = try await refreshTwice(kit, .scheduled, beside: strong).outcome
      }
      // After the scheduled run, nothing may be due any more.
      try require(
        both > single || strong == .ifDue && outcome == .notDue,
        "a call with .\(strong) joined a run of what was scheduled")
    }
    try await kit.close()
  }

  /// Starts a refresh, and another one while the first waits for a response, whose report it returns.
  private func refreshTwice(
    _ kit: K, _ first: RefreshTrigger, beside second: RefreshTrigger
  ) async throws -> RefreshReport {
    transport.hold()
    let weak = Task { try await kit.refresh(first) }
    await transport.heldAnswer()
    let callers = CallerExecutor()
    let strong = callers.start { try await kit.refresh(second) }
    await callers.idle()
    transport.release()
    _ = try await weak.value
    return try await strong.value
  }

  func cancellationOfOne() async throws {
    let kit = try make()
    guard try await fetches(kit) else { return }
    transport.hold()
    let callers = CallerExecutor()
    let canceled = callers.start { try await kit.refresh(.now) }
    await transport.heldAnswer()
    let other = callers.start { try await kit.refresh(.now) }
    await callers.idle()
    canceled.cancel()
    do {
      _ = try await canceled.value
      try require(false, "a canceled refresh returned a report")
    } catch is CancellationError {}
    transport.release()
    _ = try await other.value
    try require(try await kit.lastRefresh != nil, "the other caller's refresh stored nothing")
    try await kit.close()
  }
}
