public import FieldCore

/// Reads and writes that take effect atomically.
///
/// All reads must come before the first write. A transaction is valid only inside the closure that
/// it is passed to.
public final class FirestoreTransaction: Sendable {
  let id: String
  private let client: FirestoreClient
  private let written = Lock<[FirestoreWrite]>([])

  init(id: String, client: FirestoreClient) {
    self.id = id
    self.client = client
  }

  /// Returns a document, or `nil` if it doesn't exist.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` after the first write.
  public func get(_ path: FirestorePath) async throws -> FirestoreDocument? {
    let batch = try await get([path])
    if let failure = batch.failures.first {
      throw FieldError(.malformed, "The document \(path) can't be read: \(failure.reason).")
    }
    return batch.found.first
  }

  /// Returns the documents at the given paths, and the paths of those that don't exist.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` after the first write.
  public func get(_ paths: [FirestorePath]) async throws -> FirestoreBatch {
    try checkReading()
    return try await client.get(paths, mask: nil, consistency: .transaction(id))
  }

  /// Returns the documents that match a query.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` after the first write.
  public func run(_ query: FirestoreQuery) async throws -> FirestoreResults {
    try checkReading()
    return try await client.run(query, consistency: .transaction(id))
  }

  /// Adds writes, which are applied after the closure returns.
  public func write(_ writes: FirestoreWrite...) { written.withLock { $0 += writes } }

  var writes: [FirestoreWrite] { written.withLock { $0 } }

  private func checkReading() throws {
    guard writes.isEmpty else {
      throw FieldError(
        .invalidInput, "A transaction reads before it writes. Move the read before the first write."
      )
    }
  }
}

/// The documents returned for a list of paths.
public struct FirestoreBatch: Sendable, Hashable {
  /// The documents that exist, in the order of the request.
  public var found: [FirestoreDocument]
  /// The paths of the documents that don't exist.
  public var missing: [FirestorePath]
  /// The documents that exist but couldn't be read, each with its name.
  public var failures: [RowFailure]
  /// The time at which the documents were read, or `nil` if the server doesn't report it.
  public var readTime: FirestoreTimestamp?

  /// Creates a batch.
  public init(
    found: [FirestoreDocument] = [], missing: [FirestorePath] = [], failures: [RowFailure] = [],
    readTime: FirestoreTimestamp? = nil
  ) {
    self.found = found
    self.missing = missing
    self.failures = failures
    self.readTime = readTime
  }

  /// The document at a path, or `nil` if it doesn't exist or couldn't be read.
  public subscript(path: FirestorePath) -> FirestoreDocument? { found.first { $0.path == path } }
}
