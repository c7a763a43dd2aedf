import FieldCore
import FieldFirestore
import Foundation
import TestSupport
import Testing

@Suite struct FirestoreValueTests {
  @Test func `an unknown kind survives a round trip`() throws {
    let text = #"{"pipelineValue":{"stages":[1,2.50,{"a":null}]}}"#
    let value = try FirestoreValue(json: json(text))
    #expect(value.description == text)
    #expect(
      value
        == .unknown(try .init(kind: "pipelineValue", content: #"{"stages":[1,2.50,{"a":null}]}"#)))
  }

  @Test(arguments: [
    ("1970-01-01T00:00:42Z", 42 as Int64, 0 as Int32, "1970-01-01T00:00:42Z"),
    ("2020-01-02T03:04:05.5Z", 1_577_934_245, 500_000_000, "2020-01-02T03:04:05.500Z"),
    (
      "2020-01-02T03:04:05.123456789Z", 1_577_934_245, 123_456_789, "2020-01-02T03:04:05.123456789Z"
    ),
    ("2020-01-02T12:04:05+09:00", 1_577_934_245, 0, "2020-01-02T03:04:05Z"),
    ("1969-12-31T23:59:59.25Z", -1, 250_000_000, "1969-12-31T23:59:59.250Z"),
    ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    (
      "9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999,
      "9999-12-31T23:59:59.999999999Z"
    ),
  ])
  func `timestamps keep their nanoseconds`(
    text: String, seconds: Int64, nanoseconds: Int32, written: String
  ) throws {
    let moment = try FirestoreTimestamp(text)
    #expect(moment == (try FirestoreTimestamp(seconds: seconds, nanoseconds: nanoseconds)))
    #expect(moment.description == written)
  }

  @Test(arguments: [
    "", "2020-01-02", "2020-01-02T03:04:05", "2020-02-30T00:00:00Z", "0000-01-01T00:00:00Z",
    "2020-01-02T24:00:00Z", "2020-01-02T03:04:05.Z", "2020-01-02T03:04:05Zx", "2020-1-2T3:4:5Z",
  ])
  func `what is no timestamp is refused`(text: String) {
    #expect(throws: FieldError.self) { try FirestoreTimestamp(text) }
  }

  @Test func `names and texts that only look alike are kept apart`() {
    let composed = "caf\u{E9}"
    let combining = "cafe\u{301}"
    var fields: FirestoreFields = [composed: 1]
    fields[combining] = 2
    #expect(fields.count == 2)
    #expect(fields[composed] == 1)
    #expect(FirestoreValue.string(composed) != .string(combining))
    #expect(FirestorePath(composed) != FirestorePath(combining))
    #expect(FirestoreValue.string(combining).precedes(.string(composed)))
  }

  /// Each value comes before the next one; values in one list take the same place.
  @Test func `values are in Firestore's order`() throws {
    let order: [[FirestoreValue]] = [
      [.null], [false], [true],
      [.double(.nan)], [.double(-.infinity)], [.double(-0x1p63), .integer(.min)],
      [.integer(.min + 1)], [-1.5], [-1, -1.0], [.double(-.leastNonzeroMagnitude)],
      [0, 0.0, .double(-0.0)],
      [.double(.leastNonzeroMagnitude)], [1, 1.0], [1.5],
      [.integer(9_007_199_254_740_992), .double(9_007_199_254_740_992)],
      [.integer(9_007_199_254_740_993)], [.integer(.max)], [.double(0x1p63)],
      [.double(.infinity)],
      [.timestamp(try FirestoreTimestamp("1969-01-01T00:00:00Z"))],
      [.timestamp(try FirestoreTimestamp("2020-01-01T00:00:00Z"))],
      [.timestamp(try FirestoreTimestamp("2020-01-01T00:00:00.000000001Z"))],
      [""], ["\u{0}"], ["a"], ["aa"], ["e\u{301}"], ["\u{E9}"], ["\u{FFFD}"], ["\u{1F600}"],
      [.bytes([])], [.bytes([0])], [.bytes([0, 1])], [.bytes([255])],
      [.reference("projects/p/databases/d/documents/c/__id2__")],
      [.reference("projects/p/databases/d/documents/c/__id10__")],
      [.reference("projects/p/databases/d/documents/c/a")],
      [.reference("projects/p/databases/d/documents/c/a/x/y")],
      [.reference("projects/p/databases/d/documents/c/a-b")],
      [.reference("projects/q/databases/d/documents/a/a")],
      [.geoPoint(.init(latitude: -90, longitude: 0))],
      [.geoPoint(.init(latitude: 1, longitude: -2))],
      [.geoPoint(.init(latitude: 1, longitude: 2))],
      [.array([])], [.array([1])], [.array([1, 2]), .array([1.0, 2.0])], [.array([2])],
      [.array(["a"])],
      [.vector([9])], [.vector([1, 2])], [.vector([1, 3])],
      [.map([:])], [.map(["a": 1])], [.map(["a": 1, "b": 0])], [.map(["a": 2])],
      [.map(["b": 0])],
    ]
    for (place, values) in order.enumerated() {
      for (other, others) in order.enumerated() {
        for left in values {
          for right in others {
            #expect(left.precedes(right) == (place < other), "\(left) \(right)")
            #expect(left.isEquivalent(to: right) == (place == other), "\(left) \(right)")
          }
        }
      }
    }
  }

  @Test func `the size of the documented example is 147 bytes`() {
    let task: FirestoreFields = [
      "type": "Personal", "done": false, "priority": 1, "description": "Learn Cloud Firestore",
    ]
    #expect(FirestoreLimits.size(of: task, at: "users/jeff/tasks/my_task_id") == 147)
  }

  @Test(arguments: [
    (["a"], "a"), (["a", "b_1"], "a.b_1"), (["a.b"], "`a.b`"), (["1"], "`1`"),
    (["a`b"], #"`a\`b`"#),
    ([#"a\b"#], #"`a\\b`"#), (["_0", "1", "+2"], "_0.`1`.`+2`"), (["한글", ""], "`한글`.``"),
  ])
  func `field paths are escaped, and read back`(segments: [String], text: String) throws {
    let path = FirestoreFieldPath(segments: segments)
    #expect(path.description == text)
    if !segments.contains("") { #expect(try FirestoreFieldPath(text) == path) }
  }

  @Test(arguments: ["", ".", "a.", ".a", "a..b", "a-b", "1a", "`a", "`a`b", "``", "a b", #"`a\"#])
  func `what is no field path is refused`(text: String) {
    #expect(throws: FieldError.self) { try FirestoreFieldPath(text) }
  }

  @Test func `transforms have the server's arithmetic`() throws {
    let time = try FirestoreTimestamp("2020-01-01T00:00:00.123456Z")
    func after(_ kind: FirestoreTransform.Kind, _ value: FirestoreValue?) -> FirestoreValue {
      kind.applied(to: value, at: time)
    }
    #expect(after(.increment(1), .integer(.max)) == .integer(.max))
    #expect(after(.increment(-1), .integer(.min)) == .integer(.min))
    #expect(after(.increment(1), 2.5) == 3.5)
    #expect(after(.increment(1), "x") == 1)
    #expect(after(.increment(2.0), nil) == 2.0)
    #expect(after(.maximum(3.0), 3) == 3)
    #expect(after(.maximum(.double(.nan)), 3) == .double(.nan))
    #expect(after(.minimum(2), .double(.nan)) == .double(.nan))
    #expect(after(.minimum(2), 3.5) == 2)
    #expect(after(.arrayUnion([3.0, 4, 4]), [3]) == [3, 4])
    #expect(after(.arrayRemove([3.0, .double(.nan)]), [3, .double(.nan), 3, 1]) == [1])
    #expect(after(.arrayUnion([1]), "x") == [1])
    #expect(
      after(.serverTimestamp, nil)
        == .timestamp(try FirestoreTimestamp("2020-01-01T00:00:00.123Z")))
  }

  @Test(arguments: [
    (#"{"mapValue":{"fields":{"a":"#, "}}}"), (#"{"arrayValue":{"values":["#, "]}}"),
  ])
  func `values as deep as an answer can have fit the stack of a task`(
    open: String, close: String
  ) throws {
    let text =
      String(repeating: open, count: 42) + #"{"nullValue":null}"#
      + String(repeating: close, count: 42)
    try onSmallStack {
      let value = try FirestoreValue(json: JSONDocument.value(Array(text.utf8)))
      #expect(value.json.canonicalText == text)
      #expect(!value.precedes(value) && Set([value, value]).count == 1)
      #expect(FirestoreLimits.size(of: value) > 0)
    }
  }
}
