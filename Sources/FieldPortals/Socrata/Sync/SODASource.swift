package import FieldCore
internal import FieldFoundation

/// A portal's dataset, or a part of one, as pages of records.
///
/// Pages are requested by keyset: the rows whose `:updated_at` is later than that of the last row,
/// or equal with a greater `:id`. Offsets drift if rows move while pages are read, but keysets
/// don't. The portal orders `:id` by a number that its text doesn't reveal, so only the portal
/// compares IDs.
struct SODASource<Record: StoredRecord>: PagedSource {
  let client: SODAClient
  let reading: SODAReading<Record>
  let condition: SoQL.Condition
  let filters: [SoQL.Filter]
  let options: SyncOptions
  let operation: String

  /// The identifier of the dataset, the columns, the filter, and the version of the reader.
  var fingerprint: String {
    var query = SoQL.Query(select: reading.selection, filters: filters)
    query.where = whereClause(condition)
    let dataset = client.dataset
    return
      "\(dataset.portal.absoluteString)/\(dataset.id) \(reading.version) \(reading.keyColumn) \(query.statement)"
  }

  func page(_ request: PageRequest) async throws -> Batch<Record> {
    let query = query(
      for: request, select: reading.selection + [.column(.id), .column(.updatedAt)])
    let address = try client.address(of: query)
    var (page, head) = try await client.ask(
      query, operation: "\(operation).page", validators: request.validators,
      notModified: {
        Batch(records: [], facts: PageMetadata(rowCount: 0, isNotModified: true))
      },
      read: { _, body in try reading.page(in: body, after: request) })
    fill(&page.facts, from: head, at: address)
    if page.facts.isNotModified {
      page.facts.validators = request.validators.filter { $0.key == address }
    }
    return page
  }

  func keys(_ request: PageRequest) async throws -> KeyPage<Record.ID> {
    let query = query(
      for: request,
      select: reading.keyColumn == .id
        ? [.column(.id)] : [.column(.id), .column(reading.keyColumn)])
    var (page, head) = try await client.ask(query, operation: "\(operation).keys") { _, body in
      try reading.keys(in: body)
    }
    fill(&page.facts, from: head, at: nil)
    return page
  }

  func count() async throws -> Int? {
    try await client.count(
      where: whereClause(condition), filters: filters, operation: "\(operation).count")
  }

  // MARK: Queries

  func query(for request: PageRequest, select: [SoQL.Selection]) -> SoQL.Query {
    let id = SoQL.column(.id)
    let stamp = SoQL.column(.updatedAt)
    var condition = condition
    let order: [SoQL.Ordering]
    switch request.order {
    case .byChange:
      order = [stamp.ascending, id.ascending]
      if let reached = request.position, let time = reached.stamp {
        let text = SoQL.Value.fixedTimestamp(verbatim: time)
        let later = stamp > text
        condition =
          condition && (reached.key.map { later || stamp == text && id > .text($0) } ?? later)
      }
    case .byKey(let from):
      order = [id.ascending]
      if let from { condition = condition && stamp >= .fixedTimestamp(verbatim: from) }
      if let key = request.position?.key { condition = condition && id > .text(key) }
    }
    return SoQL.Query(
      select: select, where: whereClause(condition), order: order, limit: request.size,
      filters: filters)
  }

  private func whereClause(_ condition: SoQL.Condition) -> SoQL.Condition? {
    condition == .always ? nil : condition
  }

  /// Adds the information in the head of a response.
  private func fill(
    _ facts: inout PageMetadata, from head: TransportResponse.Head, at address: String?
  ) {
    facts.dataVersion = head.fields["X-SODA2-Truth-Last-Modified"]
    facts.announcedCount = head.fields["X-SODA2-Row-Count"].flatMap { Int($0) }
    facts.serverDate = client.date(of: head)
    facts.origin = head.url ?? client.dataset.resource
    if let address, client.dataset.version != .v3, let known = HTTPValidators(head.fields) {
      facts.validators = [address: known]
    }
    facts.notices = client.notices
  }
}

extension SODAClient {
  /// Returns the dataset, or the part of it that meets a condition, as pages of records.
  package func source<Record: StoredRecord>(
    of reading: SODAReading<Record>, where condition: SoQL.Condition?, filters: [SoQL.Filter] = [],
    options: SyncOptions, operation: String
  ) -> any PagedSource<Record> {
    SODASource(
      client: self, reading: reading, condition: condition ?? .always, filters: filters,
      options: options, operation: operation)
  }
}
