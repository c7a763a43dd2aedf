import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing

@Suite("Cancellation")
struct CancellationTests {
  private let transport = URLSessionTransport()

  /// Rows 1 and 2: a race of cancellation and answer neither hangs nor ends the process.
  @Test("rows 1 and 2: a storm of 10,000 cancelled requests ends", .timeLimit(.minutes(2)))
  func storm() async throws {
    let server = try LoopbackServer { request in
      switch request.url.path {
      case "/redirect": HTTPResponse(status: 307, fields: ["Location": "/end"])
      case "/secret":
        HTTPResponse(status: 401, fields: ["WWW-Authenticate": "Basic realm=\"a\""])
      default: HTTPResponse(status: 200, body: .bytes(bytes(855)))
      }
    }
    let wanted = 10_000
    let seed = UInt64.random(in: 0...(.max))
    let start = ContinuousClock.now
    let tally = Tally()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          var random = SeededGenerator(seed: seed &+ UInt64(worker))
          while await tally.cancelled < wanted {
            let kind = Int.random(in: 0..<6, using: &random)
            let request =
              switch kind {
              case 0: server.request(.get, "/redirect")
              case 1: server.request(.get, "/secret")
              case 2: server.request(.post, "/post", body: .bytes([1, 2, 3]))
              case 3: server.request(.post, "/redirect", body: .bytes([1, 2, 3]))
              default: server.request()
              }
            let task = Task { try await transport.send(request) }
            // Around the usual time of an answer: much is cancelled before, and some after.
            let delay = Int.random(
              in: 0..<Int.random(in: 1...6_000, using: &random), using: &random)
            try? await SystemClock().sleep(for: .microseconds(delay))
            task.cancel()
            await tally.add(await task.result)
          }
        }
      }
    }
    let seconds = ContinuousClock.now - start
    let (cancelled, answered, other) = await (tally.cancelled, tally.answered, tally.other)
    print("storm: \(cancelled) cancelled, \(answered) answered, seed \(seed), \(seconds)")
    #expect(cancelled >= wanted)
    #expect(answered > 100, "the delays do not reach the answers; seed \(seed)")
    #expect(other.isEmpty, "seed \(seed)")
    // All is as before for the next request.
    #expect(try await transport.send(server.request()).status == 200)
  }

  @Test(
    "a cancelled request ends soon with CancellationError",
    arguments: [
      LoopbackServer.Delivery.never, .with { $0.ending = .silence(after: 10) },
      .slow(bytes: 1, every: .milliseconds(20)),
    ])
  func soon(delivery: LoopbackServer.Delivery) async throws {
    let server = try LoopbackServer(bytes(1000)) { _ in delivery }
    let task = Task { try await transport.send(server.request()) }
    try await SystemClock().sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ContinuousClock.now - start < .seconds(1))
  }

  @Test("a task that is cancelled already sends nothing")
  func before() async throws {
    let seen = Log<String>()
    let server = try LoopbackServer { request in
      await seen.add(request.url.path)
      return HTTPResponse(status: 200)
    }
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(server.request(.get, "/first"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    _ = try await transport.send(server.request(.get, "/second"))
    #expect(await seen.elements == ["/second"])
  }

  @Test("cancelling one request leaves the others alone")
  func others() async throws {
    let server = try LoopbackServer(bytes(1000)) { request in
      request.url.path == "/slow" ? .never : .delayed(.milliseconds(100))
    }
    let slow = Task { try await transport.send(server.request(.get, "/slow")) }
    let quick = Task { try await transport.send(server.request(.get, "/quick")) }
    try await SystemClock().sleep(for: .milliseconds(20))
    slow.cancel()
    #expect(try await quick.value.status == 200)
    await #expect(throws: CancellationError.self) { try await slow.value }
  }
}

private actor Tally {
  private(set) var cancelled = 0
  private(set) var answered = 0
  private(set) var other: [String] = []

  func add(_ result: Result<HTTPResponse, any Error>) {
    switch result {
    case .success: answered += 1
    case .failure(is CancellationError): cancelled += 1
    case .failure(let error): other.append("\(error)")
    }
  }
}
