public import FieldCore

/// The rows of a query, a page at a time, each asked for when the reader wants it.
///
/// A query without an order and without groups is read by `:id`, which loses nothing when rows come and
/// go meanwhile. Any other is read by offset, in its own order and then by `:id`; rows that change
/// places while it is read may come twice or not at all.
public typealias SODAPages = FieldSequence<SODAPage, any Error>

/// The rows of a query, a page at a time, each row read into a type.
///
/// A row that can't be read is among the page's failures, and the others are there. After an error, the next
/// step asks for the same page again.
public typealias SODATypedPages<Row: Decodable & Sendable> = FieldSequence<
  SODATypedPage<Row>, any Error
>

extension SODAPages {
  init(client: SODAClient, query: SoQL.Query, size: Int, token: SODAResumeToken?) {
    self.init {
      var reader = SODAQueryReader(
        client: client, query: query, size: Swift.max(1, size), token: token)
      return { actor in try await reader.next(isolation: actor) }
    }
  }
}

/// Asks for the pages of a query one by one.
private struct SODAQueryReader {
  private let client: SODAClient
  private let query: SoQL.Query
  private let statement: String
  private let size: Int
  private var key: String?
  private var offset = 0
  private var capacity = 0
  private var isAtEnd = false
  private var tokensBefore: [UInt64] = []
  private let givenToken: SODAResumeToken?

  init(client: SODAClient, query: SoQL.Query, size: Int, token: SODAResumeToken?) {
    self.client = client
    self.query = query
    self.size = size
    givenToken = token
    statement = query.statement
    if let token {
      key = token.key
      offset = token.offset
      capacity = token.capacity
    }
  }

  /// Returns the next page; `nil` if there is none. After an error it asks for the same page again.
  mutating func next(isolation actor: isolated (any Actor)?) async throws -> SODAPage? {
    guard !isAtEnd else { return nil }
    try Task.checkCancellation()
    if let givenToken, givenToken.statement != statement {
      throw FieldError(
        .invalidInput, "the token belongs to another query: \(givenToken.statement.prefix(200))")
    }
    let left = query.limit.map { Swift.max(0, $0 - offset) } ?? size
    let wanted = Swift.min(size, left)
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
        "the portal gives the same rows again and again, whatever it is asked for; check the address"
      )
    }
    tokensBefore = page.tokens
    key = page.lastID ?? key
    offset += page.count
    // Only a page that is shorter than an earlier one shows the end: portals may cap their pages.
    isAtEnd =
      page.count < Swift.min(wanted, capacity) || query.limit.map { offset >= $0 } ?? false
    capacity = Swift.max(capacity, page.count)
    return SODAPage(
      rows: Array(page.rows.prefix(left)), failures: page.failures,
      next: isAtEnd
        ? nil
        : SODAResumeToken(statement: statement, key: key, offset: offset, capacity: capacity))
  }

  /// Whether a page is the one before again.
  ///
  /// Rows that are read by `:id` come once each. Any others may be alike, page after page, as long as
  /// all of a full page are: counts of groups, all of them 1.
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
      if let key {
        let later = SoQL.column(.id) > .text(key)
        asked.where = query.where.map { $0 && later } ?? later
      }
    } else {
      asked.offset = query.offset + offset
      if query.group.isEmpty && !query.order.isEmpty { asked.order.append(":id") }
    }
    let (first, needsID) = (offset, query.isReadByID)
    let (rows, _) = try await client.ask(asked, operation: "soda.page") { _, body in
      try SODAPageRows(body, from: first, needsID: needsID)
    }
    return rows
  }
}

extension SoQL.Query {
  /// Whether the rows can be asked for by `:id`: they are rows of the dataset, in no order of their own.
  fileprivate var isReadByID: Bool {
    group.isEmpty && order.isEmpty && offset == 0 && search == nil
      && select.allSatisfy(\.isColumn)
  }
}

extension SoQL.Selection {
  /// Whether it is a column or a star, and so of one row and not of many.
  fileprivate var isColumn: Bool {
    switch item {
    case .systemColumns, .columns: true
    case .expression(let expression, alias: _):
      if case .column = expression.node { true } else { false }
    }
  }
}
