internal import FieldCore

/// The rows of a query, a page at a time, each row read into a type.
///
/// A row that cannot be read is among the page's failures, and the others are there.
public struct SODATypedPages<Row: Decodable & Sendable>: AsyncSequence, Sendable {
  let pages: SODAPages

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// Asks for the pages one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: SODAPages.Iterator

    init(pages: SODAPages.Iterator) { self.pages = pages }

    /// The next page; nil when there is none.
    ///
    /// - Throws: `FieldError` when the portal does not give it: asking again asks for the same page.
    public mutating func next() async throws -> SODATypedPage<Row>? {
      try await next(isolation: #isolation)
    }

    /// The next page, on the caller's actor; nil when there is none.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> SODATypedPage<Row>? {
      guard let page = try await pages.next(isolation: actor) else { return nil }
      return await Self.read(page)
    }

    @concurrent
    private static func read(_ page: SODAPage) async -> SODATypedPage<Row> {
      var failures = page.failures
      var rows: [Row] = []
      rows.reserveCapacity(page.rows.count)
      // Rows that failed before have no place among the others, so places and row numbers drift apart.
      let failedBefore = Set(failures.map(\.index))
      var index = -1
      for row in page.rows {
        repeat { index += 1 } while failedBefore.contains(index)
        do {
          rows.append(try SODARowDecoder(node: .row(row), codingPath: []).value(Row.self))
        } catch {
          failures.append(
            RowFailure(index: index, key: row.id.rawValue, reason: SODARow.reason(error)))
        }
      }
      failures.sort { $0.index < $1.index }
      return SODATypedPage(rows: rows, failures: failures, next: page.next)
    }
  }
}
