/// The meaning of an element in a feed.
enum FeedElement {
  case channel, item
  case title, link, guid, description, summary, content
  case published, updated, category, language
  case author, contributor, personName, personEmail, personURI
  case enclosure, mediaGroup, mediaContent, mediaThumbnail, mediaImage, mediaDescription
  case other

  /// Creates the meaning of a tag from its namespace and lowercase name, because a feed of Nantou
  /// writes `pubdate`. An undeclared prefix has its usual meaning.
  ///
  /// - Parameter root: The namespace of the feed's root element, whose elements are those of the
  ///   format whatever it is.
  init(_ tag: XMLTag, root: String?) {
    let name = tag.name.lowercased()
    switch Vocabulary(tag, root: root) {
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
    case .unknown: self = .other
    }
  }

  /// A Boolean value that indicates whether the element describes the channel or the item.
  var isField: Bool {
    switch self {
    case .channel, .item, .mediaGroup, .other: false
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

    init(_ tag: XMLTag, root: String?) {
      switch tag.namespace.lowercased() {
      case "http://www.w3.org/2005/atom", "http://purl.org/atom/ns#",
        "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
        "http://channel.netscape.com/rdf/simple/0.9/", "http://purl.org/net/rss1.1#",
        "http://backend.userland.com/rss", "http://backend.userland.com/rss2",
        "http://blogs.law.harvard.edu/tech/rss":
        self = .core
      case "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/": self = .dublinCore
      case "http://purl.org/rss/1.0/modules/content/": self = .content
      case "http://www.w3.org/1999/xhtml": self = .xhtml
      case "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss": self = .media
      case "http://www.itunes.com/dtds/podcast-1.0.dtd": self = .itunes
      case "":
        switch tag.prefix {
        case "", "atom", "rss": self = .core
        case "dc", "dcterms": self = .dublinCore
        case "content": self = .content
        case "media": self = .media
        case "itunes": self = .itunes
        default: self = .unknown
        }
      default: self = tag.namespace == root ? .core : .unknown
      }
    }
  }
}
