import FieldCore
import FieldFakes
import FieldFirestore
import Foundation
import TestSupport
import Testing

/// The exact text of requests and values.
///
/// Servers read more spellings than the one that the client writes, and so does the client. A test that
/// only reads what was written, therefore, doesn't notice a wrong spelling.
@Suite("Firestore's golden files", .timeLimit(.minutes(60)))
struct FirestoreGoldenTests {
  private static let golden = Golden("firestore")

  @Test("Firestore's golden files are written", Golden.writing)
  func writing() async throws { try await Self.golden.replace { try await Self.write(to: $0) } }

  @Test("Firestore's golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame { try await Self.write(to: $0) }
  }

  @Test("Firestore's golden files have values that are read back exactly", Golden.reading)
  func values() throws {
    let text = String(decoding: try Self.golden.bytes("values.txt"), as: UTF8.self)
    let values = try text.split(separator: "\n").map { try FirestoreValue(json: json(String($0))) }
    #expect(values == (try Self.values()))
    let coded = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode([FirestoreValue].self, from: coded) == values)
  }

  private static func write(to folder: URL) async throws {
    let files = [
      "values.txt": try values().map(\.description),
      "spellings.txt": try FirestoreSpellings.lines(),
      "requests.txt": try await requests(),
    ]
    for (name, lines) in files {
      let text = lines.map { "\($0)\n" }.joined()
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
  }

  // MARK: Values

  private static func values() throws -> [FirestoreValue] {
    let integers: [Int64] = [0, -1, 9_007_199_254_740_993, .max, .min]
    let doubles: [Double] = [
      0, -0.0, 1, 0.1, 1e16, 123_456_789_012_345_680, 1e21, 1e-7, 0x1p53,
      .greatestFiniteMagnitude, -.leastNormalMagnitude, .leastNonzeroMagnitude, .infinity,
      -.infinity, .nan, -.nan,
    ]
    let times = try [
      "1970-01-01T00:00:00Z", "2020-02-29T23:59:59.5Z", "2020-01-02T03:04:05.000006Z",
      "2020-01-02T03:04:05.000000007Z", "1969-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999999Z",
    ].map { try FirestoreTimestamp($0) }
    let texts = [
      "", "a\"b\\c/d", "\0\u{1}\u{8}\t\n\u{C}\r\u{1F}\u{7F}", "\u{80}\u{2028}\u{FEFF}\u{FFFF}",
      "강 e\u{301} \u{E9} \u{1F600}", "<&>'", "null",
    ]
    let bytes: [[UInt8]] = [[], [0], [0xFB, 0xFF], [0xFB, 0xEF, 0xBE]]
    let database = FirestoreDatabase(project: "p-1", id: "walks")
    let rest: [FirestoreValue] = [
      .null, true, false, .date(Date(timeIntervalSince1970: -0.25)),
      database.reference(to: "Pets/a b%2F+강:x"),
      .geoPoint(.init(latitude: -0.0, longitude: 0)),
      .geoPoint(.init(latitude: -90, longitude: 1e-7)),
      [], [.null, [:], ["a": []]], [:], ["": 1, "a.b": 2, "`": 3, "e\u{301}": 4, "\u{E9}": 5],
      .vector([1, -0.0, 0.1]),
      .unknown(try .init(kind: "newValue", content: #"{"b":[1.50,1E2],"a":null}"#)),
    ]
    return rest + integers.map { .integer($0) } + doubles.map { .double($0) }
      + times.map { .timestamp($0) } + texts.map { .string($0) } + bytes.map { .bytes($0) }
  }

  // MARK: Requests

  private static func requests() async throws -> [String] {
    var configuration = FirestoreConfiguration(
      project: "p-1", tokens: .owner, endpoint: URL(string: "https://example.org/"))
    configuration.retry = .never
    configuration.receipts.fields = ["owner": "mesh"]
    let answers = AnsweringTransport()
    let client = FirestoreClient(configuration, transport: answers, clock: ManualClock())
    try await write(client)
    try await read(client)
    try await query(client)
    return try answers.requests.flatMap { request in
      let body = String(decoding: try request.body?.bytes() ?? [], as: UTF8.self)
      let fields = ["Accept", "Authorization", "Content-Type"].compactMap { name in
        request.fields[name].map { "\(name): \($0)" }
      }
      return ["\(request.method.rawValue) \(request.url.absoluteString)"] + fields + [body]
    }
  }

  private static func write(_ client: FirestoreClient) async throws {
    let time = try FirestoreTimestamp("2020-01-02T03:04:05.000006Z")
    let id = try #require(UUID(uuidString: "0A1B2C3D-4E5F-4A6B-8C7D-9E0F1A2B3C4D"))
    let odd = FirestoreFieldPath(segments: ["a.b", "c`d\\e", "강", "1", "_x1"])
    try await client.commit([
      try .create("Pets/a b%2F+강:x", ["n": 1, "seen": .serverTimestamp]),
      try .set("Pets/2", [:]), try .set("Pets/2", [:], merge: .all),
      try .set("Pets/2", ["b": 1, "a.b": ["c": 2], "x": .delete], merge: .all),
      try .set("Pets/2", ["b": 1, "a": ["c": 2, "d": 3]], merge: .fields(["a.c", "b"])),
      try .update("Pets/2", [(odd, .value(1)), ("gone", .delete)]),
      try .update("Pets/2", ["a.b": 1], precondition: .updateTime(time)),
    ])
    let transforms: [([String], FirestoreInput)] = [
      (["time"], .serverTimestamp), (["a.b"], .increment(1)), (["c"], .increment(.double(-0.5))),
      (["d"], .maximum(.integer(.max))), (["e"], .minimum(.double(.nan))),
      (["f"], .arrayUnion([1, "x", .null])), (["g"], .arrayRemove([])),
    ]
    try await client.commit([
      try .update("Pets/2", transforms.map { (FirestoreFieldPath(segments: $0.0), $0.1) })
    ])
    try await client.commit([
      .delete("Pets/1"), .delete("Pets/1", precondition: .exists(true)),
      .delete("Pets/1/Walks/2", precondition: .updateTime(time)),
    ])
    try await client.commit([.delete("Pets/1")], receipt: id)
    try await client.transaction(receipt: id) { transaction in
      _ = try await transaction.get(["Pets/1"])
      _ = try await transaction.run(FirestoreQuery("Pets"))
      transaction.write(.delete("Pets/1"))
    }
    _ = await failure {
      try await client.transaction { _ in throw FieldError(.invalidInput, "x") }
    }
  }

  private static func read(_ client: FirestoreClient) async throws {
    let mask: [FirestoreFieldPath] = ["a.b", "`a.b`", "강"]
    let time = try FirestoreTimestamp("2020-01-02T03:04:05.100Z")
    _ = try await client.get("Pets/a b%2F+강:x/Walks/~.-_")
    _ = try await client.get("Pets/1", mask: mask)
    _ = try await client.get(["Pets/1"], mask: mask, at: time)
    _ = try await client.get("Pets/1", mask: [])
    _ = try await client.get(["Pets/1"], mask: [])
    _ = try await client.list("Pets")
    _ = try await client.list(
      "Pets/1/Walks", pageSize: 2, token: "a+/=&b", mask: mask, order: "`a.b` desc, n")
  }

  private static func query(_ client: FirestoreClient) async throws {
    let time = try FirestoreTimestamp("2020-01-02T03:04:05Z")
    let operators = FirestoreFilter.Operator.allCases.map { comparison in
      let isList = [.in, .notIn, .arrayContainsAny].contains(comparison)
      return FirestoreFilter.field("a", comparison, isList ? [1, .null] : 1.5)
    }
    let unary: [FirestoreFilter] = [FirestoreValue.null, .double(.nan)].flatMap {
      [.field("`a.b`", .equal, $0), .field("`a.b`", .notEqual, $0)]
    }
    _ = try await client.run(FirestoreQuery("Pets").where(.any(operators)))
    _ = try await client.run(
      .group("Walks", in: "Pets/1").where(.all(unary)).where(.any([.field("b", .equal, 1)])),
      at: time)
    _ = try await client.run(
      FirestoreQuery("Pets/1/Walks").where(.documentID, .in, ["a b", "강"]).select("강", "a.b")
        .order(by: "`a.b`", .descending).order(by: .documentID).start(after: .values([0, "a b"]))
        .end(at: .values([.timestamp(time)])).skip(3).limit(to: 0))
    let pet = FirestoreDocument("Pets/1", ["n": .integer(.max)])
    _ = try await client.run(
      FirestoreQuery("Pets").select().where("n", .greaterThan, 1).order(by: "n")
        .start(at: .document(pet)).end(before: .document(pet)).limit(toLast: 5))
    _ = try await client.aggregate(
      ["all": .count(), "few": .count(upTo: 10), "sum": .sum("a.b"), "mean": .average("`a.b`")],
      over: FirestoreQuery("Pets").limit(to: 7))
  }
}

/// A transport that answers each method with what the client expects, and keeps the requests.
private final class AnsweringTransport: Transport {
  private let kept = Lock<[TransportRequest]>([])

  var requests: [TransportRequest] { kept.withLock { $0 } }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    kept.withLock { $0.append(request) }
    let root = "projects/p-1/databases/(default)/documents"
    let answer: String
    switch request.operation {
    case "firestore.get":
      let path = PercentEncoding.decoded(request.url.path(percentEncoded: true))
      answer = #"{"name":"\#(path.dropFirst(4))"}"#
    case "firestore.batchGet": answer = #"[{"missing":"\#(root)/Pets/1"}]"#
    case "firestore.runQuery": answer = "[]"
    case "firestore.beginTransaction": answer = #"{"transaction":"+/8="}"#
    case "firestore.runAggregationQuery":
      let value = #"{"integerValue":"1"}"#
      let fields = ["all", "few", "sum", "mean"].map { "\"\($0)\":\(value)" }
      answer = #"[{"result":{"aggregateFields":{\#(fields.joined(separator: ","))}}}]"#
    case "firestore.commit":
      let writes = try JSONDocument.value(try request.body?.bytes() ?? [])["writes"]?.elements ?? []
      answer = #"{"writeResults":[\#(writes.map { _ in "{}" }.joined(separator: ","))]}"#
    default: answer = "{}"
    }
    return TransportResponse(status: 200, url: request.url, body: .text(answer))
  }
}
