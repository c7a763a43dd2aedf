internal import FieldCore

extension FirestoreClient {
  /// Applies any number of independent writes, as fast as Google's rule for new traffic allows.
  ///
  /// The writes are sent in order, in small commits. A rejected write doesn't affect the others:
  /// its commit is split until the write is alone. The rate begins with 500 writes per second and
  /// increases by 50% every 5 minutes.
  ///
  /// - Parameters:
  ///   - writes: The writes. Those that aren't idempotent may end with an unknown outcome.
  ///   - batchSize: The maximum number of writes in a commit. Defaults to 20, as in Google's
  ///     libraries.
  ///   - progress: A closure to call with the number of finished writes.
  /// - Returns: The result or the error of each write.
  /// - Throws: `CancellationError` if the task is canceled.
  public func write(
    _ writes: [FirestoreWrite], batchSize: Int = 20, progress: (Int) -> Void = { _ in }
  ) async throws -> [Result<FirestoreCommit.WriteResult, any Error>] {
    let limiter = FirestoreRateLimiter(clock: clock)
    let size = max(1, min(batchSize, configuration.limits.writeCount))
    var results: [Result<FirestoreCommit.WriteResult, any Error>] = []
    var waiting: [ArraySlice] = stride(from: 0, to: writes.count, by: size).reversed().map {
      writes[$0..<min($0 + size, writes.count)]
    }
    while let batch = waiting.popLast() {
      try Task.checkCancellation()
      do {
        try check(Array(batch))
        try await limiter.wait(for: batch.count)
        results += try await commit(Array(batch)).results.map { .success($0) }
      } catch let error as FieldError {
        if batch.count > 1, error.firestoreOutcome == .rejected {
          let middle = batch.startIndex + batch.count / 2
          waiting.append(batch[middle...])
          waiting.append(batch[..<middle])
          continue
        }
        results += batch.map { _ in .failure(error) }
      }
      progress(results.count)
    }
    return results
  }
}
