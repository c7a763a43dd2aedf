internal import FieldCore

extension WalkRecorder {
  /// Ends the walk and saves it in the diary.
  ///
  /// If saving fails, the walk is ``WalkState/failed``: the recording and the photos are kept, and
  /// you can call the method again; the walk keeps its original end. After the walk is saved,
  /// further calls return the saved walk.
  ///
  /// If the bytes of a photo are missing or damaged, the walk is saved without them, and
  /// ``WalkDiary/photo(_:)`` throws `walks.blobMissing` for that photo.
  ///
  /// ```swift
  /// let finished = try await walk.finish(weather: .clear, dust: .good)
  /// print(finished.distance, finished.movingTime, finished.reward as Any)
  /// ```
  ///
  /// - Parameters:
  ///   - weather: The weather, or `nil` to keep that of an earlier attempt, if any.
  ///   - dust: The fine dust grade, or `nil` to keep that of an earlier attempt, if any.
  ///   - air: The measured air quality, or `nil` to keep that of an earlier attempt, if any.
  /// - Returns: The walk as it is stored in the diary.
  /// - Throws: `FieldError` with the code `walks.operationInProgress` while another call is
  ///   saving the walk, or `walks.state` if it was discarded, or if it is running and
  ///   ``RecordingOptions/allowsFinishingWhileRunning`` is `false`; or the error that saving
  ///   caused.
  @concurrent
  @discardableResult
  public func finish(
    weather: WalkWeather? = nil, dust: DustGrade? = nil, air: AirQuality? = nil
  ) async throws -> Walk {
    try await finish { ending in
      ending.weather = weather ?? ending.weather
      ending.dust = dust ?? ending.dust
      ending.air = air ?? ending.air
    }
  }

  /// Ends the walk. `complete` adjusts its ending, which is now or that of an earlier attempt.
  func finish(_ complete: @Sendable (inout WalkEnding) -> Void) async throws -> Walk {
    try Task.checkCancellation()
    if let saved = try beginSaving(complete) { return saved }
    do {
      // Wait for photos that are already being added.
      await photoLock.withLockUncancellably {}
      let saved = try await saving.save(try assemble())
      await sessions.release(photos)
      endSaving(.success(saved))
      await sessions.ended(self)
      return saved
    } catch {
      let error = FieldError.wrapping(error, as: .io, "The walk couldn't be saved.")
      endSaving(.failure(error))
      throw error
    }
  }

  /// Discards the walk and its photos.
  ///
  /// If the device fails to sync the removal and then loses power, the walk may be found as unfinished again.
  ///
  /// ```swift
  /// if walk.current.figures.pointCount < 2 { try await walk.discard() }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.state` if the walk is already saved, or the
  ///   error that kept the journal from being removed; the walk is then unchanged.
  @concurrent
  public func discard() async throws {
    try Task.checkCancellation()
    let photos = state.after(.discard) == nil ? [] : photos
    await sessions.release(photos)
    do {
      try core.withLock { state in
        let next = try state.phase(after: .discard)
        // Nobody may see a walk as discarded while its journal still exists.
        try journal.remove()
        state.phase = next
        state.letGo()
      }
    } catch {
      await sessions.claim(photos)
      throw error
    }
    finishListeners()
    await sessions.ended(self)
  }

  var isOver: Bool { core.withLock { $0.isOver } }

  var photos: Set<BlobID> { core.withLock { Set($0.draft.photos.map(\.blob)) } }

  /// Closes the recorder and leaves the walk unfinished.
  func close() {
    flush()
    core.withLock { state in
      state.isClosed = true
      state.leases = []
    }
    finishListeners()
    journal.close()
  }

  /// Enters the saving state; returns the walk if it is already saved.
  private func beginSaving(_ complete: (inout WalkEnding) -> Void) throws -> Walk? {
    let uptime = clock.uptime
    let saved = try core.withLock { state -> Walk? in
      if let saved = state.saved { return saved }
      let next = try state.phase(after: .finish)
      if state.phase == .running, !options.allowsFinishingWhileRunning {
        throw FieldError(.walkState, "The walk is still running. Pause it before you finish it.")
      }
      state.endSegment(uptime, in: journal)
      let elapsed = state.elapsed(uptime)
      var ending =
        state.draft.ending
        ?? WalkEnding(elapsed: elapsed, active: state.draft.active(at: elapsed))
      complete(&ending)
      state.keep(.ending(ending), at: elapsed, in: journal)
      state.phase = next
      state.isAssembled = false
      state.failure = nil
      return nil
    }
    if saved != nil { return saved }
    flush()
    changes.send()
    return nil
  }

  private func assemble() throws -> FinishedWalk {
    let (draft, backlog) = core.withLock { state in
      state.isAssembled = true
      return (state.draft, state.backlog)
    }
    guard let ending = draft.ending else {
      throw FieldError(.walkState, "The walk hasn't ended yet.")
    }
    return FinishedWalk(
      walk: draft.walk(ending), route: try recordedRoute(with: backlog), photos: draft.photos,
      drafts: try sessions.drafts())
  }

  private func endSaving(_ result: Result<Walk, any Error>) {
    core.withLock { state in
      switch result {
      case .success(let walk):
        state.phase = .saved
        state.saved = walk
        state.letGo()
      case .failure(let error):
        state.phase = .failed
        state.failure = error
        state.isAssembled = false
      }
    }
    guard case .success = result else { return changes.send() }
    finishListeners()
    // If the journal can't be removed, the next recovery recognizes that its walk is saved.
    _ = try? journal.remove()
    journal.close()
  }
}
