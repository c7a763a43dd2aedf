public import FieldCore

/// A sequence of pages of a query's rows, each requested on demand.
///
/// A query without an order or groups is read by `:id`, which loses nothing if rows are added or
/// removed meanwhile. Any other query is read by offset, in its own order and then by `:id`. Rows
/// that move meanwhile may be repeated or missing.
public typealias SODAPages = FieldSequence<SODAPage<SODARow>, any Error>

/// A sequence of pages of a query's rows, each row as a value of a type.
///
/// A row that can't be read is among the page's failures, and the other rows are returned. After an
/// error, the next step requests the same page again.
public typealias SODATypedPages<Row: Sendable> = FieldSequence<
  SODAPage<Row>, any Error
>

/// Requests the pages of a query one by one.
struct SODAQueryReader<Row: Sendable> {
  private let client: SODAClient
  private let query: SoQL.Query
  private let statement: String
  private let size: Int
  private let read: SODAPageRows<Row>.Reader
  private var place: SODAResumeToken
  private var isAtEnd = false
  private var tokensBefore: [UInt64] = []

  init(
    client: SODAClient, query: SoQL.Query, size: Int, token: SODAResumeToken?,
    read: @escaping SODAPageRows<Row>.Reader
  ) {
    self.read = read
    self.client = client
    self.query = query
    self.size = size
    statement = query.description
    place = token ?? SODAResumeToken(statement: statement)
  }

  /// Returns the next page, or `nil` if there is none. After an error, it requests the same page
  /// again.
  mutating func next(isolation actor: isolated (any Actor)?) async throws -> SODAPage<Row>? {
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
      rows: Array(page.rows.prefix(left)), failures: page.failures, notices: page.notices,
      next: isAtEnd ? nil : place)
  }

  /// Whether a page repeats the previous one.
  ///
  /// Rows that are read by `:id` occur once each. Other rows may be equal page after page if all
  /// rows of a full page are: counts of groups, all of them 1.
  private func isRepeated(_ page: SODAPageRows<Row>, of wanted: Int) -> Bool {
    guard !page.tokens.isEmpty else { return false }
    if query.isReadByID {
      let before = Set(tokensBefore)
      return page.tokens.allSatisfy(before.contains)
    }
    return page.tokens == tokensBefore
      && (page.count != wanted || page.tokens.contains { $0 != page.tokens[0] })
  }

  private func page(of count: Int) async throws -> SODAPageRows<Row> {
    var asked = query
    asked.limit = count
    if query.isReadByID {
      asked.select = .list([query.select ?? "*", ":id"])
      asked.order = ":id"
      if let key = place.key {
        asked.where = .all((query.where.map { [$0] } ?? []) + [":id > \(key)"])
      }
    } else {
      asked.offset = query.offset + place.offset
      if query.group == nil, let order = query.order { asked.order = .list([order, ":id"]) }
    }
    let (first, needsID) = (place.offset, query.isReadByID)
    let (rows, _) = try await client.ask(asked, operation: "soda.page") { _, body in
      try SODAPageRows(body, from: first, needsID: needsID, reading: read)
    }
    return rows
  }
}
