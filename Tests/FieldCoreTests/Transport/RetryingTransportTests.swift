import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Retrying", .timeLimit(.minutes(60)))
struct RetryingTransportTests {
  /// Sends over the outcomes with the longest of all random waits, and tells the waits.
  func run(
    _ base: ScriptedTransport, _ request: TransportRequest = .test(),
    policy: RetryPolicy = .default,
    random: Double = 1
  ) async -> (outcome: Result<TransportResponse, any Error>, waits: [Duration], attempts: Int) {
    let clock = ImmediateClock()
    let transport = base.retrying(policy, clock: clock, random: { random })
    do {
      let answer = try await transport.send(request)
      return (.success(answer), clock.slept, base.requests.count)
    } catch {
      return (.failure(error), clock.slept, base.requests.count)
    }
  }

  @Test(
    "a retrying transport has the documented statuses and errors by default, however they are set")
  func defaults() {
    let statuses: Set = [408, 429, 500, 502, 503, 504]
    let codes: Set<FieldError.Code> = [.connectionLost, .timeout, .bodyCut, .transport]
    var policy = RetryPolicy.default
    #expect(policy.statuses == statuses && policy.codes == codes)
    #expect(Set([policy, RetryPolicy(), RetryPolicy(statuses: statuses, codes: codes)]).count == 1)
    policy.statuses.insert(409)
    policy.codes.remove(.timeout)
    #expect(
      policy.statuses == statuses.union([409]) && policy.codes == codes.subtracting([.timeout]))
    #expect(policy != .default)
    policy.statuses.remove(409)
    policy.codes.insert(.timeout)
    #expect(policy == .default)
  }

  @Test(
    "a retrying transport retries statuses of failures that may pass",
    arguments: [408, 429, 500, 502, 503, 504])
  func retriedStatus(status: Int) async throws {
    let base = ScriptedTransport(ScriptedTransport.status(status), ScriptedTransport.status(200))
    let result = await run(base)
    #expect(try result.outcome.get().status == 200)
    #expect(result.attempts == 2)
  }

  @Test(
    "a retrying transport returns final statuses unchanged",
    arguments: [200, 204, 206, 301, 304, 400, 401, 403, 404, 409, 410, 412, 501, 505])
  func finalStatus(status: Int) async throws {
    let base = ScriptedTransport(ScriptedTransport.status(status))
    let result = await run(base)
    #expect(try result.outcome.get().status == status)
    #expect(result.attempts == 1)
  }

  @Test(
    "a retrying transport retries errors of failures that may pass",
    arguments: [.connectionLost, .timeout, .bodyCut, .transport] as [FieldError.Code])
  func retriedError(code: FieldError.Code) async throws {
    let base = ScriptedTransport(ScriptedTransport.error(code), ScriptedTransport.status(200))
    let result = await run(base)
    #expect(try result.outcome.get().status == 200)
    #expect(result.attempts == 2)
  }

  @Test(
    "a retrying transport throws final errors immediately",
    arguments: [
      .offline, .responseTooLarge, .io, .invalidInput, .notData,
      FieldError.Code(rawValue: "stub.unexpectedRequest"),
    ] as [FieldError.Code])
  func finalError(code: FieldError.Code) async throws {
    let result = await run(ScriptedTransport(ScriptedTransport.error(code)))
    let error = #expect(throws: FieldError.self) { try result.outcome.get() }
    #expect(error?.code == code)
    #expect(result.attempts == 1)
  }

  @Test("a retrying transport retries offline if the policy allows it")
  func offline() async throws {
    var policy = RetryPolicy.default
    policy.codes.insert(.offline)
    let base = ScriptedTransport(ScriptedTransport.error(.offline), ScriptedTransport.status(200))
    #expect(try await run(base, policy: policy).outcome.get().status == 200)
  }

  @Test("a retrying transport rethrows a foreign error unchanged, after retrying")
  func foreignError() async {
    struct Strange: Error {}
    let result = await run(ScriptedTransport(ScriptedTransport.error(Strange())))
    #expect(throws: Strange.self) { try result.outcome.get() }
    #expect(result.attempts == 4)
  }

  @Test("a retrying transport never retries after a cancellation")
  func cancellation() async {
    let result = await run(ScriptedTransport(ScriptedTransport.error(CancellationError())))
    #expect(throws: CancellationError.self) { try result.outcome.get() }
    #expect(result.attempts == 1)
  }

  @Test(
    "a retrying transport sends requests that aren't idempotent once",
    arguments: [
      .test(.post, body: .text("x")), .test(.delete), .test(.put), .test(.get, isIdempotent: false),
    ] as [TransportRequest])
  func notRepeatable(request: TransportRequest) async throws {
    let result = await run(ScriptedTransport(ScriptedTransport.status(503)), request)
    #expect(try result.outcome.get().status == 503)
    #expect(result.attempts == 1)
    #expect(result.waits.isEmpty)
  }

  @Test("a retrying transport repeats a POST if its request is marked as idempotent")
  func idempotentPost() async throws {
    let base = ScriptedTransport(ScriptedTransport.status(503), ScriptedTransport.status(201))
    let request = TransportRequest.test(.post, body: .text("x"), isIdempotent: true)
    let result = await run(base, request)
    #expect(try result.outcome.get().status == 201)
    #expect(base.requests == [request, request])
  }

  @Test("a retrying transport returns the last response after the last attempt")
  func lastAnswer() async throws {
    let result = await run(
      ScriptedTransport(
        ScriptedTransport.error(.timeout), ScriptedTransport.status(500),
        ScriptedTransport.status(502), ScriptedTransport.status(503, body: "down"),
        ScriptedTransport.status(200)))
    #expect(try result.outcome.get() == TransportResponse(status: 503, body: .text("down")))
    #expect(result.attempts == 4)
  }

  @Test("a retrying transport throws the last error after the last attempt")
  func lastError() async {
    let result = await run(
      ScriptedTransport(
        ScriptedTransport.status(500), ScriptedTransport.status(500),
        ScriptedTransport.status(500), ScriptedTransport.error(.bodyCut)))
    let error = #expect(throws: FieldError.self) { try result.outcome.get() }
    #expect(error?.code == .bodyCut)
  }

  @Test(
    "a retrying transport sends once if the policy allows one attempt or fewer",
    arguments: [1, 0, -3])
  func oneAttempt(attempts: Int) async throws {
    let policy = RetryPolicy(attempts: attempts)
    let result = await run(ScriptedTransport(ScriptedTransport.status(503)), policy: policy)
    #expect(try result.outcome.get().status == 503)
    #expect(result.attempts == 1)
  }

  @Test("a retrying transport doubles its maximum delay up to the cap")
  func backoff() async {
    let policy = RetryPolicy(
      attempts: 8, maximumDelay: .seconds(5), maximumTotalDelay: .seconds(600))
    let result = await run(ScriptedTransport(ScriptedTransport.status(503)), policy: policy)
    #expect(result.waits == [0.5, 1, 2, 4, 5, 5, 5].map { .seconds($0) })
  }

  @Test(
    "a retrying transport waits a random part of its maximum delay", arguments: [0, 0.25, 0.5, 1])
  func jitter(random: Double) async {
    let result = await run(ScriptedTransport(ScriptedTransport.status(503)), random: random)
    #expect(result.waits == [0.5, 1, 2].map { .seconds($0 * random) })
  }

  @Test(
    "a retrying transport clamps an invalid random number to zero through one",
    arguments: [(-1.0, 0.0), (7.0, 1.0), (.infinity, 1.0), (.nan, 0.0)])
  func wildRandom(random: Double, part: Double) async {
    let result = await run(ScriptedTransport(ScriptedTransport.status(503)), random: random)
    #expect(result.waits == [0.5, 1, 2].map { .seconds($0 * part) })
  }

  @Test(
    "a retrying transport stays within its caps for any policy",
    arguments: [1, 2, 3, 4] as [UInt64])
  func anyPolicy(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let policy = RetryPolicy(
        attempts: Int.random(in: 1...70, using: &random),
        initialDelay: .milliseconds(Int.random(in: 0...3_000, using: &random)),
        maximumDelay: .milliseconds(Int.random(in: 0...9_000, using: &random)),
        maximumTotalDelay: .milliseconds(Int.random(in: 0...60_000, using: &random)))
      let part = Double.random(in: 0...1, using: &random)
      let result = await run(
        ScriptedTransport(ScriptedTransport.status(503)), policy: policy, random: part)
      #expect(result.attempts <= policy.attempts, "seed \(seed)")
      #expect(result.waits.allSatisfy { $0 <= policy.maximumDelay }, "seed \(seed)")
      #expect(result.waits.reduce(.zero, +) <= policy.maximumTotalDelay, "seed \(seed)")
      #expect(result.waits.count == result.attempts - 1, "seed \(seed)")
    }
  }

  @Test("a retrying transport doesn't begin an attempt that would be too late, nor wait for it")
  func total() async throws {
    let policy = RetryPolicy(attempts: 9, maximumTotalDelay: .milliseconds(1_500))
    let result = await run(ScriptedTransport(ScriptedTransport.status(503)), policy: policy)
    #expect(result.waits == [.milliseconds(500), .seconds(1)])
    #expect(result.attempts == 3)
  }

  @Test("a retrying transport counts the duration of the attempts themselves")
  func slowAttempts() async throws {
    let clock = ImmediateClock()
    let base = ScriptedTransport { _ in
      try await clock.sleep(for: .seconds(60))
      throw FieldError(.timeout, "too slow")
    }
    let transport = base.retrying(clock: clock, random: { 0 })
    await #expect(throws: FieldError.self) { try await transport.send(.test()) }
    #expect(base.requests.count == 3)
  }

  @Test("a retrying transport throws CancellationError if it is canceled while it waits")
  func cancelledWait() async throws {
    let clock = ManualClock()
    let base = ScriptedTransport(ScriptedTransport.status(503))
    let task = Task { try await base.retrying(clock: clock, random: { 1 }).send(.test()) }
    #expect(try await clock.nextSleep() == .milliseconds(500))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(base.requests.count == 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test("a retrying transport throws CancellationError if it was canceled during a failed attempt")
  func cancelledAttempt() async {
    let base = ScriptedTransport { _ in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      throw FieldError(.connectionLost, "a transport that does not know cancellation")
    }
    let task = Task { try await base.retrying(clock: ImmediateClock()).send(.test()) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(base.requests.count == 1)
  }

  @Test("a retrying transport leaves nothing of a response in a file if the next attempt fails")
  func fileDestination() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "rows.json")
    let base = ScriptedTransport(
      { request in
        try Data("down".utf8).write(to: file)
        return TransportResponse(status: 503, body: .file(file))
      }, ScriptedTransport.error(.connectionLost))
    let result = await run(base, .test(destination: .file(file)), policy: RetryPolicy(attempts: 2))
    #expect(throws: FieldError.self) { try result.outcome.get() }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test("a retrying transport returns the file of the final response")
  func fileOfSuccess() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "rows.json")
    let base = StepTransport { step in
      try Data("step \(step)".utf8).write(to: file)
      return TransportResponse(status: step < 3 ? 503 : 200, body: .file(file))
    }
    let answer = try await base.retrying(clock: ImmediateClock())
      .send(.test(destination: .file(file)))
    #expect(try answer.body.bytes() == Array("step 3".utf8))
  }
}

/// A transport that knows how often it was asked, from 1.
private struct StepTransport: Transport {
  let step = Lock(0)
  let answer: @Sendable (Int) throws -> TransportResponse

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try answer(
      step.withLock {
        $0 += 1
        return $0
      })
  }
}
