internal import FieldCore
internal import FieldFoundation

/// A layer or a table of an ArcGIS feature service, or of a map service with the capability `Query`.
///
/// Pages are the rows after an object ID, in the order of these IDs. Services that don't order rows, that fail to, or that don't return
/// their IDs in rows, are asked for all IDs first, and then for the rows between two of them.
final class ArcGISTable: PortalTable {
  let address: URL
  private let client: PortalClient
  private let state = Lock(State())

  private struct State {
    var description: ArcGISDescription?
    /// The object IDs in order, for services that don't order rows.
    var ids: [Int64]?
    /// Whether the service has failed to order rows, although it states that it can.
    var isUnordered = false
    /// Whether rows don't contain their object ID.
    var isKeyless = false
    /// The number of rows that the service has been seen to return at most.
    var windowLimit = Int.max
  }

  init(_ address: URL, client: PortalClient) {
    self.address = address
    self.client = client
  }

  var reader: String { "arcgis/1" }

  /// Returns the URL of a layer without a query.
  static func layer(of url: URL) -> URL {
    var text = String(url.absoluteString.prefix { $0 != "?" && $0 != "#" })
    while text.hasSuffix("/") { text.removeLast() }
    if text.lowercased().hasSuffix("/query") { text.removeLast("/query".count) }
    return URL(string: text) ?? url
  }

  func version(isNew: Bool) async throws -> String? {
    try await description(isNew: isNew).editedAt.map { String($0) }
  }

  /// Returns the description of the layer, from an earlier response unless a new one is needed.
  func description(
    isNew: Bool = false, operation: String = "arcgis.layer"
  ) async throws -> ArcGISDescription {
    if !isNew, let known = state.withLock(\.description) { return known }
    let answer = try await client.ask(address, [("f", "json")], operation: operation)
    let description = try ArcGISDescription(answer.outline, at: address)
    state.withLock { $0.description = description }
    return description
  }

  func page(after key: Int64?, size: Int, operation: String) async throws -> PortalPage {
    try await page(after: key, size: size, fields: nil, operation: operation)
  }

  func keys(
    after key: Int64?, size: Int, of column: RowColumn, operation: String
  ) async throws -> PortalPage {
    let layer = try await description()
    guard let name = column.field(among: layer.fields.map(\.name)) else {
      return try await page(after: key, size: size, operation: operation)
    }
    guard name == layer.keyField else {
      let fields = [layer.keyField, name]
      return try await page(after: key, size: size, fields: fields, operation: operation)
    }
    var page = PortalPage()
    page.keys = try await objectIDs(operation: operation)
    page.indexes = Array(page.keys.indices)
    page.isLast = true
    let quoted = JSONValue.string(name).canonicalText
    let rows = page.keys.map { "{\(quoted):\($0)}" }.joined(separator: ",")
    page.rows = Array("[\(rows)]".utf8)
    return page
  }

  func count(operation: String) async throws -> Int? {
    try await query([("where", "1=1"), ("returnCountOnly", "true")], operation: operation)
      .outline["count"]?.integer
  }

  // MARK: Queries

  private var queryURL: URL { address.appending(path: "query") }

  private func query(
    _ items: [(name: String, value: String)], rows: String? = nil, operation: String
  ) async throws -> PortalClient.Answer {
    try await client.ask(queryURL, items + [("f", "json")], rows: rows, operation: operation)
  }

  /// Returns the IDs of all rows, in order. Services don't limit their number.
  private func objectIDs(
    where condition: String = "1=1", operation: String
  ) async throws -> [Int64] {
    let answer = try await query(
      [("where", condition), ("returnIdsOnly", "true")], operation: operation)
    let given = answer.outline["objectIds"] ?? answer.outline["properties"]?["objectIds"]
    switch given {
    case .array(let elements):
      let ids = elements.compactMap(ArcGISDescription.int64)
      guard ids.count == elements.count else { break }
      return Set(ids).sorted()
    // A service without rows has no IDs.
    case .null: return []
    default: break
    }
    throw FieldError(
      .notData, "The service didn't respond to a request for object IDs with a list of numbers.",
      operation: operation)
  }

  private func page(
    after key: Int64?, size: Int, fields: [String]?, operation: String
  ) async throws -> PortalPage {
    let layer = try await description()
    let size = max(1, min(size, layer.pageLimit ?? size))
    guard layer.isOrdered, !state.withLock({ $0.isUnordered || $0.isKeyless }) else {
      return try await window(after: key, size: size, fields, layer, operation)
    }
    var items = [
      ("where", key.map { "\(layer.keyField) > \($0)" } ?? "1=1"),
      ("orderByFields", layer.keyField),
    ]
    if layer.isLimited { items.append(("resultRecordCount", String(size))) }
    let answer: PortalClient.Answer
    do {
      answer = try await query(
        items + selection(fields, layer), rows: "features", operation: operation)
    } catch let error as FieldError where error.code == .portalQuery {
      state.withLock { $0.isUnordered = true }
      return try await window(after: key, size: size, fields, layer, operation)
    }
    var page = try read(answer, layer, after: key, isOrdered: true)
    if page.keys.isEmpty, !page.failures.isEmpty {
      state.withLock { $0.isKeyless = true }
      return try await window(after: key, size: size, fields, layer, operation)
    }
    let isExceeded = isExceeded(answer)
    guard !isExceeded || page.rowCount > 0 else {
      throw FieldError(
        .datasetIncomplete,
        "The service stated that there are more rows, but sent none. Try again later.",
        operation: operation)
    }
    page.isLast = isExceeded ? false : nil
    return page
  }

