internal import FieldCore

/// Runs a closure, and throws if it hasn't ended in time, even if it ignores its cancellation.
///
/// A task group would wait for such a closure forever; here, it is canceled and abandoned.
func withDeadline<Output: Sendable>(
  _ limit: Duration, clock: any FieldClock = .system,
  _ body: @escaping @Sendable () async throws -> Output
) async throws -> Output {
  let (outcomes, continuation) = AsyncStream<Result<Output, any Error>>.makeStream(
    bufferingPolicy: .bufferingOldest(1))
  let work = Task {
    do {
      continuation.yield(.success(try await body()))
    } catch {
      continuation.yield(.failure(error))
    }
  }
  let alarm = Task {
    // In a hundred parts, each of which ends behind all tasks that are ready, as the steps of the body
    // do: where others keep the threads busy, the deadline is later, too.
    for _ in 0..<100 { try await clock.sleep(for: limit / 100) }
    continuation.yield(.failure(ConformanceMiss("it wasn't finished after \(limit)")))
  }
  defer {
    work.cancel()
    alarm.cancel()
  }
  for await outcome in outcomes { return try outcome.get() }
  throw CancellationError()
}
