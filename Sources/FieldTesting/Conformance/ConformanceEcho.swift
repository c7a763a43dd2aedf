internal import FieldCore
internal import FieldFoundation

/// A request as seen by the server, sent back as JSON.
struct ConformanceEcho: Codable {
  var method: String
  var path: String
  var query: String?
  var fields: [[String]]
  var body: Data

  init(_ request: TransportRequest) throws {
    method = request.method.rawValue
    path = request.url.path(percentEncoded: true)
    query = request.url.query(percentEncoded: true)
    fields = request.fields.map { [$0.name, $0.value] }
    body = Data(try request.body?.bytes() ?? [])
  }

  init(_ answer: TransportResponse) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(try answer.body.bytes()))
  }

  func answer() throws -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "application/json"],
      body: .data(try JSONEncoder().encode(self)))
  }

  func field(_ name: String) -> String? {
    fields.first { $0[0].lowercased() == name.lowercased() }?[1]
  }
}
