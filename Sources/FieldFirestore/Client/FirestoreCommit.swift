/// The result of a commit.
public struct FirestoreCommit: Sendable, Hashable {
  /// The attempt that applied the writes.
  public var applied: Applied
  /// The result of each write, in order; empty if they were applied earlier.
  public var results: [WriteResult]
  /// The time of the commit; `nil` if nothing was written.
  public var time: FirestoreTimestamp?

  /// Creates the result of a commit.
  public init(applied: Applied = .now, results: [WriteResult] = [], time: FirestoreTimestamp? = nil)
  {
    self.applied = applied
    self.results = results
    self.time = time
  }

  /// The attempt that applied the writes of a commit.
  public enum Applied: Sendable, Hashable {
    /// This call applied them.
    case now
    /// An earlier attempt applied them, according to the receipt; its response was lost.
    case earlier
  }

  /// The result of one write.
  public struct WriteResult: Sendable, Hashable {
    /// The time of the document's last change, or `nil` after a deletion.
    ///
    /// If the write changed nothing, it is the time of an earlier change.
    public var updateTime: FirestoreTimestamp?
    /// The values that result from the transforms, in order; `null` for array transforms.
    public var transformResults: [FirestoreValue]

    /// Creates a result.
    public init(updateTime: FirestoreTimestamp? = nil, transformResults: [FirestoreValue] = []) {
      self.updateTime = updateTime
      self.transformResults = transformResults
    }
  }
}
