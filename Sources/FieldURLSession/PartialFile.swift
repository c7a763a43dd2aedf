internal import FieldCore
internal import Foundation
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A file that is being downloaded, under a temporary name next to its destination.
struct PartialFile: Sendable {
  /// The destination.
  let url: URL
  private let partial: URL
  private let handle: FileHandle

  init(for url: URL) throws {
    self.url = url
    let name = ".\(url.lastPathComponent).\(UUID().uuidString).part"
    partial = url.deletingLastPathComponent().appendingPathComponent(name)
    do {
      // Created with Data, not FileManager, which doesn't report why it failed.
      try Data().write(to: partial, options: .withoutOverwriting)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: partial.path)
      handle = try FileHandle(forWritingTo: partial)
    } catch {
      try? FileManager.default.removeItem(at: partial)
      throw Self.failure(error, url)
    }
  }

  func append(_ data: Data) throws {
    do { try handle.write(contentsOf: data) } catch { throw Self.failure(error, url) }
  }

  /// Moves the file to its destination atomically.
  func commit() throws {
    do { try handle.close() } catch { throw Self.failure(error, url) }
    // Not FileManager.replaceItemAt, which loses the new bytes on Linux.
    guard unsafe rename(partial.path, url.path) == 0 else {
      throw Self.failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO), url)
    }
  }

  /// Removes the file, ignoring errors because there is nobody left to report them to.
  func discard() {
    try? handle.close()
    try? FileManager.default.removeItem(at: partial)
  }

  private static func failure(_ error: any Error, _ url: URL) -> FieldError {
    let isFull =
      (error as? CocoaError)?.code == .fileWriteOutOfSpace
      || (error as? POSIXError)?.code == .ENOSPC
    return FieldError(
      isFull ? .diskFull : .io, "the response can't be written to \(url.path)", underlying: error)
  }
}
