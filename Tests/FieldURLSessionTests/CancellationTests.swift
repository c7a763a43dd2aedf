import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import Testing

@Suite("Cancellation")
struct CancellationTests {
  private let transport = URLSessionTransport()

  @Test("an already canceled task sends nothing")
  func before() async throws {
    let seen = Log<String>()
    let server = try LoopbackServer { request in
      await seen.add(request.url.path)
      return TransportResponse(status: 200)
    }
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await transport.send(server.request(.get, "/first"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    _ = try await transport.send(server.request(.get, "/second"))
    #expect(await seen.elements == ["/second"])
  }

  @Test("canceling one request doesn't affect the others")
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
