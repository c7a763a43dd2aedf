extension FileStoreCore {
  /// Adds the files next to the store that contain what was cut off, by this process or another.
  func noteSetAside(in report: inout OpeningReport) throws {
    try FileSystemError.explained("The directory of the store \(paths.file) can't be listed.") {
      let beside = try fileSystem.partsOfDamage(beside: paths)
      report.setAside = beside.setAside.map(url)
      report.salvaged = beside.salvaged.map(url)
    }
  }

  /// Restores the readable batches of damaged parts; see ``StoreFile/salvage()``.
  package func salvage() async throws -> SalvageReport {
    try checkWritable()
    return try await alone {
      let report = try StoreFile(paths.file, fileSystem: fileSystem)
        .salvageLocked(expecting: Record.storedName)
      var opening = try load(isLocked: true)
      try noteSetAside(in: &opening)
      state.withLock { [opening] in $0.report = opening }
      return report
    }
  }

  /// Runs `body` while no other task or process uses the file.
  @concurrent
  private func alone<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    try await asyncLock.withLock { try await processLock.hold { try body() } }
  }

  /// Removes everything, or sets an unreadable file aside and starts with an empty store.
  package func eraseAll(durability: Durability) async throws {
    do {
      if hub.current.failure == nil { try await openIfNeeded() } else { _ = try await open() }
    } catch let error as FieldError where access == .readWrite && error.isUnreadableStore {
      return try await alone { try startAnew() }
    }
    _ = try await update(durability: durability) { snapshot, changes, checkpoint in
      changes.removeAll()
      checkpoint = .erased(at: snapshot.revision)
    }
    try await eraseBytes()
    try await removeSetAside()
  }

  /// Rewrites the file, so that it no longer contains the erased records.
  private func eraseBytes() async throws {
    try await writing {
      try await self.onDisk { try self.prepare() }
      let current = self.hub.current
      // The commit has compacted a larger file already, and an empty base has no records.
      guard current.isEmpty, let disk = self.disk else { return }
      try await self.onDisk {
        try FileSystemError.explained("The derived file of \(self.paths.file) can't be removed.") {
          try self.removeDerived()
        }
        if disk.end > disk.baseEnd { self.tryCompacting(current) }
      }
    }
  }

  private func startAnew() throws {
    try FileSystemError.explained("The store \(paths.file) can't be set aside.") {
      try removeDerived()
      try fileSystem.rename(paths.file, toUnused: paths.setAside)
      try fileSystem.syncDirectory(paths.directory)
    }
    events.setAside(nil)
    try load(isLocked: true)
  }

  /// Removes the damaged parts that were set aside, and their mention in the report.
  package func removeSetAside() async throws {
    try checkWritable()
    try await openIfNeeded()
    try await alone {
      try FileSystemError.explained("The data set aside from \(paths.file) can't be removed.") {
        let beside = try fileSystem.partsOfDamage(beside: paths)
        for file in beside.setAside + beside.salvaged { try fileSystem.removeIfThere(file) }
        try fileSystem.syncDirectory(paths.directory)
      }
      state.withLock { state in
        state.report?.setAside = []
        state.report?.salvaged = []
        state.report?.cuts = []
      }
    }
  }
}

extension FieldError {
  /// A Boolean value that indicates whether a store is unreadable, so that only erasing helps.
  package var isUnreadableStore: Bool {
    [.damaged, .newerFormat, .invalidInput].contains(code)
  }
}
