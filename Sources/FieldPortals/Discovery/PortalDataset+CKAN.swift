internal import FieldCore
internal import FieldFoundation

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
    let stated = resource["format"]?.string?.lowercased().nonEmpty
    let ending = url.pathExtension.lowercased()
    return formats.contains(stated ?? ending) ? url : nil
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
