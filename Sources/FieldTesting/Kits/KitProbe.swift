internal import FieldCore
internal import FieldFoundation

/// A kit under test and its environment.
struct KitProbe<K: Kit, Content: Equatable & Sendable>: Sendable {
  let folder: URL
  let transport: KitTransport
  let clock: KitClock
  let storage: Storage
  let makeKit: @Sendable (KitBench) throws -> K
  let later: (@Sendable (TransportRequest) async throws -> TransportResponse)?
  let upgrade: (@Sendable (KitBench) throws -> any Kit)?
  let fill: @Sendable (K) async throws -> Void
  let content: @Sendable (K) async throws -> Content

  func make(over transport: (any Transport)? = nil) throws -> K {
    try makeKit(KitBench(storage: storage, transport: transport ?? self.transport, clock: clock))
  }

  func makeFilled() async throws -> K {
    let kit = try make()
    try await fill(kit)
    return kit
  }

  /// Returns the content of a kit with an empty storage.
  func nothing() async throws -> Content {
    let kit = try makeKit(KitBench(storage: .inMemory, transport: transport, clock: clock))
    let nothing = try await content(kit)
    try await kit.close()
    return nothing
  }

  /// Returns whether the kit has anything to fetch: by a schedule, or on every visit.
  func fetches(_ kit: K) async throws -> Bool {
    if try await kit.nextRefreshDate != nil { return true }
    let counted = KitTransport(transport.respond)
    let other = try makeKit(KitBench(storage: .inMemory, transport: counted, clock: clock))
    let report = try await other.refresh(.now)
    try await other.close()
    return counted.count > 0 || report.outcome != .notDue
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
}

// MARK: - Refreshing

extension KitProbe {
  func offlineStart() async throws {
    transport.setOffline(true)
    let kit = try make()
    try await kit.open()
    try require(try await content(kit) == (try await nothing()), "a new kit isn't empty")
    try require(try await kit.lastRefresh == nil, "a new kit was refreshed before")
    guard try await fetches(kit) else { return }
    try await requireError("a refresh without a network") { try await kit.refresh(.now) }
    try require(try await kit.lastRefresh == nil, "a refresh without a network set the age")
    transport.setOffline(false)
    try await kit.refresh(.now)
    try require(try await kit.lastRefresh != nil, "a refresh set no age")
    try await kit.close()
  }

  func refresh() async throws {
    let kit = try make()
    guard try await fetches(kit) else { return }
    let due = try await kit.nextRefreshDate
    try require(due.map { $0 <= clock.now } ?? true, "a kit that was never refreshed isn't due")
    let report = try await kit.refresh()
    try require(report.outcome == .updated, "the first refresh reported \(report.outcome)")
    try require(try await kit.lastRefresh == clock.now, "the age isn't that of the refresh")
    let again = try await kit.refresh(.now)
    try require(
      [.unchanged, .notModified].contains(again.outcome) || again.updated + again.added == 0,
      "the same data again reported \(again.outcome)")
    try await kit.close()
  }

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

