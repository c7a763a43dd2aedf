import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import FieldPortals
import TestSupport
import Testing

@Suite("A client reads a query")
struct SODAReadingTests {
  private func sent(_ request: TransportRequest) -> String {
    request.url.absoluteString.removingPercentEncoding ?? ""
  }

  /// Rows with these numbers as their `:id` and in a column.
  private static func body(_ numbers: some Sequence<Int>) -> String {
    SmallSODA.body(numbers.map { "{\":id\":\"row-\($0)\",\"n\":\"\($0)\"}" })
  }

  private static func numbers(_ page: SODAPage<SODARow>?) -> [Int]? {
    page?.rows.map { $0["n"]?.integer ?? -1 }
  }

  @Test("a query without an order of its own is read by :id, page by page")
  func keyset() async throws {
    let transport = SmallSODA.transport(
      "soda", [Self.body(1...3), Self.body(4...6), Self.body(7...7)])
    let client = try SmallSODA.client(transport)
    var pages = client.pages(SoQL.Query(where: "n > \(0)"), size: 3).makeAsyncIterator()
    #expect(Self.numbers(try await pages.next()) == [1, 2, 3])
    #expect(Self.numbers(try await pages.next()) == [4, 5, 6])
    let last = try await pages.next()
    #expect(Self.numbers(last) == [7])
    #expect(last?.next == nil)
    #expect(try await pages.next() == nil)
    #expect(transport.requests.count == 3)
    #expect(sent(transport.requests[0]).contains("$order=:id&"))
    #expect(sent(transport.requests[0]).contains("$where=n > 0&"))
    #expect(sent(transport.requests[1]).contains("$where=(n > 0) AND (:id > 'row-3')&"))
    #expect(transport.requests.allSatisfy { !sent($0).contains("$offset") })
    #expect(transport.requests.allSatisfy { sent($0).contains("$limit=3") })
  }

