public import FieldCore
public import FieldFoundation

/// A dataset on a portal of any family, found by the address of its page or of its API.
///
/// ```swift
/// let dataset = try PortalDataset(URL(string: "https://data.example.org/dataset/trees")!)
/// let description = try await dataset.describe(over: transport)
/// print(description.name, description.rowCount as Any, description.dataSource.license)
/// let trees = Catalog<Tree>("trees", sources: [description.rows(transport: transport)], storage: storage)
/// ```
///
/// The family is recognized by the path alone, without a request:
///
/// | Family | Pages | APIs |
/// |---|---|---|
/// | Socrata | `/Category/Name/abcd-1234`, `/d/abcd-1234` | `/resource/abcd-1234.json`, `/api/views/abcd-1234` |
/// | ArcGIS | `/datasets/owner::name` and `/datasets/0123…_0` of Hub, `/home/item.html?id=0123…` | `/FeatureServer/0`, `/MapServer/3/query` |
/// | CKAN | `/dataset/name`, `/dataset/name/resource/…` | `/api/3/action/datastore_search?resource_id=…`, `/datastore/dump/…` |
/// | OpenDataSoft | `/explore/dataset/name` | `/api/explore/v2.1/catalog/datasets/name` |
/// | data.taipei | `/dataset/detail?id=…`, if it is one of ``TaipeiDataset`` | `/api/v1/dataset/…?scope=resourceAquire` |
public struct PortalDataset: Sendable, Hashable, CustomStringConvertible {
  /// The place of a dataset, as far as its address names it.
  enum Place: Sendable, Hashable {
    case socrata(SODADataset)
    /// A layer, or a service whose layer is still to be found.
    case arcGIS(URL)
    /// An item of ArcGIS Online, with the number of a layer.
    case arcGISItem(String, layer: Int?)
    /// A page of a Hub site by its name.
    case hub(URL, slug: String)
    case ckanDataset(URL, String)
    case ckanResource(URL, String)
    case openDataSoft(URL, String)
    case taipei(URL, TaipeiDataset)
  }

  /// The family of the portal.
  public let family: PortalFamily
  /// The address that the dataset was found by.
  public let address: URL
  let place: Place

  /// Creates the dataset that an address belongs to, without a request.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the address belongs to no dataset of a known family.
  public init(_ address: URL) throws {
    guard let root = SODADataset.root(of: address) else {
      throw FieldError(.invalidInput, "\(address.absoluteString) isn't a portal's URL.")
    }
    self.address = address
    let path = address.path.split(separator: "/").map(String.init)
    let query = QueryReader(address)
    guard
      let place = Self.taipei(root, path, query) ?? Self.service(address, path)
        ?? Self.openDataSoft(root, path, query) ?? Self.item(path, query)
        ?? Self.socrata(address) ?? Self.ckan(root, path, query) ?? Self.hub(root, path)
    else {
      throw FieldError(
        .invalidInput,
        "\(address.absoluteString) isn't recognized as a dataset of Socrata, ArcGIS, CKAN, "
          + "OpenDataSoft, or data.taipei. Use the URL of a dataset's page or API.")
    }
    self.place = place
    family =
      switch place {
      case .socrata: .socrata
      case .arcGIS, .arcGISItem, .hub: .arcGIS
      case .ckanDataset, .ckanResource: .ckan
      case .openDataSoft: .openDataSoft
      case .taipei: .taipei
      }
  }

  /// The family and the address.
  public var description: String { "\(family): \(address.absoluteString)" }

  // MARK: Recognizing

  private static func service(_ url: URL, _ path: [String]) -> Place? {
    let services = ["featureserver", "mapserver"]
    guard let index = path.firstIndex(where: { services.contains($0.lowercased()) }) else {
      return nil
    }
    var count = index + 1
    if path.indices.contains(count), Int(path[count]) != nil { count += 1 }
    let text = String(url.absoluteString.prefix { $0 != "?" && $0 != "#" })
    var parts = text.split(separator: "/", omittingEmptySubsequences: false)
    while parts.last?.isEmpty == true { parts.removeLast() }
    parts.removeLast(max(0, path.count - count))
    return URL(string: parts.joined(separator: "/")).map(Place.arcGIS)
  }

