import FieldCore
import Foundation
import TestSupport
import Testing

@testable import FieldFakes

@Suite("The fake portal's SoQL", .heavy)
struct FakeSoQLTests {
  @Test(
    "The fake portal selects the rows for which a condition is true",
    arguments: [
      ("mass = 21", "1 4"), ("mass == '21.0'", "1 4"), ("mass <> 21", "2"), ("mass < 1", "2"),
      ("mass IS NULL", "3"), ("not mass = 21", "2"),
      ("name is not null and mass is not null", "1 2"),
      ("mass = 21 or name = 'L''Aigle'", "1 2 4"), ("mass between 0.2 and 21", "1 2 4"),
      ("mass not between 0.2 and 20", "1 4"), ("id in ('1','3')", "1 3"),
      ("id not in ('1', '3')", "2 4"), ("mass in (null, 21)", "1 4"),
      ("mass not in (null, 21)", ""),
      ("name = 'Ångström & \"Söhne\"\n'", "3"),
      ("name like 'A%n'", "1"), ("name like '_achen'", "1"), ("name not like '%a%'", "2 3"),
      ("name = 'aachen'", ""), ("starts_with(name, 'L''')", "2"), ("name > 'L'", "2 3"),
      ("year < '1900-01-01'", "1"),
      ("year = '1911-06-28T09:30:00'", "3"),
      ("within_circle(place, 50.775, 6.08333, 1)", "1"),
      ("within_circle(old_place, 48.7, 0.6, 9000)", "2"),
      ("within_box(place, 51, 6, 50, 7)", "1"), ("within_box(old_place, 49, 0, 48, 1)", "2"),
      ("within_circle(place, 50.775, 6.08333, 400000) and id != '1'", ""),
      ("within_circle(place, 50.775, 6.08333, 500000) and id != '1'", "2"),
      ("is_found", "4"), ("is_found = false", "1"), ("mass > 1 -- and id = '1'", "1 4"),
      ("mass /* or */ > 1", "1 4"), ("mass > -20 and (-20) < mass", "1 2 4"),
      ("`mass` = 21 AND MASS = 21", "1 4"), ("null", ""), ("true", "1 2 3 4"),
      ("id = '1' or id = '2' and id = '3'", "1"), ("1e1 < mass", "1 4"),
    ])
  func condition(text: String, ids: String) async throws {
    let found = try await Portal(server: smallPortal()).column("id", ["$where": text])
    #expect(found.joined(separator: " ") == ids)
  }

  @Test(
    "The fake portal rejects errors with the portal's codes, and what it doesn't evaluate with its own",
    arguments: [
      (["$where": "nope = 1"], "query.soql.no-such-column"),
      (["nope": "1"], "query.soql.no-such-column"),
      (["$select": "nope"], "query.soql.no-such-column"),
      (["$order": "nope"], "query.soql.no-such-column"),
      (["$select": ":id,*"], "query.soql.unexpected-star-select"),
      (["$select": "*,:*"], "query.soql.unexpected-system-star-select"),
      (["$nope": "1"], "req.bad-parameter"), (["$$nope": "1"], "req.bad-parameter"),
      (["$limit": "x"], "req.bad-parameter"), (["$offset": "-1"], "req.bad-parameter"),
      (["$where": "mass >"], "query.compiler.malformed"),
      (["$where": "mass > 1)"], "query.compiler.malformed"),
      (["$where": "id = '1"], "query.soql.unterminated-string"),
      (["$where": "id = ;"], "query.soql.unexpected-character"),
      (["$where": "id > 1"], "query.soql.type-mismatch"),
      (["$where": "mass > 'x'"], "query.soql.type-mismatch"),
      (["$where": "mass"], "query.soql.type-mismatch"),
      (["$where": ":id > 'row-1'"], "query.soql.type-mismatch"),
      (["$where": "within_circle(name, 1, 2, 3)"], "query.soql.type-mismatch"),
      (["$where": "convex_hull(place) = 1"], "fake.unsupported"),
      (["$where": "lower(name) = 'a'"], "fake.unsupported"),
      (["$where": "name = \"a\""], "fake.unsupported"),
      (["$where": "mass + 1 = 2"], "fake.unsupported"),
      (["$where": "-mass = 2"], "fake.unsupported"),
      (["$where": "id::number = 2"], "fake.unsupported"),
      (["$where": "starts_with(name)"], "fake.unsupported"),
      (["$select": "distinct name"], "fake.unsupported"),
      (["$select": "sum(mass)"], "fake.unsupported"),
      (["$select": "count(distinct name)"], "fake.unsupported"), (["$q": "a"], "fake.unsupported"),
      (["$having": "count(*) > 1"], "fake.unsupported"),
      (["$order": "mass null last"], "fake.unsupported"),
      (["$order": "mass = 1"], "fake.unsupported"),
      (["$select": "mass", "$group": "mass = 1"], "fake.unsupported"),
      (["$query": "SELECT * SEARCH 'a'"], "fake.unsupported"),
      (["$where": "count(*) > 1"], "query.soql.aggregate-in-ungrouped-context"),
      (["$select": "name, count(*)"], "query.soql.column-not-in-group-bys"),
      (["$select": "id as a, name as a"], "query.soql.duplicate-alias"),
      (["$query": "SELECT * |> SELECT *"], "query.compiler.malformed"),
      (["$query": "SELECT *", "$limit": "1"], "req.bad-parameter"),
    ] as [(KeyValuePairs<String, String>, String)])
  func refusal(parameters: KeyValuePairs<String, String>, code: String) async throws {
    #expect(try await Portal(server: smallPortal()).refusal(parameters) == "400 \(code)")
  }

