import FieldKit
import FieldTesting
import Foundation
import Testing

// What the article "Writing a transport" shows, at work: each slice is a part of the page.

// snippet.transport
/// Answers from files that were saved before, one for each operation.
struct RecordedAnswers: Transport {
  var folder: URL

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try Task.checkCancellation()
    let file = folder.appending(path: "\(request.operation).json")
    let answer = TransportResponse(status: 200, url: request.url, body: .file(file))
    let bytes = try answer.body.bytes()
    guard bytes.count <= request.responseLimit else {
      throw FieldError(
        .responseTooLarge, "the recording has \(bytes.count) bytes", operation: request.operation)
    }
    switch request.destination {
    case .memory:
      return TransportResponse(status: 200, url: request.url, body: .bytes(bytes))
    case .file(let url):
      try Data(bytes).write(to: url, options: .atomic)
      return TransportResponse(status: 200, url: request.url, body: .file(url))
    }
  }
}
// snippet.end

// snippet.decorator
/// Sends the portal's token along with the requests that go to the portal.
struct PortalToken: Transport {
  var base: any Transport
  var host: String
  var token: String

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    if request.url.host() == host { request.fields["X-App-Token"] = token }
    return try await base.send(request)
  }
}

extension Transport {
  func sendingToken(_ token: String, to host: String) -> PortalToken {
    PortalToken(base: self, host: host, token: token)
  }
}
// snippet.end

@Suite("The guide to writing a transport", .timeLimit(.minutes(60)))
struct WritingATransport {
  @Test("a transport of files serves a kit")
  func files() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(FieldTests.rows.utf8).write(to: folder.appending(path: "meteorites.snapshot.json"))
    // snippet.use
    let recorded = RecordedAnswers(folder: folder)
    let catalog = MeteoriteCatalog(storage: .inMemory, transport: recorded)
    try await catalog.refresh()
    // snippet.end
    #expect(try await catalog.view()[1]?.name == "Aachen")
  }

  @Test("a decorator adds its field only to the requests of its host")
  func decorator() async throws {
    // snippet.decoratortest
    let base = StubTransport { $0.on("rows", respond: .json(text: "[]")) }
    let transport = base.sendingToken("secret", to: "data.example.org")
    for address in ["https://data.example.org/a", "https://example.com/b"] {
      let url = try #require(URL(string: address))
      _ = try await transport.send(TransportRequest(url: url, operation: "rows"))
    }
    #expect(base.requests.map { $0.fields["X-App-Token"] } == ["secret", nil])
    // snippet.end
  }

  // snippet.conformance
  @Test("the guide's transport satisfies the contract of transports")
  func conformance() async throws {
    // Foundation on Linux can't be protected against these.
    try await TransportConformance.run(
      excluding: [.hugeLength, .unendingRedirect, .compressedBomb]
    ) {
      URLSessionTransport().sendingToken("secret", to: "data.example.org")
    }
  }
  // snippet.end
}