  private static func openDataSoft(_ root: URL, _ path: [String], _ query: QueryReader) -> Place? {
    let names = path.map { $0.lowercased() }
    func after(_ words: [String]) -> Place? {
      for start in names.indices
      where names[start...].starts(with: words) && path.indices.contains(start + words.count) {
        return .openDataSoft(root, path[start + words.count])
      }
      return nil
    }
    if names.starts(with: ["api", "explore"]) { return after(["catalog", "datasets"]) }
    if names.starts(with: ["api", "records"]) {
      return query["dataset"].map { .openDataSoft(root, $0) }
    }
    return after(["explore", "dataset"]) ?? after(["explore", "embed", "dataset"])
      ?? after(["explore", "assets"])
  }

  private static func item(_ path: [String], _ query: QueryReader) -> Place? {
    if path.last == "item.html" || path.contains("mapviewer") || path.contains("webmap") {
      return (query["id"] ?? query["layers"]).flatMap { itemPlace($0) }
    }
    if let index = path.firstIndex(of: "items"), path.contains("content"),
      path.indices.contains(index + 1)
    {
      return itemPlace(path[index + 1])
    }
    guard path.count >= 2 else { return nil }
    return ["datasets", "maps"].contains(path[0]) ? itemPlace(path[1]) : nil
  }

  /// Returns the item of an ID, such as `0123456789abcdef0123456789abcdef_0`.
  private static func itemPlace(_ text: String) -> Place? {
    let parts = text.split(separator: "_", maxSplits: 1)
    guard let id = parts.first, id.utf8.count == 32,
      id.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || 97...102 ~= $0 })
    else { return nil }
    return .arcGISItem(String(id), layer: parts.count == 2 ? Int(parts[1]) : nil)
  }

  private static func socrata(_ url: URL) -> Place? {
    do {
      return .socrata(try SODADataset(url))
    } catch {
      return nil
    }
  }

  private static func ckan(_ root: URL, _ path: [String], _ query: QueryReader) -> Place? {
    func portal(before index: Int) -> URL {
      // A page has the language before it, but the API doesn't.
      let parts = path[..<index].filter { !isLanguage($0) }
      return parts.isEmpty ? root : root.appending(path: parts.joined(separator: "/"))
    }
    if let index = path.firstIndex(of: "action"), path.indices.contains(index + 1),
      let api = path.firstIndex(of: "api")
    {
      let id = query["resource_id"] ?? query["id"]
      return id.map {
        path[index + 1] == "package_show"
          ? .ckanDataset(portal(before: api), $0) : .ckanResource(portal(before: api), $0)
      }
    }
    if let index = path.firstIndex(of: "datastore"), path.count > index + 2,
      path[index + 1] == "dump"
    {
      return .ckanResource(portal(before: index), path[index + 2])
    }
    guard let index = path.firstIndex(of: "dataset"), path.indices.contains(index + 1) else {
      return nil
    }
    if path.count > index + 3, path[index + 2] == "resource" {
      return .ckanResource(portal(before: index), path[index + 3])
    }
    return .ckanDataset(portal(before: index), path[index + 1])
  }

  /// Returns whether a part of a path is a language, such as `en` or `pt_BR`.
  static func isLanguage(_ text: String) -> Bool {
    let parts = text.split { $0 == "_" || $0 == "-" }
    return (1...2).contains(parts.count)
      && parts.allSatisfy { (2...4).contains($0.count) && $0.allSatisfy(\.isLetter) }
      && parts[0].count == 2
  }

  private static func hub(_ root: URL, _ path: [String]) -> Place? {
    guard path.count >= 2, ["datasets", "maps"].contains(path[0]) else { return nil }
    return .hub(root, slug: path[1])
  }
}

/// The parameters of an address.
struct QueryReader {
  private var items: [(name: String, value: String)] = []

  init(_ url: URL) {
    let text = url.absoluteString
    guard let start = text.firstIndex(of: "?") else { return }
    let query = text[text.index(after: start)...].prefix { $0 != "#" }
    items = query.split(separator: "&").map { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count == 2 ? PercentEncoding.decoded(pair[1].replacing("+", with: " ")) : ""
      return (PercentEncoding.decoded(pair[0]), value)
    }
  }

