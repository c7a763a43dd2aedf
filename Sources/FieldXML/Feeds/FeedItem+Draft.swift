internal import FieldCore
internal import FieldFoundation

extension FeedItem {
  /// An item, or the channel itself, while its elements are being read.
  struct Draft {
    var title = ""
    /// Whether the title comes from Dublin Core, so that the format's own replaces it.
    var isTitleForeign = false
    var rawLink: String?
    /// Whether the link is a text, as in RSS, which an attribute of `atom:link` doesn't replace.
    var isLinkText = false
    /// The base of relative links at the position of the link.
    var linkBase: URL?
    var guid: String?
    var isGUIDLink = false
    var description: String?
    var summary: String?
    var content: String?
    var published: String?
    var created: String?
    var updated: String?
    var categories: [String] = []
    var language: String?
    var mediaDescription: String?
    var authors: [FeedPerson] = []
    var contributors: [FeedPerson] = []
    var enclosures: [FeedMedia] = []
    var media: [FeedMedia] = []
    /// The problems with values that couldn't be read, each with the text.
    var problems: [(reason: String, text: String)] = []

    /// The reason of the failure of a date.
    static let dateReason = "the date is in an unknown format"

    /// Returns the item, and the values that couldn't be read.
    ///
    /// - Parameter order: What the item's dates say about the order of day and month is added.
    func item(
      index: Int, base: URL?, parser: TimestampParser, noting order: inout DateOrder
    ) -> (item: FeedItem, failures: [RowFailure]) {
      var item = FeedItem(
        title: title, rawLink: rawLink, guid: guid, categories: categories, authors: authors,
        contributors: contributors, enclosures: enclosures, media: media)
      var problems = problems
      func fail(_ reason: String, _ excerpt: String) { problems.append((reason, excerpt)) }
      item.link = link(base: base)
      if let rawLink, item.link == nil { fail("the link isn't a web address", rawLink) }
      item.description = description ?? summary ?? mediaDescription
      item.content = content
      item.readDate(published ?? created, updated, parser: parser, noting: &order)
      if item.published == nil, let text = item.publishedText { fail(Self.dateReason, text) }
      let key = guid ?? rawLink
      return (
        item,
        problems.map { RowFailure(at: index, key: key, quoting: $0.text, reason: $0.reason) }
      )
    }

    /// Returns the link, or the ID if that is a link.
    func link(base: URL?) -> URL? {
      // Servers break long addresses into indented lines.
      let link = rawLink.map { link in
        SafeAddress.isPrintable(link)
          ? link
          : link.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined()
      }
      if let link, let url = SafeAddress.url(link, base: linkBase ?? base) { return url }
      guard isGUIDLink, let guid else { return nil }
      return SafeAddress.url(guid, base: nil)
    }
  }

  /// Reads the date of publication, or of the last change if that is the readable one.
  mutating func readDate(
    _ published: String?, _ updated: String?, parser: TimestampParser, noting order: inout DateOrder
  ) {
    publishedText = published ?? updated
    self.published = publishedText.flatMap { parser.instant($0, noting: &order)?.date }
    if self.published == nil, published != nil, let updated,
      let date = parser.instant(updated, noting: &order)?.date
    {
      (self.published, publishedText) = (date, updated)
    }
  }
}
