extension FileStoreCore {
  package func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?,
    durability: Durability
  ) async throws -> Revision {
    let span = events.span(.storeCommit)
    return try await span.reportingFailure {
      try await writing {
        try await self.onDisk {
          try self.prepare()
          try self.hub.current.check(expecting)
          return try self.append(changes, checkpoint, durability, span)
        }
      }
    }
  }

  /// Commits the changes that `body` makes.
  ///
  /// No other process commits in the meantime.
  package func update(
    durability: Durability,
    _ body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void
  ) async throws -> Revision {
    let span = events.span(.storeCommit)
    return try await span.reportingFailure {
      try await writing {
        try await self.onDisk { try self.prepare() }
        guard let (changes, checkpoint) = try self.changes(by: body, span) else {
          // What makes the changes superfluous may not have been synced yet.
          if durability == .full { try await self.onDisk { try self.makeDurable() } }
          return self.hub.current.revision
        }
        try Task.checkCancellation()
        return try await self.onDisk { try self.append(changes, checkpoint, durability, span) }
      }
    }
  }

  /// Returns the content after forcing it onto the device.
  package func durableSnapshot() async throws -> Snapshot<Record> {
    try await writing {
      try await self.onDisk {
        try self.prepare()
        try self.makeDurable()
      }
      return self.hub.current
    }
  }

  /// Returns the changes that `body` makes. An error that it throws isn't one of the store.
  private func changes(
    by body: (Snapshot<Record>, inout Changes<Record>, inout Checkpoint?) throws -> Void,
    _ span: FieldSpan?
  ) throws -> (Changes<Record>, Checkpoint?)? {
    do {
      return try hub.current.changes(by: body)
    } catch {
      span?.abandon()
      throw error
    }
  }

  func checkWritable() throws {
    guard access == .readWrite else {
      throw FieldError(.readOnly, "The store \(paths.file) was opened read-only.")
    }
  }

  /// Runs `body` while only this task may change the file.
  func writing<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    try checkWritable()
    await takeTurn(of: StoreTurn.commit)
    try await openIfNeeded()
    return try await asyncLock.withLock {
      try await reopenIfOnlyRead()
      try refuseIfGone()
      state.withLock { $0.isCommitting = true }
      defer { state.withLock { $0.isCommitting = false } }
      return try await processLock.hold(body)
    }
  }

  /// Runs `body` off the caller's actor, because the device may be slow.
  @concurrent
  func onDisk<Result: Sendable>(_ body: @Sendable () throws -> Result) async throws -> Result {
    try body()
  }

  /// Reads the commits of other processes, and writes doubtful content anew.
  ///
  /// That is needed before a deferred commit as well: what was cut off may still be on the device in its
  /// place, and would then be taken for the commit before the next one.
  func prepare() throws {
    try checkDecoding()
    takeOverDoubts()
    try catchUp(isLocked: true)
    try writeDoubtfulAnew()
  }

  private func append(
    _ changes: Changes<Record>, _ checkpoint: Checkpoint?, _ durability: Durability,
    _ span: FieldSpan?
  ) throws -> Revision {
    guard var disk, let file = disk.file else { throw FieldError.storeIsClosed }
    let current = hub.current
    try current.checkIsContinuable()
    let changed = current.advanced(by: changes.runs, checkpoint: checkpoint)
    // The changes were made, and applied, by looking at records.
    try checkDecoding()
    guard let next = changed else {
      // Equal content may come from a file that hasn't been synced yet.
      if durability == .full { try makeDurable(&disk, file) }
      return current.revision
    }
    span?.begin()
    var isWhole = current.isEmpty
    if case .removeAll? = next.runs.first { isWhole = true }
    var encoded = try encode(
      next.runs, checkpoint, indexing: isWhole ? next.snapshot.content : nil)
    let frame = Frame.seal(
      &encoded.bytes, kind: .batch, revision: next.snapshot.revision,
      recordVersion: FrameCoding<Record>.recordVersion, flags: encoded.flags,
      seed: disk.header.seed, at: disk.end)
    try append(encoded.bytes, to: file, durability, &disk)
    let content = next.snapshot.content
    disk.add(frame, content, after: current.generation)
    disk.weight.records += encoded.weight.records
    disk.weight.bytes += encoded.weight.bytes
    if frame.isIndexed { disk.indexedCount = encoded.weight.records }
    self.disk = disk
    hub.publish(next.snapshot.marked(mark(of: disk)))
    span?.end([
      .revision: Int(clamping: frame.revision.number), .records: changes.count,
      .bytes: encoded.bytes.count,
    ])
    if isWhole { proveLater(frame) }
    compactIfWorthwhile(next.snapshot)
    return next.snapshot.revision
  }

  private func encode(
    _ runs: [Changes<Record>.Run], _ checkpoint: Checkpoint?,
    indexing content: StoreContent<Record>?
  ) throws -> FrameCoding<Record>.Encoded {
    do {
      return try FrameCoding<Record>.encode(runs, checkpoint: checkpoint, indexing: content)
    } catch {
      throw FieldError(
        .invalidInput, "A record of \(Record.storedName) can't be encoded. Nothing was changed.",
        underlying: error)
    }
  }

  /// Appends a frame. If that fails, the file is unchanged, or commits are rejected until the store
  /// is opened again.
  private func append(
    _ bytes: [UInt8], to file: OpenFile, _ durability: Durability, _ disk: inout StoreDisk<Record>
  ) throws {
    try FileSystemError.explained("The commit to \(paths.file) failed. Nothing was changed.") {
      if durability == .full, !disk.isNameSynced {
        try syncName()
        disk.isNameSynced = true
      }
    }
    do throws(FileSystemError) {
      try fileSystem.write(bytes, to: file, at: disk.end)
      if durability == .full { try sync(file, besides: disk.isSynced) }
      disk.isSynced = durability == .full
      disk.status = try fileSystem.status(of: file)
    } catch {
      takeBack(file, &disk)
      self.disk = disk
      throw error.fieldError(
        disk.refusal == nil
          ? "The commit to \(paths.file) failed. Nothing was changed."
          : "The commit to \(paths.file) failed. Open the store again to see if it took effect.")
    }
  }

  /// Cuts off what a failed commit may have written.
  ///
  /// After a failed sync, it is unknown what is on the device, and a second sync may report success
  /// for pages that the system has dropped. If the earlier frames were synced separately, it only
  /// matters that nothing follows them; otherwise, the file is doubtful.
  private func takeBack(_ file: OpenFile, _ disk: inout StoreDisk<Record>) {
    // On a full device, there may be no room for the mark, which matters only if the sync fails too.
    _ = try? processLock.mark()
    do throws(FileSystemError) {
      try fileSystem.truncate(file, to: disk.end)
      try fileSystem.sync(file)
      disk.status = try fileSystem.status(of: file)
      settle()
    } catch {
      events.syncFailed(error)
      // The frame may reappear at opening without being on the device.
      state.withLock { $0.isDoubtful = true }
      _ = try? processLock.mark()
      disk.refusal = FieldError(
        .needsReopening,
        "A commit to \(paths.file) failed and couldn't be undone. Open the store again.",
        underlying: error)
    }
  }

  /// Forces the file onto the device.
  ///
  /// The lock file is marked until it is certain what is on the device: a failed sync is reported only to
  /// the process that requested it, but other processes must know as well.
  ///
  /// - Parameter isKnown: Whether all commits but the last are known to be on the device.
  func sync(_ file: OpenFile, besides isKnown: Bool) throws(FileSystemError) {
    try processLock.mark()
    do throws(FileSystemError) {
      try fileSystem.sync(file)
    } catch {
      events.syncFailed(error)
      if !isKnown { state.withLock { $0.isDoubtful = true } }
      throw error
    }
    settle()
  }

  /// Forces the name of the file onto the device.
  func syncName() throws(FileSystemError) {
    do throws(FileSystemError) {
      try fileSystem.syncDirectory(paths.directory)
    } catch {
      events.syncFailed(error)
      throw error
    }
  }

  /// Removes the mark unless some content is in doubt.
  func settle() {
    if !state.withLock({ $0.isDoubtful }) { processLock.unmark() }
  }

  /// Treats the content as doubtful if a process failed to sync it or died during the sync.
  func takeOverDoubts() {
    if processLock.isMarked { state.withLock { $0.isDoubtful = true } }
  }

  private func makeDurable() throws {
    guard var disk, let file = disk.file else { throw FieldError.storeIsClosed }
    try makeDurable(&disk, file)
  }

  /// Syncs whatever isn't known to be on the device, including the file's name.
  func makeDurable(_ disk: inout StoreDisk<Record>, _ file: OpenFile) throws {
    try FileSystemError.explained(
      "The content of \(paths.file) couldn't be synced to the device."
    ) {
      if !disk.isNameSynced { try syncName() }
      if !disk.isSynced { try sync(file, besides: false) }
    }
    disk.isNameSynced = true
    disk.isSynced = true
    self.disk = disk
  }
}

