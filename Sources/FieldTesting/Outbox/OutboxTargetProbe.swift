internal import FieldCore
internal import FieldFakes
internal import FieldFoundation

/// A line to a server that fails as a case needs it.
struct FaultyLine: Transport {
  private struct State {
    var fault: Fault?
    /// The number of the request that meets the fault; `nil` for all.
    var number: Int?
    /// The lengths of the server's responses since the fault was set.
    var lengths: [Int] = []
    var requestCount = 0
  }

  private let base: any Transport
  private let state = Lock(State())

  init(_ base: any Transport) { self.base = base }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let fault = state.withLock { state in
      defer { state.requestCount += 1 }
      return state.number.map { $0 == state.requestCount } ?? true ? state.fault : nil
    }
    if let fault { return try await FaultTransport(base, .always(fault)).send(request) }
    let response = try await base.send(request)
    let length = try response.body.bytes().count
    state.withLock { $0.lengths.append(length) }
    return response
  }

  /// Runs `body` while a request, counted from 0, meets the fault, or all of them.
  func with<Result>(
    _ fault: Fault, at number: Int? = nil, _ body: () async throws -> Result
  ) async rethrows -> Result {
    state.withLock { $0 = State(fault: fault, number: number) }
    defer { state.withLock { $0 = State() } }
    return try await body()
  }

  /// Returns the lengths of the responses to the requests that `body` makes.
  func lengths(of body: () async throws -> Void) async rethrows -> [Int] {
    state.withLock { $0 = State() }
    try await body()
    return state.withLock(\.lengths)
  }
}

/// A target under test.
struct OutboxTargetProbe<Target: OutboxTarget>: Sendable {
  typealias Operation = OutboxOperation<Target.Payload>

  let target: Target
  let line: FaultyLine
  let invalid: Target.Payload?
  let payload: @Sendable (Int) -> Target.Payload
  let applied: @Sendable () async throws -> [Target.Payload]
  /// Returns those of all lengths of a truncated response that are tried.
  let sampling: @Sendable ([Int]) -> [Int]

  private var hasReceipts: Bool { if case .receipts = target.delivery { true } else { false } }

  private func operation(_ number: Int) -> Operation {
    Operation(payload(number), lane: "conformance", enqueued: Date(timeIntervalSince1970: 0))
  }

  private func requireApplied(_ numbers: [Int], _ when: String) async throws {
    let seen = try await applied()
    try require(
      seen == numbers.map(payload),
      "\(when) the server has applied \(seen.count) operations, not \(numbers.count), or others")
  }

  private func requireReceipt(_ isApplied: Bool, _ operation: Operation) async throws {
    guard hasReceipts else { return }
    switch try await target.status(of: operation) {
    case .applied: try require(isApplied, "there is a receipt for what wasn't applied")
    case .notApplied: try require(!isApplied, "there is no receipt for what was applied")
    case .unknown: throw ConformanceMiss("a server with receipts doesn't know")
    }
  }

  /// Returns what the error of a request means; `nil` if there is none.
  private func failure(
    _ fault: Fault, at number: Int? = nil, _ operation: Operation
  ) async -> OutboxFailure? {
    await line.with(fault, at: number) {
      do {
        _ = try await target.send(operation)
        return nil
      } catch { return target.failure(for: error) }
    }
  }

  private func requireFailure(
    _ fault: Fault, _ meanings: [OutboxFailure], _ what: String
  ) async throws -> Operation {
    let operation = operation(1)
    let seen = await failure(fault, operation)
    try require(
      seen.map(meanings.contains) == true,
      "\(what) means \(seen.map { "\($0)" } ?? "success"), not \(meanings)")
    return operation
  }

  func sending() async throws {
    for number in 1...3 {
      let operation = operation(number)
      _ = try await target.send(operation)
      try await requireApplied(Array(1...number), "after \(number) requests")
      try await requireReceipt(true, operation)
    }
  }

  func twoKeys() async throws {
    for _ in 1...2 { _ = try await target.send(operation(1)) }
    try await requireApplied([1, 1], "after two operations with equal payloads")
  }

  func repeatedKey() async throws {
    let operation = operation(1)
    for _ in 1...2 { _ = try await target.send(operation) }
    let isOnce = target.delivery != .atLeastOnce
    try await requireApplied(isOnce ? [1] : [1, 1], "after the same operation twice")
  }

  func concurrentKey() async throws {
    guard target.delivery != .atLeastOnce else { return }
    let operation = operation(1)
    _ = try await Race.run(8) { _, race in
      await race.everyParticipantStarts()
      // One that comes too late or too early may fail, but not for good.
      do { _ = try await target.send(operation) } catch {
        try require(target.failure(for: error) != .rejected, "a repeated key is rejected: \(error)")
      }
    }
    _ = try await target.send(operation)
    try await requireApplied([1], "after the same operation eight times at once")
  }

  func unknownKey() async throws {
    try await requireReceipt(false, operation(1))
    _ = try await target.send(operation(1))
    try await requireReceipt(false, operation(1))
  }

