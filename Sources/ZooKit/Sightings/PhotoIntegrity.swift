internal import FieldCore

/// What reading and writing photos has shown of their files, which no store tells anybody.
final class PhotoIntegrity: Sendable {
  private struct State: Sendable {
    /// Photos of which was found, on reading, that they are not what they were.
    var damaged: Set<BlobID> = []
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastWatcher = 0
  }

  private let state = Lock(State())

  /// Whether a photo was damaged when it was last read.
  func isDamaged(_ blob: BlobID) -> Bool { state.withLock { $0.damaged.contains(blob) } }

  /// Notes what a photo was found to be, and tells those who watch when that is new.
  func note(_ blob: BlobID, isDamaged: Bool) {
    let watchers = state.withLock { state in
      let isNew =
        isDamaged ? state.damaged.insert(blob).inserted : state.damaged.remove(blob) != nil
      return isNew ? Array(state.watchers.values) : []
    }
    for watcher in watchers { watcher.yield() }
  }

  /// Gives a sign at once, and whenever something new was found; ends with its reader.
  func changes() -> AsyncStream<Void> {
    let (signs, watcher) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = watcher
      return state.lastWatcher
    }
    watcher.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
    }
    watcher.yield()
    return signs
  }
}