// MARK: - Compacting

extension FileStoreCore {
  /// Compacts the file if it has doubled since the last time, and the larger part of it is outdated, or if most of
  /// the records are outside its index.
  func compactIfWorthwhile(_ snapshot: Snapshot<Record>) {
    guard let disk else { return }
    if disk.hasOutgrownIndex(liveCount: snapshot.count), snapshot.content.isIndexable {
      return tryCompacting(snapshot)
    }
    guard disk.hasDoubled(liveCount: snapshot.count) else { return }
    if !disk.seemsOutdated(liveCount: snapshot.count) {
      guard disk.end > disk.measuringFloor else { return }
      // If the content can't be encoded, the compaction reports that.
      if let live = try? encoded(snapshot).bytes.count, disk.end <= 2 * live {
        // The eighth keeps the work in proportion to what is written.
        self.disk?.measuringFloor = max(2 * live, disk.end + disk.end / 8)
        return
      }
    }
    tryCompacting(snapshot)
  }

  private func encoded(_ snapshot: Snapshot<Record>) throws -> FrameCoding<Record>.Encoded {
    try FrameCoding<Record>.encode(snapshot.content, checkpoint: snapshot.checkpoint)
  }

  /// Writes the content to a new file and replaces the old one with it.
  ///
  /// The previous commit is and stays durable, whatever happens: until the rename, the old file is
  /// in place, and after it the new one, which was synced before. Only the rename itself may not be
  /// on the device if the directory can't be synced; the next commit tries that again before it
  /// writes.
  package func tryCompacting(_ snapshot: Snapshot<Record>) {
    do {
      try writeAnew(snapshot)
    } catch {
      state.withLock { state in
        if let end = state.disk?.end { state.disk?.compactionFloor = 2 * end }
        state.compactionFailure = error
      }
    }
  }

