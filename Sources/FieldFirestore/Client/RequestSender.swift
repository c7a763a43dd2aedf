internal import FieldCore

/// Sends requests with tokens, and again after failures that may pass.
struct RequestSender: Sendable {
  let transport: any Transport
  let clock: any FieldClock
  let random: @Sendable () -> Double
  let tokens: any TokenProvider
  let policy: FirestoreRetryPolicy

  /// Sends a request until its response can be read, and returns what `read` makes of it.
  ///
  /// - Parameters:
  ///   - authorization: Returns the header field for a token.
  ///   - isRetried: Returns whether to send the request again after an error.
  ///   - isExhausted: Returns whether an error means that a quota is exhausted, so that the delay
  ///     is the longest.
  func send<Answer: Sendable>(
    _ request: TransportRequest, authorization: (FirestoreToken) -> String,
    isRetried: (FieldError) -> Bool, isExhausted: (FieldError) -> Bool = { _ in false },
    reading read: @Sendable (TransportResponse) throws -> Answer
  ) async throws -> Answer {
    var request = request
    let start = clock.uptime
    var attempt = 1
    var rejected: FirestoreToken?
    while true {
      let token = try await FieldError.wrapping(
        "No token could be obtained.", as: .firestoreUnauthenticated, operation: request.operation
      ) { [rejected] in try await tokens.token(replacing: rejected) }
      request.fields["Authorization"] = token.map(authorization)
      do {
        return try await answer(to: request, read)
      } catch let error as FieldError {
        if error.code == .firestoreUnauthenticated, let token, rejected == nil {
          // Renew the token once; that doesn't count as an attempt.
          rejected = token
          continue
        }
        guard attempt < policy.attempts, isRetried(error) else { throw error }
        let delay = max(
          policy.delay(afterAttempt: attempt, isExhausted: isExhausted(error), random: random()),
          error.response.flatMap {
            RetryAfter.wait($0.fields, now: clock.now, longest: policy.maximumDelay)
          } ?? .zero)
        guard clock.uptime - start + delay <= policy.maximumTotalDelay else { throw error }
        attempt += 1
        try await clock.sleep(for: delay)
      }
    }
  }

  @concurrent
  private func answer<Answer: Sendable>(
    to request: TransportRequest, _ read: @Sendable (TransportResponse) throws -> Answer
  ) async throws -> Answer {
    let answer = try await FieldError.wrapping(
      "The server couldn't be reached.", as: .transport, operation: request.operation
    ) { try await transport.send(request) }
    return try read(answer)
  }
}

/// What shows that the pages of a list aren't repeated.
///
/// No document is at the start of two pages, whatever the order, so a server that repeats pages is
/// found out even if it invents tokens.
struct PageProgress {
  /// The number of pages without a document that may follow each other.
  private static let maximumEmptyPageCount = 100

  private var tokens: Set<String> = []
  private var starts: Set<String> = []
  private var emptyPageCount = 0

  /// Returns `false` if the page is a repetition, or leads to one.
  mutating func accepts(_ page: FirestoreResults) -> Bool {
    let start = [page.documents.first?.path.text, page.failures.first?.key].compactMap(\.self)
    if start.isEmpty { emptyPageCount += 1 } else { emptyPageCount = 0 }
    return page.nextPageToken.map { tokens.insert($0).inserted } ?? true
      && emptyPageCount <= Self.maximumEmptyPageCount
      && start.allSatisfy { starts.insert($0).inserted }
  }
}
