/// A file that grows by an entry at a time, owned by one recorder among all processes.
///
/// ``append(_:)`` has handed the entry to the operating system when it returns, so that a crash of the
/// process loses none that was appended; ``flush()`` has it on the device. After a crash of the machine
/// the journal holds the entries up to some point after the last flush, in order and whole.
///
/// An append that fails leaves the journal as it was, and later ones can succeed: what the failed one may
/// have written is cut off first. What was written since the last flush is kept in memory until it is on
/// the device, since after a failed sync nobody knows what the system has given up.
package final class Journal: Sendable {
  struct State: Sendable {
    /// Nil when the journal is closed.
    var file: OpenFile?
    /// Where the next entry goes.
    var end: Int
    /// What its checksum goes on from.
    var chain: UInt32
    /// What was written since the last flush.
    var unsynced: [UInt8] = []
    /// Whether a failed append may have left something after the end.
    var isTailUnknown = false
    /// Whether what was written since the last flush has to be written again.
    var mustRewrite = false
    /// Whether a sync is under way, which still needs the file when the journal is closed.
    var isSyncing = false
    /// The file of a closed journal that a sync still uses.
    var closing: OpenFile?
  }

  /// The name that it has in its directory.
  package let name: String
  /// The file.
  package let path: String
  let start: Int
  let fileSystem: any FileSystem
  let state: Lock<State>
  /// Held while syncing: of two syncs at once the system may tell only one that it has given up pages.
  private let syncing = Lock<Void>(())

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

  /// Whether something was appended that is not on the device yet.
  package var isDirty: Bool { state.withLock { !$0.unsynced.isEmpty } }

  /// Adds an entry; when this returns, a crash of the process cannot lose it.
  ///
  /// - Parameter entry: ``JournalScan/prefixSize`` bytes that are overwritten, and the payload of at
  ///   least one byte.
  /// - Returns: Whether it is the first since the last flush.
  @discardableResult
  package func append(_ entry: [UInt8]) throws(FieldError) -> Bool {
    try state.withLock { state throws(FieldError) -> Bool in
      let file = try openFile(state)
      do throws(FileSystemError) {
        return try append(entry, to: file, &state)
      } catch {
        throw error.fieldError("an entry could not be added to the journal \(path)")
      }
    }
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

  /// Forces what was appended onto the device.
  ///
  /// Entries may be appended meanwhile; they wait for the next flush.
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

  /// The file, and how much of what was written waits for its sync; nil when nothing does.
  private func beginSync() throws(FieldError) -> (OpenFile, Int)? {
    try state.withLock { state throws(FieldError) in
      let file = try openFile(state)
      guard !state.unsynced.isEmpty else { return nil }
      if state.mustRewrite {
        do throws(FileSystemError) {
          // The same bytes in the same place: a crash in between loses nothing.
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
      defer { state.closing = nil }
      return state.closing
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

  /// Closes the file, which lets others own the journal. Nothing more can be appended.
  package func close() {
    let file = state.withLock { state -> OpenFile? in
      defer { state.file = nil }
      guard state.isSyncing else { return state.file }
      state.closing = state.file ?? state.closing
      return nil
    }
    // The descriptor is gone whatever this says; what has to be on the device was flushed.
    if let file { _ = try? fileSystem.closeFile(file) }
  }

  /// Removes the journal and closes it.
  ///
  /// A power cut right after it may bring the journal back.
  ///
  /// - Throws: When the file is still there; it is open then, and this can be tried again.
  package func remove() throws(FieldError) {
    do throws(FileSystemError) {
      try fileSystem.removeIfThere(path)
    } catch {
      throw error.fieldError("The journal \(path) can't be removed.")
    }
    _ = try? fileSystem.syncDirectory(PosixFileSystem.parent(of: path))
    close()
  }

  private func openFile(_ state: State) throws(FieldError) -> OpenFile {
    guard let file = state.file else {
      throw FieldError(.closed, "the journal \(path) has been closed")
    }
    return file
  }
}