  subscript(name: String) -> String? {
    items.first { $0.name == name && !$0.value.isEmpty }?.value
  }
}

// MARK: - CKAN

extension PortalDataset {
  func ckanDataset(
    _ root: URL, _ id: String, _ client: PortalClient
  ) async throws -> PortalDescription {
    let package = try await action("package_show", id, root, client)
    let resources = package["resources"]?.elements ?? []
    guard
      let resource = resources.first(where: { $0["datastore_active"] == .bool(true) })
        ?? resources.first(where: { Self.file(of: $0) != nil })
    else {
      let formats = resources.compactMap { $0["format"]?.string }.uniqued().prefix(10)
      throw Self.unsupported(
        "None of the \(resources.count) resources of \(id) has rows"
          + (formats.isEmpty ? "." : ": they are \(formats.joined(separator: ", "))."))
    }
    return try await describe(resource, of: package, root, client)
  }

  func ckanResource(
    _ root: URL, _ id: String, _ client: PortalClient
  ) async throws -> PortalDescription {
    let resource = try await action("resource_show", id, root, client)
    let package =
      if let id = resource["package_id"]?.string {
        try await action("package_show", id, root, client)
      } else { JSONValue.null }
    return try await describe(resource, of: package, root, client)
  }

  private func action(
    _ name: String, _ id: String, _ root: URL, _ client: PortalClient
  ) async throws -> JSONValue {
    let answer = try await client.ask(
      root.appending(path: "api/3/action/\(name)"), [("id", id)], operation: Self.operation)
    guard let result = answer.outline["result"] else {
      throw FieldError(
        .notData, "The response isn't that of a CKAN portal: `result` is missing.",
        operation: Self.operation)
    }
    return result
  }

  /// The formats of files that can be read.
  private static let formats = [
    "csv", "tsv", "json", "geojson", "ndjson", "jsonl", "json lines", "text/csv",
    "application/json", "application/geo+json",
  ]

  /// Returns the URL of a resource's file, if it is in a format with rows.
  private static func file(of resource: JSONValue) -> URL? {
    guard let url = resource["url"]?.string.flatMap({ URL(string: $0) }), url.scheme != nil else {
      return nil
    }
    // Some portals state the ending of the file: `.csv`.
    let stated = resource["format"]?.string.map { String($0.lowercased().drop { $0 == "." }) }
    let ending = url.pathExtension.lowercased()
    return formats.contains(stated?.nonEmpty ?? ending) ? url : nil
  }

  private func describe(
    _ resource: JSONValue, of package: JSONValue, _ root: URL, _ client: PortalClient
  ) async throws -> PortalDescription {
    let id = resource["id"]?.string ?? ""
    let slug = package["name"]?.string ?? package["id"]?.string
    let name = package["title"]?.string?.nonEmpty ?? resource["name"]?.string ?? id
    let updatedAt =
      ["last_modified", "metadata_modified", "created"].lazy
      .compactMap { Self.date(resource[$0]) }.first ?? Self.date(package["metadata_modified"])
    let columns: [PortalColumn], rowCount: Int?
    let url: URL, rows: PortalDescription.Rows
    if resource["datastore_active"] == .bool(true) {
      let table = CKANTable(root: root, resource: id, client: client)
      (columns, rowCount) = try await table.columns(operation: "portal.columns")
      (url, rows) = (root.appending(path: "datastore/dump/\(id)"), .ckan(root, id))
    } else if let file = Self.file(of: resource) {
      (columns, rowCount, url, rows) = ([], nil, file, .file(file))
    } else {
      throw Self.unsupported(
        "The resource \(id) has no datastore, and its file is "
          + "\(resource["format"]?.string?.nonEmpty ?? "in an unknown format"), not rows.")
    }
    return PortalDescription(
      family: family, name: name,
      summary: (package["notes"]?.string ?? resource["description"]?.string ?? "").withoutTags,
      columns: columns, rowCount: rowCount, updatedAt: updatedAt,
      dataSource: DataSource(
        portal: name,
        publisher: package["organization"]?["title"]?.string?.nonEmpty
          ?? package["author"]?.string,
        page: slug.map { root.appending(path: "dataset/\($0)") } ?? address,
        license: package["license_title"]?.string?.nonEmpty ?? package["license_id"]?.string,
        attribution: nil),
      url: url, rows: rows)
  }
}

