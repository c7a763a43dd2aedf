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
