import FieldCore
import FieldFakes
import FieldFirestore
import FirestoreFakes
import Foundation
import Testing

@Suite struct FirestoreClientTests {
  @Test func `documents are written, read, listed, and queried`() async throws {
    let fake = FakeFirestore()
    let client = FirestoreClient.of(fake)
    let commit = try await client.commit([
      .create("Pets/mesh", ["name": "mesh", "born": .serverTimestamp]),
      .set("Pets/a b%+강:x", ["name": "odd"]),
      .update("Pets/mesh", ["walks": .increment(2), "home.city": "Seoul"]),
      .delete("Pets/none"),
    ])
    #expect(commit.applied == .now && commit.results.count == 4)
    #expect(commit.results[2].transformResults == [2])
    let mesh = try #require(try await client.get("Pets/mesh"))
    #expect(mesh["home.city"] == "Seoul")
    #expect(try await client.get("Pets/a b%+강:x")?.fields == ["name": "odd"])
    #expect(try await client.get("Pets/none") == nil)
    let batch = try await client.get(["Pets/none", "Pets/mesh", "Pets/mesh", "Pets/a b%+강:x"])
    #expect(batch.found.map(\.path) == ["Pets/mesh", "Pets/a b%+강:x"])
    #expect(batch.missing == ["Pets/none"])
    let masked = try await client.get("Pets/mesh", mask: ["home.city"])
    #expect(masked?.fields == ["home": ["city": "Seoul"]])
    // A mask without fields is one, in each kind of request.
    let bare = FirestoreDocument(
      mesh.path, [:], createTime: mesh.createTime, updateTime: mesh.updateTime)
    #expect(try await client.get("Pets/mesh", mask: []) == bare)
    #expect(try await client.get(["Pets/mesh"], mask: []).found == [bare])
    #expect(try await client.list("Pets", mask: []).documents.last == bare)
    var listed: [FirestorePath] = []
    for try await page in client.pages(of: "Pets", pageSize: 1) {
      #expect(page.documents.count == 1)
      listed += page.documents.map(\.path)
    }
    #expect(listed == ["Pets/a b%+강:x", "Pets/mesh"])
    let found = try await client.run(FirestoreQuery("Pets").where("walks", .greaterThan, 1))
    #expect(found.documents == [mesh])
    #expect(try await client.count(FirestoreQuery("Pets")) == 2)
  }

  @Test func `an ID that begins with a combining mark is an ID like any other`() async throws {
    let path = FirestorePath("Pets").child("\u{301}a")
    #expect(path.segments.map { Array($0.utf8) } == [Array("Pets".utf8), [0xCC, 0x81, 0x61]])
    #expect(path.parent == "Pets")
    let client = FirestoreClient.of(FakeFirestore())
    _ = try await client.commit([.set(path, ["name": "odd"])])
    #expect(try await client.get(path)?.fields == ["name": "odd"])
    #expect(try await client.list("Pets").documents.map(\.path) == [path])
    #expect(try FirestoreFieldPath(dotted: "a.\u{301}b").segments.count == 2)
  }

  @Test(arguments: ["ALREADY_EXISTS", "FAILED_PRECONDITION"])
  func `a commit whose answer was lost is applied once, whatever the server calls it`(
    status: String
  ) async throws {
    let fake = FakeFirestore()
    fake.options.failedCreationStatus = status
    fake["Pets/mesh"] = ["walks": 1, "tags": ["a"]]
    let id = UUID()
    let writes: [FirestoreWrite] = [
      try .update("Pets/mesh", ["walks": .increment(1), "tags": .arrayUnion(["b"])]),
      try .create("Walks/1", ["pet": "mesh"]),
    ]
    let lossy = FaultTransport(fake, .first(1, .lostResponse()))
    let commit = try await FirestoreClient.of(fake, over: lossy).commit(writes, receipt: id)
    #expect(commit.applied == .earlier)
    #expect(fake["Pets/mesh"] == ["walks": 2, "tags": ["a", "b"]])
    // The same operation from another process, which doesn't know about the first.
    let client = FirestoreClient.of(fake)
    #expect(try await client.commit(writes, receipt: id).applied == .earlier)
    #expect(try await client.receipt(id))
    #expect(try await !client.receipt(UUID()))
    #expect(fake["Pets/mesh"]?["walks"] == 2)
    #expect(fake.commitCount == 1)
  }