  private func selection(
    _ fields: [String]?, _ layer: ArcGISDescription
  ) -> [(name: String, value: String)] {
    guard let fields else {
      var items = [("outFields", "*"), ("returnGeometry", "true"), ("outSR", "4326")]
      if layer.hasZ { items.append(("returnZ", "true")) }
      return items
    }
    return [("outFields", fields.joined(separator: ",")), ("returnGeometry", "false")]
  }

  private func isExceeded(_ answer: PortalClient.Answer) -> Bool {
    let stated =
      answer.outline["exceededTransferLimit"]
      ?? answer.outline["properties"]?["exceededTransferLimit"]
    return stated == .bool(true)
  }

  private func read(
    _ answer: PortalClient.Answer, _ layer: ArcGISDescription, after key: Int64?, isOrdered: Bool,
    isKeyRequired: Bool = true
  ) throws -> PortalPage {
    let reference = EsriReference(answer.outline["spatialReference"])
    let rows = ArcGISRows(layer, reference: reference)
    var page = try PortalPage(
      reading: answer.body, as: .geoJSON, key: layer.keyField, after: key, isOrdered: isOrdered,
      isKeyRequired: isKeyRequired
    ) { rows.append($0, to: &$1) }
    if case .unknown(let name) = reference {
      page.notices = [
        RefreshReport.Notice(
          .portalUnknownReference,
          "The shapes are in the coordinate system \(name.prefix(100)), which can't be converted, so the "
            + "records have no location.")
      ]
    }
    page.origin = answer.head.url
    page.serverDate = answer.serverDate
    return page
  }

  /// Returns the rows between two IDs, for a service that doesn't order rows.
  private func window(
    after key: Int64?, size: Int, _ fields: [String]?, _ layer: ArcGISDescription,
    _ operation: String
  ) async throws -> PortalPage {
    var ids = key == nil ? nil : state.withLock(\.ids)
    var isNew = false
    if ids == nil {
      let found = try await objectIDs(operation: operation)
      state.withLock { $0.ids = found }
      (ids, isNew) = (found, true)
    }
    var known = ids ?? []
    var start = key.map { key in known.partitioningIndex { $0 > key } } ?? 0
    let isKeyRequired = !state.withLock(\.isKeyless)
    while true {
      if start == known.count {
        // Rows may have been added since, or all may have been replaced.
        let more = isNew ? [] : try await objectIDs(after: known.last ?? key, layer, operation)
        if more.isEmpty { break }
        known += more
        state.withLock { [known] in $0.ids = known }
        isNew = true
      }
      let limit = min(size, state.withLock(\.windowLimit))
      let end = start + min(limit, known.count - start)
      let range = "\(layer.keyField) >= \(known[start]) AND \(layer.keyField) <= \(known[end - 1])"
      let answer = try await query(
        [("where", range)] + selection(fields, layer), rows: "features", operation: operation)
      var page = try read(
        answer, layer, after: key, isOrdered: false, isKeyRequired: isKeyRequired)
      var isCut = isExceeded(answer)
      if !isCut { isCut = try await lacks(known[start..<end], in: page, range, operation) }
      if isCut {
        guard limit > 1 else {
          throw FieldError(
            .portalQuery, "The service can't return a single row.", operation: operation)
        }
        let next = max(1, min(limit / 2, page.rowCount))
        state.withLock { $0.windowLimit = next }
        continue
      }
      page.end = known[end - 1]
      page.isLast = false
      page.announcedCount = known.count
      // All rows of the window may have been removed, which isn't the end.
      if page.rowCount > 0 { return page }
      (start, isNew) = (end, false)
    }
    var page = PortalPage()
    page.isLast = true
    return page
  }

  /// Returns the IDs after one.
  private func objectIDs(
    after last: Int64?, _ layer: ArcGISDescription, _ operation: String
  ) async throws -> [Int64] {
    guard let last else { return try await objectIDs(operation: operation) }
    let found = try await objectIDs(
      where: "\(layer.keyField) > \(last)", operation: operation)
    return found.filter { $0 > last }
  }

  /// Returns whether a page lacks rows that still exist: old services cut a response without a word.
  ///
  /// - Parameters:
  ///   - ids: The object IDs of the rows that were requested.
  ///   - condition: The condition of the request.
  private func lacks(
    _ ids: ArraySlice<Int64>, in page: PortalPage, _ condition: String, _ operation: String
  ) async throws -> Bool {
    let keys = Set(page.keys)
    guard max(keys.count, page.rowCount) < ids.count, keys.isSubset(of: ids) else { return false }
    let left = try await objectIDs(where: condition, operation: operation)
    // Rows without their object IDs can only be counted.
    return keys.isEmpty ? left.count > page.rowCount : left.contains { !keys.contains($0) }
  }
}

extension RowColumn {
  /// Returns the name of a portal's field that the column stands for.
  func field(among fields: [String]) -> String? {
    for name in names {
      if let exact = fields.first(where: { $0 == name }) { return exact }
    }
    let names = names.map { $0.lowercased() }
    return fields.first { names.contains($0.lowercased()) }
  }
}
