internal import FieldCore

extension WalkSessions {
  /// Discards all unfinished walks, including those that this process is recording, and damaged
  /// journals that were set aside.
  ///
  /// If a walk is being saved, the method waits, and the saved walk stays.
  ///
  /// - Returns: The walks that other processes are recording, which stay.
  @concurrent
  func eraseAll() async throws -> [Walk.ID] {
    try await admitting([]) {
      let photos = try self.photos(rescue: { _ in [] })
      for recorder in self.recorders { try await self.giveUp(recorder) }
      let taken = try self.journals().eraseAll()
      let kept = taken.isEmpty ? [] : try self.photos()
      // A sweep spares recent photos, but none of these may stay.
      for photo in photos.subtracting(kept) { try await self.drafts().remove(photo) }
      // The photos of damaged journals are claimed, but nothing else refers to them.
      try await self.drafts().sweep(keepingThoseOf: { try self.photos() })
      self.forgetFailures()
      return taken.map(Walk.ID.init(rawValue:))
    }
  }

  private func giveUp(_ recorder: WalkRecorder) async throws {
    while !recorder.isOver {
      do {
        try await recorder.discard()
      } catch let error as FieldError where error.code == .operationInProgress {
        for await progress in recorder.progress where progress.state != .saving { break }
      } catch  where recorder.isOver {
        // Saved, discarded, or closed meanwhile; the journal of a closed one is erased with the others.
      }
    }
  }

  /// Removes everything that is no longer referenced, ignoring errors.
  ///
  /// What can't be removed now is removed after the next walk, or at the next search for unfinished ones.
  ///
  /// - Parameter photos: The photos of a walk that is over, which a sweep would spare for a while.
  func tidy(after photos: Set<BlobID> = []) async {
    do {
      try journals().removeLeftovers()
      // A journal that can't be read may refer to any photo, so nothing is removed then.
      let released = photos.subtracting(try self.photos())
      let kept = try journals().mentioned(among: released)
      for photo in released.subtracting(kept) { try await drafts().remove(photo) }
      try await drafts().sweepUnclaimed(releasing: released) {
        let kept = try self.photos()
        // Asked last, because a part is set aside before it is cut off.
        return try self.journals().hasSetAside() ? nil : kept
      }
    } catch {}
  }

  /// Claims photos that journals refer to. If that fails, the next search for unfinished walks does
  /// it.
  func claim(_ photos: Set<BlobID>) async { try? await drafts().claim(photos) }

  /// Releases photos whose journal is about to be removed, so that a later search removes what this
  /// process can't. If that fails, the photos stay.
  func release(_ photos: Set<BlobID>) async {
    guard !photos.isEmpty else { return }
    try? await drafts().release(photos)
  }

  /// Returns the photos that the journals refer to.
  ///
  /// - Parameter rescue: Returns the photos of a journal that can't be read. By default, it
  ///   throws the error.
  private func photos(
    rescue: (any Error) throws -> Set<BlobID> = { throw $0 }
  ) throws -> Set<BlobID> {
    let journals = try journals()
    return try journals.names().reduce(into: []) { all, name in
      do {
        guard let (bytes, payloads) = try journals.peek(name) else { return }
        all.formUnion(try payloads.compactMap { try WalkEntry.photo(bytes, $0) })
      } catch {
        all.formUnion(try rescue(error))
      }
    }
  }
}
