internal import Dispatch
internal import FieldCore
internal import FieldFoundation
internal import FieldLibc

/// A file descriptor, closed when nothing refers to it anymore.
///
/// Its users retain it, so its number is never reused in the meantime.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { _ = close(number) }

  /// Marks the descriptor as close-on-exec and nonblocking.
  func prepare() throws {
    guard fcntl(number, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0
    else { throw SystemCall.failure("fcntl") }
  }
}

/// A TCP connection whose calls wait without blocking a thread.
///
/// All of the package's socket calls that take pointers are here and in ``Listener``.
final class Socket: Sendable {
  private let descriptor: Descriptor
  private let poller: Poller

  init(_ descriptor: Descriptor, _ poller: Poller) throws {
    self.descriptor = descriptor
    self.poller = poller
    try descriptor.prepare()
    // A response is written in as few calls as possible, none of which should wait for the next.
    try SystemCall.setOption(descriptor, level: SocketNumber.tcp, TCP_NODELAY, Int32(1))
    #if canImport(Darwin)
      try SystemCall.setOption(descriptor, level: SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
    #endif
  }

  /// Appends the bytes that have arrived to `buffer`, waiting if necessary; returns 0 at the end.
  func read(into buffer: inout [UInt8]) async throws -> Int {
    while true {
      let count = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16 << 10) { room in
        let count = unsafe recv(descriptor.number, room.baseAddress, room.count, 0)
        if count > 0 { unsafe buffer.append(contentsOf: room.prefix(count)) }
        return count
      }
      if count >= 0 { return count }
      try await handle(errno, "recv", POLLIN)
    }
  }

  /// Sends all bytes, waiting while the other side doesn't accept them.
  func write(_ bytes: [UInt8]) async throws {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
        return unsafe send(descriptor.number, rest.baseAddress, rest.count, SocketNumber.noSignal)
      }
      if count >= 0 { sent += count } else { try await handle(errno, "send", POLLOUT) }
    }
  }

  /// Announces that nothing more will be sent, and waits until the other side has finished.
  ///
  /// If part of the request is still in transit, closing immediately would reset the connection and
  /// lose the response.
  func finish() async throws {
    guard shutdown(descriptor.number, SocketNumber.shutWrite) == 0 else { return }
    try await drain()
  }

  /// Waits until the other side has closed, and drops what it sends in the meantime.
  func drain() async throws {
    var dropped: [UInt8] = []
    while try await read(into: &dropped) > 0 { dropped.removeAll(keepingCapacity: true) }
  }

  /// Makes the subsequent close, when nothing refers to the socket anymore, a reset.
  func reset() throws {
    try SystemCall.setOption(
      descriptor, level: SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }

  private func handle(_ error: Int32, _ call: String, _ events: Int32) async throws {
    switch error {
    case EINTR: break
    case EAGAIN, EWOULDBLOCK: try await poller.wait(for: descriptor, Int16(events))
    default: throw SystemCall.failure(call, error)
    }
  }
}

/// The errors and options of system calls.
enum SystemCall {
  static func failure(_ call: String, _ code: Int32 = errno) -> FieldError {
    FieldError(
      .transport, "The loopback server failed in \(call).",
      underlying: POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
  }

  static func setOption<Value: BitwiseCopyable>(
    _ descriptor: Descriptor, level: Int32, _ option: Int32, _ value: Value
  ) throws {
    let result = unsafe withUnsafeBytes(of: value) { bytes in
      unsafe setsockopt(descriptor.number, level, option, bytes.baseAddress, socklen_t(bytes.count))
    }
    guard result == 0 else { throw failure("setsockopt") }
  }
}

/// The executor of a server's tasks, with its own threads, so that a process whose cooperative
/// threads are all busy, such as one with many tests, still responds in time.
final class LoopbackExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "FieldFakes.Loopback", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
