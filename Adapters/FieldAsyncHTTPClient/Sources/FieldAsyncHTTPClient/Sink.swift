internal import FieldCore
internal import Foundation

/// The destination of a body: memory, or a file that gets its name when it is complete.
final class Sink {
  private var bytes: [UInt8] = []
  private var file: (url: URL, partial: URL, handle: FileHandle)?

  init(_ destination: TransportRequest.Destination) throws {
    guard case .file(let url) = destination else { return }
    let name = ".\(url.lastPathComponent).\(UUID().uuidString).part"
    let partial = url.deletingLastPathComponent().appendingPathComponent(name)
    try Self.writing(url) {
      try Data().write(to: partial, options: .withoutOverwriting)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: partial.path)
      file = (url, partial, try FileHandle(forWritingTo: partial))
    }
  }

  func append(_ piece: some Collection<UInt8>) throws {
    guard let file else { return bytes.append(contentsOf: piece) }
    try Self.writing(file.url) { try file.handle.write(contentsOf: Data(piece)) }
  }

  func commit() throws -> TransportBody {
    guard let file else { return .bytes(bytes) }
    try Self.writing(file.url) {
      try file.handle.close()
      guard rename(file.partial.path, file.url.path) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    }
    self.file = nil
    return .file(file.url)
  }

  /// Removes what wasn't committed.
  func discard() {
    guard let file else { return }
    try? file.handle.close()
    try? FileManager.default.removeItem(at: file.partial)
  }

  private static func writing(_ url: URL, _ body: () throws -> Void) throws {
    do { try body() } catch {
      let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
      throw FieldError(
        isFull ? .diskFull : .io, "the response can't be written to \(url.path)", underlying: error)
    }
  }
}
