internal import FieldCore
internal import FieldFoundation
internal import FieldXML

extension CityActivity {
  /// Reads a row of the table `hot`; the caller sets the ID.
  init(_ row: CivicRow, dates: TimestampParser) {
    self.init(id: "", title: "")
    take(row, dates: dates)
  }

  /// Replaces the properties that a row of the table `hot` has columns for.
  mutating func take(_ row: CivicRow, dates: TimestampParser) {
    if let title = row.text("hotTitle") { news.title = FeedItem(title: title ?? "").plainTitle }
    if let link = row.text("hotLink") { news.link = link.flatMap(PercentEncoding.webAddress) }
    if let description = row.text("hotDescription") { news.description = description }
    if let date = row.text("hotDate") {
      news.publishedText = date.map(Self.unwrapped)
      news.published = news.publishedText.flatMap { dates.instant($0)?.date }
    }
  }

  /// The ID that a feed would give this activity; `nil` if it has neither an address nor a title.
  var contentID: ID? {
    ID(of: FeedItem(title: title, link: link, publishedText: news.publishedText))
  }

  /// The activity's ID, and that of the same article in a feed.
  var names: [ID] {
    [id, link.flatMap { ID(of: FeedItem(link: $0)) }].compactMap(\.self).uniqued()
  }

  /// Returns the text within `Optional(…)`, which is how the old app stored dates.
  static func unwrapped(_ text: String) -> String {
    guard text.hasPrefix("Optional("), text.hasSuffix(")") else { return text }
    return String(text.dropFirst(9).dropLast())
  }
}
