public import FieldCore

/// The documents that were requested by their paths.
public struct FirestoreBatch: Sendable, Hashable {
  /// The documents that exist, in the order of the request.
  public var found: [FirestoreDocument]
  /// The paths of those that don't exist.
  public var missing: [FirestorePath]
  /// The documents that exist and couldn't be read, each with its name.
  public var failures: [RowFailure]
  /// The time as of which the documents are; `nil` if the server doesn't say.
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

  /// The document of a path, or `nil` if it doesn't exist or couldn't be read.
  public subscript(path: FirestorePath) -> FirestoreDocument? { found.first { $0.path == path } }
}
