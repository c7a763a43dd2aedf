public import FieldCore
public import FieldFoundation

/// The catalog of a portal, which is searched by text, page by page.
///
/// ```swift
/// let catalog = PortalCatalog(.ckan, at: URL(string: "https://data.example.org")!)
/// var page = try await catalog.search("street trees", over: transport)
/// for entry in page.entries { print(entry.name, entry.dataset.address) }
/// if let next = page.next { page = try await catalog.search("street trees", from: next, over: transport) }
/// ```
///
/// Socrata, CKAN, and OpenDataSoft have catalogs. They order datasets by relevance and number them from the beginning, so if the
/// catalog changes between two pages, a dataset may be missing or appear twice.
public struct PortalCatalog: Sendable, Hashable {
  /// A dataset that was found.
  public struct Entry: Sendable, Hashable {
    /// The dataset.
    public let dataset: PortalDataset
    /// The title.
    public let name: String
    /// The publisher's description, as plain text.
    public let summary: String
    /// The license, in the publisher's words; empty if the portal doesn't say.
    public let license: String
    /// The time when the dataset last changed; `nil` if the portal doesn't say.
    public let updatedAt: Date?
  }

  /// A page of the datasets that were found.
  public struct Page: Sendable, Hashable {
    /// The datasets, the most relevant first.
    public var entries: [Entry]
    /// The number of all datasets that match; `nil` if the portal doesn't say.
    public var total: Int?
    /// The number to continue from; `nil` for the last page.
    public var next: Int?
  }

  /// The family of the portal.
  public let family: PortalFamily
  /// The URL of the portal.
  public let portal: URL

  /// Creates the catalog of a portal.
  public init(_ family: PortalFamily, at portal: URL) {
    self.family = family
    self.portal = portal
  }

  /// The maximum number of datasets on a page, and the maximum number to continue from, that all portals accept.
  private static let (pageLimit, endLimit) = (100, 10_000)

  /// Returns the datasets that match a text.
  ///
  /// - Parameters:
  ///   - text: The text to search for; empty for all datasets.
  ///   - start: The number to begin from. Defaults to 0; pass ``Page/next`` of the page before.
  ///   - count: The maximum number of datasets, from 1 through 100. Defaults to 20.
  ///   - transport: The transport to send requests with, which is used as it is.
  ///   - token: The source of the token; `nil` sends none.
  ///   - clock: The clock to wait with.
  /// - Throws: `FieldError` with the code `portal.unsupported` if the family has no catalog.
  public func search(
    _ text: String, from start: Int = 0, count: Int = 20, over transport: any Transport,
    token: PortalToken? = nil, clock: any FieldClock = .system
  ) async throws -> Page {
    let client = PortalClient(family: family, transport: transport, token: token, clock: clock)
    let start = max(0, min(start, Self.endLimit - 1))
    let count = max(1, min(count, Self.pageLimit, Self.endLimit - start))
    let (entries, total, found): ([Entry], Int?, Int)
    switch family {
    case .socrata: (entries, total, found) = try await socrata(text, start, count, client)
    case .ckan: (entries, total, found) = try await ckan(text, start, count, client)
    case .openDataSoft: (entries, total, found) = try await openDataSoft(text, start, count, client)
    default:
      throw FieldError(
        .portalUnsupported, "\(family) has no catalog that can be searched.",
        operation: Self.operation)
    }
    let end = start + found
    let isLast = found == 0 || end >= min(total ?? .max, Self.endLimit)
    return Page(entries: entries, total: total, next: isLast ? nil : end)
  }

  private static let operation = "portal.search"

  private func entries(
    of elements: [JSONValue]?, _ entry: (JSONValue) throws -> Entry?
  ) throws -> (entries: [Entry], count: Int) {
    guard let elements else {
      throw FieldError(
        .notData, "The response isn't a list of datasets.", operation: Self.operation)
    }
    return (try elements.compactMap(entry), elements.count)
  }

  private func socrata(
    _ text: String, _ start: Int, _ count: Int, _ client: PortalClient
  ) async throws -> ([Entry], Int?, Int) {
    let host = portal.host() ?? ""
    let answer = try await client.ask(
      portal.appending(path: "api/catalog/v1"),
      [
        ("domains", host), ("search_context", host), ("only", "dataset"), ("q", text),
        ("limit", String(count)), ("offset", String(start)),
      ], operation: Self.operation
    ).outline
    let (entries, found) = try entries(of: answer["results"]?.elements) { value in
      guard let resource = value["resource"], let id = resource["id"]?.string else { return nil }
      return Entry(
        dataset: try PortalDataset(portal.appending(path: "d/\(id)")),
        name: resource["name"]?.string ?? id,
        summary: resource["description"]?.string?.withoutTags ?? "",
        license: value["metadata"]?["license"]?.string ?? "",
        updatedAt: PortalDataset.date(resource["data_updated_at"] ?? resource["updatedAt"]))
    }
    return (entries, answer["resultSetSize"]?.integer, found)
  }

  private func ckan(
    _ text: String, _ start: Int, _ count: Int, _ client: PortalClient
  ) async throws -> ([Entry], Int?, Int) {
    let answer = try await client.ask(
      portal.appending(path: "api/3/action/package_search"),
      [("q", text), ("rows", String(count)), ("start", String(start))], operation: Self.operation
    ).outline["result"]
    let (entries, found) = try entries(of: answer?["results"]?.elements) { value in
      guard let name = value["name"]?.string ?? value["id"]?.string else { return nil }
      return Entry(
        dataset: try PortalDataset(portal.appending(path: "dataset/\(name)")),
        name: value["title"]?.string?.nonEmpty ?? name,
        summary: value["notes"]?.string?.withoutTags ?? "",
        license: value["license_title"]?.string ?? "",
        updatedAt: PortalDataset.date(value["metadata_modified"]))
    }
    return (entries, answer?["count"]?.integer, found)
  }

  private func openDataSoft(
    _ text: String, _ start: Int, _ count: Int, _ client: PortalClient
  ) async throws -> ([Entry], Int?, Int) {
    var items = [("limit", String(count)), ("offset", String(start))]
    if text.nonEmpty != nil {
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      items.append(("where", "\"\(escaped)\""))
    }
    let answer = try await client.ask(
      portal.appending(path: "api/explore/v2.1/catalog/datasets"), items, operation: Self.operation
    ).outline
    let (entries, found) = try entries(of: answer["results"]?.elements) { value in
      let dataset = try OpenDataSoftDescription(value, operation: Self.operation)
      return Entry(
        dataset: try PortalDataset(portal.appending(path: "explore/dataset/\(dataset.id)")),
        name: dataset.metas["title"]?.string ?? dataset.id,
        summary: dataset.metas["description"]?.string?.withoutTags ?? "",
        license: dataset.metas["license"]?.string ?? "", updatedAt: dataset.updatedAt)
    }
    return (entries, answer["total_count"]?.integer, found)
  }
}
