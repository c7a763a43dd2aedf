extension FileStoreCore {
  /// The files beside the store that hold what was cut off, whichever process has cut it.
  func setAsideFiles() throws -> [String] {
    do throws(FileSystemError) {
      return try fileSystem.setAsideFiles(beside: paths)
    } catch {
      throw error.fieldError("the directory of the store \(paths.file) cannot be listed")
    }
  }

  /// Removes what was set aside, and forgets that it was cut.
  package func removeSetAside() async throws {
    guard access == .readWrite else {
      throw FieldError(.readOnly, "the store \(paths.file) was opened for reading only")
    }
    try await openIfNeeded()
    try await turnstile.pass { try await self.removeSetAsideOnDisk() }
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
        throw error.fieldError("what was set aside of \(self.paths.file) cannot be removed")
      }
    }
    state.withLock { state in
      state.report?.setAside = []
      state.report?.cuts = []
    }
  }
}
