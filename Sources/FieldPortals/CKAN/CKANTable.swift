internal import FieldCore
internal import FieldFoundation

/// A resource in the datastore of a CKAN portal.
///
/// Its rows have a number, `_id`. Since version 2.12, rows can be requested by a range of it. Older versions only have offsets, which
/// move with the rows, so a page is requested with the row before it, as a proof: a page that begins at or before the last known row
/// and is in the order of the numbers contains all rows after it. If it begins later, the offset was too large, and an earlier one
/// is tried.
final class CKANTable: PortalTable {
  let root: URL
  let resource: String
  private let client: PortalClient
  private let state = Lock(State())

  private struct State {
    var hasRanges: Bool?
    /// The offset of the row after a key, as of the last page.
    var guess: (key: Int64, offset: Int)?
    var fields: [String]?
  }

  init(root: URL, resource: String, client: PortalClient) {
    self.root = root
    self.resource = resource
    self.client = client
  }

  static let key = "_id"
  /// The maximum number of rows that portals return unless they are configured otherwise.
  static let pageLimit = 32_000

  var reader: String { "ckan/1" }
  var address: URL { root.appending(path: "datastore/dump/\(resource)") }

  /// Portals don't record all changes of a datastore, such as those by its API.
  func version(isNew: Bool) async throws -> String? { nil }

  func page(after key: Int64?, size: Int, operation: String) async throws -> PortalPage {
    try await page(after: key, size: size, fields: nil, operation: operation)
  }

  func keys(
    after key: Int64?, size: Int, of column: RowColumn, operation: String
  ) async throws -> PortalPage {
    var fields = state.withLock(\.fields)
    if fields == nil {
      let found = try await search([("limit", "0")], operation: operation)
        .outline["result"]?["fields"]?.elements?.compactMap { $0["id"]?.string }
      state.withLock { $0.fields = found }
      fields = found
    }
    let name = fields.flatMap { column.field(among: $0) }
    let wanted = name.map { $0 == Self.key ? [$0] : [Self.key, $0] }
    return try await page(after: key, size: size, fields: wanted, operation: operation)
  }

  /// Returns the columns besides the number, and the number of rows.
  ///
  /// Portals before version 2.10 have no numbers in `datastore_info`, and some deny it or don't have it.
  func columns(operation: String) async throws -> (columns: [PortalColumn], rowCount: Int?) {
    var fields: [JSONValue]?
    var count: Int?
    do {
      let info = try await client.ask(
        root.appending(path: "api/3/action/datastore_info"), [("id", resource)],
        operation: operation
      ).outline["result"]
      fields = info?["fields"]?.elements
      count = info?["meta"]?["count"]?.integer
    } catch let error as FieldError
      where [.notFound, .portalDenied, .portalQuery].contains(error.code)
    {}
    if fields == nil || count == nil {
      let answer = try await search(
        [("limit", "0"), ("include_total", "true")], operation: operation)
      fields = fields ?? answer.outline["result"]?["fields"]?.elements
      count = count ?? total(answer)
    }
    let columns = (fields ?? []).compactMap { field -> PortalColumn? in
      guard let name = field["id"]?.string, name != Self.key else { return nil }
      return PortalColumn(
        name: name, title: field["info"]?["label"]?.string?.nonEmpty ?? name,
        type: field["type"]?.string ?? field["schema"]?["native_type"]?.string ?? "text")
    }
    return (columns, count)
  }

  func count(operation: String) async throws -> Int? {
    total(
      try await search([("limit", "0"), ("include_total", "true")], operation: operation))
  }

  private func search(
    _ items: [(name: String, value: String)], operation: String
  ) async throws -> PortalClient.Answer {
    try await client.ask(
      root.appending(path: "api/3/action/datastore_search"), [("resource_id", resource)] + items,
      rows: "records", operation: operation)
  }