  @Test func `a request that arrives late, or twice, changes nothing more`() async throws {
    let fake = FakeFirestore()
    fake["Pets/mesh"] = ["walks": 0]
    let write = try FirestoreWrite.update("Pets/mesh", ["walks": .increment(1)])
    for fault in [Fault.late, .duplicate, .drop(), .lostResponse(.timeout), .firestore("INTERNAL")]
    {
      let transport = FaultTransport(fake, .first(1, fault))
      try await FirestoreClient.of(fake, over: transport).commit([write], receipt: UUID())
    }
    #expect(fake["Pets/mesh"]?["walks"] == 5)
    #expect(fake.commitCount == 5)
  }

  @Test func `a precondition that fails by itself is not taken for a receipt`() async throws {
    let fake = FakeFirestore()
    fake["Walks/1"] = [:]
    let error = await failure {
      try await FirestoreClient.of(fake).commit([.create("Walks/1", [:])], receipt: UUID())
    }
    #expect(error?.code == .firestoreAlreadyExists)
    #expect(error?.firestoreOutcome == .rejected)
    #expect(fake.documents.count == 1)
  }

  @Test func `a commit that is not safe to repeat is not repeated, and says so`() async throws {
    let fake = FakeFirestore()
    fake["Pets/mesh"] = ["walks": 0]
    let lossy = FaultTransport(fake, .first(1, .lostResponse()))
    let error = await failure {
      try await FirestoreClient.of(fake, over: lossy)
        .commit([.update("Pets/mesh", ["walks": .increment(1)])])
    }
    #expect(error?.firestoreOutcome == .unknown)
    #expect(lossy.requestCount == 1)
    #expect(fake["Pets/mesh"]?["walks"] == 1)
    // An idempotent one is, without a receipt.
    let again = FaultTransport(fake, .first(2, .lostResponse()))
    try await FirestoreClient.of(fake, over: again).commit([.set("Pets/mesh", ["walks": 7])])
    #expect(again.requestCount == 3)
  }

  @Test func `an operation older than its receipt is not sent`() async throws {
    let fake = FakeFirestore()
    let client = FirestoreClient(fake.configuration, transport: fake, clock: ManualClock())
    let error = await failure {
      try await client.commit(
        [.delete("a/b")], receipt: UUID(),
        firstAttempt: ManualClock().now.addingTimeInterval(-29.5 * 86_400))
    }
    #expect(error?.code == .firestoreReceiptExpired)
    #expect(fake.requests.isEmpty)
  }

