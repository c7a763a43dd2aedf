import FieldTesting
import FieldURLSession
import Testing

@Suite("URLSessionTransport conformance", .timeLimit(.minutes(10)))
struct URLSessionConformanceTests {
  @Test("satisfies the contract of a transport, over a socket")
  func conformance() async throws {
    #if canImport(FoundationNetworking)
      // One terminates the process, and the other blocks all requests; `HostileTests` covers both.
      let excluded: Set<TransportConformance.Case> = [.hugeLength, .unendingRedirect]
    #else
      let excluded: Set<TransportConformance.Case> = []
    #endif
    try await TransportConformance.run(excluding: excluded) { URLSessionTransport() }
  }
}
