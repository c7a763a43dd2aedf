/// Keeps a blob from the sweep until a record refers to it.
///
/// ```swift
/// let lease = try await blobs.put(jpeg)
/// var changes = Changes<Sighting>()
/// changes.upsert(Sighting(id: id, photo: lease.id))
/// try await sightings.commit(changes, checkpoint: nil, expecting: nil)
/// lease.end()
/// ```
public final class BlobLease: Sendable {
  /// The blob.
  public let id: BlobID

  private let onEnd: Lock<(@Sendable () -> Void)?>

  /// Makes a lease, which calls `onEnd` once, when it ends or when nothing refers to it any more.
  public init(_ id: BlobID, onEnd: @escaping @Sendable () -> Void) {
    self.id = id
    self.onEnd = Lock(onEnd)
  }

  deinit { end() }

  /// Ends the lease; a record refers to the blob now, or nothing ever will.
  public func end() {
    let onEnd = onEnd.withLock { onEnd in
      defer { onEnd = nil }
      return onEnd
    }
    onEnd?()
  }
}

/// The blobs of a store that are on lease.
final class BlobLeases: Sendable {
  private struct State: Sendable {
    var counts: [BlobID: Int] = [:]
    /// How many removals are under way that ask what is in use.
    var removalCount = 0
    /// How many leases have ended.
    var endCount = 0
    /// The blobs whose leases have ended during those removals, with the number of the end.
    var ended: [BlobID: Int] = [:]
  }

  private let state = Lock(State())

  /// Leases a blob.
  func lease(_ id: BlobID) -> BlobLease {
    state.withLock { state in state.counts[id, default: 0] += 1 }
    return BlobLease(id) { [self] in
      state.withLock { state in
        let left = (state.counts[id] ?? 0) - 1
        state.counts[id] = left > 0 ? left : nil
        state.endCount += 1
        if state.removalCount > 0 { state.ended[id] = state.endCount }
      }
    }
  }

  /// Runs a removal that asks what is in use: what is on lease at any moment of it is spared by it.
  ///
  /// - Parameter body: The removal; it is given the moment of its start for
  ///   ``unlessLeased(_:since:_:)``.
  func removing<Result>(_ body: (_ start: Int) async throws -> Result) async rethrows -> Result {
    let start = state.withLock { state in
      state.removalCount += 1
      return state.endCount
    }
    defer {
      state.withLock { state in
        state.removalCount -= 1
        if state.removalCount == 0 { state.ended = [:] }
      }
    }
    return try await body(start)
  }

  /// Runs `body` unless the blob is on lease, and keeps new leases of it waiting meanwhile.
  ///
  /// - Parameter start: The moment since which no lease of the blob may have ended, either.
  func unlessLeased(
    _ id: BlobID, since start: Int? = nil, _ body: () throws(FileSystemError) -> Void
  ) throws(FileSystemError) -> Bool {
    try state.withLock { state throws(FileSystemError) -> Bool in
      guard state.counts[id] == nil else { return false }
      if let start, let end = state.ended[id], end > start { return false }
      try body()
      return true
    }
  }
}