  @Test("The fake portal groups, orders, and pages, and names unnamed columns")
  func grouping() async throws {
    let portal = Portal(server: smallPortal())
    func text(_ parameters: KeyValuePairs<String, String>) async throws -> String {
      try portal.text(try await portal.get(nil, parameters))
    }
    #expect(try await text(["$select": "count(*)"]) == #"[{"count":"4"}]"# + "\n")
    #expect(
      try await text([
        "$select": "count(*),count(mass),count(name) as c", "$where": "mass = 21",
      ])
        == #"[{"count":"2","count_mass":"2","c":"1"}]"# + "\n")
    #expect(
      try await text([
        "$query": "select mass, count(*) as n group by mass order by n desc, mass"
      ])
        == "[{\"mass\":\"21\",\"n\":\"2\"}\n,{\"mass\":\"0.28000000000000003\",\"n\":\"1\"}\n,{\"n\":\"1\"}]\n"
    )
    #expect(
      try await text(["$select": "count(*)", "$where": "mass > 99"]) == #"[{"count":"0"}]"# + "\n")
    #expect(
      try await text(["$select": "mass", "$group": "mass", "$limit": "1", "$offset": "1"])
        == #"[{"mass":"0.28000000000000003"}]"# + "\n")
    #expect(
      try await portal.column("id", ["$order": "mass DESC, id DESC"]) == ["3", "4", "1", "2"])
    #expect(
      try await portal.column("id", ["$order": "mass", "$offset": "1", "$limit": "2"]) == [
        "1", "4",
      ])
    #expect(try await portal.column("id", ["mass": "21", "$where": "id > '1'"]) == ["4"])
  }

  @Test(
    "The fake portal agrees with SQLite on random conditions and orders",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: Sample.of([1, 2] as [UInt64], 1))
  func sqlite(seed: UInt64) async throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let words = ["a", "ab", "b", "ba", "B", "", "a'b", "é", "zz", "A%"]
    let rows = (0..<60).map { number -> (id: Int, t: String?, u: String?, n: Double?) in
      (
        number, Bool.random(using: &random) ? words.randomElement(using: &random) : nil,
        words.randomElement(using: &random),
        Int.random(in: 0..<4, using: &random) == 0
          ? nil : Double(Int.random(in: -6...6, using: &random)) / 2
      )
    }
    var queries: [(soql: String, sql: String, order: String)] = []
    for _ in 0..<Sample.rounds(300, 300, inDebug: 150) {
      let (soql, sql) = Self.condition(3, words, &random)
      let order =
        ["t, id", "n desc, id", "u desc, n, id", "id desc"].randomElement(using: &random) ?? "id"
      queries.append((soql, sql, order))
    }
    let input = try JSONSerialization.data(withJSONObject: [
      "rows": rows.map { [$0.id, $0.t ?? NSNull(), $0.u ?? NSNull(), $0.n ?? NSNull()] as [Any] },
      "queries": queries.map { query in
        let order = query.order.split(separator: ",").map { part in
          part.contains("desc") ? "\(part) nulls first" : "\(part) nulls last"
        }.joined(separator: ",")
        return "select id from r where \(query.sql) order by \(order)"
      },
    ])
    let script = """
      import json, sqlite3, sys
      given = json.load(sys.stdin)
      base = sqlite3.connect(':memory:')
      base.execute('pragma case_sensitive_like = on')
      base.execute('create table r (id integer, t text, u text, n real)')
      base.executemany('insert into r values (?,?,?,?)', given['rows'])
      print(json.dumps([[row[0] for row in base.execute(q)] for q in given['queries']]))
      """
    let output = try Tool.run("python3", "-c", script, input: input)
    let expected = try #require(try JSONSerialization.jsonObject(with: output) as? [[Int]])

    let server = FakeSODAServer(columns: [.init("id", .number), "t", "u", .init("n", .number)])
    server.insert(
      rows.map { row in
        [
          "id": .number(row.id), "t": row.t.map { .text($0) } ?? .null,
          "u": row.u.map { .text($0) } ?? .null,
          "n": row.n.map { .init(floatLiteral: $0) } ?? .null,
        ]
      })
    var rowTotal = 0
    for (query, expected) in zip(queries, expected) {
      let found = try await Portal(server: server).column(
        "id", ["$where": query.soql, "$order": query.order])
      #expect(found.compactMap { Int($0) } == expected, "\(query.soql)")
      rowTotal += expected.count
    }
    #expect(expected.count == queries.count && rowTotal > 3 * queries.count, "\(rowTotal)")
  }

  /// A condition in SoQL and in SQL.
  private static func condition(
    _ depth: Int, _ words: [String], _ random: inout SeededGenerator
  ) -> (String, String) {
    if depth > 0, Int.random(in: 0..<3, using: &random) > 0 {
      let left = condition(depth - 1, words, &random)
      guard Int.random(in: 0..<4, using: &random) > 0 else {
        return ("not (\(left.0))", "not (\(left.1))")
      }
      let right = condition(depth - 1, words, &random)
      // Without brackets on one side, so that precedence is judged too.
      let sign = Bool.random(using: &random) ? "and" : "or"
      return ("\(left.0) \(sign) (\(right.0))", "\(left.1) \(sign) (\(right.1))")
    }
    let column = Bool.random(using: &random) ? "t" : "u"
    func word(_ random: inout SeededGenerator) -> String {
      "'" + (words.randomElement(using: &random) ?? "").replacingOccurrences(of: "'", with: "''")
        + "'"
    }
    let sign = ["=", "!=", "<", "<=", ">", ">="].randomElement(using: &random) ?? "="
    let number = Double(Int.random(in: -6...6, using: &random)) / 2
    let text = word(&random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      return ("starts_with(\(column), \(text))", "substr(\(column), 1, length(\(text))) = \(text)")
    case 1: return ("\(text) \(sign) \(column)", "\(text) \(sign) \(column)")
    case 2:
      let other = word(&random)
      let list = "\(column) \(number > 0 ? "not in" : "in") (\(text), \(other))"
      return (list, list)
    case 3:
      let range = "n \(number > 1 ? "not between" : "between") \(number) and 2"
      return (range, range)
    case 4: return ("t is null", "t is null")
    case 5: return ("n is not null", "n is not null")
    case 6: return ("\(column) like '%a%'", "\(column) like '%a%'")
    case 7: return ("\(column) not like '_'", "\(column) not like '_'")
    case 8: return ("n \(sign) \(number)", "n \(sign) \(number)")
    default: return ("t \(sign) u", "t \(sign) u")
    }
  }

  @Test("The fake portal reads and writes dates of all years like another calendar")
  func dates() throws {
    for days in stride(from: -700_000, to: 900_000, by: 997) {
      let text = FakeSoQLTime.text(Int64(days) * 86_400_000_000 + 45_296_789_000, isFixed: true)
      let date = Date(timeIntervalSince1970: Double(days) * 86_400 + 45_296.789)
      #expect(text == TimestampWriter.iso8601(date))
      #expect(
        FakeSoQLTime.micros(text, isFixed: true) == Int64(days) * 86_400_000_000 + 45_296_789_000)
    }
    #expect(
      FakeSoQLTime.micros("2020-01-01T00:00:00+01:00", isFixed: true) == 1_577_833_200_000_000)
    for text in [
      "2020-02-30", "2020-1-1", "2020-01-01T24:00", "2020-01-01T00:00:00.", "2020-01-01Z", "",
    ] {
      #expect(FakeSoQLTime.micros(text, isFixed: true) == nil)
    }
  }

  /// Parses an expression that takes up all of a text.
  private func tree(_ text: String) throws -> FakeSoQLExpression {
    var parser = try FakeSoQLParser(text)
    let tree = try parser.expression()
    try parser.expect(.end)
    return tree
  }

  @Test("The fake portal finds the bounds that a cursor's condition sets")
  func bounds() throws {
    let ids = FakeSODAIdentifier(prefix: "row-", seed: 1)
    func bounds(_ text: String) throws -> FakeSoQLBounds {
      FakeSoQLBounds(try tree(text), ids)
    }
    let id = ids.text(7)
    let stamp = "1970-01-01T00:00:00.001Z"
    #expect(
      try bounds(":updated_at > '\(stamp)' OR (:updated_at = '\(stamp)' AND :id > '\(id)')")
        .firstStamp
        == FakeSODAStamp(updatedAt: 1000, number: 8))
    #expect(try bounds("'\(stamp)' <= :updated_at and a = 1").firstStamp.updatedAt == 1000)
    #expect(try bounds(":id > '\(id)'").number == 8...Int64.max)
    #expect(try bounds(":id > '\(id)' or a = 1") == FakeSoQLBounds())
    #expect(try bounds("not :id > '\(id)'") == FakeSoQLBounds())
    #expect(try bounds(":id > '\(id)' and :id <= '\(id)'").isEmpty)
  }
}
