internal import FieldCore
internal import Foundation
#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A file that is being downloaded, under a name of its own beside the address that it is for.
struct PartialFile: Sendable {
  /// Where the file will be.
  let url: URL
  private let partial: URL
  private let handle: FileHandle

  init(for url: URL) throws {
    self.url = url
    let name = ".\(url.lastPathComponent).\(UUID().uuidString).part"
    partial = url.deletingLastPathComponent().appendingPathComponent(name)
    do {
      // Created through Data and not through FileManager, which does not say why it failed.
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

  /// Puts the file in its place, in one step.
  func commit() throws {
    do { try handle.close() } catch { throw Self.failure(error, url) }
    // Not FileManager.replaceItemAt, which loses the new bytes on Linux.
    guard unsafe rename(partial.path, url.path) == 0 else {
      throw Self.failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO), url)
    }
  }

  /// Removes the file; there is nobody left to tell when that fails.
  func discard() {
    try? handle.close()
    try? FileManager.default.removeItem(at: partial)
  }

  private static func failure(_ error: any Error, _ url: URL) -> FieldError {
    let isFull =
      (error as? CocoaError)?.code == .fileWriteOutOfSpace
      || (error as? POSIXError)?.code == .ENOSPC
    return FieldError(
      isFull ? .diskFull : .io, "the answer cannot be written to \(url.path)", underlying: error)
  }
}
