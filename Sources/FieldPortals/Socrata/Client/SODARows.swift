internal import FieldCore

/// The rows of a query one by one, read a page at a time.
///
/// A row that cannot be read is left out; read ``SODAClient/pages(_:size:after:)`` to see those.
public struct SODARows: AsyncSequence, Sendable {
  let pages: SODAPages

  /// Makes the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

  /// Gives the rows one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private var pages: SODAPages.Iterator
    private var rows: ArraySlice<SODARow> = []

    init(pages: SODAPages.Iterator) { self.pages = pages }

    /// The next row; nil when there is none.
    public mutating func next() async throws -> SODARow? {
      try await next(isolation: #isolation)
    }

    /// The next row, on the caller's actor; nil when there is none.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> SODARow? {
      while rows.isEmpty {
        guard let page = try await pages.next(isolation: actor) else { return nil }
        rows = page.rows[...]
      }
      return rows.popFirst()
    }
  }
}
