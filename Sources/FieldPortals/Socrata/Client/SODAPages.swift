public import FieldCore

/// A sequence of pages of a query's rows, each requested on demand.
///
/// A query without an order or groups is read by `:id`, which loses nothing if rows are added or
/// removed meanwhile. Any other query is read by offset, in its own order and then by `:id`. Rows
/// that move meanwhile may be repeated or missing.
public typealias SODAPages = FieldSequence<SODAPage<SODARow>, any Error>

/// A sequence of pages of a query's rows, each row decoded into a type.
///
/// A row that can't be read is among the page's failures, and the other rows are returned. After an
/// error, the next step requests the same page again.
public typealias SODATypedPages<Row: Decodable & Sendable> = FieldSequence<
  SODAPage<Row>, any Error
>

/// Requests the pages of a query one by one.
struct SODAQueryReader {
  private let client: SODAClient
  private let query: SoQL.Query
  private let statement: String
  private let size: Int
  private var place: SODAResumeToken
  private var isAtEnd = false
  private var tokensBefore: [UInt64] = []

  init(client: SODAClient, query: SoQL.Query, size: Int, token: SODAResumeToken?) {
    self.client = client
    self.query = query
    self.size = size
    statement = query.statement
    place = token ?? SODAResumeToken(statement: statement)
  }

  /// Returns the next page, or `nil` if there is none. After an error, it requests the same page
  /// again.
  mutating func next(isolation actor: isolated (any Actor)?) async throws -> SODAPage<SODARow>? {
    guard !isAtEnd else { return nil }
    try Task.checkCancellation()
    guard place.statement == statement else {
      throw FieldError(
        .invalidInput, "The token belongs to another query: \(place.statement.prefix(200)).")
    }
    let left = query.limit.map { max(0, $0 - place.offset) } ?? size
    let wanted = min(size, left)
    guard wanted > 0 else {
      isAtEnd = true
      return nil
    }
    let page = try await page(of: wanted)
    guard page.count > 0 else {
      isAtEnd = true
      return nil
    }
    if isRepeated(page, of: wanted) {
      throw FieldError(
        .noProgress,
        "The portal returns the same rows again and again, whatever the request. Check the URL.")
    }
    tokensBefore = page.tokens
    place.key = page.lastID ?? place.key
    place.offset += page.count
    // Only a page that is shorter than an earlier one is the last, because portals may cap their
    // pages.
    isAtEnd =
      page.count < min(wanted, place.capacity)
      || query.limit.map { place.offset >= $0 } ?? false
    place.capacity = max(place.capacity, page.count)
    return SODAPage(
      rows: Array(page.rows.prefix(left)), failures: page.failures, next: isAtEnd ? nil : place)
  }

  /// Whether a page repeats the previous one.
  ///
  /// Rows that are read by `:id` occur once each. Other rows may be equal page after page if all
  /// rows of a full page are: counts of groups, all of them 1.
  private func isRepeated(_ page: SODAPageRows, of wanted: Int) -> Bool {
    guard !page.tokens.isEmpty else { return false }
    if query.isReadByID {
      let before = Set(tokensBefore)
      return page.tokens.allSatisfy(before.contains)
    }
    return page.tokens == tokensBefore
      && (page.count != wanted || page.tokens.contains { $0 != page.tokens[0] })
  }

  private func page(of count: Int) async throws -> SODAPageRows {
    var asked = query
    asked.limit = count
    if query.isReadByID {
      asked.select = (query.select.isEmpty ? [.allColumns] : query.select) + [.column(.id)]
      asked.order = [SoQL.column(.id).ascending]
      if let key = place.key { asked = asked.narrowed(to: SoQL.column(.id) > .text(key)) }
    } else {
      asked.offset = query.offset + place.offset
      if query.group.isEmpty && !query.order.isEmpty { asked.order.append(":id") }
    }
    let (first, needsID) = (place.offset, query.isReadByID)
    let (rows, _) = try await client.ask(asked, operation: "soda.page") { _, body in
      try SODAPageRows(body, from: first, needsID: needsID)
    }
    return rows
  }
}

extension SoQL.Query {
  /// Whether the rows can be requested by `:id`: rows of the dataset, without an order of their
  /// own.
  fileprivate var isReadByID: Bool {
    group.isEmpty && order.isEmpty && offset == 0 && search == nil
      && select.allSatisfy(\.isColumn)
  }
}

extension SoQL.Selection {
  /// Whether the item is a column or a star, and thus belongs to a single row.
  fileprivate var isColumn: Bool {
    switch item {
    case .systemColumns, .columns: true
    case .expression(let expression, alias: _):
      if case .column = expression.node { true } else { false }
    }
  }
}
