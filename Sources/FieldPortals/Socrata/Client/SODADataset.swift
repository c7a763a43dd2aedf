internal import FieldCore
public import FieldFoundation

/// A dataset of a Socrata portal.
///
/// ```swift
/// let crimes = try SODADataset("ijzp-q8t2", at: "data.cityofchicago.org")
/// let same = try SODADataset(URL(string: "https://data.cityofchicago.org/resource/ijzp-q8t2.json")!)
/// ```
public struct SODADataset: Sendable, Hashable, Codable {
  /// The URL of the portal: scheme, host, and port.
  public let portal: URL
  /// The dataset's ID: four characters, a hyphen, and four characters, such as `gh4g-9sfh`.
  public let id: String
  /// The version of the API to use.
  public var version: SODAVersion

  /// Creates a dataset of a portal.
  ///
  /// - Parameters:
  ///   - id: The ID, with four and four lowercase letters or digits.
  ///   - portal: The host, such as `data.cityofchicago.org`, or a URL with scheme and host.
  ///   - version: The version of the API. Defaults to `.v2_1`.
  /// - Throws: `FieldError` with the code `input.invalid` if the ID or the portal is invalid.
  public init(_ id: String, at portal: String, version: SODAVersion = .v2_1) throws {
    let address = portal.contains(bytesOf: "://") ? portal : "https://\(portal)"
    guard let url = URL(string: address), let root = Self.root(of: url) else {
      throw FieldError(
        .invalidInput, "\"\(portal)\" isn't a portal's host, such as data.example.org.")
    }
    try self.init(id, root: root, version: version)
  }

  /// Creates a dataset from any of the portal's URLs for it.
  ///
  /// An example is `https://data.example.org/resource/abcd-1234.json`. A page of Socrata's
  /// documentation, such as `https://dev.socrata.com/foundry/data.example.org/abcd-1234`, names the
  /// portal in its path. The version defaults to SODA 3 if the URL is one of that API, and to 2.1
  /// otherwise.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the URL contains no ID, the ID of a
  ///   story or a person, or is that of a dataset on a portal of CKAN or ArcGIS.
  public init(_ url: URL, version: SODAVersion? = nil) throws {
    guard var root = Self.root(of: url) else {
      throw FieldError(.invalidInput, "\(url.absoluteString) isn't a portal's URL.")
    }
    var path = url.path.split(separator: "/").map(String.init)
    if url.host()?.lowercased() == "dev.socrata.com", path.first == "foundry" {
      // Older links have the rest in the fragment.
      path += (url.fragment ?? "").split(separator: "/").map(String.init)
      path = path.filter { $0 != "#" }
      guard path.count > 2, let portal = URL(string: "https://\(path[1])").flatMap(Self.root) else {
        throw FieldError(
          .invalidInput, "\(url.absoluteString) names no portal, such as data.example.org.")
      }
      root = portal
      path.removeFirst(2)
    }
    let parts = path.map { part in
      part.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
    }
    let others = ["stories": "a story", "story": "a story", "profile": "a person"]
    if let first = parts.first, let other = others[first] {
      throw FieldError(
        .invalidInput,
        "\(url.absoluteString) is the page of \(other), not of a dataset. Use the URL of a dataset "
          + "on it, such as \(root.absoluteString)/d/abcd-1234.")
    }
    guard !Self.isOfOtherPortal(path) else {
      throw FieldError(
        .invalidInput,
        "\(url.absoluteString) is the page of a dataset on a portal of CKAN or ArcGIS, not of "
          + "Socrata."
      )
    }
    // A further ID after one of these names a token, a row, or a revision; elsewhere, an ID may
    // follow a category or a title that looks like one.
    let routes = ["w", "d", "resource", "views", "id", "widgets", "geospatial", "OData"]
    let route = parts.firstIndex(where: routes.contains).map { parts.index(after: $0) }
    let direct = route.flatMap { parts.indices.contains($0) ? parts[$0] : nil }
    guard let id = direct.flatMap({ Self.isID($0) ? $0 : nil }) ?? parts.last(where: Self.isID)
    else {
      throw FieldError(
        .invalidInput,
        "\(url.absoluteString) contains no dataset ID, such as abcd-1234.")
    }
    try self.init(id, root: root, version: version ?? (parts.contains("v3") ? .v3 : .v2_1))
  }

  private init(_ id: String, root: URL, version: SODAVersion) throws {
    guard Self.isID(id) else {
      throw FieldError(
        .invalidInput,
        "\"\(id)\" isn't a dataset ID: two groups of four letters or digits, such as abcd-1234.")
    }
    self.portal = root
    self.id = id
    self.version = version
  }

  /// Creates a dataset by decoding it, with the same validation as ``init(_:at:version:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      try container.decode(String.self, forKey: .id),
      at: try container.decode(URL.self, forKey: .portal).absoluteString,
      version: try container.decode(SODAVersion.self, forKey: .version))
  }

  static func root(of url: URL) -> URL? {
    guard let scheme = url.scheme, ["http", "https"].contains(scheme), let host = url.host(),
      !host.isEmpty
    else { return nil }
    let name = host.contains(":") ? "[\(host)]" : host
    return URL(string: "\(scheme)://\(name)\(url.port.map { ":\($0)" } ?? "")")
  }

  /// Returns whether a path is that of CKAN or of ArcGIS Hub, where a name such as `city-2020` is no ID.
  private static func isOfOtherPortal(_ path: [String]) -> Bool {
    if let first = path.first, ["datasets", "maps"].contains(first) {
      return path.count > 1 && !path.dropFirst(2).contains(where: isID)
    }
    guard let index = path.firstIndex(of: "dataset") else { return false }
    let rest = path[(index + 1)...]
    // A category of Socrata may come before a dataset whose title is the word, but no language does.
    if rest.count == 1 { return path[..<index].allSatisfy(PortalDataset.isLanguage) }
    return rest.count > 2 && rest[index + 2] == "resource"
  }

  private static func isID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 9
      && bytes.indices.allSatisfy { position in
        switch bytes[position] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          position != 4
        default: position == 4 && bytes[position] == UInt8(ascii: "-")
        }
      }
  }

  /// The URL for requesting rows.
  public var resource: URL {
    version == .v3
      ? portal.appending(path: "api/v3/views/\(id)/query.json")
      : portal.appending(path: "resource/\(id).json")
  }

  /// The URL of the dataset's description.
  public var metadata: URL { portal.appending(path: "api/views/\(id).json") }
}

/// A version of the SODA API.
public struct SODAVersion: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number of the version, such as `2.1`.
  public var rawValue: String
  /// Creates a version from its number.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The number of the version.
  public var description: String { rawValue }

  /// SODA 2.0 of 2011: at most 50,000 rows per page, and case-insensitive text comparison.
  public static var v2_0: Self { Self(rawValue: "2.0") }
  /// SODA 2.1 of 2015: pages of any size.
  public static var v2_1: Self { Self(rawValue: "2.1") }
  /// SODA 3 of 2025: queries are sent by POST and require an app token or a sign-in.
  public static var v3: Self { Self(rawValue: "3.0") }
}
