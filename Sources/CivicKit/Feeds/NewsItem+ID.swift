public import FieldCore
internal import FieldFoundation
public import FieldXML

extension NewsItem {
  /// The identifier of a piece of news, which lasts from one refresh to the next.
  ///
  /// It is made from the number of the article in the address where the city's pages have one
  /// (`News_Content.aspx?n=13370&s=8828304`, where `n` is a channel and `s` the article), or else from
  /// the feed's own id, or else from the address. The place in the feed, which the old app took, means
  /// another article tomorrow. An article that comes with another id, under the same address and with
  /// the same title or date, keeps the id that it had.
  public typealias ID = RecordID<NewsItem>
}

extension RecordID where Subject == NewsItem {
  /// Creates the ID that ``CityFeeds`` gives to an item; `nil` if the item has no address, ID, or title.
  public init?(of item: FeedItem) {
    if let link = item.link, let number = Self.articleNumber(in: link), let host = link.host() {
      self.init(rawValue: "\(host.lowercased())?s=\(number)")
    } else if let guid = item.guid {
      self.init(rawValue: Self.plain(guid))
    } else if let link = Self(of: item.link) {
      self = link
    } else if !item.plainTitle.isEmpty {
      // Nothing but its title and its day tells such an item from others.
      self.init(rawValue: "\(item.publishedText ?? "") \(item.plainTitle)")
    } else {
      return nil
    }
  }

  /// The id of an item that has nothing but its address.
  init?(of link: URL?) {
    guard let link else { return nil }
    self.init(rawValue: Self.plain(link.absoluteString))
  }

  /// The value of `s`, when the address is one of an article in the pages that many cities have.
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

  /// The text without the scheme of an address and what stands behind `#`, so that a page that moves to
  /// `https` is the same page.
  private static func plain(_ text: String) -> String {
    let lowercased = text.prefix(8).lowercased()
    for scheme in ["https://", "http://"] where lowercased.hasPrefix(scheme) {
      return String(text.dropFirst(scheme.count).prefix { $0 != "#" })
    }
    return text
  }
}
