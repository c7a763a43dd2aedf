internal import FieldCore
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
        ?? Self.socrata(address, path) ?? Self.ckan(root, path, query) ?? Self.hub(root, path)
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

  private static func socrata(_ url: URL, _ path: [String]) -> Place? {
    // Of CKAN, this would be the dataset's name.
    if path.count == 2, path[0] == "dataset" { return nil }
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

  private static func isLanguage(_ text: String) -> Bool {
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
