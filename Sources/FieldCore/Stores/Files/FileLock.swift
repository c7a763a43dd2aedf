/// The lock among processes that guards a file, held only during an operation on it.
///
/// It is an advisory lock (`flock`) of a file next to the guarded one, so the system releases it for
/// a process that dies. The caller ensures that one task at a time uses it.
///
/// The first byte of the lock file is a mark that survives its process, but not a power failure.
package final class FileLock: Sendable {
  private let path: String
  private let fileSystem: any FileSystem
  private let clock: any FieldClock
  private let patience: Duration
  private let waiting: @Sendable () -> FieldSpan?
  private let file = Lock<OpenFile?>(nil)
  private let hasMark = Lock(false)

  package init(
    _ path: String, fileSystem: any FileSystem, clock: any FieldClock, patience: Duration,
    waiting: @escaping @Sendable () -> FieldSpan? = { nil }
  ) {
    self.path = path
    self.fileSystem = fileSystem
    self.clock = clock
    self.patience = patience
    self.waiting = waiting
  }

  deinit { close() }

  /// Runs `body` while the lock is held.
  ///
  /// - Throws: ``FieldError/Code/busy`` if other processes hold the lock for too long, or
  ///   `CancellationError` if the task is canceled while it waits.
  package func hold<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    try Task.checkCancellation()
    return try await holdAtEnd(body)
  }

  /// Runs `body` while the lock is held, for the cleanup at the end: a canceled task
  /// only doesn't wait for others.
  package func holdAtEnd<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    let file = try await acquire()
    // If unlocking fails, the lock is released with the descriptor.
    defer { release(file) }
    return try await body()
  }

  /// Runs `body` while the lock is held, or returns `nil` if another process holds it.
  func holdIfFree<Result>(_ body: () throws -> Result) throws -> Result? {
    guard let file = try tryAcquire() else { return nil }
    defer { release(file) }
    return try body()
  }

  private func acquire() async throws -> OpenFile {
    if let file = try tryAcquire() { return file }
    return try await waiting().run { try await acquirePatiently() }
  }

  private func acquirePatiently() async throws -> OpenFile {
    let start = clock.uptime
    var pause = Duration.milliseconds(1)
    while true {
      guard clock.uptime - start < patience else {
        throw FieldError(
          .busy, "Another process has held \(path) for \(patience). Try again later.")
      }
      try await clock.sleep(for: pause)
      if let file = try tryAcquire() { return file }
      pause = min(pause * 2, .milliseconds(20))
    }
  }

  private func tryAcquire() throws -> OpenFile? {
    try FileSystemError.explained("The store's lock file can't be used.") {
      let file = try self.file.withLock { $0 } ?? fileSystem.openFile(path, .making)
      self.file.withLock { $0 = file }
      do throws(FileSystemError) {
        guard try fileSystem.tryLock(file) else { return nil }
        // The lock file may have been removed, in which case others lock a different file.
        let mine = try fileSystem.status(of: file)
        if let present = try fileSystem.status(at: path), present.isSameFile(as: mine) {
          let mark = mine.size > 0 ? try fileSystem.read(file, at: 0, count: 1) : []
          hasMark.withLock { $0 = mark.first == 1 }
          return file
        }
      } catch {
        close()
        throw error
      }
      close()
      return nil
    }
  }

  /// A Boolean value that indicates whether the lock file is marked.
  ///
  /// Use this and the mark only while the lock is held.
  package var isMarked: Bool { hasMark.withLock { $0 } }

  /// Marks the lock file, so that the next process that takes the lock knows if this one died.
  package func mark() throws(FileSystemError) {
    guard !isMarked, let file = file.withLock({ $0 }) else { return }
    try fileSystem.write([1], to: file, at: 0)
    hasMark.withLock { $0 = true }
  }

  /// Removes the mark. A mark that can't be removed stays, and costs the next process some work.
  package func unmark() {
    guard isMarked, let file = file.withLock({ $0 }) else { return }
    do throws(FileSystemError) {
      try fileSystem.write([0], to: file, at: 0)
      hasMark.withLock { $0 = false }
    } catch {}
  }

  private func release(_ file: OpenFile) {
    do throws(FileSystemError) {
      try fileSystem.unlock(file)
    } catch {
      close()
    }
  }

  /// Closes the lock file until the next use.
  package func close() {
    let open = file.withLock { $0.take() }
    // The descriptor is closed even after an error, and the lock file has no content to lose.
    if let open { _ = try? fileSystem.closeFile(open) }
  }
}

extension FieldError.Code {
  /// Another process held the store's lock for longer than this one waits.
  public static var busy: Self { Self(rawValue: "store.busy") }
}
