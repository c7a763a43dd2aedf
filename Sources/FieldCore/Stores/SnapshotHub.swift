/// The current snapshot of a store, and the observers that wait for the next one.
package final class SnapshotHub<Record: StoredRecord>: Sendable {
  private typealias Continuation = AsyncStream<Snapshot<Record>>.Continuation

  private struct State: Sendable {
    var current: Snapshot<Record>
    var observers: [UInt64: (owner: UInt64, continuation: Continuation)] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state: Lock<State>

  package init(_ snapshot: Snapshot<Record>) {
    state = Lock(State(current: snapshot))
  }

  package var current: Snapshot<Record> { state.withLock { $0.current } }

  package var observerCount: Int { state.withLock { $0.observers.count } }

  /// Publishes `snapshot` as the newest.
  ///
  /// Calls must be serialized in the order of the commits.
  package func publish(_ snapshot: Snapshot<Record>) {
    // It stays `nil` if there are none, which spares a new process the first use of the types.
    var observers: [Continuation]?
    state.withLock { state in
      state.current = snapshot
      // Not by key path, which generic code would create anew in each commit.
      if !state.observers.isEmpty { observers = state.observers.values.map { $0.continuation } }
    }
    observers?.forEach { $0.yield(snapshot) }
  }

  /// Starts an observation on behalf of `owner`.
  package func observe(owner: UInt64) -> AsyncStream<Snapshot<Record>> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Snapshot<Record>.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.lastNumber += 1
      // Nobody waits for the stream yet, so this only fills its buffer. At this point, no newer
      // snapshot can precede it.
      continuation.yield(state.current)
      state.observers[state.lastNumber] = (owner, continuation)
      return state.lastNumber
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.observers.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends the observations of `owner`.
  package func finish(owner: UInt64) {
    let ended = state.withLock { state in
      if state.observers.isEmpty { return [] as [AsyncStream<Snapshot<Record>>.Continuation] }
      let ended = state.observers.filter { $0.value.owner == owner }
      for number in ended.keys { state.observers.removeValue(forKey: number) }
      return ended.values.map(\.continuation)
    }
    for continuation in ended { continuation.finish() }
  }
}
