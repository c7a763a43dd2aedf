internal import FieldCore
internal import FieldFoundation
internal import FieldXML

extension CityActivity {
  /// Reads a row of the table `hot`; the ID is up to the caller.
  init(_ row: CivicRow, in zone: FixedZone) {
    self.init(id: "", title: "")
    take(row, in: zone)
  }

  /// Replaces what a row of the table `hot` has columns for.
  mutating func take(_ row: CivicRow, in zone: FixedZone) {
    if let title = row.text("hotTitle") { news.title = FeedItem(title: title ?? "").plainTitle }
    if let link = row.text("hotLink") { news.link = link.flatMap(PercentEncoding.webAddress) }
    if let description = row.text("hotDescription") { news.description = description }
    if let date = row.text("hotDate") {
      news.publishedText = date.map(Self.unwrapped)
      news.published = news.publishedText.flatMap { TimestampParser(zone: zone).instant($0)?.date }
    }
  }

  /// What a feed with this activity would tell it by; nil if it has neither an address nor a title.
  var contentID: ID? {
    ID(of: FeedItem(title: title, link: link, publishedText: news.publishedText))
  }

  /// Its ID, and that of the same article in a feed.
  var names: [ID] {
    let article = link.flatMap { ID(of: FeedItem(link: $0)) }
    return [id] + [article].compactMap(\.self).filter { $0 != id }
  }

  /// The text within `Optional(…)`, as which the old app stored dates.
  private static func unwrapped(_ text: String) -> String {
    guard text.hasPrefix("Optional("), text.hasSuffix(")") else { return text }
    return String(text.dropFirst(9).dropLast())
  }
}
