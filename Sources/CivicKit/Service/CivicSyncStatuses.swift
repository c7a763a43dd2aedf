internal import FieldCore

/// How synchronisations stand, as it happens.
///
/// A slow reader misses statuses in between, never the newest ones.
public struct CivicSyncStatuses: AsyncSequence, Sendable {
  private let stream: AsyncStream<CivicSyncStatus>

  init(_ stream: AsyncStream<CivicSyncStatus>) { self.stream = stream }

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: stream.makeAsyncIterator())
  }

  /// Gives the statuses one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<CivicSyncStatus>.Iterator

    /// The next status; nil when there will be none.
    public mutating func next() async -> CivicSyncStatus? {
      await next(isolation: #isolation)
    }

    /// The next status, on the caller's actor; nil when there will be none.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> CivicSyncStatus? {
      await base.next(isolation: actor)
    }
  }
}

/// Tells the statuses to all who listen, the newest first.
final class CivicSyncBroadcast: Sendable {
  private struct State: Sendable {
    var listeners: [Int: AsyncStream<CivicSyncStatus>.Continuation] = [:]
    var lastListener = 0
    var newest: CivicSyncStatus?
    var isClosed = false
  }

  private let state = Lock(State())

  var newest: CivicSyncStatus? { state.withLock(\.newest) }

  func statuses() -> CivicSyncStatuses {
    let (stream, listener) = AsyncStream.makeStream(
      of: CivicSyncStatus.self, bufferingPolicy: .bufferingNewest(16))
    let (number, newest) = state.withLock { state -> (Int?, CivicSyncStatus?) in
      guard !state.isClosed else { return (nil, state.newest) }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return (state.lastListener, state.newest)
    }
    if let newest { listener.yield(newest) }
    guard let number else {
      listener.finish()
      return CivicSyncStatuses(stream)
    }
    listener.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    return CivicSyncStatuses(stream)
  }

  func tell(_ status: CivicSyncStatus) {
    let listeners = state.withLock { state in
      state.newest = status
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield(status) }
  }

  func close() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
