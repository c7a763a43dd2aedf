import FieldFakes
import FieldLibc
import Foundation
import TestSupport

/// A client that knows nothing of HTTP: it sends bytes, and returns what comes until the end.
///
/// It is plain and blocking, on a thread of its own, so that it shares no code with the server.
enum Wire {
  /// What the server answered to these bytes; it ends in `reset` when the connection was reset.
  static func talk(
    to server: LoopbackServer, _ text: String, byteByByte: Bool = false,
    leavingAfter limit: Int = .max
  ) async throws -> String {
    let port = UInt16(server.url.port ?? 0)
    let answer = try await aside {
      try exchange(port, Array(text.utf8), step: byteByByte ? 1 : .max, limit: limit)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Does work that waits for a server without holding a thread that the server may need.
  static func aside(_ work: @escaping @Sendable () throws -> Data) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try work() }) }.start()
    }
  }

  private static func exchange(
    _ port: UInt16, _ bytes: [UInt8], step: Int, limit: Int
  ) throws -> Data {
    let peer = socket(AF_INET, SocketNumber.stream, 0)
    defer { close(peer) }
    _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
    var on: Int32 = 1
    unsafe setsockopt(peer, SocketNumber.tcp, TCP_NODELAY, &on, socklen_t(4))
    #if canImport(Darwin)
      unsafe setsockopt(peer, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(4))
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe connect(peer, generic, size) == 0
      }
    }
    guard isConnected else { throw POSIXError(.ECONNREFUSED) }

    var start = 0
    while start < bytes.count {
      let piece = Array(bytes[start..<start + min(step, bytes.count - start)])
      let sent = unsafe send(peer, piece, piece.count, SocketNumber.noSignal)
      if sent <= 0 { break }
      start += sent
    }
    var answer = Data()
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while answer.count < limit {
      let count = unsafe recv(peer, &room, room.count, 0)
      if count < 0 { answer += "reset".utf8 }
      if count <= 0 { break }
      answer += room.prefix(count)
    }
    return answer
  }
}
