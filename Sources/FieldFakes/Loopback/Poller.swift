internal import Dispatch
internal import FieldCore
internal import FieldLibc

/// Waits for the descriptors of all servers with one thread, so that no connection blocks one.
///
/// Dispatch on Linux has 255 threads for serial queues. If each server blocked one of them, the
/// queues of a process with many servers, those of its HTTP clients among them, would never run.
///
/// It uses `poll`, which is the same everywhere and fast enough for some hundred connections; a
/// dispatch source isn't `Sendable` and can't be canceled without care for its descriptor.
final class Poller: Sendable {
  private static let current = Lock<Poller?>(nil)

  private let state = Lock(State())
  private let wakeReader: Descriptor
  private let wakeWriter: Descriptor

  private struct State {
    var waits: [Int32: Wait] = [:]
    var isWakePending = false
  }

  private struct Wait {
    /// Retained until the thread no longer polls it, so that its number isn't reused before.
    let descriptor: Descriptor
    let events: Int16
    let continuation: CheckedContinuation<Void, any Error>
    var isCanceled = false
  }

  /// Returns the poller of the process, whose thread runs until the process ends.
  static func shared() throws -> Poller {
    try current.withLock { current in
      if let current { return current }
      let poller = try Poller()
      current = poller
      return poller
    }
  }

  private init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemCall.failure("pipe") }
    wakeReader = Descriptor(ends[0])
    wakeWriter = Descriptor(ends[1])
    try wakeReader.prepare()
    try wakeWriter.prepare()
    DispatchQueue(label: "FieldFakes.Poller").async { while true { self.turn() } }
  }

  /// Waits until one of the events occurs or the other side closes; one wait per descriptor.
  ///
  /// When it returns or throws, nothing but the caller retains the descriptor.
  func wait(for descriptor: Descriptor, _ events: Int16) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isTaken = state.withLock { state in
          // The handler below takes the same lock: it either finds the wait, or ran earlier.
          if Task.isCancelled { return false }
          state.waits[descriptor.number] = Wait(
            descriptor: descriptor, events: events, continuation: continuation)
          return true
        }
        if isTaken { wake() } else { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      state.withLock { $0.waits[descriptor.number]?.isCanceled = true }
      wake()
    }
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

  /// Polls all descriptors once, and resumes the tasks whose waits have ended.
  private func turn() {
    var polled = [pollfd(fd: wakeReader.number, events: Int16(POLLIN), revents: 0)]
    polled += state.withLock { state in
      state.waits.map { pollfd(fd: $0.key, events: $0.value.events, revents: 0) }
    }
    _ = unsafe poll(&polled, nfds_t(polled.count), -1)

    let ended = state.withLock {
      state -> [(CheckedContinuation<Void, any Error>, isCanceled: Bool)] in
      if polled[0].revents != 0 {
        // There is at most one byte, written under this flag.
        var byte: UInt8 = 0
        _ = unsafe read(wakeReader.number, &byte, 1)
        state.isWakePending = false
      }
      let ready = polled.dropFirst().filter { $0.revents != 0 }.map(\.fd)
      let canceled = state.waits.filter(\.value.isCanceled).keys
      return (ready + canceled).compactMap { number in
        state.waits.removeValue(forKey: number).map { ($0.continuation, $0.isCanceled) }
      }
    }
    for (continuation, isCanceled) in ended {
      continuation.resume(with: isCanceled ? .failure(CancellationError()) : .success(()))
    }
  }
}
