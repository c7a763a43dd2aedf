internal import FieldCore
internal import FieldFoundation

extension WalkRecorder {
  /// Changes the state, writes the event, and syncs the journal. An event that can't be written
  /// waits in memory, so a full device doesn't end a walk.
  func change(_ action: WalkState.Action, _ event: WalkEvent) throws {
    try Task.checkCancellation()
    let (now, uptime) = (clock.now, clock.uptime)
    try core.withLock { state in
      let next = try state.phase(after: action)
      state.endSegment(uptime, in: journal)
      state.keep(event, at: state.elapsed(uptime), in: journal)
      if action == .resume {
        state.noticeClock(now, uptime)
        state.filter.resume(at: now)
      }
      state.phase = next
    }
    flush()
    changes.send()
  }

  /// Resumes a walk that was interrupted when the app quit, in a new segment.
  func goOn() {
    let (now, uptime) = (clock.now, clock.uptime)
    core.withLock { state in
      let since = now.timeIntervalSince(start) * 1000
      if since < 1e13 {
        state.baseElapsed = max(state.baseElapsed, Int64(limiting: since.rounded(.towardZero)))
      }
      state.baseUptime = uptime
      for entry in state.draft.unwrittenMarks {
        state.keep(entry.event, at: entry.elapsed, in: journal)
      }
      state.keep(.recovered, at: state.elapsed(uptime), in: journal)
      state.filter.resume(at: now)
      state.phase = .running
    }
    flush()
  }

  /// Writes an event of a running or paused walk, and syncs the journal.
  ///
  /// - Parameters:
  ///   - lease: The lease of a photo, whose bytes have been stored.
  ///   - orNothing: Whether to throw and leave the event out if it can't be written; otherwise, it waits in memory.
  func write(
    _ lease: BlobLease? = nil, orNothing: Bool = false,
    _ event: (RecorderState) throws -> WalkEvent
  ) throws {
    if lease == nil { try Task.checkCancellation() }
    let uptime = clock.uptime
    let failure = try core.withLock { state in
      // Finishing waits for photos that are being added; discarding doesn't.
      let isInTime = lease != nil && state.phase == .saving && !state.isAssembled
      if isInTime { try state.checkOpen() } else { try state.phase(after: .add) }
      let failure = state.keep(
        try event(state), at: state.elapsed(uptime), in: journal, orNothing: orNothing)
      if let lease, failure == nil { state.leases.append(lease) }
      return failure
    }
    flush()
    changes.send()
    if orNothing, let failure { throw failure }
  }

  // MARK: Syncing

  /// Syncs the journal, and schedules the next sync if something is left.
  func flush() {
    sync()
    scheduleFlush()
  }

  /// Syncs the journal; a failure appears in the progress until a later attempt succeeds.
  private func sync() {
    let hadFailed = core.withLock { state in
      defer { state.drain(in: journal) }
      return state.savingFailure != nil
    }
    let flushed = Result { () throws(FieldError) in try journal.flush() }
    let isNews = core.withLock { state in
      switch flushed {
      case .success: state.flushFailure = nil
      case .failure(let error): if !state.isOver { state.flushFailure = error }
      }
      return hadFailed || state.savingFailure != nil
    }
    if isNews { changes.send() }
  }

  /// Schedules a sync of what was written, by one task that ends with the walk or the recorder.
  func scheduleFlush() {
    core.withLock { state in
      guard state.flusher == nil, !state.isOver,
        journal.isDirty || !state.backlog.isEmpty
      else { return }
      state.flusher = Task { [weak self, clock, interval = options.flushInterval] in
        do {
          try await clock.sleep(for: interval)
        } catch {
          return  // cancelled by the recorder, which has flushed or is gone
        }
        guard let self else { return }
        self.sync()
        self.core.withLock { $0.flusher = nil }
        self.scheduleFlush()
      }
    }
  }

  // MARK: Suspension

  /// Writes pending entries and releases the journal's lock.
  func suspend() throws(FieldError) {
    flush()
    try journal.suspend()
  }

  /// Takes the journal's lock again, and writes the entries that are pending.
  func resumeRecording() throws(FieldError) {
    do throws(FieldError) {
      try journal.resume()
    } catch  where error.code == .busy || error.code == .conflict {
      throw FieldError(
        .walkIsTaken, "Another process has continued or finished the walk \(id).",
        underlying: error)
    }
    flush()
  }

  // MARK: Observing

  /// Returns a stream of signals, one now, one after each change, and one at each second of the walk,
  /// keeping at most one.
  func listen() -> AsyncStream<Void> {
    if let (number, stream) = changes.listen(ended: { [weak self] in self?.stopTicking($0) }) {
      startTicking(for: number)
      return stream
    }
    return AsyncStream { listener in
      listener.yield()
      listener.finish()
    }
  }

  /// Notifies all listeners of the last change, and ends their streams.
  func finishListeners() {
    let flusher = core.withLock { state in
      defer { state.flusher = nil }
      return state.flusher
    }
    flusher?.cancel()
    changes.send()
    changes.close()
  }
}
