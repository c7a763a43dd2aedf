import FieldCore
import FieldFirestore
import Testing

@Suite struct FirestoreQueryTests {
  private let database = FirestoreDatabase(project: "p")

  private func sent(_ query: FirestoreQuery) throws -> String {
    try query.plan(in: database).json.canonicalText
  }

  private static let from = #""from":[{"collectionId":"C"}]"#

  private static func name(_ path: String) -> String {
    "\"projects/p/databases/(default)/documents/\(path)\""
  }

  /// A query, and the members of the request beside `from`.
  private static let written: [(FirestoreQuery, String)] = {
    let all = FirestoreQuery("C")
    let field = #"{"field":{"fieldPath":"a"},"op""#
    let order = #""orderBy":[{"direction":"ASCENDING","field":{"fieldPath":"a"}}"#
    let byName = #"{"direction":"ASCENDING","field":{"fieldPath":"__name__"}}"#
    let snapshot = FirestoreDocument("C/D", ["a": 7, "b": 8])
    return [
      (all, "\(from)"),
      (all.where("a", .equal, .null), #"\#(from),"where":{"unaryFilter":\#(field):"IS_NULL"}}"#),
      (
        all.where("a", .notEqual, .double(.nan)),
        #"\#(from),"where":{"unaryFilter":\#(field):"IS_NOT_NAN"}}"#
      ),
      (
        all.where("a", .greaterThan, 5),
        #"\#(from),"where":{"fieldFilter":\#(field):"GREATER_THAN","value":{"integerValue":"5"}}}"#
      ),
      (
        all.where("a", .equal, 1).where("a", .equal, 2).where("a", .equal, .null),
        #"\#(from),"where":{"compositeFilter":{"filters":[{"fieldFilter":\#(field):"EQUAL","value":{"integerValue":"1"}}},{"fieldFilter":\#(field):"EQUAL","value":{"integerValue":"2"}}},{"unaryFilter":\#(field):"IS_NULL"}}],"op":"AND"}}"#
      ),
      (
        all.select("a", "b.c"),
        #"\#(from),"select":{"fields":[{"fieldPath":"a"},{"fieldPath":"b.c"}]}"#
      ),
      (all.select("b").select(), #"\#(from),"select":{"fields":[{"fieldPath":"__name__"}]}"#),
      (all.skip(2).limit(to: 3).skip(4).limit(to: 5), #"\#(from),"limit":5,"offset":4"#),
      (
        all.order(by: "a").start(at: .values([7])).end(before: .values([9])),
        #""endAt":{"before":true,"values":[{"integerValue":"9"}]},\#(from),\#(order)],"startAt":{"before":true,"values":[{"integerValue":"7"}]}"#
      ),
      (
        all.order(by: "a").start(at: .values([1])).start(after: .values([7])).end(at: .values([9])),
        #""endAt":{"values":[{"integerValue":"9"}]},\#(from),\#(order)],"startAt":{"values":[{"integerValue":"7"}]}"#
      ),
      (
        all.order(by: .documentID).start(after: .values(["D1"])),
        #"\#(from),"orderBy":[\#(byName)],"startAt":{"values":[{"referenceValue":\#(name("C/D1"))}]}"#
      ),
      (
        all.start(at: .document(snapshot)),
        #"\#(from),"orderBy":[\#(byName)],"startAt":{"before":true,"values":[{"referenceValue":\#(name("C/D"))}]}"#
      ),
      (
        all.where("a", .lessThanOrEqual, 3).end(before: .document(snapshot)),
        #""endAt":{"before":true,"values":[{"integerValue":"7"},{"referenceValue":\#(name("C/D"))}]},\#(from),\#(order),\#(byName)],"where":{"fieldFilter":\#(field):"LESS_THAN_OR_EQUAL","value":{"integerValue":"3"}}}"#
      ),
      (
        all.order(by: "a").order(by: "b", .descending).start(after: .document(snapshot)),
        #"\#(from),\#(order),{"direction":"DESCENDING","field":{"fieldPath":"b"}},{"direction":"DESCENDING","field":{"fieldPath":"__name__"}}],"startAt":{"values":[{"integerValue":"7"},{"integerValue":"8"},{"referenceValue":\#(name("C/D"))}]}"#
      ),
      (
        all.order(by: "a").start(after: .values([1])).end(at: .values([5])).limit(toLast: 2),
        #""endAt":{"before":true,"values":[{"integerValue":"1"}]},\#(from),"limit":2,"orderBy":[{"direction":"DESCENDING","field":{"fieldPath":"a"}}],"startAt":{"before":true,"values":[{"integerValue":"5"}]}"#
      ),
      (
        all.order(by: "a").start(at: .values([[:]])),
        #"\#(from),\#(order)],"startAt":{"before":true,"values":[{"mapValue":{"fields":{}}}]}"#
      ),
      (.group("C"), #""from":[{"allDescendants":true,"collectionId":"C"}]"#),
    ]
  }()

  @Test func `queries are written as Google's libraries write them`() throws {
    for (query, members) in Self.written {
      #expect(try sent(query) == "{\(members)}")
    }
  }

  @Test func `a written query is read back`() throws {
    for (query, _) in Self.written {
      let plan = try query.plan(in: database)
      #expect(try FirestorePlan(json: plan.json, parent: plan.parent) == plan)
    }
  }

  @Test func `what Google's libraries refuse is refused before anything is sent`() {
    let all = FirestoreQuery("C")
    let other = FirestoreDocument("C2/D", ["a": 1])
    let refused: [FirestoreQuery] = [
      all.where("a", .greaterThan, .null), all.where("a", .lessThan, .double(.nan)),
      all.where("a", .in, []), all.where("a", .in, 1), all.where("", .equal, 1),
      all.where(FirestoreFieldPath(segments: ["*", ""]), .equal, 1), all.order(by: "a..b"),
      all.select(FirestoreFieldPath(segments: [])), all.start(at: .values([1])),
      all.order(by: "a").start(at: .values([])), all.order(by: "a").start(at: .values([1, 2])),
      all.order(by: "a").start(at: .document(other)),
      all.order(by: "x").start(at: .document(FirestoreDocument("C/D", ["a": 1]))),
      all.order(by: .documentID).start(at: .values([7])),
      all.order(by: .documentID).start(at: .values(["a/b"])), all.limit(toLast: 1),
      all.limit(to: -1), all.skip(-1), FirestoreQuery("C/d"), FirestoreQuery(""),
      FirestoreQuery("__C__"), all.where(.all([])),
    ]
    for query in refused {
      #expect(throws: FieldError.self, "\(query)") { try query.plan(in: database) }
    }
  }

  @Test(arguments: [
    ("<", FirestoreFilter.Operator.lessThan), ("==", .equal), ("not-in", .notIn), ("$", nil),
    ("array-contains-any", .arrayContainsAny),
  ])
  func `operators have the signs of Google's libraries`(
    symbol: String, expected: FirestoreFilter.Operator?
  ) {
    #expect(FirestoreFilter.Operator(symbol: symbol) == expected)
  }

  // MARK: Local answers

  private let documents: [FirestoreDocument] = [
    .init("C/int", ["v": 2, "tags": ["x", 1]]), .init("C/double", ["v": 2.0]),
    .init("C/half", ["v": 2.5, "b": 1]), .init("C/nan", ["v": .double(.nan)]),
    .init("C/null", ["v": .null]), .init("C/text", ["v": "2"]), .init("C/none", ["w": 1]),
    .init("C/one", ["v": 1, "tags": ["y"]]), .init("C/one/C/inner", ["v": 3]),
    .init("D/other", ["v": 2]),
  ]

  private func found(_ query: FirestoreQuery) throws -> [String] {
    try query.run(on: documents, in: database).map(\.path.id)
  }

  @Test func `queries are answered on the device in the server's order`() throws {
    let all = FirestoreQuery("C")
    #expect(
      try found(all) == ["double", "half", "int", "nan", "none", "null", "one", "text"])
    #expect(
      try found(all.order(by: "v"))
        == ["null", "nan", "one", "double", "int", "half", "text"])
    #expect(
      try found(all.order(by: "v", .descending))
        == ["text", "half", "int", "double", "one", "nan", "null"])
    #expect(try found(all.where("v", .equal, 2)) == ["double", "int"])
    #expect(try found(all.where("v", .greaterThan, 1)) == ["double", "int", "half"])
    #expect(try found(all.where("v", .lessThan, 2.5)) == ["one", "double", "int"])
    #expect(try found(all.where("v", .notEqual, 2)) == ["nan", "one", "half", "text"])
    #expect(try found(all.where("v", .equal, .null)) == ["null"])
    #expect(try found(all.where("v", .equal, .double(.nan))) == ["nan"])
    #expect(
      try found(all.where("v", .notEqual, .double(.nan))) == [
        "one", "double", "int", "half", "text",
      ])
    #expect(try found(all.where("v", .in, [1, "2"])) == ["one", "text"])
    #expect(try found(all.where("v", .notIn, [1, "2"])) == ["nan", "double", "int", "half"])
    #expect(try found(all.where("v", .notIn, [1, .null])) == [])
    #expect(try found(all.where("tags", .arrayContains, 1.0)) == ["int"])
    #expect(try found(all.where("tags", .arrayContainsAny, ["y", "x"])) == ["int", "one"])
    #expect(
      try found(all.where(.any([.field("v", .equal, 1), .field("b", .equal, 1)]))) == [
        "half", "one",
      ])
    #expect(
      try found(all.where(.documentID, .greaterThan, "null")) == ["one", "text"])
    #expect(
      try found(all.order(by: "v").start(after: .values([2])).end(at: .values([2.5]))) == ["half"])
    #expect(
      try found(all.order(by: "v").start(at: .document(documents[0]))) == ["int", "half", "text"])
    #expect(try found(all.order(by: "v").limit(toLast: 2)) == ["half", "text"])
    #expect(try found(all.order(by: "v").skip(1).limit(to: 2)) == ["nan", "one"])
    #expect(try found(.group("C").where("v", .greaterThanOrEqual, 2.5)) == ["half", "inner"])
    #expect(try found(.group("C", in: "C/one")) == ["inner"])
    let names = try all.select().run(on: documents, in: database)
    #expect(names.allSatisfy { $0.fields.isEmpty })
  }

  @Test func `aggregations have the server's arithmetic`() {
    func documents(_ values: FirestoreValue...) -> [FirestoreDocument] {
      values.map { FirestoreDocument("C/d", ["a": $0]) }
    }
    #expect(FirestoreAggregation.sum("a").value(of: documents(1, "x", 2)) == 3)
    #expect(FirestoreAggregation.sum("a").value(of: documents(1, 2.5)) == 3.5)
    #expect(
      FirestoreAggregation.sum("a").value(of: documents(.integer(.max), 1)) == .double(0x1p63))
    #expect(FirestoreAggregation.sum("a").value(of: []) == 0)
    #expect(FirestoreAggregation.average("a").value(of: []) == .null)
    #expect(FirestoreAggregation.average("a").value(of: documents(1, 2)) == 1.5)
    #expect(FirestoreAggregation.count(upTo: 1).value(of: documents(1, 2)) == 1)
  }
}
