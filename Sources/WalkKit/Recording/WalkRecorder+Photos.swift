internal import FieldCore
internal import FieldFoundation

extension WalkRecorder {
  /// Adds a photo, at the place of the last point.
  ///
  /// When this returns, its bytes are on the device among the drafts, and the walk refers to them.
  /// Photos are in the order in which the calls were made, however large they are: calls of one actor in
  /// the order in which it made them, whether it waits for each or not.
  ///
  /// - Parameter bytes: The photo as it is to be kept: a `Data` or an array. Nothing is compressed here.
  /// - Throws: `FieldError` when it could not be stored, or the walk is over; nothing is added then.
  ///   `CancellationError` when the task was cancelled before the photo was stored.
  @discardableResult
  public func addPhoto(_ bytes: some Sequence<UInt8>) async throws -> DraftPhoto {
    let bytes = Array(bytes)
    guard !bytes.isEmpty else { throw FieldError(.invalidInput, "the photo has no bytes") }
    let now = clock.now
    let coordinate = try core.withLock { state in
      guard state.phase.after(.add) != nil else { throw state.phase.refusal(of: .add) }
      try state.checkOpen()
      return state.draft.lastPoint?.coordinate
    }
    // The place in the queue is taken here, where the call was made, and not on another executor later.
    return try await photoLock.withLock {
      try await self.store(bytes, takenAt: now, at: coordinate)
    }
  }

  @concurrent
  private func store(
    _ bytes: [UInt8], takenAt date: Date, at coordinate: Coordinate?
  ) async throws -> DraftPhoto {
    let lease = try await sessions.drafts().put(bytes)
    let photo = DraftPhoto(
      id: WalkPhoto.ID(rawValue: sessions.newID()), blob: lease.id, takenAt: date,
      coordinate: coordinate)
    try keep(photo, lease)
    await sessions.claim([lease.id])
    return photo
  }

  private func keep(_ photo: DraftPhoto, _ lease: BlobLease) throws {
    let uptime = clock.uptime
    let (failure, listeners) = try core.withLock { state in
      // Finishing waits for photos that were under way; discarding does not.
      let isInTime = state.phase == .saving && !state.isAssembled
      guard state.phase.after(.add) != nil || isInTime else {
        throw state.phase.refusal(of: .add)
      }
      try state.checkOpen()
      let failure = state.keep(
        .photo(photo), at: state.elapsed(uptime), in: journal, orNothing: true)
      if failure == nil { state.leases.append(lease) }
      return (failure, Array(state.listeners.values))
    }
    flush()
    for listener in listeners { listener.yield() }
    if let failure { throw failure }
  }
}
