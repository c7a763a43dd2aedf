internal import FieldCore
internal import FieldFoundation

/// A kit under test and its environment.
struct KitProbe<K: Kit, Content: Equatable & Sendable>: Sendable {
  let folder: URL
  let transport: KitTransport
  let clock: KitClock
  let storage: Storage
  let makeKit: @Sendable (KitBench) throws -> K
  let later: KitConformance.Answer?
  let lacking: KitConformance.Answer?
  let unreadable: KitConformance.Answer?
  let upgrade: (@Sendable (KitBench) throws -> any Kit)?
  let fill: @Sendable (K) async throws -> Void
  let damage: (@Sendable (K) async throws -> [OpeningReport.Cut])?
  let follow: (@Sendable (K) -> FieldSequence<Content, any Error>)?
  let content: @Sendable (K) async throws -> Content

  func make(over transport: (any Transport)? = nil, in storage: Storage? = nil) throws -> K {
    try makeKit(
      KitBench(
        storage: storage ?? self.storage, transport: transport ?? self.transport, clock: clock))
  }

  func makeFilled() async throws -> K {
    let kit = try make()
    try await fill(kit)
    return kit
  }

  /// Returns the content of a kit with an empty storage.
  func nothing() async throws -> Content {
    let kit = try make(in: .inMemory)
    let nothing = try await content(kit)
    try await kit.close()
    return nothing
  }

  /// Returns whether the kit has anything to fetch: by a schedule, or on every visit.
  func fetches(_ kit: K) async throws -> Bool {
    if try await kit.nextRefreshDate != nil { return true }
    let counted = KitTransport(transport.respond)
    let other = try make(over: counted, in: .inMemory)
    let report = try await other.refresh(.now)
    try await other.close()
    return counted.count > 0 || report.outcome != .notDue
  }

  /// Returns the number of requests that a closure sends.
  func requests(_ body: () async throws -> Void) async throws -> Int {
    let before = transport.count
    try await body()
    return transport.count - before
  }

  func advance(seconds: Double) { clock.set(now: clock.now.addingTimeInterval(seconds)) }

  /// Lets tasks that a call has started run as far as they can.
  func letOthersRun() async throws {
    let clock: any FieldClock = .system
    for turn in 0..<40 {
      if turn % 4 == 0 {
        try await clock.sleep(for: .milliseconds(2))
      } else {
        await Task.yield()
      }
    }
  }

  /// Waits until a condition holds, at most as long as the case may take.
  func eventually(_ condition: () -> Bool) async throws {
    let clock: any FieldClock = .system
    while !condition() { try await clock.sleep(for: .milliseconds(2)) }
  }

  /// Throws a reason unless `body` throws a `FieldError`, and returns that error.
  @discardableResult
  func requireError(_ name: String, _ body: () async throws -> Void) async throws -> FieldError {
    do {
      try await body()
    } catch let error as FieldError {
      return error
    } catch {
      throw ConformanceMiss("\(name) threw \(error), which isn't a FieldError")
    }
    throw ConformanceMiss("\(name) threw nothing")
  }

  /// Throws a reason unless the kit has this content and age.
  func requireSame(
    _ kit: K, as content: Content, _ age: Date?, after event: String
  ) async throws {
    try require(try await self.content(kit) == content, "\(event) changed the data")
    try require(try await kit.lastRefresh == age, "\(event) changed the age")
  }
}

// MARK: - Files

extension KitProbe {
  /// Changes the bytes of the store files in the folder, or of the largest only.
  func change(
    _ which: (_ names: [URL]) -> [URL] = { $0 }, _ body: (inout [UInt8]) -> Void
  ) throws {
    let stores = try files().filter { $0.path.hasSuffix(".store") }
    try require(!stores.isEmpty, "the kit keeps nothing in the storage")
    for file in which(stores) {
      var bytes = [UInt8](try Data(contentsOf: file))
      body(&bytes)
      try Data(bytes).write(to: file)
    }
  }

  /// Damages the end of the largest store file, so that opening cuts it off.
  func damageEnd() throws { try change(largest) { $0[$0.count - 3] ^= 0xFF } }

  /// Damages the headers of the store files, so that none can be opened.
  func damageHeaders() throws { try change { $0[20] ^= 0xFF } }

  func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { folder.appending(path: $0) }
  }

  private func largest(_ files: [URL]) -> [URL] {
    func size(_ file: URL) -> Int { (try? Data(contentsOf: file).count) ?? 0 }
    return files.max { size($0) < size($1) }.map { [$0] } ?? []
  }
}

// MARK: - Refreshing

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

// MARK: - Sources

/// An error of a transport that isn't a `FieldError`.
private struct ForeignError: Error {}

// MARK: - Failures of the source

