import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport

/// Requests of all kinds, each cancelled at some moment around its answer.
struct Storm: Sendable {
  let seed: UInt64

  /// How the requests ended.
  struct Tally: Sendable {
    var cancelled = 0
    var answered = 0
    var other: [String] = []
  }

  /// Runs groups in parallel until so many requests have ended as cancelled.
  func run(untilCancelled wanted: Int) async throws -> Tally {
    let transport = URLSessionTransport()
    let server = try LoopbackServer { request in
      switch request.url.path {
      case "/redirect": TransportResponse(status: 307, fields: ["Location": "/end"])
      case "/secret":
        TransportResponse(status: 401, fields: ["WWW-Authenticate": "Basic realm=\"a\""])
      default: TransportResponse(status: 200, body: .bytes([UInt8](repeating: 65, count: 855)))
      }
    }
    let total = Total(wanted: wanted)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(worker))
          // The longest delay in microseconds. It follows the machine's speed: each cancellation
          // makes it a little longer and each answer shorter, so that about one in three is an answer.
          var reach = 6_000.0
          while await !total.isReached {
            let request = request(to: server, &random)
            let task = Task { try await transport.send(request) }
            // Most is cancelled before it ends, some just then, and some after.
            let range = Int.random(in: 1...Int(reach), using: &random)
            let delay = Duration.microseconds(Int.random(in: 0..<range, using: &random))
            try await SystemClock().sleep(for: delay)
            task.cancel()
            let result = await task.result
            if case .success = result { reach *= 0.8 } else { reach *= 1.1 }
            reach = min(max(reach, 1), 1_000_000)
            await total.add(result)
          }
        }
      }
      try await group.waitForAll()
    }
    // All is as before for the next request.
    await total.add(await Task { try await transport.send(server.request()) }.result)
    await server.stop()
    return await total.tally
  }

  private func request(to server: LoopbackServer, _ random: inout SeededGenerator)
    -> TransportRequest
  {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: server.request(.get, "/redirect")
    case 1: server.request(.get, "/secret")
    case 2: server.request(.post, "/post", body: .bytes([1, 2, 3]))
    case 3: server.request(.post, "/redirect", body: .bytes([1, 2, 3]))
    default: server.request()
    }
  }

  private actor Total {
    private(set) var tally = Tally()
    private let wanted: Int

    init(wanted: Int) { self.wanted = wanted }

    var isReached: Bool { tally.cancelled >= wanted || !tally.other.isEmpty }

    func add(_ result: Result<TransportResponse, any Error>) {
      switch result {
      case .success: tally.answered += 1
      case .failure(is CancellationError): tally.cancelled += 1
      case .failure(let error): tally.other.append("\(error)")
      }
    }
  }
}
