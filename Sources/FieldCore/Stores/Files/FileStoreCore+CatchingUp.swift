extension FileStoreCore {
  /// Applies the changes that other processes have made to the file.
  ///
  /// If the file and its end are the same, nothing happens. If it is longer, its new frames are
  /// read. If it is another file, is shorter, or has a different last frame, everything is read
  /// again. Without the lock, an incomplete frame is assumed to be in progress and ignored.
  ///
  /// A store that rejects commits until it is opened again reads on, too: other processes may have committed.
  func catchUp(isLocked: Bool) throws {
    try FileSystemError.explained("The store \(paths.file) can't be read.") {
      guard var disk else { return }
      guard let present = try fileSystem.status(at: paths.file) else {
        if isLocked { try refuseIfGone() }
        return  // Readers keep their content.
      }
      guard let file = disk.file, try isContinued(disk, file, present) else {
        try loadAgain(isLocked: isLocked)
        return
      }
      if present.size > disk.end, isLocked || present != disk.status {
        try readOn(&disk, file, isLocked: isLocked)
      } else {
        disk.status = present
        self.disk = disk
      }
    }
  }

  /// Reads another file, or one that was changed before its end, unless it is gone meanwhile.
  private func loadAgain(isLocked: Bool) throws {
    do {
      try load(isLocked: isLocked, isAgain: true)
    } catch let error as FieldError where error.isOfMissingFile {
      guard isLocked else { return }  // readers keep what they have
      try refuseIfGone()
      throw error
    }
  }

  /// Whether the file still begins with everything that was read from it.
  private func isContinued(
    _ disk: StoreDisk<Record>, _ file: OpenFile, _ present: FileStatus
  ) throws -> Bool {
    guard let known = disk.status, present.isSameFile(as: known), present.size >= disk.end else {
      return false
    }
    guard let last = disk.last else { return true }
    // Another process may have cut off a frame that it couldn't sync, and written one of equal
    // length.
    let bytes = try fileSystem.read(file, at: last.start, count: Frame.headerSize)
    guard bytes.count == Frame.headerSize else { return false }
    return try Frame.readHeader(bytes, at: 0, base: last.start, seed: disk.header.seed) == last
  }

  private func readOn(
    _ disk: inout StoreDisk<Record>, _ file: OpenFile, isLocked: Bool
  ) throws {
    let start = disk.end
    // Checked before reading, so that a concurrent addition is detected by the next check.
    let status = try fileSystem.status(of: file)
    let bytes = try frames(in: file, from: start, size: status.size, seed: disk.header.seed)
    var proofs = FrameProofs.none
    let replay = try disk.replay(
      bytes, from: 0, base: start, size: status.size, onto: hub.current, proofs: &proofs,
      source: hub.current.content.source ?? makeSource())
    disk.status = status
    disk.isSynced = false
    if let tail = replay.scan.tail, isLocked {
      let cut = try cut(tail, disk: &disk, isLocked: true)
      state.withLock { $0.report?.cuts.append(cut) }
    }
    // First, because with the known state of the file, others take the content to be current.
    if !replay.scan.frames.isEmpty { hub.publish(replay.snapshot.marked(mark(of: disk))) }
    self.disk = disk
  }
}

extension FieldError {
  /// Whether the file was gone when it was to be opened.
  fileprivate var isOfMissingFile: Bool { (underlying as? FileSystemError)?.isNotFound == true }
}
