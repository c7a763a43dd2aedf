internal import AsyncHTTPClient
internal import FieldCore
internal import Foundation
internal import NIOCore
internal import Synchronization

/// The body of one attempt to send a request, which knows whether the client has begun to read it.
final class OutgoingBody: Sendable {
  private let isRead = Atomic(false)

  /// Returns whether an error proves that nothing of the request was written.
  ///
  /// The client throws it for a connection that was closed before the request reached it, or when it
  /// can't write the end of a body, which it has read then. It never reads an empty body.
  func isUnsent(after error: FieldError) -> Bool {
    error.underlying as? ChannelError == .ioOnClosedChannel && !isRead.load(ordering: .acquiring)
  }

  /// Returns the content from its beginning, for the client.
  func content(_ body: TransportBody) throws -> HTTPClientRequest.Body {
    let count: Int
    let pieces: AsyncThrowingStream<ByteBuffer, any Error>
    switch body {
    case .bytes(let bytes):
      count = bytes.count
      pieces = AsyncThrowingStream { [self] in isFirstRead() ? ByteBuffer(bytes: bytes) : nil }
    case .file(let url):
      do {
        let file = try FileHandle(forReadingFrom: url)
        count = Int(try file.seekToEnd())
        try file.seek(toOffset: 0)
        pieces = AsyncThrowingStream { [self] in
          _ = isFirstRead()
          return try file.read(upToCount: 1 << 16).flatMap {
            $0.isEmpty ? nil : ByteBuffer(bytes: $0)
          }
        }
      } catch {
        throw FieldError(.io, "\(url.path) can't be read", underlying: error)
      }
    }
    if count == 0 { _ = isFirstRead() }
    return .stream(pieces, length: .known(Int64(count)))
  }

  private func isFirstRead() -> Bool { !isRead.exchange(true, ordering: .acquiringAndReleasing) }
}
