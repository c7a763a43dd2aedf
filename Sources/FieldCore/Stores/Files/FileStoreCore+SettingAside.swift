extension FileStoreCore {
  /// Returns the files next to the store with damaged parts, whichever process cut them off.
  func setAsideFiles() throws -> [String] {
    do throws(FileSystemError) {
      return try fileSystem.setAsideFiles(beside: paths)
    } catch {
      throw error.fieldError("The directory of the store \(paths.file) can't be listed.")
    }
  }

  /// Removes everything, or sets an unreadable file aside and starts with an empty store.
  package func eraseAll(durability: Durability) async throws {
    do {
      try await openIfNeeded()
    } catch let error as FieldError where access == .readWrite && error.isUnreadableStore {
      return try await asyncLock.withLock { try await self.startAnewOnDisk() }
    }
    _ = try await update(durability: durability) { snapshot, changes, checkpoint in
      changes.removeAll()
      checkpoint = .erased(at: snapshot.revision)
    }
    try await removeSetAside()
  }

  @concurrent
  private func startAnewOnDisk() async throws {
    try await processLock.hold {
      do throws(FileSystemError) {
        var number = 1
        while try fileSystem.status(at: paths.setAside(number)) != nil { number += 1 }
        try fileSystem.rename(paths.file, to: paths.setAside(number))
        try fileSystem.syncDirectory(paths.directory)
      } catch {
        throw error.fieldError("The store \(paths.file) can't be set aside.")
      }
      try load(isLocked: true)
    }
  }

  /// Removes the damaged parts that were set aside, and their mention in the report.
  package func removeSetAside() async throws {
    guard access == .readWrite else {
      throw FieldError(.readOnly, "The store \(paths.file) was opened read-only.")
    }
    try await openIfNeeded()
    try await asyncLock.withLock { try await self.removeSetAsideOnDisk() }
  }

  @concurrent
  private func removeSetAsideOnDisk() async throws {
    try await processLock.hold {
      do throws(FileSystemError) {
        for file in try self.fileSystem.setAsideFiles(beside: self.paths) {
          try self.fileSystem.removeIfThere(file)
        }
        try self.fileSystem.syncDirectory(self.paths.directory)
      } catch {
        throw error.fieldError("The data set aside from \(self.paths.file) can't be removed.")
      }
    }
    state.withLock { state in
      state.report?.setAside = []
      state.report?.cuts = []
    }
  }
}

extension FieldError {
  /// A Boolean value that indicates whether a store is unreadable, so that only erasing helps.
  package var isUnreadableStore: Bool {
    [.damaged, .newerFormat, .invalidInput].contains(code)
  }
}