  func refusal() async throws {
    guard let invalid else { return }
    let operation = Operation(
      invalid, lane: "conformance", enqueued: Date(timeIntervalSince1970: 0))
    do {
      _ = try await target.send(operation)
    } catch {
      let meaning = target.failure(for: error)
      try require(meaning == .rejected, "an invalid payload means \(meaning): \(error)")
      try await requireReceipt(false, operation)
      return try await requireApplied([], "after an invalid payload")
    }
    throw ConformanceMiss("an invalid payload is accepted")
  }

  func lostRequest() async throws {
    for code in [FieldError.Code.connectionLost, .timeout, .offline] {
      let operation = try await requireFailure(
        .drop(code), [.unknown, .notApplied], "a lost request (\(code))")
      try await requireReceipt(false, operation)
    }
    try await requireApplied([], "after lost requests")
    _ = try await target.send(operation(1))
    try await requireApplied([1], "after another request")
  }

  func lostResponse() async throws {
    // A target may read before it writes; what the last request asks for has been applied.
    let count = try await line.lengths { _ = try await target.send(self.operation(1)) }.count
    let operation = operation(2)
    let meaning = await failure(.lostResponse(.connectionLost), at: count - 1, operation)
    try require(
      meaning == .unknown, "a lost response means \(meaning.map { "\($0)" } ?? "success")")
    try await requireApplied([1, 2], "after a lost response")
    try await requireReceipt(true, operation)
    guard target.delivery != .atLeastOnce else { return }
    _ = try await target.send(operation)
    try await requireApplied([1, 2], "after a lost response and another request")
  }

  /// Returns the ways to end a response of a length early, including those that leave all of it.
  private func cuts(of length: Int) -> [Fault] {
    // Responses may become longer, such as one with a count.
    sampling(Array(0...length + 2)).flatMap { [.cutBody(after: $0), .truncatedBody(after: $0)] }
  }

  func truncatedResponse() async throws {
    let lengths = try await line.lengths { _ = try await target.send(operation(1)) }
    var last = 1
    for (number, length) in lengths.enumerated() {
      let isLast = number == lengths.count - 1
      // Whether an earlier request has applied the operation isn't known, so sending it again may double it.
      guard isLast || target.delivery != .atLeastOnce else { continue }
      for fault in cuts(of: length) {
        last += 1
        let operation = operation(last)
        let meaning = await failure(fault, at: number, operation)
        try require(
          meaning == nil || meaning == .unknown || !isLast && meaning == .notApplied,
          "\(fault) means \(meaning.map { "\($0)" } ?? "")")
        if meaning == nil || isLast {
          try await requireReceipt(true, operation)
        } else {
          _ = try await target.send(operation)
        }
      }
    }
    try await requireApplied(Array(1...last), "after \(last - 1) responses cut short")
  }

  private static var page: Fault {
    .status(
      200, fields: ["Content-Type": "text/html"],
      body: .text("<!DOCTYPE html><html><body>Sign in to the network</body></html>"))
  }

  func webPage() async throws {
    _ = try await requireFailure(Self.page, [.unknown], "a web page")
    try await requireApplied([], "after a web page")
  }

  func expiredToken() async throws {
    _ = try await requireFailure(.status(401), [.unauthorized], "HTTP 401")
  }

  func rateLimit() async throws {
    _ = try await requireFailure(
      .status(429, fields: ["Retry-After": "7"]), [.rateLimited(retryAfter: .seconds(7))],
      "HTTP 429 with Retry-After")
    _ = try await requireFailure(.status(429), [.rateLimited(retryAfter: nil)], "HTTP 429")
  }

  func failingServer() async throws {
    for status in [500, 503] {
      _ = try await requireFailure(.status(status), [.unknown, .notApplied], "HTTP \(status)")
    }
  }

  func failingStatus() async throws {
    guard hasReceipts else { return }
    let operation = operation(1)
    _ = try await target.send(operation)
    var faults: [Fault] = [.drop(), .drop(.offline), .lostResponse(), Self.page]
    faults += [401, 500, 503].map { .status($0) }
    for fault in faults { try await requireNoDenial(of: operation, fault) }
    let lengths = try await line.lengths { _ = try await target.status(of: operation) }
    for (number, length) in lengths.enumerated() {
      for fault in cuts(of: length) { try await requireNoDenial(of: operation, fault, at: number) }
    }
    let never = self.operation(2)
    let isPage: Bool = await line.with(Self.page) {
      if case .applied? = try? await target.status(of: never) { true } else { false }
    }
    try require(!isPage, "a web page is mistaken for a receipt")
  }

  /// Requires that a fault doesn't make an applied operation one that wasn't.
  private func requireNoDenial(
    of operation: Operation, _ fault: Fault, at number: Int? = nil
  ) async throws {
    let status = await line.with(fault, at: number) { try? await target.status(of: operation) }
    guard case .notApplied? = status else { return }
    throw ConformanceMiss("what was applied is reported as not applied, after \(fault)")
  }

  func cancellation() async throws {
    let operation = operation(1)
    try await line.with(.silence) {
      let task = Task { _ = try await target.send(operation) }
      await Task.yield()
      task.cancel()
      guard case .failure = await task.result else {
        throw ConformanceMiss("a request that was canceled succeeds without a response")
      }
    }
    _ = try await target.send(operation)
    try await requireApplied([1], "after a canceled request and another one")
  }
}
