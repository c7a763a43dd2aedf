internal import FieldCore

/// The timer of a recorder, which all of its listeners share.
struct WalkTicker: Sendable {
  /// The numbers of the listeners for which the timer runs.
  var listeners: Set<Int> = []
  var task: Task<Void, Never>?
  /// The number of the last timer, so that one that ends late doesn't remove its successor.
  var lastTask = 0
}

extension WalkRecorder {
  /// Starts the timer for a listener, unless it runs already.
  func startTicking(for listener: Int) {
    guard untilNextSecond() != nil else { return }
    ticker.withLock { ticker in
      ticker.listeners.insert(listener)
      guard ticker.task == nil else { return }
      ticker.lastTask += 1
      let number = ticker.lastTask
      ticker.task = Task { [weak self, clock] in
        // The recorder isn't retained while the timer sleeps.
        while let wait = self?.untilNextSecond() {
          do { try await clock.sleep(for: wait) } catch { break }
          self?.changes.send()
        }
        self?.ticker.withLock { if $0.lastTask == number { $0.task = nil } }
      }
    }
  }

  /// Stops the timer if a listener was the last one.
  func stopTicking(_ listener: Int) {
    let ended = ticker.withLock { ticker -> Task<Void, Never>? in
      ticker.listeners.remove(listener)
      guard ticker.listeners.isEmpty else { return nil }
      defer { ticker.task = nil }
      return ticker.task
    }
    ended?.cancel()
  }

  /// Returns the time until the next full second of the walk; `nil` if its time has stopped.
  private func untilNextSecond() -> Duration? {
    let uptime = clock.uptime
    return core.withLock { state in
      guard !state.isOver, state.phase == .running || state.phase == .paused else { return nil }
      // Never negative, so that a timer can't spin.
      return .milliseconds(1000 - max(state.elapsed(uptime), 0) % 1000)
    }
  }
}
