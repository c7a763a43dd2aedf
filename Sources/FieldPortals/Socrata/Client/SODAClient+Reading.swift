public import FieldCore

extension SODAClient {
  /// Returns the rows of a query, one page at a time.
  ///
  /// - Parameters:
  ///   - query: The query. Its limit applies to all pages together.
  ///   - size: The maximum number of rows on a page. Defaults to 1,000.
  ///   - token: The position at which to continue, from an earlier page of the same query.
  public func pages(
    _ query: SoQL.Query = SoQL.Query(), size: Int = 1_000, after token: SODAResumeToken? = nil
  ) -> SODAPages {
    pages(query, size, token) { body, first in try SODARow.rows(of: body, from: first) }
  }

  /// Returns the rows of a query one by one, read one page at a time.
  public func rows(_ query: SoQL.Query = SoQL.Query(), pageSize: Int = 1_000) -> SODARows {
    pages(query, size: pageSize).flattened(\.rows)
  }

  /// Returns the rows of a query, one page at a time, as values of a type that reads rows.
  ///
  /// - Parameters:
  ///   - query: The query. Its limit applies to all pages together.
  ///   - type: The type of the values.
  ///   - size: The maximum number of rows on a page. Defaults to 1,000.
  ///   - token: The position at which to continue, from an earlier page of the same query.
  public func pages<Row: RowReadable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, size: Int = 1_000,
    after token: SODAResumeToken? = nil
  ) -> SODATypedPages<Row> {
    pages(query, size, token) { body, _ in
      try RowReader.values(of: body, as: type, format: .jsonArray)
    }
  }

  /// Returns the rows of a query, one page at a time, each decoded as `RowReadable` describes.
  ///
  /// - Parameters:
  ///   - query: The query. Its limit applies to all pages together.
  ///   - type: The type to decode each row into.
  ///   - size: The maximum number of rows on a page. Defaults to 1,000.
  ///   - token: The position at which to continue, from an earlier page of the same query.
  @_disfavoredOverload
  public func pages<Row: Decodable & Sendable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, size: Int = 1_000,
    after token: SODAResumeToken? = nil
  ) -> SODATypedPages<Row> {
    pages(query, size, token) { body, _ in
      try RowReader.values(of: body, as: DecodedSODARow<Row>.self, format: .jsonArray)
        .map(\.value)
    }
  }

  /// Returns the rows of a query one by one, as values of a type that reads rows.
  public func rows<Row: RowReadable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, pageSize: Int = 1_000
  ) -> SODATypedRows<Row> { pages(query, as: type, size: pageSize).flattened(\.rows) }

  /// Returns the rows of a query one by one, each decoded into a type, read one page at a time.
  ///
  /// ```swift
  /// struct Theft: Decodable, Sendable { var case_number: String, date: CalendarDay? }
  /// for try await theft in client.rows(thefts, as: Theft.self) { print(theft.case_number) }
  /// ```
  @_disfavoredOverload
  public func rows<Row: Decodable & Sendable>(
    _ query: SoQL.Query = SoQL.Query(), as type: Row.Type, pageSize: Int = 1_000
  ) -> SODATypedRows<Row> { pages(query, as: type, size: pageSize).flattened(\.rows) }

  private func pages<Row: Sendable>(
    _ query: SoQL.Query, _ size: Int, _ token: SODAResumeToken?,
    reading read: @escaping SODAPageRows<Row>.Reader
  ) -> SODATypedPages<Row> {
    SODATypedPages { [self] in
      var reader = SODAQueryReader(
        client: self, query: query, size: max(1, size), token: token, read: read)
      return { actor in try await reader.next(isolation: actor) }
    }
  }

  /// Returns the number of rows that meet a condition, or of all rows if it is `nil`.
  ///
  /// ```swift
  /// let thefts = try await client.count(where: "primary_type = \(type)")
  /// ```
  public func count(where condition: SoQL? = nil) async throws -> Int {
    try await count(where: condition, operation: "soda.count")
  }

  func count(where condition: SoQL?, operation: String) async throws -> Int {
    let query = SoQL.Query(select: "count(*) AS row_count", where: condition)
    return try await ask(query, operation: operation) { _, body in
      // One row with one cell, a number or its text.
      let row = try JSONDocument.value(body).elements?.first
      guard let count = row?["row_count"]?.integer else {
        throw FieldError(.malformed, "The portal didn't respond to a count with one number.")
      }
      return count
    }.result
  }

  /// Returns the portal's description of the dataset: its name, its columns, and its last change.
  public func metadata() async throws -> SODAMetadata {
    let operation = "soda.metadata"
    return try SODAMetadata(
      try await document(at: dataset.metadata, operation: operation), operation: operation)
  }
}
