internal import FieldCore

/// The damage found while reading photos, which stores don't report to others.
final class PhotoIntegrity: Sendable {
  /// The photos that were found damaged when they were read.
  private let damaged = Lock<Set<BlobID>>([])
  private let signals = Broadcast<Void>()

  init() { signals.send() }

  /// Returns whether a photo was damaged when it was last read.
  func isDamaged(_ blob: BlobID) -> Bool { damaged.withLock { $0.contains(blob) } }

  /// Records whether a photo is damaged, and notifies the watchers of a change.
  func note(_ blob: BlobID, isDamaged: Bool) {
    let isNew = damaged.withLock { damaged in
      isDamaged ? damaged.insert(blob).inserted : damaged.remove(blob) != nil
    }
    if isNew { signals.send() }
  }

  /// Returns a stream with one signal immediately and one after each change.
  func changes() -> AsyncStream<Void> { signals.listen()?.stream ?? AsyncStream { $0.finish() } }
}
