/// The meaning of an element in a feed.
enum FeedElement {
  case channel, item, foreignItem
  case title, link, guid, description, summary, content
  case published, created, updated, category, keywords, language
  case author, contributor, personName, personEmail, personURI
  case enclosure, mediaGroup, mediaContent, mediaThumbnail, mediaImage
  case mediaTitle, mediaDescription
  case other

  /// Creates the meaning of a tag from its namespace and lowercase name, because a feed of Nantou
  /// writes `pubdate`. An undeclared prefix has its usual meaning.
  ///
  /// - Parameter isOwn: A closure that returns whether a namespace is that of the feed's root,
  ///   channel, or item, whose elements are those of the format whatever it is.
  init(_ tag: borrowing XMLTag, isOwn: (String) -> Bool) {
    let name = Self.lowercase(tag.name)
    switch Vocabulary(tag, isOwn: isOwn) {
    case .core: self = Self.core[name] ?? .other
    case .dublinCore: self = Self.dublinCore[name] ?? .other
    case .content: self = name == "encoded" ? .content : .other
    case .xhtml: self = name == "body" || name == "div" ? .content : .other
    case .media: self = Self.media[name] ?? .other
    case .itunes: self = Self.itunes[name] ?? .other
    case .unknown where name == "item" || name == "entry": self = .foreignItem
    case .unknown: self = tag.prefix.isEmpty && name == "channel" ? .channel : .other
    }
  }

  private static let core: [String: FeedElement] = [
    "channel": .channel, "feed": .channel,
    "item": .item, "entry": .item,
    "title": .title,
    "link": .link,
    "guid": .guid, "id": .guid,
    "description": .description, "tagline": .description, "subtitle": .description,
    "summary": .summary,
    "content": .content, "body": .content, "fullitem": .content,
    "pubdate": .published, "published": .published, "issued": .published,
    "created": .created,
    "updated": .updated, "modified": .updated, "lastbuilddate": .updated,
    "category": .category,
    "language": .language,
    "author": .author, "managingeditor": .author,
    "contributor": .contributor,
    "name": .personName,
    "email": .personEmail,
    "uri": .personURI, "url": .personURI, "homepage": .personURI,
    "enclosure": .enclosure,
  ]

  private static let dublinCore: [String: FeedElement] = [
    "title": .title,
    "description": .summary,
    "date": .updated, "modified": .updated,
    "issued": .published,
    "created": .created,
    "subject": .category,
    "creator": .author, "author": .author,
    "contributor": .contributor,
    "language": .language,
  ]

  private static let media: [String: FeedElement] = [
    "group": .mediaGroup,
    "content": .mediaContent,
    "thumbnail": .mediaThumbnail,
    "description": .mediaDescription,
    "title": .mediaTitle,
    "category": .category,
    "keywords": .keywords,
  ]

  private static let itunes: [String: FeedElement] = [
    "author": .author,
    "image": .mediaImage,
    "keywords": .keywords,
    "summary": .summary,
  ]

  /// Returns whether a tag is named like an item, in whichever vocabulary.
  static func isNamedLikeItem(_ tag: XMLTag) -> Bool {
    let name = lowercase(tag.name)
    return name == "item" || name == "entry"
  }

  /// Returns a name in lowercase, which nearly all names are.
  private static func lowercase(_ name: String) -> String {
    let isLowercase = name.withUTF8Span { bytes in
      for index in bytes.indices where bytes[index] >= 0x80 || bytes[index] &- 0x41 < 26 {
        return false
      }
      return true
    }
    return isLowercase ? name : name.lowercased()
  }

  /// A Boolean value that indicates whether the element describes the channel or the item.
  var isField: Bool {
    switch self {
    case .channel, .item, .foreignItem, .mediaGroup, .other: false
    default: true
    }
  }

  /// A Boolean value that indicates whether the element's text may contain HTML.
  var isMarkup: Bool {
    switch self {
    case .title, .description, .summary, .content, .mediaTitle, .mediaDescription: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the element belongs in an author.
  var isPartOfPerson: Bool { self == .personName || self == .personEmail || self == .personURI }

  /// A Boolean value that indicates whether the element belongs to the media vocabulary.
  var isMedia: Bool {
    switch self {
    case .mediaContent, .mediaThumbnail, .mediaTitle, .mediaDescription, .keywords: true
    default: false
    }
  }

  /// The role of the file that the element names; `nil` if it names none.
  var mediaKind: FeedMedia.Kind? {
    switch self {
    case .enclosure: .enclosure
    case .mediaContent: .content
    case .mediaThumbnail: .thumbnail
    case .mediaImage: .image
    default: nil
    }
  }

  private enum Vocabulary {
    case core, dublinCore, content, xhtml, media, itunes, unknown

    private static let named: [String: Vocabulary] = [
      "www.w3.org/2005/atom": .core,
      "purl.org/atom/ns": .core,
      "purl.org/rss/1.0": .core,
      "my.netscape.com/rdf/simple/0.9": .core,
      "channel.netscape.com/rdf/simple/0.9": .core,
      "purl.org/net/rss1.1": .core,
      "backend.userland.com/rss": .core,
      "backend.userland.com/rss2": .core,
      "blogs.law.harvard.edu/tech/rss": .core,
      "purl.org/dc/elements/1.1": .dublinCore,
      "purl.org/dc/terms": .dublinCore,
      "purl.org/rss/1.0/modules/content": .content,
      "www.w3.org/1999/xhtml": .xhtml,
      "search.yahoo.com/mrss": .media,
      "www.itunes.com/dtds/podcast-1.0.dtd": .itunes,
    ]

    init(_ tag: borrowing XMLTag, isOwn: (String) -> Bool) {
      let namespace = Self.plain(tag.namespace)
      guard namespace.isEmpty else {
        self = Self.named[namespace] ?? (isOwn(tag.namespace) ? .core : .unknown)
        return
      }
      switch tag.prefix {
      case "", "atom", "rss": self = .core
      case "dc", "dcterms": self = .dublinCore
      case "content": self = .content
      case "media": self = .media
      case "itunes": self = .itunes
      default: self = .unknown
      }
    }

    /// Returns a namespace without what servers write in different ways: its case, its scheme, and
    /// the signs at its end.
    private static func plain(_ namespace: String) -> String {
      guard !namespace.isEmpty else { return namespace }
      let name = FeedElement.lowercase(namespace)
      var rest = name.utf8.dropFirst(
        name.hasPrefix("http://") ? 7 : name.hasPrefix("https://") ? 8 : 0)
      while rest.last == UInt8(ascii: "/") || rest.last == UInt8(ascii: "#") { rest.removeLast() }
      return String(Substring(rest))
    }
  }
}
