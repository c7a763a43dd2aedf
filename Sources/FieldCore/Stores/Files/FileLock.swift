/// The lock among processes that guards a file, held only while something is done to it.
///
/// It is an advisory lock (`flock`) of a file beside the guarded one, so the system takes it back from
/// a process that dies. The caller sees to it that one task at a time uses it.
package final class FileLock: Sendable {
  private let path: String
  private let fileSystem: any FileSystem
  private let clock: any FieldClock
  private let patience: Duration
  private let file = Lock<OpenFile?>(nil)

  package init(
    _ path: String, fileSystem: any FileSystem, clock: any FieldClock, patience: Duration
  ) {
    self.path = path
    self.fileSystem = fileSystem
    self.clock = clock
    self.patience = patience
  }

  deinit { close() }

  /// Runs `body` while the lock is held.
  ///
  /// - Throws: ``FieldError/Code/busy`` when others hold the lock for longer than the patience lasts;
  ///   `CancellationError` when the task is cancelled while it waits.
  package func hold<Result: Sendable>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    let file = try await acquire()
    // An unlock that fails leaves the lock to be freed with the descriptor.
    defer { release(file) }
    return try await body()
  }

  private func acquire() async throws -> OpenFile {
    let start = clock.uptime
    var pause = Duration.milliseconds(1)
    while true {
      try Task.checkCancellation()
      if let file = try tryAcquire() { return file }
      guard clock.uptime - start < patience else {
        throw FieldError(
          .busy, "Another process has held \(path) for \(patience). Try again later.")
      }
      try await clock.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(20))
    }
  }

  private func tryAcquire() throws -> OpenFile? {
    do throws(FileSystemError) {
      let open = file.withLock { $0 }
      let file: OpenFile
      if let open {
        file = open
      } else {
        file = try fileSystem.openFile(path, .making)
        self.file.withLock { $0 = file }
      }
      do throws(FileSystemError) {
        guard try fileSystem.tryLock(file) else { return nil }
        // Somebody may have removed the lock file; what others lock then is another file.
        let mine = try fileSystem.status(of: file)
        if let present = try fileSystem.status(at: path), present.isSameFile(as: mine) {
          return file
        }
      } catch {
        close()
        throw error
      }
      close()
      return nil
    } catch {
      throw error.fieldError("the store's lock file cannot be used")
    }
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
    let open = file.withLock { file in
      defer { file = nil }
      return file
    }
    // The descriptor is gone whatever this says, and the lock file has no content to lose.
    if let open { _ = try? fileSystem.closeFile(open) }
  }
}

extension FieldError.Code {
  /// Another process holds the store for longer than this one waits.
  public static var busy: Self { Self(rawValue: "store.busy") }
}
