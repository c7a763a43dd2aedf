/// A lease that protects a blob from sweeps until a record refers to it.
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

  /// Creates a lease that calls `onEnd` once, when it ends or is released.
  public init(_ id: BlobID, onEnd: @escaping @Sendable () -> Void) {
    self.id = id
    self.onEnd = Lock(onEnd)
  }

  deinit { end() }

  /// Ends the lease; from now on, a record refers to the blob, or nothing does.
  public func end() {
    let onEnd = onEnd.withLock { $0.take() }
    onEnd?()
  }
}

/// The leased blobs of a store.
final class BlobLeases: Sendable {
  private struct State: Sendable {
    var counts: [BlobID: Int] = [:]
    /// The number of running removals that check which blobs are in use.
    var removalCount = 0
    /// The number of leases that have ended.
    var endCount = 0
    /// The blobs whose leases have ended during those removals, with the number of that end.
    var ended: [BlobID: Int] = [:]
  }

  private let state = Lock(State())

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

  /// Runs a removal that spares all blobs that are leased at any time during it.
  ///
  /// - Parameter body: The removal. Pass its argument, the moment of its start, to
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

  /// Runs `body` unless the blob is leased; new leases of the blob wait in the meantime.
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
