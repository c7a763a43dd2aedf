import FieldTesting
import FieldURLSession
import Testing

@Suite("URLSessionTransport conformance", .timeLimit(.minutes(10)))
struct URLSessionConformanceTests {
  @Test("satisfies the contract of a transport, over a socket")
  func conformance() async throws {
    try await TransportConformance.run { URLSessionTransport() }
  }
}
