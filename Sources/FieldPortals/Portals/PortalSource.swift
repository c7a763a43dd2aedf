internal import FieldCore
internal import FieldFoundation

/// The rows of a portal's table as records, page by page or at once.
///
/// A portal other than Socrata's doesn't say which rows have changed. So each refresh reads all rows, unless the portal states
/// the version of the rows and it is the stored one. An interrupted refresh is continued, and removed rows are then found by their
/// IDs.
struct PortalSource<Record: StoredRecord & RowReadable>: PagedSource {
  let table: any PortalTable
  var options: SyncOptions
  var operation: String

  var fingerprint: String { "\(table.reader) \(table.address.absoluteString)" }
  /// The order is that of a key, which a change doesn't affect.
  var findsChanges: Bool { false }

  func page(_ request: PageRequest) async throws -> Batch<Record> {
    let last = try position(request)
    let address = table.address.absoluteString
    let version = try await table.version(isNew: last == nil)
    if last == nil, let version, request.validators[address]?.entityTag == version {
      return .notModified(
        validators: [address: HTTPValidators(entityTag: version)], origin: table.address)
    }
    let page = try await table.page(
      after: last, size: request.size, operation: "\(operation).page")
    var batch = try page.batch(of: Record.self)
    if let version { batch.facts.validators = [address: HTTPValidators(entityTag: version)] }
    batch.facts.dataVersion = version
    if last != nil, version != nil, page.isLast ?? (page.rowCount == 0) {
      // If rows have changed since the first page, removed ones are found by their IDs.
      batch.facts.dataVersion = try await table.version(isNew: true)
    }
    return batch
  }

  func keys(_ request: PageRequest) async throws -> KeyPage<Record.ID> {
    guard let column = Record.keyColumn else {
      let page = try await page(request)
      return KeyPage(
        ids: page.records.map(\.id) + page.failedIDs,
        hasUnreadableIDs: page.failures.count > page.failedIDs.count, facts: page.facts)
    }
    let page = try await table.keys(
      after: try position(request), size: request.size, of: column, operation: "\(operation).keys")
    var ids: [Record.ID] = []
    var isUnreadable = !page.failures.isEmpty
    if !page.indexes.isEmpty {
      ids.reserveCapacity(page.indexes.count)
      let summary = try RowReader.forEachRow(
        of: page.rows, columns: [column], key: 0, format: .jsonArray
      ) { row throws(RowProblem) in
        guard let id = row.id(0).flatMap(Record.id(ofKey:)) else {
          throw RowProblem("it has no ID")
        }
        ids.append(id)
      }
      isUnreadable = isUnreadable || !summary.failures.isEmpty
    }
    return KeyPage(ids: ids, hasUnreadableIDs: isUnreadable, facts: page.facts())
  }

  func count() async throws -> Int? { try await table.count(operation: "\(operation).count") }

  private func position(_ request: PageRequest) throws -> Int64? {
    guard let key = request.position?.key else { return nil }
    guard let number = Int64(key) else {
      throw FieldError(.invalidInput, "\"\(key)\" isn't a position of \(table.reader).")
    }
    return number
  }
}

extension PagedSource {
  /// Returns the rows of all pages.
  func wholeBatch(_ request: RecordRequest) async throws -> Batch<Record> {
    var whole: Batch<Record>?
    var next = PageRequest(
      order: .byKey(changedFrom: nil), size: options.pageSize, validators: request.validators)
    for _ in 0..<options.pageLimit {
      try Task.checkCancellation()
      let page = try await page(next)
      guard var known = whole else {
        if page.facts.isNotModified { return page }
        request.willRead()
        whole = page
        if page.facts.rowCount == 0 || page.facts.isLast ?? false { return page }
        next.position = page.facts.end
        continue
      }
      known.append(page)
      whole = known
      if page.facts.rowCount == 0 || page.facts.isLast ?? false { return known }
      guard page.facts.end != next.position else { break }
      next.position = page.facts.end
    }
    throw FieldError(
      .unboundedPagination,
      "The pages of the portal never end. Check the URL, or increase the limit of pages.")
  }
}
