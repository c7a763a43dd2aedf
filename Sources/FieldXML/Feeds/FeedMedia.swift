public import FieldFoundation

/// A file that belongs to an item of a feed, such as a picture or a recording.
public struct FeedMedia: Identifiable, Sendable, Hashable, Codable {
  /// The role of the file.
  public var kind: Kind
  /// The address of the file; `nil` if ``rawURL`` isn't a web address.
  public var url: URL?
  /// The address as written.
  public var rawURL: String
  /// The media type, such as `image/png`; `nil` if the feed doesn't contain one.
  public var type: String?
  /// The size in bytes; `nil` if the feed doesn't contain one.
  public var byteCount: Int?
  /// The width in pixels; `nil` if the feed doesn't contain one.
  public var width: Int?
  /// The height in pixels; `nil` if the feed doesn't contain one.
  public var height: Int?
  /// The title; `nil` if the feed doesn't contain one.
  public var title: String?

  /// Creates a file.
  public init(
    kind: Kind, url: URL?, rawURL: String, type: String? = nil, byteCount: Int? = nil,
    width: Int? = nil, height: Int? = nil, title: String? = nil
  ) {
    self.kind = kind
    self.url = url
    self.rawURL = rawURL
    self.type = type
    self.byteCount = byteCount
    self.width = width
    self.height = height
    self.title = title
  }

  /// The address as written.
  public var id: String { rawURL }

  /// The role of a file, as an open set of names.
  public struct Kind: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the role.
    public var rawValue: String
    /// Creates a role from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the role.
    public var description: String { rawValue }

    /// An attachment: `enclosure` in RSS and a link with `rel="enclosure"` in Atom.
    public static var enclosure: Self { Self(rawValue: "enclosure") }
    /// A file of the item itself: `media:content`.
    public static var content: Self { Self(rawValue: "content") }
    /// A picture that represents the item: `media:thumbnail`.
    public static var thumbnail: Self { Self(rawValue: "thumbnail") }
    /// The picture of an episode: `itunes:image`.
    public static var image: Self { Self(rawValue: "image") }
  }
}

extension FeedMedia {
  /// Creates a file from an element, or `nil` if the element contains no address.
  init?(_ kind: Kind, _ tag: XMLTag, text: String, base: URL?) {
    guard let address = tag["url"] ?? tag["href"] ?? (text.isEmpty ? nil : text),
      address.contains(where: { !$0.isWhitespace })
    else { return nil }
    // Counts are integers, so the commas in `1,234` can only group thousands.
    func number(_ name: String) -> Int? {
      guard let text = tag[name]?.filter({ !$0.isWhitespace }) else { return nil }
      let groups = text.split(separator: ",", omittingEmptySubsequences: false)
      guard groups.dropFirst().allSatisfy({ $0.count == 3 }),
        groups.count == 1 || (1...3).contains(groups[0].count)
      else { return nil }
      return Int(groups.joined()).flatMap { $0 >= 0 ? $0 : nil }
    }
    self.init(
      kind: kind, url: SafeAddress.url(address, base: base), rawURL: address, type: tag["type"],
      byteCount: number("length") ?? number("fileSize"), width: number("width"),
      height: number("height"), title: tag["title"])
  }
}
