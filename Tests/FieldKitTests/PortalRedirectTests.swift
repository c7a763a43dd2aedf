import FieldFakes
import FieldKit
import Foundation
import Testing

@Suite("A portal over HTTP")
struct PortalRedirectTests {
  // S40 of Docs/old-apps.md
  @Test("a redirect to another host is followed with GET, without the token")
  func redirect() async throws {
    let rows = Moved()
    let other = try LoopbackServer(serving: rows)
    // The same machine by another name is another host.
    let target = try #require(
      URL(string: "http://localhost:\(other.url.port ?? 0)/resource/gh4g-9sfh.json"))
    let portal = Moving(to: target)
    let server = try LoopbackServer(serving: portal)
    let table = SODATable(
      try SODADataset("gh4g-9sfh", at: server.url.absoluteString), key: "id", storage: .inMemory,
      transport: URLSessionTransport(), token: SODAToken("secret"))
    let report = try await table.refresh(.now)
    #expect(report.added == 1)
    #expect(report.origin?.host() == "localhost")
    #expect(portal.requests.map { $0.fields["X-App-Token"] }.allSatisfy { $0 == "secret" })
    #expect(!rows.requests.isEmpty)
    #expect(rows.requests.allSatisfy { $0.method == .get && $0.fields["X-App-Token"] == nil })
    await server.stop()
    await other.stop()
  }

  // S40 of Docs/old-apps.md
  @Test(
    "a redirect of any portal to another host is followed without the token",
    arguments: [FakePortal.Dialect.arcGIS, .ckan, .openDataSoft])
  func redirects(_ dialect: FakePortal.Dialect) async throws {
    struct Tree: CatalogRecord {
      let id: String
      enum CodingKeys: String, CodingKey { case id = "treeid" }
    }
    let rows = FakePortal(dialect, columns: ["treeid"], rows: [["treeid": "t1"], ["treeid": "t2"]])
    let other = try LoopbackServer(serving: rows)
    let root = try #require(URL(string: "http://localhost:\(other.url.port ?? 0)"))
    let portal = Moving(to: root)
    let server = try LoopbackServer(serving: portal)
    let (transport, token) = (URLSessionTransport(), SODAToken("secret"))
    let source =
      switch dialect {
      case .arcGIS:
        PortalRows<Tree>(
          arcGIS: server.url.appending(path: "FeatureServer/0"), transport: transport, token: token)
      case .ckan:
        PortalRows<Tree>(ckan: "rows-1", at: server.url, transport: transport, token: token)
      case .openDataSoft:
        PortalRows<Tree>(openDataSoft: "rows", at: server.url, transport: transport, token: token)
      }
    let trees = Catalog("trees", sources: [source], storage: .inMemory)
    #expect(try await trees.refresh(.now).added == 2)
    let field = dialect == .arcGIS ? "X-Esri-Authorization" : "Authorization"
    #expect(portal.requests.allSatisfy { $0.fields[field]?.hasSuffix("secret") == true })
    #expect(!rows.requests.isEmpty)
    for request in rows.requests {
      #expect(!request.fields.contains { $0.value.contains("secret") })
    }
    await server.stop()
    await other.stop()
  }
}

/// A portal that has moved.
private final class Moving: Transport {
  private let target: URL
  private let received = Recorder()
  var requests: [TransportRequest] { received.requests }

  init(to target: URL) { self.target = target }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    received.add(request)
    let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    let path = target.path().isEmpty ? request.url.path() : ""
    return TransportResponse(
      status: 302, fields: ["Location": target.absoluteString + path + query])
  }
}

/// Where it has moved to: one row, and nothing behind it.
private final class Moved: Transport {
  private let received = Recorder()
  var requests: [TransportRequest] { received.requests }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    received.add(request)
    let isFirst = request.url.query(percentEncoded: false)?.contains(":id >") != true
    let row = #"{"id":"1","name":"Aachen",":id":"row-1",":updated_at":"2026-01-01T00:00:00.000Z"}"#
    return TransportResponse(
      status: 200, fields: ["Content-Type": "application/json"],
      body: .text(isFirst ? "[\(row)]\n" : "[]\n"))
  }
}

private final class Recorder: Sendable {
  private let state = Lock<[TransportRequest]>([])
  var requests: [TransportRequest] { state.withLock { $0 } }
  func add(_ request: TransportRequest) { state.withLock { $0.append(request) } }
}
