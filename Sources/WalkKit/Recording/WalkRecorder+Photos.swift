internal import FieldCore
internal import FieldFoundation

extension WalkRecorder {
  /// Adds a photo at the location of the last point.
  ///
  /// When the method returns, the photo is synced to the device, and the walk refers to it. Photos
  /// are ordered by when the calls were made, regardless of their size. Calls from one actor keep
  /// their order, even if it doesn't wait for each.
  ///
  /// ```swift
  /// try await walk.addPhoto(jpeg)
  /// ```
  ///
  /// - Parameter bytes: The photo as a `Data` or an array. It is stored without further
  ///   compression.
  /// - Throws: `FieldError` if the photo couldn't be stored or the walk is over, or
  ///   `CancellationError` if the task was canceled before the photo was stored. Nothing is added
  ///   then.
  @discardableResult
  public func addPhoto(_ bytes: some Sequence<UInt8>) async throws -> DraftPhoto {
    let bytes = Array(bytes)
    guard !bytes.isEmpty else { throw FieldError(.invalidInput, "The photo is empty.") }
    let now = clock.now
    let coordinate = try core.withLock { state in
      try state.phase(after: .add)
      return state.draft.lastPoint?.coordinate
    }
    // Enter the queue here, where the call is made, and not later on another executor.
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
    try write(lease, orNothing: true) { _ in .photo(photo) }
    await sessions.claim([lease.id])
    return photo
  }
}
