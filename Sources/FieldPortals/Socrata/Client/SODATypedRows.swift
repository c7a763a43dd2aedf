internal import FieldCore

/// The rows of a query one by one, each read into a type, a page at a time.
///
/// A row that cannot be read is left out; read ``SODAClient/pages(_:as:size:after:)`` to see those.
public struct SODATypedRows<Row: Decodable & Sendable>: AsyncSequence, Sendable {
  let pages: SODATypedPages<Row>

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// Gives the rows one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: SODATypedPages<Row>.Iterator
    private var rows: ArraySlice<Row> = []

    init(pages: SODATypedPages<Row>.Iterator) { self.pages = pages }

    /// The next row; nil when there is none.
    ///
    /// - Throws: `FieldError` when the portal does not give its page: asking again asks for it again.
    public mutating func next() async throws -> Row? {
      try await next(isolation: #isolation)
    }

    /// The next row, on the caller's actor; nil when there is none.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Row? {
      while rows.isEmpty {
        guard let page = try await pages.next(isolation: actor) else { return nil }
        rows = page.rows[...]
      }
      return rows.popFirst()
    }
  }
}