// MARK: - Describing

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
    let count = try await Self.count(of: table)
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

  /// Returns the number of rows, or `nil` if the service responds to the request with an error in status 200.
  private static func count(of table: ArcGISTable) async throws -> Int? {
    let failures: [FieldError.Code] = [
      .portalQuery, .notFound, .timeout, .tooManyRequests, .status,
    ]
    do {
      return try await table.count(operation: "portal.count")
    } catch let error as FieldError
      where error.response?.status == 200 && failures.contains(error.code)
    {
      return nil
    }
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

// MARK: - Taipei

extension PortalDataset {
  /// Returns the place of a dataset on data.taipei, whose page has another ID than its data.
  static func taipei(_ root: URL, _ path: [String], _ query: QueryReader) -> Place? {
    if query["scope"] == "resourceAquire" {
      // The portal spells it without a c.
      let id = path.last == "apiAccess" ? query["rid"] : path.last
      return id.map { .taipei(root, dataset(of: $0)) }
    }
    guard root.host()?.hasSuffix("data.taipei") == true, path == ["dataset", "detail"],
      let id = query["id"]
    else { return nil }
    return .taipei(
      root,
      TaipeiDataset.known.first { $0.id == id } ?? TaipeiDataset(id: id, name: id, resources: []))
  }

  /// Returns the dataset that the ID of its data belongs to, whose other IDs aren't tried.
  private static func dataset(of id: String) -> TaipeiDataset {
    let resource = TaipeiDataset.Resource(rawValue: id)
    var dataset =
      TaipeiDataset.known.first { $0.resources.contains(resource) }
      ?? TaipeiDataset(id: id, name: id, resources: [])
    dataset.resources = [resource]
    return dataset
  }

  func taipei(
    _ root: URL, _ dataset: TaipeiDataset, over transport: any Transport
  ) async throws -> PortalDescription {
    guard !dataset.resources.isEmpty else {
      throw Self.unsupported(
        "The page \(address.absoluteString) doesn't say where its data is. Use the URL of its API, "
          + "which contains the ID of the data: \(root.absoluteString)/api/v1/dataset/…?scope=resourceAquire."
      )
    }
    let portal = TaipeiOpenData(transport: transport, base: root, pageSize: 1)
    return try await portal.withFirstAvailableResource(of: dataset, operation: Self.operation) {
      resource in
      let url = try portal.address(of: resource)
      let response = try await portal.answer(url, isFirst: true, operation: Self.operation)
      let answer = try response.reading(operation: Self.operation) { try JSONDocument.value($0) }
      guard let rows = answer["result"]?["results"]?.elements else {
        throw FieldError(
          .datasetRetired, "The response has no rows under result.results.",
          operation: Self.operation)
      }
      var columns: [PortalColumn] = []
      if case .object(let members)? = rows.first {
        columns = members.filter { !["_id", ImportDate.column].contains($0.key) }
          .map { PortalColumn(name: $0.key, title: $0.key, type: "text") }
      }
      return PortalDescription(
        family: family, name: dataset.name, summary: "", columns: columns,
        rowCount: answer["result"]?["count"]?.integer,
        updatedAt: rows.first?[ImportDate.column].flatMap(ImportDate.date),
        dataSource: DataSource(
          portal: dataset.name, publisher: "臺北市資料大平臺 (data.taipei)",
          page: dataset.page ?? address,
          license: "政府資料開放授權條款－第1版 (Open Government Data License, version 1.0)",
          attribution: nil),
        url: url, rows: .taipei(root, dataset))
    }
  }
}

extension TaipeiDataset {
  /// The datasets whose IDs are known.
  fileprivate static var known: [TaipeiDataset] {
    [
      .zooAnimals, .zooAreas, .zooPlants, .zooServices, .metroArrivals, .metroExits, .metroStations,
    ]
  }
}
