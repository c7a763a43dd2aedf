internal import FieldCore

extension WalkSessions {
  /// Discards all walks that are not finished, those that are being recorded in this process too, and what
  /// was set aside of damaged journals.
  ///
  /// A walk that is being saved is waited for, and stays when it is saved.
  ///
  /// - Returns: The walks that other processes are recording, which they keep.
  @concurrent
  package func eraseAll() async throws -> [Walk.ID] {
    try await admitting([]) {
      let photos = try self.photos(rescue: { _ in [] })
      for recorder in self.recorders { try await self.giveUp(recorder) }
      let taken = try self.journals().eraseAll()
      let kept = taken.isEmpty ? [] : try self.photos()
      // A sweep spares what is young, and nothing of this is to stay.
      for photo in photos.subtracting(kept) { try await self.drafts().remove(photo) }
      // Photos of damaged journals are claimed and known to nobody else.
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
        await recorder.settled()
      }
    }
  }

  /// Removes what nothing refers to any more. The walks are what they are whatever comes of this: what
  /// cannot be removed now is removed after the next walk, or at the next look for unfinished ones.
  ///
  /// - Parameter photos: Those of a walk that is over, which go at once. A sweep spares what is young.
  func tidy(after photos: Set<BlobID> = []) async {
    do {
      try journals().removeLeftovers()
      // A journal that cannot be read may refer to any photo: nothing is removed then.
      let released = photos.subtracting(try self.photos())
      let kept = try journals().mentioned(among: released)
      for photo in released.subtracting(kept) { try await drafts().remove(photo) }
      try await drafts().sweepUnclaimed(releasing: released) {
        let kept = try self.photos()
        // Asked last: a part is set aside before it is cut off.
        return try self.journals().hasSetAside() ? nil : kept
      }
    } catch {}
  }

  /// Notes that journals refer to these photos. If that fails, the next look for unfinished walks does it.
  func claim(_ photos: Set<BlobID>) async {
    do {
      try await drafts().claim(photos)
    } catch {}
  }

  /// Notes that the journal of these photos is about to be removed, so that a later look removes what this
  /// process can't. If that fails, the photos stay.
  func release(_ photos: Set<BlobID>) async {
    guard !photos.isEmpty else { return }
    do {
      try await drafts().release(photos)
    } catch {}
  }

  /// The photos that the journals refer to.
  ///
  /// - Parameter rescue: The photos of a journal that cannot be read; nothing but an error unless given.
  private func photos(
    rescue: (any Error) throws -> Set<BlobID> = { throw $0 }
  ) throws -> Set<BlobID> {
    let journals = try journals()
    return try journals.names().reduce(into: []) { all, name in
      do {
        all.formUnion(try Self.photos(of: name, in: journals))
      } catch {
        all.formUnion(try rescue(error))
      }
    }
  }

  private static func photos(
    of name: String, in journals: JournalDirectory
  ) throws -> Set<BlobID> {
    guard let (bytes, payloads) = try journals.peek(name) else { return [] }
    return Set(try payloads.compactMap { try WalkEntry.photo(bytes, $0) })
  }
}
