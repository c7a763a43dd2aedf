internal import FieldCore
public import FieldFoundation

/// A dataset of a Socrata portal.
///
/// ```swift
/// let crimes = try SODADataset("ijzp-q8t2", at: "data.cityofchicago.org")
/// let same = try SODADataset(URL(string: "https://data.cityofchicago.org/resource/ijzp-q8t2.json")!)
/// ```
public struct SODADataset: Sendable, Hashable, Codable {
  /// The portal: scheme, host and port.
  public let portal: URL
  /// The dataset's id of four characters, a hyphen and four characters, such as `gh4g-9sfh`.
  public let id: String
  /// The version of the API that is spoken.
  public var version: SODAVersion

  /// Makes a dataset of a portal.
  ///
  /// - Parameters:
  ///   - id: The id of four and four lower-case letters or digits.
  ///   - portal: The host, such as `data.cityofchicago.org`, or an address with scheme and host.
  ///   - version: The version of the API.
  /// - Throws: `FieldError` with the code `input.invalid` when the id or the portal is none.
  public init(_ id: String, at portal: String, version: SODAVersion = .v2_1) throws {
    let address = portal.contains("://") ? portal : "https://\(portal)"
    guard let url = URL(string: address), let root = Self.root(of: url) else {
      throw FieldError(
        .invalidInput, "\"\(portal)\" is no host of a portal, such as data.example.org")
    }
    try self.init(id, root: root, version: version)
  }

  /// Makes a dataset of any address that a portal gives for it, such as
  /// `https://data.example.org/resource/abcd-1234.json`; SODA 3 when it is an address of that.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` when no id can be found in it.
  public init(_ url: URL, version: SODAVersion? = nil) throws {
    guard let root = Self.root(of: url) else {
      throw FieldError(.invalidInput, "\(url.absoluteString) is no address of a portal")
    }
    let parts = url.path.split(separator: "/").map { part in
      part.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
    }
    guard let id = parts.last(where: Self.isID) else {
      throw FieldError(
        .invalidInput,
        "\(url.absoluteString) names no dataset: an id such as abcd-1234 should be in it")
    }
    try self.init(id, root: root, version: version ?? (parts.contains("v3") ? .v3 : .v2_1))
  }

  private init(_ id: String, root: URL, version: SODAVersion) throws {
    guard Self.isID(id) else {
      throw FieldError(
        .invalidInput,
        "\"\(id)\" is no id of a dataset: four and four letters or digits, such as abcd-1234")
    }
    self.portal = root
    self.id = id
    self.version = version
  }

  /// Reads a dataset that was encoded; refuses what ``init(_:at:version:)`` does.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      try container.decode(String.self, forKey: .id),
      at: try container.decode(URL.self, forKey: .portal).absoluteString,
      version: try container.decode(SODAVersion.self, forKey: .version))
  }

  private static func root(of url: URL) -> URL? {
    guard let scheme = url.scheme, ["http", "https"].contains(scheme), let host = url.host(),
      !host.isEmpty
    else { return nil }
    let name = host.contains(":") ? "[\(host)]" : host
    return URL(string: "\(scheme)://\(name)\(url.port.map { ":\($0)" } ?? "")")
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

  /// Where rows are asked for.
  public var resource: URL {
    version == .v3
      ? portal.appending(path: "api/v3/views/\(id)/query.json")
      : portal.appending(path: "resource/\(id).json")
  }

  /// Where the description of the dataset is.
  public var metadata: URL { portal.appending(path: "api/views/\(id).json") }
}
