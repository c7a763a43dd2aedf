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

/// A page of a query's rows, as ``SODARow`` or as values of a type.
public struct SODAPage<Row: Sendable>: Sendable {
  /// The rows that could be read.
  public var rows: [Row]
  /// The rows that couldn't be read, with their keys and the columns that caused the failures.
  public var failures: [RowFailure]
  /// The notices for the caller although nothing has failed, such as values that couldn't be read and are `nil` in their rows.
  public var notices: [RefreshReport.Notice] = []
  /// The token for continuing with the next page at any time; `nil` if this is the last page.
  public var next: SODAResumeToken?
}

extension SODAPage: Codable where Row: Codable {}

/// A value of a `Decodable` type that needn't be `RowReadable`, and is read in the same way.
struct DecodedSODARow<Value: Decodable & Sendable>: Decodable, RowReadable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
}

/// A position between a query's pages, at which you can continue the same query at another time.
public struct SODAResumeToken: Sendable, Hashable, Codable {
  /// The query to which the token belongs.
  let statement: String
  /// The last row's `:id`, for a query that is read by `:id`.
  var key: String?
  /// The number of received rows.
  var offset = 0
  /// The length of the longest received page.
  var capacity = 0
}

/// A sequence of a query's rows one by one, read one page at a time.
///
/// A row that can't be read is skipped; use ``SODAClient/pages(_:size:after:)`` to see such rows.
public typealias SODARows = FieldSequence<SODARow, any Error>

/// A sequence of a query's rows one by one, each as a value of a type, read one page at a time.
///
/// A row that can't be read is skipped; read pages to see such rows.
public typealias SODATypedRows<Row: Sendable> = FieldSequence<Row, any Error>
