import FieldCore
import FieldFakes
import FieldFirestore
import FieldURLSession
import FirestoreFakes
import Foundation
import Testing

/// The client against a server that isn't part of the package, which `Scripts/Checks/firestore-peers.sh`
/// starts.
@Suite(.serialized) struct FirestorePeerTests {
  private static let host = ProcessInfo.processInfo.environment["FIELDKIT_FIRESTORE_PEER"]
  private static let isWrittenByOthers =
    ProcessInfo.processInfo.environment["FIELDKIT_FIRESTORE_WRITTEN"] != nil
  private static let project = "walkkit"

  private func client() throws -> FirestoreClient {
    var configuration = try FirestoreConfiguration.emulator(
      project: Self.project, at: try #require(Self.host))
    configuration.retry.initialDelay = .milliseconds(50)
    return FirestoreClient(configuration, transport: URLSessionTransport())
  }

  /// A database in memory with the same name, which lets every query run, as an emulator does.
  private func fake() -> FakeFirestore {
    var options = FakeFirestore.Options()
    options.requiresIndexes = false
    return FakeFirestore(project: Self.project, options: options)
  }

  static func every(_ database: FirestoreDatabase) throws -> FirestoreFields {
    [
      "null": .null, "true": true, "max": .integer(.max), "min": .integer(.min),
      "big": .integer(9_007_199_254_740_993), "whole": 3.0, "tiny": .double(.leastNonzeroMagnitude),
      "nan": .double(.nan), "inf": .double(-.infinity),
      "time": .timestamp(try FirestoreTimestamp("2020-01-02T03:04:05.123456Z")),
      "text": "강 \"q\" \u{1F600} e\u{301}\n", "bytes": .bytes([0, 1, 2, 255]),
      "geo": .geoPoint(.init(latitude: 0, longitude: -1.5)),
      "ref": database.reference(to: "swift/other"), "list": [1, "x", ["k": []]], "empty": .map([:]),
      "a.b": 1, "back`tick": 2, "한글": 3, "e\u{301}": 4, "\u{E9}": 5,
    ]
  }

  @Test(.enabled(if: host != nil, "no peer is running"))
  func `a peer stores and answers as the fake does`() async throws {
    let peer = try client()
    let fake = fake()
    let local = FirestoreClient.of(fake)
    let root = FirestorePath("run\(UUID().uuidString.prefix(8))")
    var comparisons = 0
    let every = try Self.every(peer.database)
    let steps: [[FirestoreWrite]] = [
      [.init(root.child("every"), .update(every, mask: nil))],
      [try .create(root.child("a b%+강:x"), ["n": 1, "tags": ["a"], "m": ["x": 1, "y": 2]])],
      [
        try .update(
          root.child("a b%+강:x"),
          [
            "n": .increment(2.5), "tags": .arrayUnion(["a", "b", 1]), "m.x": .delete,
            "top": .maximum(7), "low": .minimum(3), "seen": .serverTimestamp,
          ])
      ],
      [
        try .set(root.child("a b%+강:x"), ["m": ["z": 3], "tags": .arrayRemove(["a"])], merge: .all)
      ],
      [try .update(root.child("a b%+강:x"), [("`a.b`", 1), ("m.z", .delete)])],
      [try .set(root.child("gone"), ["x": 1]), .delete(root.child("gone"))],
    ]
    for writes in steps {
      let there = try await peer.commit(writes)
      let here = try await local.commit(writes)
      #expect(there.results.count == here.results.count)
      for write in writes {
        var (left, right) = (try await peer.get(write.path), try await local.get(write.path))
        #expect((left?["seen"] == nil) == (right?["seen"] == nil))
        left?.fields["seen"] = nil
        right?.fields["seen"] = nil
        #expect(left?.fields == right?.fields, "\(write.path)")
        comparisons += 1
      }
    }
    let values: [FirestoreValue] = [
      2, 2.0, 2.5, .double(.nan), .null, "2", "\u{FFFD}", "\u{1F600}", 1, true, .bytes([1]),
      [1, 2],
      ["a": 1], .timestamp(try FirestoreTimestamp("2020-01-02T03:04:05Z")),
      .geoPoint(.init(latitude: 1, longitude: 2)),
    ]
    let documents =
      values.enumerated().map { number, value in
        FirestoreWrite(
          root.child("q\(number % 10)").child("C").child("d\(number)"),
          .update(["v": value, "w": .integer(Int64(number % 3))], mask: nil))
      }
      + values.enumerated().map { number, value in
        FirestoreWrite(
          root.child("all").child("C").child("d\(number)"),
          .update(
            ["v": value, "w": .integer(Int64(number % 3)), "t": [value.array == nil ? value : 0]],
            mask: nil))
      }
    try await peer.commit(documents)
    try await local.commit(documents)
    let all = FirestoreQuery(root.child("all").child("C"))
    let queries: [FirestoreQuery] = [
      all, all.order(by: "v"), all.order(by: "v", .descending), all.order(by: "w").order(by: "v"),
      all.where("v", .equal, 2), all.where("v", .greaterThan, 1),
      all.where("v", .lessThanOrEqual, 2.5),
      all.where("v", .notEqual, 2), all.where("v", .equal, .null),
      all.where("v", .equal, .double(.nan)),
      all.where("v", .notEqual, .null), all.where("v", .notEqual, .double(.nan)),
      all.where("v", .in, [1, "2"]), all.where("v", .notIn, [1, "2"]),
      all.where("t", .arrayContains, 2), all.where("t", .arrayContainsAny, ["2", 1]),
      all.where("w", .equal, 1).where("v", .greaterThanOrEqual, 1).limit(to: 2),
      all.where(.any([.field("w", .equal, 1), .field("v", .equal, 2)])),
      all.order(by: "v").start(after: .values([2])).end(at: .values(["\u{FFFD}"])),
      all.order(by: "w").order(by: "v", .descending).limit(toLast: 3), all.skip(3).limit(to: 4),
      all.order(by: .documentID).start(at: .values(["d3"])), all.select(),
      all.where(.documentID, .greaterThan, "d5"), .group("C", in: root.child("q1")),
    ]
    for query in queries {
      let there = try await peer.run(query)
      let here = try await local.run(query)
      #expect(there.failures.isEmpty)
      #expect(there.documents.map(\.path) == here.documents.map(\.path), "\(query)")
      comparisons += 1
    }
    let document = root.child("all").child("C").child("d3")
    let whole = try await peer.get(document)?.fields
    for mask: [FirestoreFieldPath]? in [nil, [], ["v"], ["v", "none"]] {
      let here = try await local.get(document, mask: mask)?.fields
      let listed = try await peer.list(document.parent, mask: mask).documents
      #expect(try await peer.get(document, mask: mask)?.fields == here)
      #expect(listed.first { $0.path == document }?.fields == here)
      // The peer in ../shared/peers ignores the mask of a batch.
      let batch = try await peer.get([document], mask: mask).found.first?.fields
      #expect(batch == here || batch == whole, "\(String(describing: mask))")
      comparisons += 3
    }
    let refused: [[FirestoreWrite]] = [
      [try .create(root.child("every"), [:])], [try .update(root.child("none"), ["x": 1])],
      [.init(root.child("none"), .delete, precondition: .exists(true))],
      [.init(root.child("every"), .delete, precondition: .updateTime(try .init(seconds: 42)))],
    ]
    for writes in refused {
      let there = await failure { try await peer.commit(writes) }
      let here = await failure { try await local.commit(writes) }
      #expect(there?.code == here?.code && there != nil, "\(writes)")
      comparisons += 1
    }
    print("peer: \(comparisons) comparisons with the fake")
  }

  @Test(.enabled(if: host != nil, "no peer is running"))
  func `a peer applies a repeated commit once`() async throws {
    let peer = try client()
    let path = FirestorePath("counters").child(UUID().uuidString)
    try await peer.commit([.set(path, ["n": 0])])
    let id = UUID()
    let write = try FirestoreWrite.update(path, ["n": .increment(1)])
    #expect(try await peer.commit([write], receipt: id).applied == .now)
    #expect(try await peer.commit([write], receipt: id).applied == .earlier)
    #expect(try await peer.receipt(id))
    let lossy = FaultTransport(URLSessionTransport(), .first(1, .lostResponse()))
    let again = FirestoreClient(peer.configuration, transport: lossy)
    #expect(try await again.commit([write], receipt: UUID()).applied == .earlier)
    #expect(try await peer.get(path)?["n"] == 2)
    let total = try await peer.transaction { transaction in
      let count = try await transaction.get(path)?["n"]?.integer ?? 0
      transaction.write(try .update(path, ["n": .value(.integer(count + 1))]))
      return count
    }
    #expect(total == 2)
    #expect(try await peer.get(path)?["n"] == 3)
  }

  @Test(.enabled(if: host != nil, "no peer is running"))
  func `a document is left for another client to read`() async throws {
    let peer = try client()
    try await peer.commit([
      .init("swift/every", .update(try Self.every(peer.database), mask: nil))
    ])
  }

  @Test(.enabled(if: host != nil && isWrittenByOthers, "no other client has written"))
  func `a document that another client has written is read`() async throws {
    let peer = try client()
    let document = try #require(try await peer.get("python/every"))
    let expected = try Self.every(peer.database)
    #expect(document.fields == expected)
  }
}
