import FieldCore
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore

/// Exchanges that were recorded with Google's emulator, read from where they are.
///
/// The client has no methods for `batchWrite`, which isn't atomic, and for `listCollectionIds`. Their responses are
/// only parsed as JSON and compared with the requests.
@Suite struct RecordedExchangeTests {
  private static let file = "firestore/emulator-exchanges.json"
  private static let isThere = FileManager.default.fileExists(
    atPath: SharedData.url(file).path)

  private struct Exchange {
    var label: String
    var path: String
    var request: JSONValue
    var status: Int
    var body: String

    init(_ json: JSONValue) throws {
      label = try #require(json["label"]?.string)
      path = try #require(json["request"]?["path"]?.string)
      request = json["request"]?["body"] ?? .null
      status = try #require(json["response"]?["status"]?.integer)
      body = try #require(json["response"]?["body"]?.string)
    }
  }

  private static func exchanges() throws -> [Exchange] {
    let json = try JSONDocument.value(try SharedData.bytes(file))
    return try (json["exchanges"]?.elements ?? []).map(Exchange.init)
  }

  @Test(.enabled(if: isThere, "the exchanges of ../shared are not here"))
  func `all recorded answers are decoded`() async throws {
    let exchanges = try Self.exchanges()
    #expect(exchanges.count == 82)
    for exchange in exchanges {
      let client = FirestoreClient.once(
        CannedTransport(exchange.body, status: exchange.status), project: "walk-fixtures")
      if exchange.status == 200 {
        try await Self.decode(exchange, client)
      } else {
        let error = await failure { try await client.commit([.delete("a/b")]) }
        let code = try Self.code(of: exchange)
        #expect(error?.code.rawValue == code, "\(exchange.label)")
        #expect(error?.message.isEmpty == false)
      }
    }
  }

  private static func code(of exchange: Exchange) throws -> String {
    guard exchange.body.hasPrefix("{") else { return "http.notFound" }
    let words = try #require(try json(exchange.body)["error"]?["status"]?.string)
      .split(separator: "_").map { $0.capitalized }
    return "firestore." + words[0].lowercased() + words.dropFirst().joined()
  }

  private static func decode(_ exchange: Exchange, _ client: FirestoreClient) async throws {
    let label = Comment(rawValue: exchange.label)
    let body = try json(exchange.body)
    let verb = exchange.path.split(separator: ":").last.map(String.init) ?? ""
    switch verb {
    case "commit":
      let count = exchange.request["writes"]?.elements?.count ?? 0
      let writes = (0..<count).map { FirestoreWrite.delete(FirestorePath("a/\($0)")) }
      let commit = try await client.commit(writes)
      #expect(commit.results.count == count, label)
      if count > 0 { #expect(commit.time != nil, label) }
    case "batchGet":
      let names = exchange.request["documents"]?.elements?.compactMap(\.string) ?? []
      let batch = try await client.get(names.compactMap(client.database.path))
      #expect(batch.failures.isEmpty, label)
      #expect(batch.found.count + batch.missing.count == Set(names).count, label)
    case "runQuery":
      let results = try await client.run(FirestoreQuery("pets/mesh/walks"))
      #expect(results.failures.isEmpty && results.readTime != nil, label)
      #expect(
        results.documents.count == body.elements?.filter { $0["document"] != nil }.count, label)
    case "runAggregationQuery":
      let values = try await client.aggregate(
        ["n": .count(), "s": .sum("duration"), "v": .average("duration")],
        over: FirestoreQuery("pets/mesh/walks"))
      #expect(values == ["n": 7, "s": 12_600, "v": 1_800.0], label)
    case "beginTransaction": #expect(body["transaction"]?.string?.isEmpty == false, label)
    case "rollback":
      let answer = try await client.call(
        .rollback, client.database.name(of: ""), verb: "rollback", body: exchange.request)
      #expect(answer == .object([]), label)
    case "batchWrite":
      let count = try #require(exchange.request["writes"]?.elements?.count, label)
      #expect(body["writeResults"]?.elements?.count == count, label)
      #expect(body["status"]?.elements?.map { $0["code"]?.integer } == [nil, 5], label)
    case "listCollectionIds":
      let names = body["collectionIds"]?.elements?.compactMap(\.string)
      #expect(names == ["bw", "ids", "pets", "types", "w"], label)
    default:
      if body["name"] != nil {
        let document = try FirestoreDocument(json: body, in: client.database)
        #expect(try await client.get(document.path) == document, label)
        #expect(document.updateTime != nil, label)
        // What is written again is what was read.
        let again = try FirestoreDocument(
          json: document.json(in: client.database), in: client.database)
        #expect(again == document, label)
      } else if body["documents"] != nil || exchange.label.hasPrefix("list") {
        let page = try await client.list("pets/mesh/walks")
        #expect(page.failures.isEmpty, label)
        #expect(page.documents.count == body["documents"]?.elements?.count ?? 0, label)
      } else {
        #expect(body == .object([]), label)
      }
    }
  }
}
