/// The meaning of an element in a feed.
enum FeedElement {
  case channel, item, foreignItem
  case title, link, guid, description, summary, content
  case published, updated, category, language
  case author, contributor, personName, personEmail, personURI
  case enclosure, mediaGroup, mediaContent, mediaThumbnail, mediaImage, mediaDescription
  case other

  /// Creates the meaning of a tag from its namespace and lowercase name, because a feed of Nantou
  /// writes `pubdate`. An undeclared prefix has its usual meaning.
  ///
  /// - Parameter isOwn: A closure that returns whether a namespace is that of the feed's root,
  ///   channel, or item, whose elements are those of the format whatever it is.
  init(_ tag: XMLTag, isOwn: (String) -> Bool) {
    let name = tag.name.lowercased()
    switch Vocabulary(tag, isOwn: isOwn) {
    case .core:
      switch name {
      case "channel", "feed": self = .channel
      case "item", "entry": self = .item
      case "title": self = .title
      case "link": self = .link
      case "guid", "id": self = .guid
      case "description", "tagline", "subtitle": self = .description
      case "summary": self = .summary
      case "content", "body", "fullitem": self = .content
      case "pubdate", "published", "issued": self = .published
      case "updated", "modified", "lastbuilddate": self = .updated
      case "category": self = .category
      case "language": self = .language
      case "author", "managingeditor": self = .author
      case "contributor": self = .contributor
      case "name": self = .personName
      case "email": self = .personEmail
      case "uri", "url", "homepage": self = .personURI
      case "enclosure": self = .enclosure
      default: self = .other
      }
    case .dublinCore:
      switch name {
      case "title": self = .title
      case "description": self = .summary
      case "date", "modified": self = .updated
      case "issued": self = .published
      case "subject": self = .category
      case "creator", "author": self = .author
      case "contributor": self = .contributor
      case "language": self = .language
      default: self = .other
      }
    case .content: self = name == "encoded" ? .content : .other
    case .xhtml: self = name == "body" || name == "div" ? .content : .other
    case .media:
      switch name {
      case "group": self = .mediaGroup
      case "content": self = .mediaContent
      case "thumbnail": self = .mediaThumbnail
      case "description": self = .mediaDescription
      case "title": self = .title
      case "category": self = .category
      default: self = .other
      }
    case .itunes:
      switch name {
      case "author": self = .author
      case "image": self = .mediaImage
      case "summary": self = .summary
      default: self = .other
      }
    case .unknown where name == "item" || name == "entry": self = .foreignItem
    case .unknown: self = tag.prefix.isEmpty && name == "channel" ? .channel : .other
    }
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
    case .title, .description, .summary, .content, .mediaDescription: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the element belongs in an author.
  var isPartOfPerson: Bool {
    self == .personName || self == .personEmail || self == .personURI
  }

  /// A Boolean value that indicates whether the element belongs to the media vocabulary.
  var isMedia: Bool {
    self == .mediaContent || self == .mediaThumbnail || self == .mediaDescription
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

    init(_ tag: XMLTag, isOwn: (String) -> Bool) {
      switch Self.plain(tag.namespace) {
      case "www.w3.org/2005/atom", "purl.org/atom/ns", "purl.org/rss/1.0",
        "my.netscape.com/rdf/simple/0.9", "channel.netscape.com/rdf/simple/0.9",
        "purl.org/net/rss1.1", "backend.userland.com/rss", "backend.userland.com/rss2",
        "blogs.law.harvard.edu/tech/rss":
        self = .core
      case "purl.org/dc/elements/1.1", "purl.org/dc/terms": self = .dublinCore
      case "purl.org/rss/1.0/modules/content": self = .content
      case "www.w3.org/1999/xhtml": self = .xhtml
      case "search.yahoo.com/mrss": self = .media
      case "www.itunes.com/dtds/podcast-1.0.dtd": self = .itunes
      case "":
        switch tag.prefix {
        case "", "atom", "rss": self = .core
        case "dc", "dcterms": self = .dublinCore
        case "content": self = .content
        case "media": self = .media
        case "itunes": self = .itunes
        default: self = .unknown
        }
      default: self = isOwn(tag.namespace) ? .core : .unknown
      }
    }

    /// Returns a namespace without what servers write in different ways: its case, its scheme, and
    /// the signs at its end.
    private static func plain(_ namespace: String) -> String {
      guard !namespace.isEmpty else { return namespace }
      let name = namespace.lowercased()
      var rest = name.utf8.dropFirst(
        name.hasPrefix("http://") ? 7 : name.hasPrefix("https://") ? 8 : 0)
      while rest.last == UInt8(ascii: "/") || rest.last == UInt8(ascii: "#") { rest.removeLast() }
      return String(Substring(rest))
    }
  }
}
