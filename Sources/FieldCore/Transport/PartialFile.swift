internal import FieldFoundation

/// A file that is being downloaded, under a temporary name next to its destination.
///
/// The temporary file is removed unless it is committed.
final class PartialFile: Sendable {
  let url: URL
  private let partial: String
  private let system = PosixFileSystem()
  /// The open file; `nil` after the end.
  private let file: Lock<OpenFile?>

  init(for url: URL) throws(FieldError) {
    self.url = url
    let name = ".\(url.lastPathComponent).\(UUID().uuidString).part"
    partial = url.deletingLastPathComponent().appendingPathComponent(name).path
    do throws(FileSystemError) {
      file = Lock(try system.openFile(partial, .makingNew))
    } catch {
      throw Self.failure(error, url)
    }
  }

  deinit { discard() }

  func write(_ bytes: [UInt8], at offset: Int) throws(FieldError) {
    do throws(FileSystemError) {
      try file.withLock { file throws(FileSystemError) in
        if let file { try system.write(bytes, to: file, at: offset) }
      }
    } catch {
      throw Self.failure(error, url)
    }
  }

  /// Moves the file to its destination atomically; the file isn't synced to the device.
  func commit() throws(FieldError) {
    guard let file = file.withLock({ $0.take() }) else { return }
    do throws(FileSystemError) {
      try system.closeFile(file)
      try system.rename(partial, to: url.path)
    } catch {
      remove()
      throw Self.failure(error, url)
    }
  }

  /// Removes the file unless it was committed.
  func discard() {
    guard let file = file.withLock({ $0.take() }) else { return }
    // Errors are ignored because there is nobody left to report them to.
    try? system.closeFile(file)
    remove()
  }

  private func remove() { try? system.remove(partial) }

  private static func failure(_ error: FileSystemError, _ url: URL) -> FieldError {
    FieldError(
      error.isDiskFull ? .diskFull : .io, "The response can't be written to \(url.path).",
      underlying: error)
  }
}
