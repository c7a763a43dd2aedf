import FieldFakes
import FieldKit
import Foundation

/// A network that can be disconnected: a server on this machine that is stopped and started again.
final class StoryNetwork {
  let url: URL
  private let services: any Transport
  private var server: LoopbackServer?

  /// Creates a network that is disconnected.
  init(_ services: any Transport) async throws {
    let server = try LoopbackServer(serving: services)
    self.services = services
    url = server.url
    await server.stop()
  }

  func connect() throws {
    guard let port = url.port.flatMap(UInt16.init(exactly:)) else {
      throw FieldError(.transport, "The server's URL \(url) has no port.")
    }
    server = try LoopbackServer(serving: services, port: port)
  }

  func disconnect() async {
    await server?.stop()
    server = nil
  }
}

/// The servers of the metro and of the zoo behind one address.
struct StoryServices: Transport {
  let metro: FakeMetroFeed
  let zoo: FakeTaipeiOpenData

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    request.url.lastPathComponent == "stations.json"
      ? try await metro.send(request) : try await zoo.send(request)
  }
}
