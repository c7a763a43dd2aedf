internal import FieldCore
internal import FieldFoundation
internal import FieldLibc

/// A socket that accepts connections to a port of 127.0.0.1.
final class Listener: Sendable {
  let port: UInt16
  private let descriptor: Lock<Descriptor?>
  private let poller: Poller
  private let accepted = Lock(0)

  var connectionCount: Int { accepted.withLock { $0 } }

  init(port: UInt16) throws {
    let number = socket(AF_INET, SocketNumber.stream, 0)
    guard number >= 0 else { throw SystemCall.failure("socket") }
    let descriptor = Descriptor(number)
    self.descriptor = Lock(descriptor)
    try descriptor.prepare()
    // A port can be reused immediately after a server that used it.
    try SystemCall.setOption(descriptor, level: SOL_SOCKET, SO_REUSEADDR, Int32(1))
    self.port = try Self.claim(port, for: descriptor)
    guard listen(number, 512) == 0 else { throw SystemCall.failure("listen") }
    poller = try .shared()
  }

  /// Accepts connections until the task is canceled, and serves each in its own task; returns when
  /// all have ended.
  func run(_ serve: @escaping @Sendable (Socket) async -> Void) async {
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        guard let socket = try? await next() else { continue }
        group.addTask { await serve(socket) }
      }
      // From here on, a connection is refused instead of waiting for a response.
      descriptor.withLock { $0 = nil }
    }
  }

  /// Returns the next connection; throws if it was closed again, or if there is no descriptor for
  /// it.
  private func next() async throws -> Socket {
    guard let descriptor = descriptor.withLock({ $0 }) else { throw CancellationError() }
    try await poller.wait(for: descriptor, Int16(POLLIN))
    let number = accept(descriptor.number, nil, nil)
    guard number >= 0 else {
      let code = errno
      // The client has left, or there is nothing yet. Anything else, such as too many descriptors,
      // leaves the socket readable, so waiting is better.
      if ![EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(code) {
        try await SystemClock().sleep(for: .milliseconds(5))
      }
      throw SystemCall.failure("accept", code)
    }
    let connection = Descriptor(number)
    accepted.withLock { $0 += 1 }
    return try Socket(connection, poller)
  }

  /// Binds the socket to the port, or to a free one for 0, and returns the port.
  private static func claim(_ port: UInt16, for descriptor: Descriptor) throws -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe bind(descriptor.number, generic, length) == 0
          && getsockname(descriptor.number, generic, &length) == 0
      }
    }
    guard isBound else {
      var error = SystemCall.failure("bind")
      error.message = "The loopback server can't use port \(port). Another program may be using it."
      throw error
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
