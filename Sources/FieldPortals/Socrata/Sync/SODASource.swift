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
  let condition: SoQL?
  let options: SyncOptions
  let operation: String

  /// The identifier of the dataset, the columns, the filter, and the version of the reader.
  var fingerprint: String {
    let query = SoQL.Query(select: reading.select, where: condition)
    let dataset = client.dataset
    let key: SoQL = "\(column: reading.keyColumn)"
    return
      "\(dataset.portal.absoluteString)/\(dataset.id) \(reading.version) \(key) \(query)"
  }

  func page(_ request: PageRequest) async throws -> Batch<Record> {
    // A star includes the key, whose name would be refused only with the IDs.
    _ = try SoQL("\(column: reading.keyColumn)").checked()
    let query = query(for: request, select: .list([reading.select, ":id, :updated_at"]))
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
      select: reading.keyColumn == ":id" ? ":id" : ":id, \(column: reading.keyColumn)")
    var (page, head) = try await client.ask(query, operation: "\(operation).keys") { _, body in
      try reading.keys(in: body)
    }
    fill(&page.facts, from: head, at: nil)
    return page
  }

  func count() async throws -> Int? {
    try await client.count(where: condition, operation: "\(operation).count")
  }

  // MARK: Queries

  func query(for request: PageRequest, select: SoQL) -> SoQL.Query {
    var conditions = condition.map { [$0] } ?? []
    let order: SoQL
    switch request.order {
    case .byChange:
      order = ":updated_at, :id"
      if let reached = request.position, let time = reached.stamp {
        conditions.append(
          reached.key.map { key in
            ":updated_at > \(time) OR :updated_at = \(time) AND :id > \(key)"
          } ?? ":updated_at > \(time)")
      }
    case .byKey(let from):
      order = ":id"
      if let from { conditions.append(":updated_at >= \(from)") }
      if let key = request.position?.key { conditions.append(":id > \(key)") }
    }
    return SoQL.Query(
      select: select, where: .all(conditions), order: order, limit: request.size)
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
    of reading: SODAReading<Record>, where condition: SoQL?, options: SyncOptions, operation: String
  ) -> any PagedSource<Record> {
    SODASource(
      client: self, reading: reading, condition: condition, options: options, operation: operation)
  }
}
