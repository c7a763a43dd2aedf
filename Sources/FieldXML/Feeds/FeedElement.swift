/// What an element of a feed is about.
enum FeedElement {
  case channel, item
  case title, link, guid, description, summary, content
  case published, updated, category, language
  case other

  /// What a tag stands for, by its namespace and its name in small letters: a feed of Nantou writes
  /// `pubdate`. An undeclared prefix counts for what it is commonly declared as.
  ///
  /// - Parameter root: The namespace of the feed's root element: whatever it is, its elements are those
  ///   of the format.
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
      case "content": self = .content
      case "pubdate", "published", "issued": self = .published
      case "updated", "modified", "lastbuilddate": self = .updated
      case "category": self = .category
      case "language": self = .language
      default: self = .other
      }
    case .dublinCore:
      switch name {
      case "title": self = .title
      case "description": self = .summary
      case "date", "modified": self = .updated
      case "issued": self = .published
      case "subject": self = .category
      case "language": self = .language
      default: self = .other
      }
    case .content: self = name == "encoded" ? .content : .other
    case .unknown: self = .other
    }
  }

  private enum Vocabulary {
    case core, dublinCore, content, unknown

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
      case "":
        switch tag.prefix {
        case "", "atom", "rss": self = .core
        case "dc", "dcterms": self = .dublinCore
        case "content": self = .content
        default: self = .unknown
        }
      default: self = tag.namespace == root ? .core : .unknown
      }
    }
  }
}
