internal import FieldCore
internal import FieldFoundation

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
