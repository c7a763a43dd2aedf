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
  private let counts = Lock<[BlobID: Int]>([:])

  /// Leases a blob.
  func lease(_ id: BlobID) -> BlobLease {
    counts.withLock { counts in counts[id, default: 0] += 1 }
    return BlobLease(id) { [self] in
      counts.withLock { counts in
        let left = (counts[id] ?? 0) - 1
        counts[id] = left > 0 ? left : nil
      }
    }
  }

  /// Runs `body` unless the blob is on lease, and keeps new leases of it waiting meanwhile.
  func unlessLeased(_ id: BlobID, _ body: () throws(FileSystemError) -> Void)
    throws(FileSystemError) -> Bool
  {
    try counts.withLock { counts throws(FileSystemError) -> Bool in
      guard counts[id] == nil else { return false }
      try body()
      return true
    }
  }
}
