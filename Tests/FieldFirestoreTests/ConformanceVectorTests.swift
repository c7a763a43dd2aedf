import FieldCore
import FieldFirestore
import Foundation
import TestSupport
import Testing

/// Google's conformance vectors, read from where they are.
@Suite struct ConformanceVectorTests {
  private static let isThere = FileManager.default.fileExists(
    atPath: SharedData.url("firestore/tests").path)

  /// The vectors of a kind with their file names.
  private static func vectors(_ kind: String) throws -> [(name: String, vector: JSONValue)] {
    let folder = SharedData.url("firestore/tests")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return try files.filter { $0.hasSuffix(".json") }.flatMap { file in
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: file)))
      return (try JSONDocument.value(bytes)["tests"]?.elements ?? []).compactMap { test in
        test[kind].map { (file, $0) }
      }
    }
  }

  @Test(
    .enabled(if: isThere, "the vectors of ../shared are not here"),
    arguments: [
      ("create", 28), ("set", 51), ("update", 44), ("updatePaths", 45), ("delete", 3),
    ])
  func `writes are those of Google's vectors, and so are refusals`(
    kind: String, count: Int
  ) async throws {
    let vectors = try Self.vectors(kind)
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
        Self.normal(body["writes"]).canonicalText == Self.normal(expected).canonicalText, "\(name)")
      #expect(
        sent.url.absoluteString
          == "https://firestore.googleapis.com/v1/projects/projectID/databases/%28default%29/documents:commit"
      )
    }
  }

  @Test(.enabled(if: isThere, "the vectors of ../shared are not here"))
  func `a document is requested by its name`() async throws {
    let (_, vector) = try #require(try Self.vectors("get").first)
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
    func input() throws -> FirestoreInput { try Self.input(vector["jsonData"]?.string ?? "") }
    switch kind {
    case "create": return try .create(path, input())
    case "set":
      guard let option = vector["option"] else { return try .set(path, input()) }
      return try .set(
        path, input(),
        merge: option["all"] == .bool(true) ? .all : .fields(Self.paths(option["fields"])))
    case "update":
      return try .update(path, input(), precondition: precondition ?? .exists(true))
    case "updatePaths":
      let values = try (vector["jsonValues"]?.elements ?? []).map {
        try Self.input($0.string ?? "")
      }
      return try .update(
        path, zip(paths(vector["fieldPaths"]), values).map { ($0, $1) },
        precondition: precondition ?? .exists(true))
    default: return .delete(path, precondition: precondition)
    }
  }

  private static func paths(_ json: JSONValue?) -> [FirestoreFieldPath] {
    (json?.elements ?? []).map {
      FirestoreFieldPath(segments: $0["field"]?.elements?.compactMap(\.string) ?? [])
    }
  }

  private static func input(_ text: String) throws -> FirestoreInput {
    try input(try JSONDocument.value(Array(text.utf8)))
  }

  private static func input(_ json: JSONValue) throws -> FirestoreInput {
    switch json {
    case .null: return .value(.null)
    case .bool(let flag): return .value(.boolean(flag))
    case .number(let text):
      if let number = Int64(text) { return .value(.integer(number)) }
      return .value(.double(try #require(Double(text))))
    case .string("Delete"): return .delete
    case .string("ServerTimestamp"): return .serverTimestamp
    case .string(let text): return .value(.string(text))
    case .object(let members):
      return .map(try members.map { .init($0.key, try input($0.value)) })
    case .array(let elements):
      switch elements.first {
      case .string("ArrayUnion")?: return .arrayUnion(try elements.dropFirst().map(plain))
      case .string("ArrayRemove")?: return .arrayRemove(try elements.dropFirst().map(plain))
      default: return .array(try elements.map(input))
      }
    }
  }

  /// An element of a transform is a value; the type of the API has no room for an instruction there.
  private static func plain(_ json: JSONValue) throws -> FirestoreValue {
    guard case .value(let value) = try input(json) else {
      throw FieldError(.invalidInput, "an instruction inside of a transform")
    }
    return value
  }

  /// Absent fields are the same as none, and the order of a mask means nothing.
  private static func normal(_ json: JSONValue?) -> JSONValue {
    switch json {
    case .array(let elements)?: return .array(elements.map(normal))
    case .object(var members)?:
      for index in members.indices {
        members[index].value = normal(members[index].value)
        if members[index].key == "fieldPaths", let paths = members[index].value.elements {
          members[index].value = .array(paths.sorted { ($0.string ?? "") < ($1.string ?? "") })
        }
        if members[index].key == "update", members[index].value["fields"] == nil,
          case .object(let inner) = members[index].value
        {
          members[index].value = .object(inner + [.init(key: "fields", value: .object([]))])
        }
      }
      return .object(members)
    default: return json ?? .null
    }
  }
}
