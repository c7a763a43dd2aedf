/// Tells the steps of refreshes to all who listen.
package final class RefreshBroadcast: Sendable {
  private struct State: Sendable {
    var listeners: [Int: AsyncStream<RefreshProgress>.Continuation] = [:]
    var lastListener = 0
    var current: RefreshProgress?
    var isClosed = false
  }

  private let kit: String
  private let state = Lock(State())

  /// Makes a broadcast for a kit, by its name.
  package init(kit: String) { self.kit = kit }

  /// The steps from now on, after the newest of the run in flight when there is one.
  package func steps() -> RefreshSteps {
    let (stream, listener) = AsyncStream.makeStream(
      of: RefreshProgress.self, bufferingPolicy: .bufferingNewest(16))
    let (number, current) = state.withLock { state -> (Int?, RefreshProgress?) in
      guard !state.isClosed else { return (nil, nil) }
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return (state.lastListener, state.current)
    }
    guard let number else {
      listener.finish()
      return RefreshSteps(stream)
    }
    listener.onTermination = { [weak self] _ in
      self?.state.withLock { $0.listeners[number] = nil }
    }
    if let current { listener.yield(current) }
    return RefreshSteps(stream)
  }

  /// Tells a step.
  package func tell(
    _ phase: RefreshProgress.Phase, _ fraction: Double, rows: Int? = nil,
    outcome: RefreshProgress.Outcome? = nil
  ) {
    let (step, listeners) = state.withLock { state in
      // A guess at the whole may turn out too small; the bar waits then.
      let fraction = max(fraction, state.current?.fractionCompleted ?? 0)
      let step = RefreshProgress(
        kit: kit, phase: phase, fractionCompleted: fraction, rows: rows, outcome: outcome)
      state.current = outcome == nil ? step : nil
      return (step, Array(state.listeners.values))
    }
    for listener in listeners { listener.yield(step) }
  }

  /// Ends all sequences.
  package func close() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
