internal import Dispatch
internal import FieldCore
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A poller that waits for many descriptors with one thread, so that no connection blocks one.
///
/// It uses `poll`, which is the same everywhere and fast enough for some hundred connections; a
/// dispatch source isn't `Sendable` and can't be canceled without care for its descriptor.
final class Poller: Sendable {
  private let state = Lock(State())
  private let wakeReader: Descriptor
  private let wakeWriter: Descriptor

  private struct State {
    var waits: [Int32: Wait] = [:]
    var isWakePending = false
    var isStopped = false
  }

  private struct Wait {
    let descriptor: Descriptor
    let events: Int16
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// Creates a poller, whose thread runs until ``stop()``.
  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemCall.failure("pipe") }
    wakeReader = Descriptor(ends[0])
    wakeWriter = Descriptor(ends[1])
    try wakeReader.prepare()
    try wakeWriter.prepare()
    DispatchQueue(label: "FieldFakes.Poller").async { self.run() }
  }

  /// Waits until one of the events occurs or the other side closes; one wait per descriptor.
  func wait(for descriptor: Descriptor, _ events: Int16) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isTaken = state.withLock { state in
          // The handler below takes the same lock: it either finds the wait, or ran earlier.
          if state.isStopped || Task.isCancelled { return false }
          state.waits[descriptor.number] = Wait(
            descriptor: descriptor, events: events, continuation: continuation)
          return true
        }
        if isTaken { wake() } else { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let wait = state.withLock { $0.waits.removeValue(forKey: descriptor.number) }
      wait?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Ends the thread and all waits.
  func stop() {
    state.withLock { $0.isStopped = true }
    wake()
  }

  private func wake() {
    let isNeeded = state.withLock { state in
      defer { state.isWakePending = true }
      return !state.isWakePending
    }
    if isNeeded {
      var byte: UInt8 = 0
      _ = unsafe write(wakeWriter.number, &byte, 1)
    }
  }

  private func run() {
    var isStopped = false
    while !isStopped {
      var polled = [pollfd(fd: wakeReader.number, events: Int16(POLLIN), revents: 0)]
      // The waits are retained until the call returns, so that no descriptor is closed and reused
      // in the meantime.
      let waits = state.withLock { $0.waits }
      for (number, wait) in waits {
        polled.append(pollfd(fd: number, events: wait.events, revents: 0))
      }
      _ = unsafe poll(&polled, nfds_t(polled.count), -1)

      var ended: [CheckedContinuation<Void, any Error>] = []
      let ready = state.withLock { state in
        isStopped = state.isStopped
        if polled[0].revents != 0 {
          // There is at most one byte, written under this flag.
          var byte: UInt8 = 0
          _ = unsafe read(wakeReader.number, &byte, 1)
          state.isWakePending = false
        }
        if isStopped {
          ended = state.waits.values.map(\.continuation)
          state.waits.removeAll()
          return [CheckedContinuation<Void, any Error>]()
        }
        return polled.dropFirst().filter { $0.revents != 0 }.compactMap {
          state.waits.removeValue(forKey: $0.fd)?.continuation
        }
      }
      for continuation in ready { continuation.resume() }
      for continuation in ended { continuation.resume(throwing: CancellationError()) }
    }
  }
}