  /// Writes the content to a new file if it is unknown what part of the current one is on the
  /// device.
  func writeDoubtfulAnew() throws {
    guard state.withLock({ $0.isDoubtful }) else { return }
    try FileSystemError.explained(
      "After a failed sync, the content of \(paths.file) can't be rewritten."
    ) {
      try writeAnew(hub.current)
    }
  }

  private func writeAnew(_ snapshot: Snapshot<Record>) throws {
    guard let disk, let old = disk.file else { return }
    let span = events.span(.storeCompaction)
    span?.begin()
    let new: StoreDisk<Record>
    do {
      new = try compacted(disk, snapshot)
    } catch {
      span?.fail((error as? FileSystemError)?.fieldError("") ?? error)
      throw error
    }
    span?.end([.records: snapshot.count, .bytes: new.end, .previousBytes: disk.end])
    state.withLock { state in
      state.disk = new
      state.compactionFailure = nil
      state.isDoubtful = false
    }
    settle()
    if let base = new.last { proveLater(base) }
    // The old file no longer has a name or a reader here.
    _ = try? fileSystem.closeFile(old)
  }

  private func compacted(
    _ disk: StoreDisk<Record>, _ snapshot: Snapshot<Record>
  ) throws -> StoreDisk<Record> {
    var encoded = try encoded(snapshot)
    // Another record is then in the place of one that can't be decoded.
    if let failure = snapshot.failure { throw failure }
    let header = disk.header.bytes
    let base = Frame.seal(
      &encoded.bytes, kind: .base, revision: snapshot.revision,
      recordVersion: FrameCoding<Record>.recordVersion, flags: encoded.flags,
      seed: disk.header.seed, at: header.count)
    let file = try replaceFile(by: header + encoded.bytes)
    var new = disk
    new.file = file
    new.last = base
    new.chain = disk.chain.replaced(by: base, snapshot.content)
    new.end = base.end
    new.baseEnd = base.end
    new.weight = encoded.weight
    // Also without an index, which another compaction wouldn't write either.
    new.indexedCount = snapshot.count
    new.isSynced = true
    new.compactionFloor = 0
    new.measuringFloor = 0
    do throws(FileSystemError) {
      try syncName()
      new.isNameSynced = true
    } catch {
      new.isNameSynced = false
    }
    do throws(FileSystemError) {
      new.status = try fileSystem.status(of: file)
    } catch {
      new.status = nil  // the next look reads the file anew
    }
    return new
  }
}
