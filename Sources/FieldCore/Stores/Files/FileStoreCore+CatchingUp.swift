extension FileStoreCore {
  /// Takes over what other processes have done to the file.
  ///
  /// The same file with the same end: nothing. A longer one: its new frames are read. Another file, a
  /// shorter one, or one whose last frame is not the one that was read: all is read anew. Without the
  /// lock, a frame that is not whole is taken for one that is being written, and left alone.
  func catchUp(isLocked: Bool) throws {
    do {
      guard var disk, isLocked || disk.refusal == nil else { return }
      guard let present = try fileSystem.status(at: paths.file) else {
        guard isLocked else { return }  // readers keep what they have
        let refusal = FieldError(
          .needsReopening,
          "The store file \(paths.file) no longer exists. Reopen the store to start over.")
        disk.refusal = refusal
        self.disk = disk
        throw refusal
      }
      guard let file = disk.file, try isContinued(disk, file, present) else {
        try load(isLocked: isLocked)
        return
      }
      if present.size > disk.end, isLocked || present != disk.status {
        try readOn(&disk, file, isLocked: isLocked)
      } else {
        disk.status = present
        self.disk = disk
      }
    } catch let error as FileSystemError {
      throw error.fieldError("The store \(paths.file) can't be read.")
    }
  }

  /// Whether the file still starts with all that was read of it.
  private func isContinued(
    _ disk: StoreDisk<Record>, _ file: OpenFile, _ present: FileStatus
  ) throws -> Bool {
    guard let known = disk.status, present.isSameFile(as: known), present.size >= disk.end else {
      return false
    }
    guard let last = disk.last else { return true }
    // Another process may have cut a frame that it could not sync, and written one as long.
    let bytes = try fileSystem.read(file, at: last.start, count: Frame.headerSize)
    guard bytes.count == Frame.headerSize else { return false }
    return try Frame.readHeader(bytes, at: 0, base: last.start, seed: disk.header.seed) == last
  }

  /// Reads the frames that were added.
  private func readOn(
    _ disk: inout StoreDisk<Record>, _ file: OpenFile, isLocked: Bool
  ) throws {
    let start = disk.end
    // Asked before reading, so that what is added meanwhile is seen as a change at the next look.
    let status = try fileSystem.status(of: file)
    let bytes = try fileSystem.read(file, at: start, count: max(status.size - start, 0))
    let replay = try disk.replay(bytes, from: 0, base: start, onto: hub.current)
    disk.status = status
    disk.isSynced = false
    if let tail = replay.scan.tail, isLocked {
      let cut = try cut(tail, of: bytes, base: start, disk: &disk, isLocked: true)
      state.withLock { $0.report?.cuts.append(cut) }
    }
    self.disk = disk
    if !replay.scan.frames.isEmpty { hub.publish(replay.snapshot) }
  }
}
