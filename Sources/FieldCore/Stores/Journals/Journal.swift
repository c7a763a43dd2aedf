/// A file that grows one entry at a time, owned by one recorder among all processes.
///
/// When ``append(_:)`` returns, the operating system has the entry, so that a crash of the
/// process loses no entry; when ``flush()`` returns, the device has it. After a crash of the machine,
/// the journal contains the entries up to some point after the last flush, in order and intact.
///
/// An append that fails leaves the journal unchanged, and later ones can succeed: what the failed one may
/// have written is cut off first. Entries written since the last flush are kept in memory until they are
/// on the device, because after a failed sync, it is unknown which pages the system has dropped.
///
/// The owner holds the lock of the file. For systems that terminate a process that is suspended with a lock,
/// ``suspend()`` releases it and takes it only for each change, until ``resume()``. By then, another
/// process may own the journal; a recorder that has lost its journal no longer changes it.
package final class Journal: Sendable {
  struct State: Sendable {
    /// The open file, or `nil` if the journal is closed.
    var file: OpenFile?
    /// The position of the next entry.
    var end: Int
    /// The checksum that the next entry continues.
    var chain: UInt32
    /// The bytes written since the last flush.
    var unsynced: [UInt8] = []
    /// Whether a failed append may have left bytes after the end.
    var isTailUnknown = false
    /// Whether the bytes written since the last flush must be written again.
    var mustRewrite = false
    /// Whether a sync is running, which still needs the file if the journal is closed.
    var isSyncing = false
    /// The file of a closed journal that a running sync still uses.
    var closing: OpenFile?
    /// Whether the lock is held only during a change.
    var isSuspended = false
  }

  /// The name of the journal in its directory.
  package let name: String
  package let path: String
  let start: Int
  let fileSystem: any FileSystem
  let state: Lock<State>
  /// Held while syncing: of two concurrent syncs, the system may report dropped pages to only one.
  ///
  /// The number has no meaning. The thread sanitizer takes a state without bytes for the object itself,
  /// and reports a race with whatever reads that.
  private let syncing = Lock<UInt8>(0)

  init(
    name: String, path: String, file: OpenFile, start: Int, end: Int, chain: UInt32,
    doubtful: [UInt8] = [], fileSystem: any FileSystem
  ) {
    self.name = name
    self.path = path
    self.start = start
    self.fileSystem = fileSystem
    state = Lock(
      State(
        file: file, end: end, chain: chain, unsynced: doubtful, mustRewrite: !doubtful.isEmpty))
  }

  deinit { close() }

  /// A Boolean value that indicates whether appended entries aren't on the device yet.
  package var isDirty: Bool { state.withLock { !$0.unsynced.isEmpty } }

  /// Appends an entry; when the method returns, a crash of the process can't lose it.
  ///
  /// - Parameter entry: ``JournalScan/prefixSize`` bytes, which are overwritten, and the payload
  ///   of at least one byte.
  /// - Returns: `true` if it is the first entry since the last flush.
  @discardableResult
  package func append(_ entry: [UInt8]) throws(FieldError) -> Bool {
    try state.withLock { state throws(FieldError) -> Bool in
      let file = try openFile(state)
      try takeLock(file, state)
      defer { giveLockBack(file, &state) }
      do throws(FileSystemError) {
        return try append(entry, to: file, &state)
      } catch {
        throw error.fieldError("An entry couldn't be added to the journal \(path).")
      }
    }
  }

  // MARK: Suspension

  /// Releases the lock; until ``resume()``, it is taken only for each change.
  package func suspend() throws(FieldError) {
    try state.withLock { state throws(FieldError) in
      guard let file = state.file, !state.isSuspended else { return }
      do throws(FileSystemError) {
        try unlock(file, &state)
      } catch {
        throw error.fieldError("The lock of the journal \(path) can't be released.")
      }
      state.isSuspended = true
    }
  }

  /// Takes the lock again and keeps it.
  ///
  /// - Throws: ``FieldError/Code/busy`` if another owner has the lock; ``FieldError/Code/conflict`` if another
  ///   owner has continued or removed the journal.
  package func resume() throws(FieldError) {
    try state.withLock { state throws(FieldError) in
      guard let file = state.file else { return }
      try takeLock(file, state)
      state.isSuspended = false
    }
  }

  /// Takes the lock of a suspended journal, if the journal hasn't changed in the meantime.
  private func takeLock(_ file: OpenFile, _ state: State) throws(FieldError) {
    guard state.isSuspended else { return }
    let isFree: Bool
    do throws(FileSystemError) {
      isFree = try fileSystem.tryLock(file)
    } catch {
      throw error.fieldError("The journal \(path) can't be locked.")
    }
    guard isFree else {
      throw FieldError(.busy, "The journal \(path) has another owner. Wait until it is closed.")
    }
    let isMine: Bool
    do throws(FileSystemError) {
      isMine = try isUnchanged(file, state)
    } catch {
      _ = try? fileSystem.unlock(file)
      throw noStatus(error)
    }
    guard isMine else {
      _ = try? fileSystem.unlock(file)
      throw FieldError(.conflict, "Another owner has continued or removed the journal \(path).")
    }
  }

  private func isUnchanged(_ file: OpenFile, _ state: State) throws(FileSystemError) -> Bool {
    guard let mine = try statusIfNamed(file) else { return false }
    return mine.size == state.end || state.isTailUnknown && mine.size > state.end
  }

  /// Returns the status of the file, or `nil` if it no longer has its name.
  private func statusIfNamed(_ file: OpenFile) throws(FileSystemError) -> FileStatus? {
    let mine = try fileSystem.status(of: file)
    return try fileSystem.status(at: path)?.isSameFile(as: mine) == true ? mine : nil
  }

  /// Throws if the file was deleted or moved: a later process wouldn't find what is written to it.
  private func checkName(_ file: OpenFile) throws(FieldError) {
    do throws(FileSystemError) {
      if try statusIfNamed(file) != nil { return }
    } catch {
      throw noStatus(error)
    }
    throw FieldError(
      .conflict,
      "The journal \(path) was deleted or moved. Its entries will be lost when it is closed.")
  }

  private func noStatus(_ error: FileSystemError) -> FieldError {
    error.fieldError("The status of the journal \(path) can't be read.")
  }

  private func giveLockBack(_ file: OpenFile, _ state: inout State) {
    // A lock that remains is released at the next change, or with the descriptor.
    if state.isSuspended { _ = try? unlock(file, &state) }
  }

  /// Cuts off what a failed append left, and then unlocks the file, because the next owner may write there.
  private func unlock(_ file: OpenFile, _ state: inout State) throws(FileSystemError) {
    if state.isTailUnknown {
      try fileSystem.truncate(file, to: state.end)
      state.isTailUnknown = false
    }
    try fileSystem.unlock(file)
  }

  private func append(
    _ entry: [UInt8], to file: OpenFile, _ state: inout State
  ) throws(FileSystemError) -> Bool {
    if state.isTailUnknown { try fileSystem.truncate(file, to: state.end) }
    var entry = entry
    let sum = JournalScan.seal(&entry, after: state.chain)
    state.isTailUnknown = true
    try fileSystem.write(entry, to: file, at: state.end)
    state.isTailUnknown = false
    state.chain = sum
    state.end += entry.count
    defer { state.unsynced += entry }
    return state.unsynced.isEmpty
  }

  /// Syncs the appended entries to the device.
  ///
  /// Entries that are appended in the meantime wait for the next flush.
  ///
  /// - Throws: ``FieldError/Code/conflict`` if the file was deleted or moved.
  package func flush() throws(FieldError) {
    try syncing.withLock { _ throws(FieldError) in try flushAlone() }
  }

  private func flushAlone() throws(FieldError) {
    guard let (file, count) = try beginSync() else { return }
    do throws(FileSystemError) {
      try fileSystem.sync(file)
    } catch {
      endSync { $0.mustRewrite = true }
      throw unforced(error)
    }
    endSync { $0.unsynced = Array($0.unsynced.dropFirst(count)) }
  }

  /// Returns the file and the number of bytes to sync, or `nil` if there are none.
  private func beginSync() throws(FieldError) -> (OpenFile, Int)? {
    try state.withLock { state throws(FieldError) in
      let file = try openFile(state)
      guard !state.unsynced.isEmpty else { return nil }
      try checkName(file)
      if state.mustRewrite {
        try takeLock(file, state)
        defer { giveLockBack(file, &state) }
        do throws(FileSystemError) {
          // The same bytes at the same position: a crash in between loses nothing.
          try fileSystem.write(
            state.unsynced, to: file, at: state.end - state.unsynced.count)
        } catch {
          throw unforced(error)
        }
        state.mustRewrite = false
      }
      state.isSyncing = true
      return (file, state.unsynced.count)
    }
  }

  private func unforced(_ error: FileSystemError) -> FieldError {
    error.fieldError("The journal \(path) couldn't be synced to the device.")
  }

  private func endSync(_ body: (inout State) -> Void) {
    let closing = state.withLock { state -> OpenFile? in
      body(&state)
      state.isSyncing = false
      return state.closing.take()
    }
    if let closing { _ = try? fileSystem.closeFile(closing) }
  }

  /// Calls `body` with the payload of every entry, in order.
  package func forEachEntry(_ body: ([UInt8], Range<Int>) throws -> Void) throws {
    let bytes = try state.withLock { state throws(FieldError) -> [UInt8] in
      let file = try openFile(state)
      do throws(FileSystemError) {
        return try fileSystem.read(file, at: 0, count: state.end)
      } catch {
        throw error.fieldError("The journal \(path) can't be read.")
      }
    }
    let end = state.withLock { $0.end }
    let scan = JournalScan(bytes, from: start, seed: JournalScan.seed(of: name))
    guard scan.tail == nil, scan.end <= end, bytes.count >= start else {
      throw FieldError(.damaged, "The journal \(path) has been changed since it was written.")
    }
    for payload in scan.payloads { try body(bytes, payload) }
  }

  /// Closes the file, so that another process can own the journal.
  ///
  /// Appending then fails.
  package func close() {
    let file = state.withLock { state -> OpenFile? in
      guard state.isSyncing else { return state.file.take() }
      state.closing = state.file.take() ?? state.closing
      return nil
    }
    // The descriptor is closed even after an error; what must be on the device was flushed.
    if let file { _ = try? fileSystem.closeFile(file) }
  }

  /// Removes and closes the journal.
  ///
  /// A power failure immediately afterward may restore the journal.
  ///
  /// - Throws: ``FieldError`` if the file still exists. The journal is then still open, and you
  ///   can try again.
  package func remove() throws(FieldError) {
    try state.withLock { state throws(FieldError) in
      if let file = state.file { try takeLock(file, state) }
    }
    do throws(FileSystemError) {
      try fileSystem.removeIfThere(path)
    } catch {
      state.withLock { state in
        if let file = state.file { giveLockBack(file, &state) }
      }
      throw error.fieldError("The journal \(path) can't be removed.")
    }
    _ = try? fileSystem.syncDirectory(PosixFileSystem.parent(of: path))
    close()
  }

  private func openFile(_ state: State) throws(FieldError) -> OpenFile {
    guard let file = state.file else {
      throw FieldError(.closed, "The journal \(path) has been closed.")
    }
    return file
  }
}
