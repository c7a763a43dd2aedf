internal import FieldCore

extension SODAClient {
  /// The rows of a query a page at a time.
  ///
  /// - Parameters:
  ///   - query: The query; its limit is that of all pages together.
  ///   - size: How many rows a page has at the most.
  ///   - token: Where to go on, from an earlier page of the same query.
  public func pages(
    _ query: SoQL.Query = SoQL.Query(), size: Int = 1_000, after token: SODAResumeToken? = nil
  ) -> SODAPages {
    SODAPages(client: self, query: query, size: size, token: token)
  }

  /// The rows of a query one by one, read a page at a time.
  public func rows(_ query: SoQL.Query = SoQL.Query(), pageSize: Int = 1_000) -> SODARows {
    pages(query, size: pageSize).flattened(\.rows)
  }

  /// The rows of a query a page at a time, each row read into a type, as ``SODARow/decode(_:)`` does.
  ///
  /// - Parameters:
  ///   - query: The query; its limit is that of all pages together.
  ///   - type: What each row becomes.
  ///   - size: How many rows a page has at the most.
  ///   - token: Where to go on, from an earlier page of the same query.
  public func pages<Row: Decodable & Sendable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, size: Int = 1_000,
    after token: SODAResumeToken? = nil
  ) -> SODATypedPages<Row> {
    pages(query, size: size, after: token).scan(()) { _, page in await SODATypedPage(page) }
  }

  /// The rows of a query one by one, read a page at a time, each row read into a type.
  ///
  /// ```swift
  /// struct Theft: Decodable, Sendable { var case_number: String, date: CalendarDay? }
  /// for try await theft in client.rows(thefts, as: Theft.self) { print(theft.case_number) }
  /// ```
  public func rows<Row: Decodable & Sendable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, pageSize: Int = 1_000
  ) -> SODATypedRows<Row> {
    pages(query, as: type, size: pageSize).flattened(\.rows)
  }

  /// How many rows meet a condition; all when it is nil.
  public func count(where condition: SoQL.Condition? = nil) async throws -> Int {
    let query = SoQL.Query(select: [.count(named: "row_count")], where: condition)
    let (count, _) = try await ask(query, operation: "soda.count") { _, body in
      try SODACount.read(body)
    }
    return count
  }

  /// What the portal says of the dataset: its name, its columns, when its rows changed.
  public func metadata() async throws -> SODAMetadata {
    let operation = "soda.metadata"
    return try SODAMetadata(
      try await document(at: dataset.metadata, operation: operation), operation: operation)
  }
}
