public import FieldCore

/// The documents that a query or a list returned.
public struct FirestoreResults: Sendable, Hashable {
  /// The documents, in the server's order.
  public var documents: [FirestoreDocument]
  /// The documents that couldn't be read, each with its name.
  public var failures: [RowFailure]
  /// The time at which the documents were read, or `nil` if the server doesn't report it.
  public var readTime: FirestoreTimestamp?
  /// The token of the next page of a list, or `nil` if there is none.
  public var nextPageToken: String?

  /// Creates results.
  public init(
    documents: [FirestoreDocument] = [], failures: [RowFailure] = [],
    readTime: FirestoreTimestamp? = nil, nextPageToken: String? = nil
  ) {
    self.documents = documents
    self.failures = failures
    self.readTime = readTime
    self.nextPageToken = nextPageToken
  }
}
