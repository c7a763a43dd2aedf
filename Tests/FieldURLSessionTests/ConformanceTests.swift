import FieldTesting
import FieldURLSession
import Testing

@Suite("URLSessionTransport conformance", .timeLimit(.minutes(60)))
struct URLSessionConformanceTests {
  @Test("URLSessionTransport satisfies the contract of a transport, over a socket")
  func conformance() async throws {
    #if canImport(FoundationNetworking)
      // One terminates the process, one blocks all requests, and one computes for seconds after its
      // response; `HostileTests` covers them.
      let excluded: Set<TransportConformance.Case> = [
        .hugeLength, .unendingRedirect, .compressedBomb,
      ]
    #else
      let excluded: Set<TransportConformance.Case> = []
    #endif
    try await TransportConformance.run(excluding: excluded) { URLSessionTransport() }
  }
}
