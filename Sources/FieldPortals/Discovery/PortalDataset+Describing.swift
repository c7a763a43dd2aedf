public import FieldCore
internal import FieldFoundation

extension PortalDataset {
  /// Asks the portal what the dataset is.
  ///
  /// This takes one through four requests. An ArcGIS Hub site, or a CKAN portal's page of a dataset, is asked which service or
  /// resource has the rows: the first one that does.
  ///
  /// - Parameters:
  ///   - transport: The transport to send requests with, which is used as it is.
  ///   - token: The source of the token; `nil` sends none.
  ///   - clock: The clock to wait with.
  /// - Throws: `FieldError` with the code `portal.unsupported` if the dataset has no rows.
  public func describe(
    over transport: any Transport, token: PortalToken? = nil, clock: any FieldClock = .system
  ) async throws -> PortalDescription {
    let client = PortalClient(family: family, transport: transport, token: token, clock: clock)
    return switch place {
    case .socrata(let dataset):
      try await socrata(
        dataset, SODAClient(dataset, transport: transport, token: token, clock: clock))
    case .arcGIS(let url): try await layer(url, nil, item: nil, client)
    case .arcGISItem(let id, let layer): try await item(id, layer: layer, client)
    case .hub(let root, let slug): try await hub(root, slug, client)
    case .ckanDataset(let root, let id): try await ckanDataset(root, id, client)
    case .ckanResource(let root, let id): try await ckanResource(root, id, client)
    case .openDataSoft(let root, let id): try await openDataSoft(root, id, client)
    case .taipei(let root, let dataset): try await taipei(root, dataset, over: transport)
    }
  }

  static let operation = "portal.description"

  static func unsupported(_ text: String) -> FieldError {
    FieldError(.portalUnsupported, text, operation: operation)
  }

