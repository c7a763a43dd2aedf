import FieldCore
import FieldFakes
import FieldFirestore
import FirestoreFakes
import Testing

@Suite struct FirestoreRetryTests {
  /// What one method does after a failure.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var method: String
    var timeout = Duration.seconds(60)
    /// The failures after which a call is repeated.
    var repeated: Set<String>
    var call: @Sendable (FirestoreClient) async throws -> Void

    var testDescription: String { name }
  }

  /// Failures that may be over in a moment, after which an idempotent call is repeated.
  private static let transient: Set<String> = [
    "UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "no connection", "no response in time",
  ]
  private static let simple = transient.union(["RESOURCE_EXHAUSTED"])

  static let rows = [
    Row(name: "get", method: "get", repeated: simple) { _ = try await $0.get("a/b") },
    Row(name: "list", method: "list", repeated: simple) { _ = try await $0.list("a") },
    Row(
      name: "batchGet", method: "batchGet", timeout: .seconds(300), repeated: transient
    ) { _ = try await $0.get(["a/b", "a/c"]) },
    Row(
      name: "runQuery", method: "runQuery", timeout: .seconds(300), repeated: transient
    ) { _ = try await $0.run(FirestoreQuery("a")) },
    Row(
      name: "runAggregationQuery", method: "runAggregationQuery", timeout: .seconds(300),
      repeated: transient
    ) { _ = try await $0.count(FirestoreQuery("a")) },
    Row(name: "beginTransaction", method: "beginTransaction", repeated: simple) {
      try await $0.transaction { $0.write(.delete("a/none")) }
    },
    Row(name: "rollback", method: "rollback", repeated: simple) { client in
      // The transaction ends with the error of its body, whatever becomes of the rollback.
      await #expect(throws: CancellationError.self) {
        try await client.transaction { _ in throw CancellationError() }
      }
    },
    Row(
      name: "commit that is safe to repeat", method: "commit",
      repeated: simple.union(["ABORTED", "UNKNOWN", "CANCELLED"])
    ) { try await $0.commit([.delete("a/none")]) },
    Row(
      name: "commit that isn't safe to repeat", method: "commit",
      repeated: ["RESOURCE_EXHAUSTED", "ABORTED"]
    ) { try await $0.commit([.update("a/b", ["n": .increment(1)])]) },
  ]

  /// All failures but `UNAUTHENTICATED`, which leads to another token.
  private static let faults: [String: Fault] = {
    let statuses = [
      "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
      "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED",
      "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "SOMETHING_NEW",
    ]
    var faults = Dictionary(uniqueKeysWithValues: statuses.map { ($0, Fault.firestore($0)) })
    faults["no connection"] = .drop()
    faults["no response in time"] = .lostResponse(.timeout)
    faults["no network"] = .drop(.offline)
    return faults
  }()

  @Test(arguments: rows)
  func `each method is repeated after the failures in its row of the table`(row: Row) async throws {
    #expect(row.repeated.isSubset(of: Self.faults.keys))
    for (name, fault) in Self.faults {
      let fake = FakeFirestore()
      fake["a/b"] = ["n": 0]
      let operation = "firestore.\(row.method)"
      let transport = FaultTransport(fake, FaultPlan.first(2, fault).on(operation))
      let error = await failure {
        try await row.call(FirestoreClient.of(fake, over: transport))
      }
      let sent = transport.requests.filter { $0.operation == operation }
      #expect(sent.count == (row.repeated.contains(name) ? 3 : 1), "\(name)")
      #expect(sent.allSatisfy { $0.timeout == row.timeout })
      if row.repeated.contains(name) { #expect(error == nil, "\(name)") }
    }
  }

  @Test func `a call is repeated as often as the policy says`() async throws {
    let fake = FakeFirestore()
    let transport = FaultTransport(fake, .always(.firestore("UNAVAILABLE")))
    let clock = ImmediateClock()
    let client = FirestoreClient(
      fake.configuration, transport: transport, clock: clock, random: { 0.5 })
    #expect(await failure { _ = try await client.get("a/b") }?.code == .firestoreUnavailable)
    #expect(transport.requestCount == 5)
    #expect(clock.slept == [.seconds(1), .seconds(1.5), .seconds(2.25), .seconds(3.375)])
  }

  @Test func `an exhausted quota leads to the longest wait`() async throws {
    let fake = FakeFirestore()
    let clock = ImmediateClock()
    let client = FirestoreClient(
      fake.configuration,
      transport: FaultTransport(fake, .script([.firestoreQuota, .firestore("UNAVAILABLE")])),
      clock: clock, random: { 0.5 })
    try await client.commit([.delete("a/b")])
    #expect(clock.slept == [.seconds(60), .seconds(1.5)])
  }
}
