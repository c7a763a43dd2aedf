import FieldCore
import FieldFirestore
import Foundation
import TestSupport
import Testing

/// Google's conformance vectors, read from where they are.
@Suite struct ConformanceVectorTests {
  private static let isThere = !ConformanceVectors.files.isEmpty

  @Test(
    .enabled(if: isThere, "the vectors of ../shared are not here"),
    arguments: [
      ("create", 28), ("set", 51), ("update", 44), ("updatePaths", 45), ("delete", 3),
    ])
  func `writes are those of Google's vectors, and so are refusals`(
    kind: String, count: Int
  ) async throws {
    let vectors = try ConformanceVectors.all(kind)
    #expect(vectors.count == count)
    for (name, vector) in vectors {
      let transport = CannedTransport(#"{"writeResults":[{}],"commitTime":"2020-01-01T00:00:00Z"}"#)
      let client = FirestoreClient.once(transport, project: "projectID")
      let error = await failure {
        try await client.commit([try Self.write(kind, vector, client.database)])
      }
      if vector["isError"] == .bool(true) {
        #expect(error?.code == .invalidInput, "\(name): \(String(describing: error))")
        #expect(transport.requests.isEmpty, "\(name)")
        continue
      }
      let sent = try #require(transport.requests.first, "\(name): \(String(describing: error))")
      let body = try JSONDocument.value(try sent.body?.bytes() ?? [])
      let expected = try #require(vector["request"]?["writes"])
      #expect(
        ConformanceVectors.normal(body["writes"]).canonicalText
          == ConformanceVectors.normal(expected).canonicalText, "\(name)")
      #expect(
        sent.url.absoluteString
          == "https://firestore.googleapis.com/v1/projects/projectID/databases/%28default%29/documents:commit"
      )
    }
  }

  @Test(.enabled(if: isThere, "the vectors of ../shared are not here"))
  func `a document is requested by its name`() async throws {
    let (_, vector) = try #require(try ConformanceVectors.all("get").first)
    let name = try #require(vector["request"]?["name"]?.string)
    let transport = CannedTransport("{\"name\":\"\(name)\"}")
    let client = FirestoreClient.once(transport, project: "projectID")
    let path = try #require(client.database.path(of: name))
    #expect(try await client.get(path)?.path == path)
    #expect(transport.requests[0].method == .get)
    #expect(
      PercentEncoding.decoded(transport.requests[0].url.absoluteString).hasSuffix("/v1/\(name)"))
  }

  // MARK: From vectors to calls

  private static func write(
    _ kind: String, _ vector: JSONValue, _ database: FirestoreDatabase
  ) throws -> FirestoreWrite {
    let path = try #require(vector["docRefPath"]?.string.flatMap(database.path))
    let precondition = try vector["precondition"].map { try FirestorePrecondition(json: $0) }
    func input() throws -> FirestoreInput {
      try ConformanceVectors.input(vector["jsonData"]?.string ?? "")
    }
    switch kind {
    case "create": return try .create(path, input())
    case "set":
      guard let option = vector["option"] else { return try .set(path, input()) }
      return try .set(
        path, input(),
        merge: option["all"] == .bool(true)
          ? .all : .fields(ConformanceVectors.paths(option["fields"])))
    case "update":
      return try .update(path, input(), precondition: precondition ?? .exists(true))
    case "updatePaths":
      let values = try (vector["jsonValues"]?.elements ?? []).map {
        try ConformanceVectors.input($0.string ?? "")
      }
      return try .update(
        path, zip(ConformanceVectors.paths(vector["fieldPaths"]), values).map { ($0, $1) },
        precondition: precondition ?? .exists(true))
    default: return .delete(path, precondition: precondition)
    }
  }
}
