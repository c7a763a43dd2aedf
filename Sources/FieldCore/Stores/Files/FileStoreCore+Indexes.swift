extension FileStoreCore: IndexSource {
  /// Returns the place of the content of the file, or `nil` if no indexes can be stored for it.
  func mark(of disk: StoreDisk<Record>) -> StoreMark<Record>? {
    StoreMark(disk.chain, opening: disk.openingLog, shelf: shelf)
  }

  func storedIndex(named name: String) -> [UInt8]? {
    guard let header = disk?.header, let owner = indexOwner else { return nil }
    return derivedFile(of: header) { $0 == owner && $1 == name }?.sections.first?.bytes
  }

  func writeIndexesLater() {
    guard access == .readWrite, let provingClock else { return }
    let task = Task.detached(priority: .background) { [weak self] in
      // The queries that needed an index have the processor for themselves, and others may need more of them.
      guard (try? await provingClock.sleep(for: .seconds(1))) != nil else { return }
      await self?.writeIndexes()
    }
    state.withLock { state in
      state.writingIndexes?.cancel()
      state.writingIndexes = task
    }
  }

  /// Writes the indexes that wait for it beside the file.
  ///
  /// They are written without the lock, which is held while the new file is renamed. If that fails, or another process
  /// holds the lock, the next process builds them, too.
  @concurrent
  func writeIndexes() async {
    guard access == .readWrite, shelf.isWaiting, let owner = indexOwner else { return }
    let waiting = shelf.takeSections()
    guard !waiting.isEmpty else { return }
    // Another process may write the derived file meanwhile, with sections that this one would lose.
    for _ in 0..<3 {
      guard let disk, disk.file != nil, hub.current.failure == nil else { return }
      let before = try? fileSystem.status(at: paths.derived)
      var derived = derivedFile(of: disk)
      for index in waiting {
        guard let link = disk.chain.current(index.link) else { continue }
        var bytes = index.bytes
        IndexStamp.put(link, into: &bytes)
        derived.put(.init(owner: owner, name: index.name, bytes: bytes))
      }
      guard derived.sections.contains(where: { $0.owner == owner && $0.name != Self.proofName }),
        let file = try? writeNew(derived)
      else { return }
      let isDone = try? await asyncLock.withLock {
        try processLock.holdIfFree { try self.replaceDerived(by: file, of: disk, after: before) }
      }
      if isDone == true {
        shelf.noteWritten(waiting.map { ($0.name, $0.link) })
      } else if (try? isNewDerived(file)) == true {
        _ = try? fileSystem.removeIfThere(paths.newDerived)
      }
      _ = try? fileSystem.closeFile(file)
      guard isDone == false else { return }
    }
  }

  /// Puts the new derived file in the place of the present one, unless that or the store has changed.
  private func replaceDerived(
    by file: OpenFile, of disk: StoreDisk<Record>, after before: FileStatus?
  ) throws -> Bool {
    guard let now = self.disk, now.chain == disk.chain, now.header == disk.header,
      try presentStatus() == now.status, try fileSystem.status(at: paths.derived) == before,
      try isNewDerived(file)
    else { return false }
    try fileSystem.rename(paths.newDerived, to: paths.derived)
    return true
  }

  /// Returns a Boolean value that indicates whether the new derived file is the one that this process has written.
  private func isNewDerived(_ file: OpenFile) throws -> Bool {
    let mine = try fileSystem.status(of: file)
    return try fileSystem.status(at: paths.newDerived)?.isSameFile(as: mine) == true
  }

  private var indexOwner: [UInt8]? {
    program().flatMap { FrameProofs.owner(Record.self, in: $0) }
  }
}
