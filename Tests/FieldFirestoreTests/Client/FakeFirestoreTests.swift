import FieldCore
import FieldFakes
import FieldFirestore
import FieldURLSession
import FirestoreFakes
import Foundation
import Testing

@Suite struct FakeFirestoreTests {
  @Test func `queries that need an index fail without it`() async throws {
    let fake = FakeFirestore()
    let client = FirestoreClient.of(fake)
    let all = FirestoreQuery("Walks")
    let free: [FirestoreQuery] = [
      all, all.order(by: "date"), all.order(by: "date", .descending), all.where("pet", .equal, "a"),
      all.where("pet", .equal, "a").where("city", .equal, "b"), all.where("n", .greaterThan, 1),
      all.where("n", .greaterThan, 1).order(by: "n"), all.where("tags", .arrayContains, "a"),
      .group("Walks"),
    ]
    for query in free { _ = try await client.run(query) }
    let costly: [FirestoreQuery] = [
      all.where("pet", .equal, "a").order(by: "date"), all.order(by: "date").order(by: "n"),
      all.where("n", .greaterThan, 1).where("m", .lessThan, 2),
      all.order(by: .documentID, .descending),
      all.where("tags", .arrayContains, "a").where("pet", .equal, "a"),
      FirestoreQuery.group("Walks").where("pet", .equal, "a"),
    ]
    for query in costly {
      let error = await failure { _ = try await client.run(query) }
      #expect(error?.code == .firestoreFailedPrecondition, "\(query)")
    }
    fake.options.indexes = [.init("Walks", .init("pet"), .init("date"))]
    _ = try await client.run(costly[0])
    _ = try await client.run(all.where("pet", .equal, "a").order(by: "date", .descending))
  }

  @Test func `rules, tokens, and quotas are refused with their codes`() async throws {
    let fake = FakeFirestore()
    let client = FirestoreClient.of(fake)
    fake.options.isAllowed = { $0.kind != .create || $0.path.parent != "Secrets" }
    let denied = await failure {
      try await client.commit([.set("a/b", [:]), .set("Secrets/x", [:])])
    }
    #expect(denied?.code == .firestorePermissionDenied)
    #expect(fake.documents.isEmpty)
    fake.options.validTokens = []
    let expired = await failure { _ = try await client.get("a/b") }
    #expect(expired?.code == .firestoreUnauthenticated)
  }

  @Test func `a write that changes nothing keeps the time, and a failed commit leaves nothing`()
    async throws
  {
    let fake = FakeFirestore()
    let client = FirestoreClient.of(fake)
    let first = try await client.commit([.set("a/b", ["n": 1])])
    let second = try await client.commit([.set("a/b", ["n": 1])])
    #expect(second.results[0].updateTime == first.results[0].updateTime)
    #expect(try #require(second.time) > (try #require(first.time)))
    let error = await failure {
      try await client.commit([.set("a/c", [:]), .update("a/none", ["x": 1])])
    }
    #expect(error?.code == .firestoreNotFound)
    #expect(fake["a/c"] == nil)
    let stale = await failure {
      try await client.commit([
        .delete("a/b", precondition: .updateTime(try FirestoreTimestamp(seconds: 42)))
      ])
    }
    #expect(stale?.code == .firestoreFailedPrecondition)
    let time = try #require(first.results[0].updateTime)
    try await client.commit([.delete("a/b", precondition: .updateTime(time))])
    #expect(fake.documents.isEmpty)
  }

  @Test(arguments: [
    #"{"writes":[{"update":{"name":"N","fields":{"a":{}}}}]}"#,
    #"{"writes":[{"update":{"name":"N","fields":{"a":{"integerValue":"1","stringValue":"x"}}}}]}"#,
    #"{"writes":[{"update":{"name":"N","fields":{"a":{"newValue":1}}}}]}"#,
    #"{"writes":[{"update":{"name":"N"},"updateMask":{"fieldPaths":["a-b"]}}]}"#,
    #"{"writes":[{"update":{"name":"N"},"unknown":1}]}"#, #"{"writez":[]}"#, #"{"writes":[{}]}"#,
  ])
  func `a write that a Firestore server refuses is refused by the fake`(body: String) async throws {
    let fake = FakeFirestore()
    let name = fake.database.name(of: "a/b")
    let url = try #require(
      URL(string: "https://firestore.example/v1/projects/demo/databases/(default)/documents:commit")
    )
    let answer = try await fake.send(
      TransportRequest(
        .post, url: url, fields: ["Content-Type": "application/json"],
        body: .text(body.replacing("\"N\"", with: "\"\(name)\"")), operation: "test"))
    #expect(answer.status == 400)
  }

  @Test(.timeLimit(.minutes(60)))
  func `the fake answers a real HTTP client over loopback`() async throws {
    let fake = FakeFirestore()
    let server = try LoopbackServer(serving: fake)
    let configuration = try FirestoreConfiguration.emulator(
      project: "demo", at: server.url.absoluteString)
    let client = FirestoreClient(configuration, transport: URLSessionTransport())
    try await client.commit([.create("Pets/a b/Walks/1:x", ["name": "강", "n": .increment(1)])])
    #expect(try await client.get("Pets/a b/Walks/1:x")?.fields == ["name": "강", "n": 1])
    #expect(try await client.get("Pets/none") == nil)
    #expect(try await client.run(.group("Walks")).documents.count == 1)
    await server.stop()
  }
}
