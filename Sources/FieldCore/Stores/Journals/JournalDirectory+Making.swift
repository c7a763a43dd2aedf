extension JournalDirectory {
  /// Creates a journal with its first entry; when the method returns, the journal is on the device.
  package func make(
    _ name: String, _ header: JournalHeader, first entry: [UInt8]
  ) throws -> Journal {
    try checkWritable()
    let name = try StorageName(name).rawValue
    let paths = paths(of: name)
    let start = header.bytes.count
    var sealed = entry
    let chain = JournalScan.seal(&sealed, after: JournalScan.seed(of: name))
    let bytes = header.bytes + sealed
    return try FileSystemError.explained("The journal \(paths.file) can't be created.") {
      try fileSystem.makeDirectories(path)
      try fileSystem.syncName(ofDirectory: path)
      guard try fileSystem.status(at: paths.file) == nil else {
        throw FieldError(.conflict, "The journal \(paths.file) already exists.")
      }
      let file = try begin(paths, bytes, attempts: 3)
      return Journal(
        name: name, path: paths.file, file: file, start: start, end: bytes.count, chain: chain,
        fileSystem: fileSystem)
    }
  }

  /// Creates the file, trying again if another process removed it as a leftover at that moment.
  private func begin(
    _ paths: StoreFilePaths, _ bytes: [UInt8], attempts: Int
  ) throws(FileSystemError) -> OpenFile {
    do throws(FileSystemError) {
      return try begin(paths, bytes)
    } catch  where attempts > 1 && (error.isNotFound || error.isTaken) {
      return try begin(paths, bytes, attempts: attempts - 1)
    }
  }

  /// Creates the file: written, synced, and locked.
  private func begin(_ paths: StoreFilePaths, _ bytes: [UInt8]) throws(FileSystemError) -> OpenFile
  {
    try fileSystem.removeIfThere(paths.new)
    let file = try fileSystem.openFile(paths.new, .makingNew)
    do throws(FileSystemError) {
      // Locked before it gets its name, so that nobody can find it without an owner.
      guard try fileSystem.tryLock(file) else { throw .taken(paths.new) }
      try fileSystem.write(bytes, to: file, at: 0)
      try fileSystem.sync(file)
      try fileSystem.rename(paths.new, to: paths.file)
      try fileSystem.syncDirectory(path)
      return file
    } catch {
      // The original error matters more. A rename that failed may have taken effect.
      _ = try? fileSystem.removeIfThere(paths.new)
      _ = try? fileSystem.removeIfThere(paths.file)
      _ = try? fileSystem.closeFile(file)
      throw error
    }
  }

  /// Removes the files of journals whose creation was interrupted.
  package func removeLeftovers() throws {
    try FileSystemError.explained("The leftovers in \(path) can't be removed.") {
      guard try fileSystem.status(at: path) != nil else { return }
      for name in try fileSystem.names(in: path) where name.hasSuffix(Self.suffix + ".new") {
        // A process that is creating a journal holds its lock.
        _ = try erase("\(path)/\(name)")
      }
    }
  }

  /// Removes all journals without an owner, whatever they contain, and damaged ones that were set
  /// aside.
  ///
  /// - Returns: The names of the journals that have an owner, which stay.
  package func eraseAll() throws -> [String] {
    try checkWritable()
    try removeLeftovers()
    return try FileSystemError.explained("The journals in \(path) can't be removed.") {
      guard try fileSystem.status(at: path) != nil else { return [] }
      var owned: [String] = []
      for file in try fileSystem.names(in: path).sorted() {
        if file.hasSuffix(Self.suffix) {
          if try !erase("\(path)/\(file)") {
            owned.append(String(file.dropLast(Self.suffix.count)))
          }
        } else if file.contains(bytesOf: Self.setAsideMark) || file.hasSuffix(".saving") {
          try fileSystem.removeIfThere("\(path)/\(file)")
        }
      }
      try fileSystem.syncDirectory(path)
      return owned
    }
  }

  /// Removes a journal or a leftover of one; returns `false` if it has an owner.
  private func erase(_ path: String) throws(FileSystemError) -> Bool {
    guard let file = try fileSystem.openIfThere(path, .writing) else { return true }
    defer { _ = try? fileSystem.closeFile(file) }
    guard try fileSystem.tryLock(file) else { return false }
    // Its last owner may have removed it in the meantime, and another may exist under that name.
    let mine = try fileSystem.status(of: file)
    if try fileSystem.status(at: path)?.isSameFile(as: mine) == true {
      try fileSystem.removeIfThere(path)
    }
    return true
  }
}