  @Test(arguments: [
    (#"{"error":{"code":404,"message":"gone","status":"NOT_FOUND"}}"#, 404, "firestore.notFound"),
    (
      #"[{"error":{"code":400,"message":"no","status":"FAILED_PRECONDITION"}}]"#, 400,
      "firestore.failedPrecondition"
    ),
    (#"{"error":{"code":409,"status":"ALREADY_EXISTS"}}"#, 400, "firestore.alreadyExists"),
    (#"{"error":{"code":500,"status":"UNKNOWN"}}"#, 500, "firestore.unknown"),
    (#"{"error":{"code":409,"message":"no status"}}"#, 409, "firestore.aborted"),
    (
      #"{"error":{"code":429,"message":"quota","status":"RESOURCE_EXHAUSTED"}}"#, 200,
      "firestore.resourceExhausted"
    ),
    ("<!DOCTYPE html><html><head><title>Sign in</title></head></html>", 200, "rows.notData"),
    ("<html><body>Forbidden</body></html>", 403, "rows.notData"),
    ("<html><body>Bad gateway</body></html>", 502, "firestore.unavailable"),
    ("<?xml version='1.0'?><Error><Message>Denied</Message></Error>", 403, "rows.notData"),
    ("Unauthorized", 200, "rows.notData"), ("Unauthorized", 401, "firestore.unauthenticated"),
    ("Not Found\n", 404, "http.notFound"), ("", 503, "firestore.unavailable"),
    ("", 200, "rows.empty"), ("[1,2", 200, "rows.cut"), ("7", 200, "rows.schema"),
    ("nonsense", 418, "http.status"),
    ("<html><body>Unknown error</body></html>", 520, "firestore.unavailable"),
    ("error code: 524", 524, "firestore.deadlineExceeded"), ("", 599, "firestore.unavailable"),
    ("Not Implemented", 501, "firestore.unknown"), ("", 499, "firestore.cancelled"),
  ])
  func `every error has a code of its own`(
    body: String, status: Int, code: String
  ) async throws {
    let client = FirestoreClient.once(CannedTransport(body, status: status))
    let error = await failure { try await client.commit([.delete("a/b")]) }
    #expect(error?.code.rawValue == code)
    #expect(error?.response?.status == status || code == "rows.schema")
  }

  /// A proxy may give up on a server that applies the commit.
  @Test(arguments: ["<html><body>A timeout occurred</body></html>", "error code: 520", "", "{}"])
  func `the outcome of a commit is unknown after every server error`(_ body: String) async throws {
    for status in [408, 499] + Array(500...599) {
      let client = FirestoreClient.once(CannedTransport(body, status: status))
      let error = await failure { try await client.commit([.delete("a/b")]) }
      #expect(error?.firestoreOutcome == .unknown, "HTTP \(status)")
    }
  }

  @Test func `an error after rows is not a result`() async throws {
    let client = FirestoreClient.once(
      CannedTransport(
        #"[{"document":{"name":"projects/p/databases/(default)/documents/a/b"}},{"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}]"#
      ))
    let error = await failure { _ = try await client.run(FirestoreQuery("a")) }
    #expect(error?.code == .firestoreUnavailable)
  }

  @Test func `one bad document never hides the others`() async throws {
    let root = "projects/p/databases/(default)/documents"
    let client = FirestoreClient.once(
      CannedTransport(
        """
        [{"document":{"name":"\(root)/a/1","fields":{"x":{"integerValue":"1"}}}},
        {"document":{"name":"\(root)/a/2","fields":{"x":{"integerValue":"one"}}}},
        {"document":{"name":"\(root)/a/3","fields":{"x":{"newValue":[1]}}}},{"document":7}]
        """))
    let results = try await client.run(FirestoreQuery("a"))
    #expect(results.documents.map(\.path) == ["a/1", "a/3"])
    #expect(results.failures.map(\.index) == [1, 3])
    #expect(results.failures[0].key == "\(root)/a/2")
    #expect(results.failures[0].reason.contains("the field x"))
  }

  @Test func `an answer that leaves a document out is no answer`() async throws {
    let client = FirestoreClient.once(
      CannedTransport(#"[{"missing":"projects/p/databases/(default)/documents/a/1"}]"#))
    let error = await failure { _ = try await client.get(["a/1", "a/2"]) }
    #expect(error?.code == .firestoreIncomplete)
    let commit = FirestoreClient.once(CannedTransport(#"{"writeResults":[{}]}"#))
    let other = await failure { try await commit.commit([.delete("a/1"), .delete("a/2")]) }
    #expect(other?.code == .firestoreIncomplete && other?.firestoreOutcome == .unknown)
  }

  @Test func `another document than the requested one is no answer`() async throws {
    let client = FirestoreClient.once(
      CannedTransport(#"{"name":"projects/p/databases/(default)/documents/a/2"}"#))
    #expect(try await client.get("a/2")?.fields == [:])
    let error = await failure { _ = try await client.get("a/1") }
    #expect(error?.code == .firestoreIncomplete)
  }

  @Test func `an answer cut at any byte is a typed error`() async throws {
    let fake = FakeFirestore()
    fake["a/b"] = ["text": "한글 \"q\"", "n": 1, "list": [1.5, ["k": .null]]]
    fake["a/c"] = [:]
    let calls: [@Sendable (FirestoreClient) async throws -> Void] = [
      { _ = try await $0.get("a/b") }, { _ = try await $0.get(["a/b", "a/none"]) },
      { _ = try await $0.run(FirestoreQuery("a")) }, { _ = try await $0.list("a") },
      { _ = try await $0.count(FirestoreQuery("a")) },
      { try await $0.commit([.set("a/c", [:]), .delete("a/d")]) },
    ]
    for call in calls {
      let recorder = RecordingTransport(fake)
      try await call(FirestoreClient.of(fake, over: recorder))
      let whole = recorder.last
      #expect(whole.count > 2)
      for count in 0..<whole.count {
        let cut = FirestoreClient.once(CannedTransport(Array(whole.prefix(count))), project: "demo")
        let error = await failure { try await call(cut) }
        #expect(error?.code == .cut || error?.code == .emptyBody, "\(count) of \(whole.count)")
      }
    }
  }

  @Test func `a token that has expired is replaced once`() async throws {
    let fake = FakeFirestore()
    fake.options.validTokens = ["new"]
    var configuration = fake.configuration
    configuration.tokens = SwappingTokens(["old", "new"])
    let client = FirestoreClient(configuration, transport: fake, clock: ImmediateClock())
    try await client.commit([.delete("a/b")])
    #expect(fake.requests.count == 2)
    configuration.tokens = SwappingTokens(["old", "older"])
    let denied = FirestoreClient(configuration, transport: fake, clock: ImmediateClock())
    let error = await failure { try await denied.commit([.delete("a/b")]) }
    #expect(error?.code == .firestoreUnauthenticated && error?.firestoreOutcome == .notApplied)
    #expect(fake.requests.count == 4)
  }

  @Test func `what is over a limit is not sent`() async throws {
    let fake = FakeFirestore()
    let client = FirestoreClient.of(fake)
    func deep(_ depth: Int) -> FirestoreValue { (0..<depth).reduce(1) { value, _ in ["m": value] } }
    let long = String(repeating: "x", count: 1_501)
    let refused: [FirestoreWrite] = [
      .init("a/b", .update(["big": .bytes(.init(repeating: 0, count: 1_048_488))], mask: nil)),
      .init("a/b", .update(["m": deep(21)], mask: nil)),
      .init("a/b", .update(["a": [[1]]], mask: nil)),
      .init("a/b", .update(["": 1], mask: nil)), .init("a/b", .update(["__x__": 1], mask: nil)),
      .init("a/b", .update(["m": .map([long: 1])], mask: nil)),
      .init("a/b", .update(["g": .geoPoint(.init(latitude: 91, longitude: 0))], mask: nil)),
      .init("a/b", .update(["r": .reference("hello")], mask: nil)),
      .init("a/b", .update([:], mask: [FirestoreFieldPath(segments: [""])])),
      .delete("a"), .delete("a/.."), .delete("a/__x__"), .delete(FirestorePath("a/\(long)")),
      .delete("a//b"), .delete(""),
    ]
    for write in refused {
      let error = await failure { try await client.commit([write]) }
      #expect(error?.code == .invalidInput, "\(write.path) \(String(describing: error))")
    }
    #expect(fake.requests.isEmpty)
    try await client.commit([.init("a/b", .update(["m": deep(20)], mask: nil))])
    let many = await failure {
      try await client.commit((0..<501).map { .delete(FirestorePath("a/\($0)")) })
    }
    #expect(many?.code == .invalidInput)
    let heavy = await failure {
      try await client.commit(
        (0..<11).map {
          .init(
            FirestorePath("a/\($0)"),
            .update(["b": .bytes(.init(repeating: 0, count: 1_000_000))], mask: nil))
        })
    }
    #expect(heavy?.code == .invalidInput && fake.requests.count == 1)
  }

  @Test func `a transaction sees no half of another, and is repeated`() async throws {
    let fake = FakeFirestore()
    fake["Totals/walks"] = ["count": 0]
    let client = FirestoreClient.of(fake)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await client.transaction(attempts: 50) { transaction in
            let count = try await transaction.get("Totals/walks")?["count"]?.integer ?? 0
            await Task.yield()
            transaction.write(
              try .update("Totals/walks", ["count": .value(.integer(count + 1))]))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(fake["Totals/walks"]?["count"] == 4)
  }

  @Test func `a transaction whose answer was lost is applied once with a receipt`() async throws {
    let fake = FakeFirestore()
    fake["Totals/walks"] = ["count": 0]
    for count in 1...3 {
      let lossy = FaultTransport(
        fake, FaultPlan.first(1, count == 2 ? .drop() : .lostResponse()).on("firestore.commit"))
      try await FirestoreClient.of(fake, over: lossy).transaction(receipt: UUID()) { transaction in
        let count = try await transaction.get("Totals/walks")?["count"]?.integer ?? 0
        transaction.write(try .update("Totals/walks", ["count": .value(.integer(count + 1))]))
      }
      #expect(fake["Totals/walks"]?["count"] == .integer(Int64(count)))
    }
  }

  @Test func `a failed transaction changes nothing and is rolled back`() async throws {
    let fake = FakeFirestore()
    let error = await failure {
      try await FirestoreClient.of(fake).transaction { transaction in
        transaction.write(try .set("a/b", [:]))
        _ = try await transaction.get("a/b")
      }
    }
    #expect(error?.code == .invalidInput)
    #expect(fake.documents.isEmpty)
    #expect(fake.requests.map(\.operation) == ["firestore.beginTransaction", "firestore.rollback"])
  }

  @Test func `a bad write of many is reported alone`() async throws {
    let fake = FakeFirestore()
    fake["a/7"] = [:]
    var writes = try (0..<50).map { try FirestoreWrite.create(FirestorePath("a/\($0)"), [:]) }
    writes[23] = FirestoreWrite("a/__bad__", .delete)
    let results = try await FirestoreClient.of(fake).write(writes)
    let failed = results.indices.filter { if case .failure = results[$0] { true } else { false } }
    #expect(failed == [7, 23])
    #expect(fake.documents.count == 49)
  }

  @Test func `the rate of bulk writes begins with 500 a second and grows`() async throws {
    let fake = FakeFirestore()
    let clock = ImmediateClock()
    let client = FirestoreClient(fake.configuration, transport: fake, clock: clock)
    let writes = (0..<2_000).map { FirestoreWrite.delete(FirestorePath("a/\($0)")) }
    #expect(try await client.write(writes, batchSize: 500).count == 2_000)
    #expect((2.9...3.2).contains(clock.uptime / .seconds(1)))
  }

  @Test func `a canceled call ends with CancellationError`() async throws {
    let fake = FakeFirestore()
    let client = FirestoreClient.of(fake, over: FaultTransport(fake, .always(.silence)))
    let task = Task { try await client.run(FirestoreQuery("a")) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

/// A provider that has several tokens, one after the other.
private final class SwappingTokens: TokenProvider {
  private let values: [String]
  private let index = Lock(0)

  init(_ values: [String]) { self.values = values }

  func token(replacing rejected: FirestoreToken?) async throws -> FirestoreToken? {
    index.withLock { index in
      if rejected != nil, index + 1 < values.count { index += 1 }
      return FirestoreToken(values[index])
    }
  }
}

/// A transport that keeps the last body of another.
private final class RecordingTransport: Transport {
  private let base: any Transport
  private let kept = Lock<[UInt8]>([])

  init(_ base: any Transport) { self.base = base }

  var last: [UInt8] { kept.withLock { $0 } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let answer = try await base.send(request)
    let body = try answer.body.bytes()
    kept.withLock { $0 = body }
    return answer
  }
}
