import FieldCore
import FieldFakes
import Foundation

/// A portal of which some responses are changed.
struct ChangedPortal: Transport {
  let portal: FakePortal
  /// The end of the path of the requests.
  let path: String
  var status = 200
  /// Returns the body to send instead of one.
  let change: @Sendable (String) -> String

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let response = try await portal.send(request)
    guard request.url.path.hasSuffix(path) else { return response }
    let body = String(decoding: try response.body.bytes(), as: UTF8.self)
    return TransportResponse(
      status: status, fields: ["Content-Type": "application/json"], url: request.url,
      body: .text(change(body)))
  }
}
