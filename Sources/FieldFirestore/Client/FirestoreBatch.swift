public import FieldCore

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
