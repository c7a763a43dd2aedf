/// What a commit has done.
public struct FirestoreCommit: Sendable, Hashable {
  /// When the writes were applied.
  public var applied: Applied
  /// The result of each write, in order; empty if they were applied earlier.
  public var results: [WriteResult]
  /// The time of the commit; `nil` if nothing was written.
  public var time: FirestoreTimestamp?

  /// Creates the outcome of a commit.
  public init(applied: Applied = .now, results: [WriteResult] = [], time: FirestoreTimestamp? = nil)
  {
    self.applied = applied
    self.results = results
    self.time = time
  }

  /// When the writes of a commit were applied.
  public enum Applied: Sendable, Hashable {
    /// By this call.
    case now
    /// By an earlier attempt, whose answer was lost; the receipt says so.
    case earlier
  }

  /// The result of one write.
  public struct WriteResult: Sendable, Hashable {
    /// The time of the document's last change, which is an earlier one if the write changed nothing; `nil`
    /// for a deletion.
    public var updateTime: FirestoreTimestamp?
    /// The values that the transforms have led to, in order; null for those of arrays.
    public var transformResults: [FirestoreValue]

    /// Creates a result.
    public init(
      updateTime: FirestoreTimestamp? = nil, transformResults: [FirestoreValue] = []
    ) {
      self.updateTime = updateTime
      self.transformResults = transformResults
    }
  }
}