  /// Returns the moment in a text that states none or its zone, or that of milliseconds.
  static func date(_ value: JSONValue?) -> Date? {
    if case .number = value {
      return value?.int64.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
    return value?.string.flatMap { TimestampParser(zone: .utc).instant($0)?.date }
  }

  // MARK: Socrata

  private func socrata(
    _ dataset: SODADataset, _ client: SODAClient
  ) async throws -> PortalDescription {
    let view = try await client.document(at: dataset.metadata, operation: Self.operation)
    let metadata = try SODAMetadata(view, operation: Self.operation)
    let count = try await client.count(where: nil, operation: "portal.count")
    let page = dataset.portal.appending(path: "d/\(dataset.id)")
    return PortalDescription(
      family: family, name: metadata.name, summary: view["description"]?.string?.withoutTags ?? "",
      columns: metadata.columns,
      rowCount: count, updatedAt: metadata.rowsUpdatedAt ?? metadata.lastModified,
      dataSource: DataSource(
        portal: metadata.name,
        publisher: view["attribution"]?.string ?? view["owner"]?["displayName"]?.string, page: page,
        license: view["license"]?["name"]?.string ?? view["licenseId"]?.string, attribution: nil),
      url: dataset.resource, rows: .socrata(dataset))
  }

  // MARK: ArcGIS

  private func layer(
    _ url: URL, _ number: Int?, item: JSONValue?, _ client: PortalClient
  ) async throws -> PortalDescription {
    let answer = try await client.ask(url, [("f", "json")], operation: Self.operation).outline
    guard answer["fields"]?.elements != nil else {
      return try await layer(Self.layer(number, of: answer, at: url), nil, item: item, client)
    }
    let description = try ArcGISDescription(answer, at: url)
    let table = ArcGISTable(url, client: client)
    let count = try await table.count(operation: "portal.count")
    let name = item?["title"]?.string ?? description.name
    let credit = description.copyright.nonEmpty ?? item?["accessInformation"]?.string
    return PortalDescription(
      family: family, name: name,
      summary: (item?["description"]?.string ?? description.summary).withoutTags,
      columns: description.fields.map {
        PortalColumn(name: $0.name, title: $0.title, type: $0.type)
      },
      rowCount: count,
      updatedAt: description.editedAt.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        ?? Self.date(item?["modified"]),
      dataSource: DataSource(
        portal: name, publisher: credit?.withoutTags ?? item?["owner"]?.string, page: address,
        license: item?["licenseInfo"]?.string?.withoutTags, attribution: credit?.withoutTags),
      url: url, rows: .arcGIS(url))
  }

  /// Returns the URL of a layer of a service: the one with a number, or the only one.
  private static func layer(_ number: Int?, of service: JSONValue, at url: URL) throws -> URL {
    let layers = ["layers", "tables"].flatMap { service[$0]?.elements ?? [] }
    let choices = layers.filter { $0["subLayerIds"]?.elements == nil }
    let known = layers.compactMap { $0["id"]?.integer }
    if let number, known.contains(number) { return url.appending(path: String(number)) }
    guard choices.count == 1, let only = choices[0]["id"]?.integer,
      Int(url.lastPathComponent) == nil
    else {
      let names = choices.prefix(20).map {
        "\($0["id"]?.integer.map { String($0) } ?? "?"): \($0["name"]?.string ?? "")"
      }
      throw unsupported(
        names.isEmpty
          ? "\(url.absoluteString) has no layer with rows."
          : "\(url.absoluteString) has several layers. Add the number of one: "
            + names.joined(separator: ", ") + ".")
    }
    return url.appending(path: String(only))
  }

  private func item(
    _ id: String, layer number: Int?, _ client: PortalClient
  ) async throws -> PortalDescription {
    // Items of an enterprise portal are described by itself, all others by ArcGIS Online.
    let text = address.absoluteString
    let base: URL
    if let end = text.range(ofFirst: "/home/item.html") ?? text.range(ofFirst: "/sharing/rest/") {
      base = URL(string: String(text[..<end])) ?? Self.online
    } else {
      base = Self.online
    }
    let url = base.appending(path: "sharing/rest/content/items/\(id)")
    let item = try await client.ask(url, [("f", "json")], operation: Self.operation).outline
    guard let service = item["url"]?.string.flatMap({ URL(string: $0) }) else {
      throw Self.unsupported(
        "The item \(id) is a \(item["type"]?.string ?? "page"), not a service with rows.")
    }
    return try await layer(ArcGISTable.layer(of: service), number ?? 0, item: item, client)
  }

  private static let online = URL(literal: "https://www.arcgis.com")

  private func hub(
    _ root: URL, _ slug: String, _ client: PortalClient
  ) async throws -> PortalDescription {
    let answer = try await client.ask(
      root.appending(path: "api/v3/datasets"), [("filter[slug]", slug)],
      operation: Self.operation
    ).outline
    guard let found = answer["data"]?.elements?.first,
      let service = found["attributes"]?["url"]?.string.flatMap({ URL(string: $0) })
    else { throw Self.unsupported("The site has no dataset \(slug) with rows.") }
    var item: JSONValue = ["title": found["attributes"]?["name"] ?? .null]
    for (name, key) in [
      ("description", "description"), ("licenseInfo", "licenseInfo"), ("owner", "owner"),
      ("accessInformation", "source"), ("modified", "modified"),
    ] { item[name] = found["attributes"]?[key] }
    return try await layer(ArcGISTable.layer(of: service), nil, item: item, client)
  }

  // MARK: OpenDataSoft

  private func openDataSoft(
    _ root: URL, _ id: String, _ client: PortalClient
  ) async throws -> PortalDescription {
    let url = OpenDataSoftTable.address(of: id, at: root)
    let answer = try await client.ask(url, operation: Self.operation).outline
    let dataset = try OpenDataSoftDescription(answer, operation: Self.operation)
    guard dataset.hasRecords else {
      throw Self.unsupported("The dataset \(id) has no rows, only files or links.")
    }
    let name = dataset.metas["title"]?.string ?? id
    let credits = dataset.metas["attributions"]?.elements?.compactMap(\.string)
    return PortalDescription(
      family: family, name: name, summary: dataset.metas["description"]?.string?.withoutTags ?? "",
      columns: dataset.fields,
      rowCount: dataset.rowCount, updatedAt: dataset.updatedAt,
      dataSource: DataSource(
        portal: name, publisher: dataset.metas["publisher"]?.string,
        page: root.appending(path: "explore/dataset/\(id)"),
        license: dataset.metas["license"]?.string ?? dataset.metas["license_url"]?.string,
        attribution: credits?.joined(separator: ", ")),
      url: url, rows: .openDataSoft(root, id))
  }
}

extension String {
  /// Returns the place where a text first appears.
  fileprivate func range(ofFirst text: String) -> String.Index? {
    ranges(of: text).first?.lowerBound
  }
}
