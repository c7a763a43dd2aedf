import FieldCore
import FieldFirestore
import Foundation
import TestSupport
import Testing

/// The queries of Google's conformance vectors, and some of the package's own in the same format.
@Suite struct QueryVectorTests {
  // Vectors that can't be read are there, too, and the test fails.
  private static let areThere = (try? ConformanceVectors.all("query").isEmpty) != true

  @Test(.enabled(if: areThere, "the query vectors of ../shared are not here"))
  func `queries are those of Google's vectors, and so are refusals`() async throws {
    for (name, vector) in try ConformanceVectors.all("query") {
      let problem = try await Self.problem(with: vector)
      #expect(problem == nil, "\(name)")
    }
  }

  @Test(arguments: [("query-clauses", 2), ("query-cursors", 1), ("query-refused", 4)])
  func `queries are those of the vectors in the repository, and so are refusals`(
    file: String, count: Int
  ) async throws {
    let vectors = try Self.own(file)
    #expect(vectors.count == count)
    for (name, vector) in vectors {
      let problem = try await Self.problem(with: vector)
      #expect(problem == nil, "\(name)")
    }
  }

  @Test func `a vector that expects another query is not met`() async throws {
    for (name, vector) in try Self.own("query-clauses") + Self.own("query-cursors") {
      guard case .object(let members)? = vector["query"] else { throw FieldError(.schema, name) }
      var wrong = members.map { vector.with("query", vector["query"]?.with($0.key, nil)) }
      wrong.append(vector.with("query", vector["query"]?.with("limit", .number("5"))))
      wrong.append(
        vector.with("collPath", .string("projects/projectID/databases/(default)/documents/X")))
      wrong.append(vector.with("clauses", .array([.object([.init(key: "new", value: .null)])])))
      wrong.append(vector.with("isError", .bool(true)))
      for vector in wrong {
        let problem = try await Self.problem(with: vector)
        #expect(problem != nil, "\(name): \(vector.canonicalText)")
      }
    }
    for (name, vector) in try Self.own("query-refused") {
      let problem = try await Self.problem(with: vector.with("isError", nil))
      #expect(problem != nil, "\(name)")
    }
  }

  private static func own(_ file: String) throws -> [(name: String, vector: JSONValue)] {
    try ConformanceVectors.all(
      "query", in: [SharedData.root.appending(path: "Tests/Fixtures/firestore/\(file).json")])
  }

  // MARK: From vectors to requests

  /// Returns how the client's request differs from the one that a vector expects; `nil` if it
  /// doesn't.
  private static func problem(with vector: JSONValue) async throws -> String? {
    let transport = CannedTransport(#"[{"readTime":"2020-01-01T00:00:00Z"}]"#)
    let client = FirestoreClient.once(transport, project: "projectID")
    let error = await failure { _ = try await client.run(query(vector, client.database)) }
    if vector["isError"] == .bool(true) {
      guard error?.code == .invalidInput else { return "not refused: \(String(describing: error))" }
      return transport.requests.isEmpty ? nil : "refused after it was sent"
    }
    guard error == nil, let request = transport.requests.first else {
      return "not sent: \(String(describing: error))"
    }
    let body = try JSONDocument.value(try request.body?.bytes() ?? [])
    let sent = ConformanceVectors.normal(body["structuredQuery"]).canonicalText
    let expected = ConformanceVectors.normal(vector["query"]).canonicalText
    guard sent == expected else { return "sent as \(sent) instead of \(expected)" }
    let parent = (vector["collPath"]?.string ?? "").split(separator: "/").dropLast()
    let address = "https://firestore.googleapis.com/v1/\(parent.joined(separator: "/")):runQuery"
    let url = PercentEncoding.decoded(request.url.absoluteString)
    return url == address ? nil : "sent to \(url) instead of \(address)"
  }

  private static func query(
    _ vector: JSONValue, _ database: FirestoreDatabase
  ) throws -> FirestoreQuery {
    guard let collection = vector["collPath"]?.string.flatMap(database.path) else {
      throw FieldError(.schema, "The vector has no collection.")
    }
    var query = FirestoreQuery(collection)
    for clause in vector["clauses"]?.elements ?? [] {
      guard case .object(let members) = clause, members.count == 1 else {
        throw FieldError(.schema, "The vector has a clause without one kind.")
      }
      query = try add(members[0].key, members[0].value, to: query, database)
    }
    return query
  }

  private static func add(
    _ kind: String, _ clause: JSONValue, to query: FirestoreQuery, _ database: FirestoreDatabase
  ) throws -> FirestoreQuery {
    switch kind {
    case "select":
      var selecting = query
      selecting.selection = ConformanceVectors.paths(clause["fields"])
      return selecting
    case "where":
      // The type of an operator has no room for others.
      guard let comparison = FirestoreFilter.Operator(symbol: clause["op"]?.string ?? "") else {
        throw FieldError(.invalidInput, "an unknown operator")
      }
      return query.where(
        ConformanceVectors.path(clause["path"]), comparison,
        try ConformanceVectors.value(clause["jsonValue"]?.string ?? ""))
    case "orderBy":
      let directions: [String: FirestoreQuery.Direction] = ["asc": .ascending, "desc": .descending]
      guard let direction = directions[clause["direction"]?.string ?? "asc"] else {
        throw FieldError(.invalidInput, "an unknown direction")
      }
      return query.order(by: ConformanceVectors.path(clause["path"]), direction)
    case "offset": return query.skip(try number(clause))
    case "limit": return query.limit(to: try number(clause))
    case "startAt": return query.start(at: try position(clause, database))
    case "startAfter": return query.start(after: try position(clause, database))
    case "endAt": return query.end(at: try position(clause, database))
    case "endBefore": return query.end(before: try position(clause, database))
    default: throw FieldError(.schema, "The vector has a clause of the unknown kind \(kind).")
    }
  }

  private static func number(_ json: JSONValue) throws -> Int {
    guard let number = json.integer else { throw FieldError(.schema, "A clause has no number.") }
    return number
  }

  private static func position(
    _ cursor: JSONValue, _ database: FirestoreDatabase
  ) throws -> FirestoreQuery.Cursor.Position {
    guard let snapshot = cursor["docSnapshot"] else {
      return .values(
        try (cursor["jsonValues"]?.elements ?? []).map {
          try ConformanceVectors.value($0.string ?? "")
        })
    }
    let data = try ConformanceVectors.value(snapshot["jsonData"]?.string ?? "")
    guard let path = snapshot["path"]?.string.flatMap(database.path), let fields = data.map else {
      throw FieldError(.schema, "The vector has a cursor without a document.")
    }
    return .document(FirestoreDocument(path, fields))
  }
}

extension JSONValue {
  /// Returns the object with another value of a member, or without it.
  fileprivate func with(_ key: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(
      members.filter { $0.key != key } + (value.map { [.init(key: key, value: $0)] } ?? []))
  }
}
