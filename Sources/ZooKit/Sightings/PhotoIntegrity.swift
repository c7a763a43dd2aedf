internal import FieldCore

/// The damage found while reading photos, which stores don't report to others.
final class PhotoIntegrity: Sendable {
  private struct State: Sendable {
    /// The photos that were found damaged when they were read.
    var damaged: Set<BlobID> = []
    var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastWatcher = 0
  }

  private let state = Lock(State())

  /// Returns whether a photo was damaged when it was last read.
  func isDamaged(_ blob: BlobID) -> Bool { state.withLock { $0.damaged.contains(blob) } }

  /// Records whether a photo is damaged, and notifies the watchers of a change.
  func note(_ blob: BlobID, isDamaged: Bool) {
    let watchers = state.withLock { state in
      let isNew =
        isDamaged ? state.damaged.insert(blob).inserted : state.damaged.remove(blob) != nil
      return isNew ? Array(state.watchers.values) : []
    }
    for watcher in watchers { watcher.yield() }
  }

  /// Returns a stream with one signal immediately and one after each change.
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