  @Test("a query is read to the empty page after a full one")
  func fullLastPage() async throws {
    let transport = SmallSODA.transport("soda", [Self.body(1...3)])
    var pages = try SmallSODA.client(transport).pages(size: 3).makeAsyncIterator()
    #expect(Self.numbers(try await pages.next()) == [1, 2, 3])
    #expect(try await pages.next() == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("a query is read with URLs of at most 7,000 characters", arguments: [6_999, 7_000, 7_001])
  func longURL(count: Int) async throws {
    let transport = StubTransport { $0.on("soda.page", respond: .json(text: "[]")) }
    let client = try SmallSODA.client(transport)
    func ask(_ count: Int) async throws -> Int {
      let text = String(repeating: "a", count: count)
      var pages = client.pages(SoQL.Query(where: "n = \(text)"), size: 3)
        .makeAsyncIterator()
      #expect(try await pages.next() == nil)
      return transport.requests.last?.url.absoluteString.utf8.count ?? 0
    }
    let rest = count - (try await ask(0))
    guard count > 7_000 else {
      #expect(try await ask(rest) == count)
      return
    }
    let error = await #expect(throws: FieldError.self) { try await ask(rest) }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("\(count)") == true)
  }

  /// Responses that a client doesn't accept, and what it throws after too many of them.
  enum Trouble: CaseIterable {
    case pending, stale, cut

    var response: StubTransport.Response {
      switch self {
      case .pending: .status(202)
      case .stale: .json(text: "[]", fields: ["X-SODA2-Data-Out-Of-Date": "true"])
      case .cut: .json(text: "[{")
      }
    }

    var code: FieldError.Code {
      switch self {
      case .pending: .sodaPending
      case .stale: .sodaStale
      case .cut: .cut
      }
    }
  }

  @Test(
    "a query is read as often as the client's patience allows", arguments: Trouble.allCases,
    [0, 1, 2, 3])
  func patience(trouble: Trouble, count: Int) async throws {
    let answers = (0..<count).reduce(StubTransport.Response.json(text: Self.body(1...1))) {
      next, _ in
      .sequence(trouble.response, next)
    }
    let transport = StubTransport { $0.on("soda.page", respond: answers) }
    let client = SODAClient(
      try SODADataset("abcd-1234", at: "data.example.org", version: .v2_1), transport: transport,
      clock: ImmediateClock(), patience: SODAPatience(pendingLimit: 2, staleLimit: 2, cutLimit: 2))
    var pages = client.pages(size: 3).makeAsyncIterator()
    guard count > 2 else {
      #expect(Self.numbers(try await pages.next()) == [1])
      #expect(transport.requests.count == count + 1)
      return
    }
    let error = await #expect(throws: FieldError.self) { _ = try await pages.next() }
    #expect(error?.code == trouble.code)
    #expect(transport.requests.count == 3)
  }

  @Test("a query with an order is read by offset, with :id behind its own order")
  func offset() async throws {
    let transport = SmallSODA.transport("soda", [Self.body(1...3), Self.body(4...6)])
    let client = try SmallSODA.client(transport)
    let query = SoQL.Query(order: "n DESC", offset: 10)
    var numbers: [Int] = []
    for try await row in client.rows(query, pageSize: 3) { numbers.append(row["n"]?.integer ?? 0) }
    #expect(numbers == Array(1...6))
    #expect(transport.requests.count == 3)
    #expect(transport.requests.allSatisfy { sent($0).contains("$order=n DESC, :id") })
    #expect(sent(transport.requests[0]).contains("$offset=10"))
    #expect(sent(transport.requests[1]).contains("$offset=13"))
    #expect(sent(transport.requests[2]).contains("$offset=16"))
  }

  @Test("a query is read from a stored token, with that query and no other")
  func resuming() async throws {
    let transport = SmallSODA.transport("soda", [Self.body(1...3), Self.body(4...5)])
    let client = try SmallSODA.client(transport)
    let query = SoQL.Query(where: "n > \(0)")
    var pages = client.pages(query, size: 3).makeAsyncIterator()
    let token = try #require(try await pages.next()?.next)
    let kept = try JSONDecoder().decode(
      SODAResumeToken.self, from: try JSONEncoder().encode(token))
    #expect(kept == token)
    var later = try SmallSODA.client(transport).pages(query, size: 3, after: kept)
      .makeAsyncIterator()
    let page = try await later.next()
    #expect(Self.numbers(page) == [4, 5])
    // A page that is shorter than one of the time before is the last.
    #expect(page?.next == nil)
    #expect(sent(transport.requests[1]).contains(":id > 'row-3'"))
    var other = client.pages(SoQL.Query(), size: 3, after: kept).makeAsyncIterator()
    let error = await #expect(throws: FieldError.self) { _ = try await other.next() }
    #expect(error?.code == .invalidInput)
    #expect(transport.requests.count == 2)
  }

  @Test("a query is read up to its limit over all pages, and no further row")
  func limit() async throws {
    let transport = SmallSODA.transport("soda", [Self.body(1...3), Self.body(4...6)])
    let client = try SmallSODA.client(transport)
    var numbers: [Int?] = []
    for try await row in client.rows(SoQL.Query(limit: 5), pageSize: 3) {
      numbers.append(row["n"]?.integer)
    }
    // The second answer has a row more than it was asked for.
    #expect(numbers == [1, 2, 3, 4, 5])
    #expect(transport.requests.map { sent($0).contains("$limit=2") } == [false, true])
    var none = client.pages(SoQL.Query(limit: 0)).makeAsyncIterator()
    #expect(try await none.next() == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("a query's pages stop if the portal returns the same rows again and again")
  func noProgress() async throws {
    let transport = StubTransport { $0.on("soda.page", respond: .json(text: Self.body(1...3))) }
    let client = try SmallSODA.client(transport)
    for query in [SoQL.Query(), SoQL.Query(order: "n")] {
      var pages = client.pages(query, size: 3).makeAsyncIterator()
      #expect(try await pages.next() != nil)
      let error = await #expect(throws: FieldError.self) { _ = try await pages.next() }
      #expect(error?.code == .noProgress)
    }
  }

  @Test("a query's pages stop if the URL leads to a file without :id")
  func staticFile() async throws {
    let transport = StubTransport {
      $0.on("soda.page", respond: .json(text: "[{\"n\":\"1\"},{\"n\":\"2\"}]"))
    }
    let client = try SmallSODA.client(transport)
    var pages = client.pages(size: 2).makeAsyncIterator()
    let error = await #expect(throws: FieldError.self) { _ = try await pages.next() }
    #expect(error?.code == .sodaNoSystemFields)
    let groups = SoQL.Query(select: "n, count(*) AS c", group: "n")
    for size in [1, 2, 5] {
      var pages = client.pages(groups, size: size).makeAsyncIterator()
      #expect(try await pages.next() != nil)
      let error = await #expect(throws: FieldError.self) { _ = try await pages.next() }
      #expect(error?.code == .noProgress)
    }
  }

  @Test("a query of groups that are all equal is read page by page")
  func equalGroups() async throws {
    let ones = "[{\"c\":\"1\"},{\"c\":\"1\"}]"
    let transport = SmallSODA.transport("soda", [ones, ones, "[{\"c\":\"1\"}]"])
    let query = SoQL.Query(select: "count(*) AS c", group: "n")
    var ids: [String] = []
    for try await row in try SmallSODA.client(transport).rows(query, pageSize: 2) {
      ids.append(row.id.rawValue)
    }
    #expect(ids == ["0", "1", "2", "3", "4"])
  }

  @Test(
    "a query's unreadable rows are reported, and the pages continue", arguments: [1, 2])
  func badRows(size: Int) async throws {
    let bad = "{\":id\":\"row-2\",\"n\":\"\\ud800\"}"
    let good = "{\":id\":\"row-1\",\"n\":\"1\"}"
    let bodies =
      size == 1 ? [SmallSODA.body([good]), SmallSODA.body([bad])] : [SmallSODA.body([good, bad])]
    let transport = SmallSODA.transport("soda", bodies + [Self.body(3...3)])
    var numbers: [Int] = []
    var failures: [String?] = []
    for try await page in try SmallSODA.client(transport).pages(size: size) {
      numbers += Self.numbers(page) ?? []
      failures += page.failures.map(\.key)
    }
    #expect(numbers == [1, 3])
    #expect(failures == ["row-2"])
    #expect(sent(transport.requests[bodies.count]).contains(":id > 'row-2'"))
  }

  @Test(
    "a query that counts accepts either form of a number",
    arguments: [("\"314245\"", 314_245), ("7", 7), ("\"0\"", 0)])
  func counts(text: String, count: Int) async throws {
    let transport = StubTransport {
      $0.on("soda.count", respond: .json(text: "[{\"row_count\":\(text)}]\n"))
    }
    let client = try SmallSODA.client(transport)
    #expect(try await client.count(where: "fall = \("Fell")") == count)
    #expect(sent(transport.requests[0]).contains("$select=count(*) AS row_count"))
    #expect(sent(transport.requests[0]).contains("$where=fall = 'Fell'"))
  }

  @Test(
    "a query that counts and gets no number is an error",
    arguments: ["[]", "[{\"row_count\":\"many\"}]", "[{\"count\":\"3\"}]", "[[3]]"])
  func noCount(body: String) async throws {
    let transport = StubTransport { $0.on("soda.count", respond: .json(text: body)) }
    let client = try SmallSODA.client(transport)
    let error = await #expect(throws: FieldError.self) { _ = try await client.count() }
    #expect(error?.code == .malformed)
  }

  @Test("a query that the portal refuses in plain text with status 200 is an error")
  func refusal() async throws {
    let transport = StubTransport { $0.on("soda.page", respond: .text("429 Too many requests")) }
    let error = await #expect(throws: FieldError.self) {
      for try await _ in try SmallSODA.client(transport).rows() {}
    }
    #expect(error?.code == .notData)
    #expect(error?.operation == "soda.page")
    #expect(error?.message.contains("“429 Too many requests”") == true)
    #expect(transport.requests.count == 1)
  }

  @Test("a query too long for a URL is rejected before it is sent, except in SODA 3")
  func longQuery() async throws {
    let transport = StubTransport { $0.on("soda.page", respond: .json(text: "[]")) }
    let names = (0..<1_000).map { "Northwest Africa \($0)" }
    let query = SoQL.Query(where: "name IN \(names)")
    var pages = try SmallSODA.client(transport).pages(query).makeAsyncIterator()
    let error = await #expect(throws: FieldError.self) { _ = try await pages.next() }
    #expect(error?.code == .invalidInput)
    #expect(error?.message.contains("SODA 3") == true)
    #expect(transport.requests.isEmpty)
    var posted = try SmallSODA.client(transport, version: .v3).pages(query).makeAsyncIterator()
    #expect(try await posted.next() == nil)
    #expect(transport.requests[0].method == .post)
  }

  @Test("a query can be canceled between two pages")
  func cancelled() async throws {
    let transport = StubTransport { $0.on("soda.page", respond: .json(text: Self.body(1...3))) }
    let client = try SmallSODA.client(transport)
    let task = Task {
      var pages = client.pages(size: 3).makeAsyncIterator()
      _ = try await pages.next()
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      _ = try await pages.next()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(transport.requests.count == 1)
  }
}