extension KitProbe {
  func failureKeepsData() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    let (before, age) = (try await content(kit), try await kit.lastRefresh)
    advance(seconds: 10)
    transport.setOffline(true)
    try await requireError("a refresh without a network") { try await kit.refresh(.now) }
    try await requireSame(kit, as: before, age, after: "a refresh that failed")
    try await kit.close()
  }

  func transportErrors() async throws {
    let kit = try make()
    guard try await fetches(kit) else { return }
    let code = FieldError.Code(rawValue: "conformance.code")
    transport.setFailure(FieldError(code, "This is a failure of the conformance suite."))
    let coded = try await requireError("a refresh over a transport that fails") {
      try await kit.refresh(.now)
    }
    try require(coded.code == code, "the transport's code was replaced by \(coded.code)")
    transport.setFailure(ForeignError())
    let foreign = try await requireError("a refresh over a transport that throws its own error") {
      try await kit.refresh(.now)
    }
    var underlying: (any Error)? = foreign
    while let error = underlying as? FieldError { underlying = error.underlying }
    try require(
      underlying is ForeignError, "the transport's error isn't the underlying error of \(foreign)")
    try await kit.close()
  }

  func refusals() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    let (before, age) = (try await content(kit), try await kit.lastRefresh)
    let page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body></body></html>"
    let replies: [(String, @Sendable (TransportResponse) throws -> TransportResponse)] = [
      ("an empty body", { _ in TransportResponse(status: 200, body: .bytes([])) }),
      ("an HTML page", { _ in TransportResponse(status: 200, body: .text(page)) }),
      (
        "half a body (a guard allows that of a CSV with few rows: respond with 40)",
        { whole in
          let bytes = try whole.body.bytes()
          return TransportResponse(status: 200, body: .bytes(Array(bytes.prefix(bytes.count / 2))))
        }
      ),
      ("status 404", { _ in TransportResponse(status: 404, body: .bytes([])) }),
    ]
    for (name, reply) in replies {
      advance(seconds: 10)
      transport.setResponses { [transport] in try reply(await transport.respond($0)) }
      try await requireError("a refresh that received \(name)") { try await kit.refresh(.now) }
      try await requireSame(kit, as: before, age, after: name)
    }
    transport.setResponses(nil)
    try await kit.refresh(.now)
    try require(
      try await kit.lastRefresh == clock.now, "after refused responses, a good one set no age")
    try await kit.close()
  }

  func retriesOnce() async throws {
    transport.setStatus(503)
    let kit = try make(over: transport.retrying(RetryPolicy(attempts: 3), clock: clock))
    guard try await fetches(kit) else { return }
    try await requireError("a refresh with status 503") { try await kit.refresh(.now) }
    let most = transport.mostRepetitions
    try require(most <= 3, "over a transport that tries 3 times, a request was sent \(most) times")
    try await kit.close()
  }
}

// MARK: - Rows

extension KitProbe {
  func removals() async throws {
    guard let report = try await report(of: later) else { return }
    try require(report.failureCount > 0, "the row that can't be read isn't reported")
    try require(
      report.removed > 0 || report.notices.contains { $0.code == .removalSkipped },
      "beside a row that can't be read, nothing was removed, and no notice says so")
    try require(
      report.removed <= 1, "one record is missing, and \(report.removed) were removed")
  }

  func repeatedIDs() async throws {
    guard let report = try await report(of: later) else { return }
    try require(
      report.notices.contains { $0.code == .repeatedIDs }, "rows repeated an ID without a notice")
  }

  func unreadableValues() async throws {
    guard let report = try await report(of: unreadable) else { return }
    try require(
      report.notices.contains { $0.code == .unreadableValues },
      "a value that can't be read has no notice")
  }

  /// Returns the report of the refresh that fetches another response, or `nil` without one.
  private func report(of answer: KitConformance.Answer?) async throws -> RefreshReport? {
    guard let answer else { return nil }
    let kit = try await makeFilled()
    transport.setResponses(answer)
    let report = try await kit.refresh(.now)
    try await kit.close()
    return report
  }

  func refusedRemovals() async throws {
    guard let lacking else { return }
    let kit = try await makeFilled()
    func refuse(_ event: String, _ when: RefreshTrigger) async throws -> RefusedRemoval {
      let (before, age) = (try await content(kit), try await kit.lastRefresh)
      let error = try await requireError(event) { try await kit.refresh(when) }
      guard let removal = error.refusedRemoval else {
        throw ConformanceMiss("\(event) threw an error without the refused removal: \(error)")
      }
      try await requireSame(kit, as: before, age, after: event)
      return removal
    }
    transport.setResponses(lacking)
    let removal = try await refuse("a response that lacks too many records", .now)
    _ = try await refuse(
      "a response that lacks more records than were accepted",
      .acceptingRemovals(upTo: removal.count - 1))
    let report = try await kit.refresh(.acceptingRemovals(upTo: removal.count))
    try require(
      report.removed == removal.count,
      "\(removal.count) removals were accepted, and \(report.removed) made")
    transport.setResponses(nil)
    try await kit.refresh(.now)
    transport.setResponses(lacking)
    _ = try await refuse("a response that lacks as many records as were accepted before", .now)
    try await kit.close()
  }

  func newColumns() async throws {
    guard let upgrade else { return }
    transport.setConditional()
    let kit = try await makeFilled()
    try await kit.close()
    let next = try upgrade(KitBench(storage: storage, transport: transport, clock: clock))
    let due = try await next.nextRefreshDate
    try require(
      due.map { $0 <= clock.now } == true,
      "the next version of the kit isn't due, so it lacks its column")
    let report = try await next.refresh()
    try require(
      report.rows > 0 && report.outcome != .notModified,
      "the next version of the kit asked for changes only, so it lacks its column")
    try await next.close()
  }
}
