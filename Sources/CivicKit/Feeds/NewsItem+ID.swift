public import FieldCore
internal import FieldFoundation
public import FieldXML

extension NewsItem {
  /// The identifier of a piece of news, which stays the same across refreshes.
  ///
  /// It is made from the article number in the address if the city's website uses them
  /// (`News_Content.aspx?n=13370&s=8828304`, where `n` is a channel and `s` the article). Otherwise
  /// it is the feed's own ID or, failing that, the address. The old app used the position in the
  /// feed, which belongs to another article tomorrow. An article that returns with another ID, but
  /// the same address and the same title or date, keeps its ID.
  public typealias ID = RecordID<NewsItem>
}

extension RecordID where Subject == NewsItem {
  /// Creates the ID that ``CityFeeds`` assigns to an item; `nil` if it has no address, ID, or
  /// title.
  public init?(of item: FeedItem) {
    if let link = item.link, let number = Self.articleNumber(in: link), let host = link.host() {
      self.init(rawValue: "\(host.lowercased())?s=\(number)")
    } else if let guid = item.guid {
      self.init(rawValue: Self.plain(guid))
    } else if let link = Self(of: item.link) {
      self = link
    } else if !item.plainTitle.isEmpty {
      // Only its title and date identify such an item.
      self.init(rawValue: "\(item.publishedText ?? "") \(item.plainTitle)")
    } else {
      return nil
    }
  }

  /// Creates the ID of an item that has only an address.
  init?(of link: URL?) {
    guard let link else { return nil }
    self.init(rawValue: Self.plain(link.absoluteString))
  }

  /// Returns the value of `s` if the address is that of an article on a website that many cities
  /// use.
  private static func articleNumber(in link: URL) -> String? {
    guard link.path().lowercased().hasSuffix(".aspx"), let query = link.query() else { return nil }
    let items = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    func value(_ name: String) -> Substring? {
      items.first { $0.count == 2 && $0[0].lowercased() == name }?[1]
    }
    guard let number = value("s"), value("n") != nil,
      number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return String(number)
  }

  /// Returns the text without a URL scheme and fragment, so that moving to `https` doesn't change
  /// the ID.
  private static func plain(_ text: String) -> String {
    let lowercased = text.prefix(8).lowercased()
    for scheme in ["https://", "http://"] where lowercased.hasPrefix(scheme) {
      return String(text.dropFirst(scheme.count).prefix { $0 != "#" })
    }
    return text
  }
}
