import Foundation

/// A type that keeps a worker process running: it starts the worker again if a signal ends it.
public struct Supervisor: Sendable {
  private let arguments: [String]

  /// Creates a supervisor of this program's own executable.
  ///
  /// - Parameter arguments: The arguments of the worker.
  public init(arguments: [String]) { self.arguments = arguments }

  /// Runs the worker until it exits by itself or the supervisor receives `SIGTERM` or `SIGINT`.
  ///
  /// - Returns: The worker's exit status.
  public func run() async -> Int32 {
    let ending = Ending()
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { ending.end() }
      source.resume()
      return source
    }
    defer { sources.forEach { $0.cancel() } }
    var restarts = 0
    while true {
      let worker = Process()
      worker.executableURL = Bundle.main.executableURL
      worker.arguments = arguments
      worker.environment = ProcessInfo.processInfo.environment.merging(
        ["ATLAS_RESTARTS": "\(restarts)"]) { $1 }
      let exit = AsyncStream<Void>.makeStream()
      worker.terminationHandler = { _ in exit.continuation.finish() }
      do { try worker.run() } catch {
        FileHandle.standardError.write(Data("atlas: can't start the worker: \(error)\n".utf8))
        return 1
      }
      ending.worker(worker.processIdentifier)
      for await _ in exit.stream {}
      if ending.isEnding { return 0 }
      guard worker.terminationReason == .uncaughtSignal else { return worker.terminationStatus }
      restarts += 1
      print("atlas: signal \(worker.terminationStatus) ended the worker; starting it again")
    }
  }
}

/// The state that the signal handlers share with the loop.
private final class Ending: Sendable {
  private struct State: Sendable {
    var worker: Int32?
    var isEnding = false
  }

  private let state = Locked(State())

  var isEnding: Bool { state.withLock(\.isEnding) }

  func worker(_ id: Int32) {
    state.withLock { $0.worker = id }
    if isEnding { kill(id, SIGTERM) }
  }

  func end() {
    let worker = state.withLock { state -> Int32? in
      state.isEnding = true
      return state.worker
    }
    if let worker { kill(worker, SIGTERM) }
  }
}