  private func page(
    after key: Int64?, size: Int, fields: [String]?, operation: String
  ) async throws -> PortalPage {
    let size = max(1, min(size, Self.pageLimit))
    let selection = fields.map { [("fields", $0.joined(separator: ","))] } ?? []
    let items = selection + [("sort", Self.key)]
    if let key, try await hasRanges(items, operation) {
      do {
        let answer = try await search(
          items + [
            ("limit", String(size)), ("filters", #"{"\#(Self.key)":{"gt":\#(key)}}"#),
            ("include_total", "true"),
          ], operation: operation)
        var page = try read(answer, after: key, .refused)
        // The total is that of the rows after the key.
        page.isLast = total(answer).map { $0 <= page.rowCount }
        return page
      } catch let error as FieldError where [.portalQuery, .disordered].contains(error.code) {
        state.withLock { $0.hasRanges = false }
      }
    }
    if let key { return try await provenPage(after: key, size: size, items, operation) }
    let answer = try await search(
      items + [("limit", String(size)), ("include_total", "true")], operation: operation)
    var page = try read(answer, after: nil, .refused)
    state.withLock { $0.hasRanges = Self.statesRanges(answer) }
    page.announcedCount = total(answer)
    page.isLast = page.announcedCount.map { $0 <= page.rowCount }
    note(page, startingAt: 0)
    return page
  }

  /// Returns the total number of rows, unless the portal has only estimated it.
  private func total(_ answer: PortalClient.Answer) -> Int? {
    let result = answer.outline["result"]
    return result?["total_was_estimated"] == .bool(true) ? nil : result?["total"]?.integer
  }

  /// Returns whether a response shows that the portal accepts ranges: it says how to request the next page.
  private static func statesRanges(_ answer: PortalClient.Answer) -> Bool {
    let result = answer.outline["result"]
    return (result?["next_page"] ?? result?["_links"]?["next_page"]) != nil
  }

  private func hasRanges(_ items: [(String, String)], _ operation: String) async throws -> Bool {
    if let known = state.withLock(\.hasRanges) { return known }
    let answer = try await search(items + [("limit", "1")], operation: operation)
    let hasRanges = Self.statesRanges(answer)
    state.withLock { $0.hasRanges = hasRanges }
    return hasRanges
  }

  /// Returns the rows after a key by an offset that the page proves.
  private func provenPage(
    after key: Int64, size: Int, _ items: [(String, String)], _ operation: String
  ) async throws -> PortalPage {
    // More than the row before, because that may have been removed.
    let overlap = 16
    let guess = state.withLock { $0.guess?.key == key ? $0.guess?.offset : nil }
    // There are at most as many rows up to the key as its number says.
    var high = guess ?? Int(clamping: min(key, 1 << 30))
    var low = 0
    var offset = max(0, high - overlap)
    for _ in 0..<100 {
      try Task.checkCancellation()
      let answer = try await search(
        items + [("limit", String(size + overlap)), ("offset", String(offset))],
        operation: operation)
      let whole = try read(answer, after: nil, .refused)
      // Numbers are unique and begin with 1, so there are more of them up to a row than rows before it.
      if let first = whole.keys.first, first <= offset {
        throw FieldError(
          .disordered,
          "The row with the \(Self.key) \(first) can't be at the offset \(offset), so the portal ignores the "
            + "requested offset. The store is unchanged.", operation: operation)
      }
      if offset == 0 || whole.keys.first.map({ $0 <= key }) ?? false {
        var page = try read(answer, after: key, .skipped, limit: size)
        let end = offset + whole.rowCount
        let isEnd = total(answer).map { end >= $0 } ?? (whole.rowCount < size + overlap)
        if page.rowCount > 0 || isEnd {
          let start = whole.keys.partitioningIndex { $0 > key }
          note(page, startingAt: offset + start)
          // Never left to be guessed from the length of the page, which depends on the overlap.
          page.isLast =
            page.rowCount == 0 || total(answer) != nil && isEnd && whole.keys.count - start <= size
          return page
        }
        low = offset + max(1, whole.rowCount - overlap)
      } else {
        high = min(offset, total(answer) ?? offset)
      }
      // Rows may have moved across the bounds while they were looked for.
      if high <= low { high = low + size }
      offset = high - low > size ? low + (high - low) / 2 : low
    }
    throw FieldError(
      .noProgress,
      "The rows after the \(Self.key) \(key) can't be found, because the rows move faster than they can "
        + "be read. Try again later.", operation: operation)
  }

  private func note(_ page: PortalPage, startingAt offset: Int) {
    guard let last = page.keys.max() else { return }
    state.withLock { $0.guess = (last, offset + page.rowCount) }
  }

  private func read(
    _ answer: PortalClient.Answer, after key: Int64?, _ overlap: PortalPage.Overlap,
    limit: Int = .max
  ) throws -> PortalPage {
    var page = try PortalPage(
      reading: answer.body, as: .envelope(path: ["result", "records"]), key: Self.key, after: key,
      overlap: overlap, limit: limit)
    page.origin = answer.head.url
    page.serverDate = answer.serverDate
    if let fields = answer.outline["result"]?["fields"]?.elements,
      state.withLock({ $0.fields == nil })
    {
      state.withLock { $0.fields = fields.compactMap { $0["id"]?.string } }
    }
    return page
  }
}
