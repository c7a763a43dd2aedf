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
    /// How many sweeps are under way that have asked, or are asking, which blobs to keep.
    var sweepCount = 0
    /// The blobs whose leases have ended during those.
    var ended: Set<BlobID> = []
  }

  private let state = Lock(State())

  /// Leases a blob.
  func lease(_ id: BlobID) -> BlobLease {
    state.withLock { state in state.counts[id, default: 0] += 1 }
    return BlobLease(id) { [self] in
      state.withLock { state in
        let left = (state.counts[id] ?? 0) - 1
        state.counts[id] = left > 0 ? left : nil
        if state.sweepCount > 0 { state.ended.insert(id) }
      }
    }
  }

  /// Runs a sweep that asks which blobs to keep: what is on lease at any moment of it is spared by it.
  func sweeping<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    state.withLock { $0.sweepCount += 1 }
    defer {
      state.withLock { state in
        state.sweepCount -= 1
        if state.sweepCount == 0 { state.ended = [] }
      }
    }
    return try await body()
  }

  /// Runs `body` unless the blob is on lease, and keeps new leases of it waiting meanwhile.
  ///
  /// - Parameter isSwept: Whether a lease counts that has ended during a sweep which is under way.
  func unlessLeased(
    _ id: BlobID, isSwept: Bool = false, _ body: () throws(FileSystemError) -> Void
  ) throws(FileSystemError) -> Bool {
    try state.withLock { state throws(FileSystemError) -> Bool in
      guard state.counts[id] == nil, !(isSwept && state.ended.contains(id)) else { return false }
      try body()
      return true
    }
  }
}
