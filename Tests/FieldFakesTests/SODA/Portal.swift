import FieldCore
import Foundation

@testable import FieldFakes

/// Asks a portal as a client without any help would.
struct Portal {
  let server: FakeSODAServer

  /// The answer to a GET with these parameters, in order.
  func get(
    _ path: String? = nil, _ parameters: KeyValuePairs<String, String> = [:],
    fields: HTTPHeaderFields = [:]
  ) async throws -> TransportResponse {
    let path = path ?? "/resource/\(server.dataset).json"
    let query = parameters.map {
      "\(PercentEncoding.component($0.key))=\(PercentEncoding.component($0.value))"
    }.joined(separator: "&")
    return try await server.send(
      TransportRequest(
        url: server.url(path + (query.isEmpty ? "" : "?\(query)")), fields: fields,
        operation: "test.rows"))
  }

  /// The rows of an answer to a GET, read by Foundation.
  func rows(_ parameters: KeyValuePairs<String, String> = [:]) async throws -> [[String: Any]] {
    let answer = try await get(nil, parameters)
    guard answer.status == 200 else { throw Refusal(status: answer.status, text: try text(answer)) }
    return try Self.rows(answer)
  }

  /// One column of the rows, as text.
  func column(
    _ name: String, _ parameters: KeyValuePairs<String, String> = [:]
  ) async throws -> [String] {
    try await rows(parameters).map { $0[name] as? String ?? "nil" }
  }

  /// The status and the error code of an answer.
  func refusal(_ parameters: KeyValuePairs<String, String>) async throws -> String {
    let answer = try await get(nil, parameters)
    let object = try JSONSerialization.jsonObject(with: Data(try answer.body.bytes()))
    let code = (object as? [String: Any])?["errorCode"] as? String
    return "\(answer.status) \(code ?? "no code")"
  }

  static func rows(_ answer: TransportResponse) throws -> [[String: Any]] {
    let object = try JSONSerialization.jsonObject(with: Data(try answer.body.bytes()))
    guard let rows = object as? [[String: Any]] else {
      throw Refusal(status: answer.status, text: "no rows")
    }
    return rows
  }

  func text(_ answer: TransportResponse) throws -> String {
    String(decoding: try answer.body.bytes(), as: UTF8.self)
  }
}

struct Refusal: Error {
  let status: Int
  let text: String
}

/// The four rows that most tests ask about.
func smallPortal(_ options: FakeSODAServer.Options = .init()) -> FakeSODAServer {
  FakeSODAServer(
    dataset: "gh4g-9sfh",
    columns: [
      "id", "name", .init("mass", .number), .init("year", .floatingTimestamp),
      .init("place", .point), .init("old_place", .location), .init("is_found", .checkbox),
    ],
    key: "id",
    rows: [
      [
        "id": "1", "name": "Aachen", "mass": 21, "year": .timestamp("1880-01-01T00:00:00.000"),
        "place": .point(longitude: 6.08333, latitude: 50.775), "is_found": false,
      ],
      [
        "id": "2", "name": "L'Aigle", "mass": .number("0.28000000000000003"),
        "place": .point(longitude: 0.63333, latitude: 48.76667),
        "old_place": .location(latitude: "48.76667", longitude: "0.63333"),
      ],
      ["id": "3", "name": "Ångström & \"Söhne\"\n", "year": .timestamp("1911-06-28T09:30:00.000")],
      ["id": "4", "mass": 21, "is_found": true],
    ], options: options)
}