  private func requests(_ body: () async throws -> Void) async throws -> Int {
    let before = transport.count
    try await body()
    return transport.count - before
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
    let both = try await requests {
      transport.hold()
      let weak = Task { try await kit.refresh(.ifDue) }
      await transport.heldAnswer()
      let callers = CallerExecutor()
      let strong = callers.start { try await kit.refresh(.now) }
      await callers.idle()
      transport.release()
      _ = try await (weak.value, strong.value)
    }
    try require(both > single, "a call with .now joined a run that started if due")
    var outcome: RefreshReport.Outcome?
    let idle = try await requests { outcome = try await kit.refresh(.ifDue).outcome }
    // A kit may have other parts that are always due.
    try require(
      idle == 0 || outcome != .notDue && idle < single,
      "a refresh that isn't due sent \(idle) requests")
    try await kit.close()
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

  func failureKeepsData() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    let (before, age) = (try await content(kit), try await kit.lastRefresh)
    clock.set(now: clock.now.addingTimeInterval(10))
    transport.setOffline(true)
    try await requireError("a refresh without a network") { try await kit.refresh(.now) }
    try require(try await content(kit) == before, "a refresh that failed changed the data")
    try require(try await kit.lastRefresh == age, "a refresh that failed changed the age")
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

  func removals() async throws {
    guard let report = try await laterReport() else { return }
    try require(report.failureCount > 0, "the row that can't be read isn't reported")
    try require(
      report.removed > 0 || report.notices.contains { $0.code == .removalSkipped },
      "beside a row that can't be read, nothing was removed, and no notice says so")
  }

  func repeatedIDs() async throws {
    guard let report = try await laterReport() else { return }
    try require(
      report.notices.contains { $0.code == .repeatedIDs }, "rows repeated an ID without a notice")
  }

  /// Returns the report of the refresh that fetches the later response, or `nil` without one.
  private func laterReport() async throws -> RefreshReport? {
    guard let later else { return nil }
    let kit = try await makeFilled()
    transport.setResponses(later)
    let report = try await kit.refresh(.now)
    try await kit.close()
    return report
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

  func progress() async throws {
    let kit = try make()
    let isFetching = try await fetches(kit)
    let steps = kit.refreshProgress()
    let reader = Task {
      var steps = steps.makeAsyncIterator()
      var (last, outcomes) = (0.0, 0)
      while let step = await steps.next() {
        try require(step.kit == kit.name, "a step is of the kit \(step.kit)")
        try require(step.fractionCompleted >= last, "the progress went backward")
        last = step.outcome == nil ? step.fractionCompleted : 0
        if step.outcome != nil { outcomes += 1 }
      }
      return outcomes
    }
    if isFetching { try await kit.refresh(.now) }
    try await kit.close()
    let outcomes = try await reader.value
    try require(outcomes == (isFetching ? 1 : 0), "one refresh reported \(outcomes) outcomes")
  }
}

// MARK: - Opening, erasing, closing

extension KitProbe {
  func reopening() async throws {
    let first = try await makeFilled()
    let (before, age) = (try await content(first), try await first.lastRefresh)
    try require(before != (try await nothing()), "a filled kit has nothing")
    try await first.close()
    transport.setOffline(true)
    let second = try make()
    try require(try await content(second) == before, "the data was lost with the process")
    try require(try await second.lastRefresh == age, "the age was lost with the process")
    try await second.close()
  }

  func twoKits() async throws {
    let (first, second) = (try make(), try make())
    try await fill(first)
    let filled = try await content(first)
    try require(try await content(second) == filled, "the other kit doesn't see the data")
    try await second.eraseAll()
    try require(try await content(first) == (try await nothing()), "the first kit still has data")
    try await first.close()
    try require(try await content(second) == (try await nothing()), "closing one closed the other")
    try await second.close()
  }

  func erasing() async throws {
    let kit = try await makeFilled()
    let filled = try await content(kit)
    try await kit.eraseAll()
    try require(try await content(kit) == (try await nothing()), "an erased kit has data")
    try require(try await kit.lastRefresh == nil, "an erased kit has an age")
    if let next = try await kit.nextRefreshDate {
      try require(next <= clock.now, "an erased kit isn't due")
    }
    try await fill(kit)
    try require(try await content(kit) == filled, "an erased kit can't be filled again")
    try await kit.close()
  }

  func erasingDuringRefresh() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    transport.hold()
    let refresh = Task { try await kit.refresh(.now) }
    await transport.heldAnswer()
    try await kit.eraseAll()
    transport.release()
    let error = try await requireError("a refresh during which the kit was erased") {
      _ = try await refresh.value
    }
    try require(error.code == .conflict, "erasing during a refresh threw \(error)")
    try require(try await content(kit) == (try await nothing()), "erased data reappeared")
    try require(try await kit.lastRefresh == nil, "an erased kit has an age")
    try await kit.close()
  }

  func useAfterClose() async throws {
    let kit = try await makeFilled()
    try await kit.close()
    try await requireError("open() after close()") { try await kit.open() }
    try await requireError("reading after close()") { _ = try await content(kit) }
    for await step in kit.refreshProgress() {
      try require(false, "a closed kit reported \(step.phase)")
    }
    if try await fetches(try make()) {
      try await requireError("refresh() after close()") { try await kit.refresh(.now) }
    }
    try await kit.close()
  }

  func damageIsReportedOnce() async throws {
    for asks in [true, false] {
      let kit = try await makeFilled()
      try await kit.close()
      try change(largest) { $0[$0.count - 3] ^= 0xFF }
      let damaged = try make()
      if asks {
        try require(!(try await damaged.open().cuts.isEmpty), "open() doesn't report the damage")
      }
      let codes = try await damaged.refresh(.now).notices.map(\.code)
      try require(
        codes.contains(.damaged) != asks,
        asks ? "the damage was reported twice" : "a refresh doesn't report the damage")
      let again = try await damaged.refresh(.now).notices.map(\.code)
      try require(!again.contains(.damaged), "the damage was reported by two refreshes")
      try await damaged.eraseAll()
      try await damaged.close()
    }
  }

  func damagedHeader() async throws {
    let kit = try await makeFilled()
    let filled = try await content(kit)
    try await kit.close()
    try change { $0[20] ^= 0xFF }
    let damaged = try make()
    let error = try await requireError("open() with a damaged header") { try await damaged.open() }
    try require(error.message.contains("erase"), "the message doesn't say what to do: \(error)")
    try await damaged.eraseAll()
    try require(try await content(damaged) == (try await nothing()), "an erased kit has data")
    try await fill(damaged)
    try require(try await content(damaged) == filled, "an erased kit can't be filled again")
    try await damaged.close()
  }

  /// Changes the bytes of the store files in the folder, or of the largest only.
  private func change(
    _ which: (_ names: [URL]) -> [URL] = { $0 }, _ body: (inout [UInt8]) -> Void
  ) throws {
    let stores = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".store") }.map { folder.appending(path: $0) }
    try require(!stores.isEmpty, "the kit keeps nothing in the storage")
    for file in which(stores) {
      var bytes = [UInt8](try Data(contentsOf: file))
      body(&bytes)
      try Data(bytes).write(to: file)
    }
  }

  private func largest(_ files: [URL]) -> [URL] {
    func size(_ file: URL) -> Int { (try? Data(contentsOf: file).count) ?? 0 }
    return files.max { size($0) < size($1) }.map { [$0] } ?? []
  }
}
