internal import FieldCore
public import FieldFoundation

/// An entry of a feed, as the feed contains it.
///
/// Texts are trimmed but otherwise unchanged, including markup; use ``plainTitle`` and ``text`` to
/// display them. Properties that the feed doesn't provide are `nil`.
public struct FeedItem: Sendable, Hashable, Codable {
  /// The title, which may contain markup; empty if there is none.
  public var title: String
  /// The address of the article, which is the link, or the ID if that is an address and there is no
  /// link.
  ///
  /// Only web addresses are used. Blanks and line breaks around and inside the address are removed,
  /// and invalid characters are encoded.
  public var link: URL?
  /// The link as written, even if it is `javascript:void(0)`.
  public var rawLink: String?
  /// The ID in the feed: `guid`, `id`, or `rdf:about`.
  public var guid: String?
  /// The description or summary as written; `nil` if it is missing or blank.
  public var description: String?
  /// The full article, if the feed contains it in addition to the description.
  public var content: String?
  /// The date on which the article was published or else updated; `nil` if there is none or it
  /// can't be parsed.
  public var published: Date?
  /// The text of the date, even if it couldn't be parsed.
  public var publishedText: String?
  /// The categories or tags, in the order of the feed.
  public var categories: [String]
  /// The authors (`author` and `dc:creator`), which default to those of the feed in Atom.
  public var authors: [FeedPerson]
  /// The contributors: `contributor` and `dc:contributor`.
  public var contributors: [FeedPerson]
  /// The attached files: `enclosure`, and links with `rel="enclosure"`.
  public var enclosures: [FeedMedia]
  /// The files and pictures of Media RSS and of `itunes:image`, in the order of the feed.
  public var media: [FeedMedia]

  /// Creates an item.
  public init(
    title: String = "", link: URL? = nil, rawLink: String? = nil, guid: String? = nil,
    description: String? = nil, content: String? = nil, published: Date? = nil,
    publishedText: String? = nil, categories: [String] = [], authors: [FeedPerson] = [],
    contributors: [FeedPerson] = [], enclosures: [FeedMedia] = [], media: [FeedMedia] = []
  ) {
    self.title = title
    self.link = link
    self.rawLink = rawLink
    self.guid = guid
    self.description = description
    self.content = content
    self.published = published
    self.publishedText = publishedText
    self.categories = categories
    self.authors = authors
    self.contributors = contributors
    self.enclosures = enclosures
    self.media = media
  }

  /// The title on one line, without markup.
  public var plainTitle: String {
    HTMLText(title).plainText.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The article, or else the description, as text that can be displayed.
  public var text: HTMLText { HTMLText(content ?? description ?? "") }
}

extension FeedItem: Identifiable {
  /// The feed's own ID for the item, or else its address, or else its title.
  public var id: String { guid ?? rawLink ?? title }
}

// The synthesized `init(from:)` uses these overloads to decode items that older versions wrote.
extension KeyedDecodingContainer {
  func decode(_ type: [FeedPerson].Type, forKey key: Key) throws -> [FeedPerson] {
    try decodeIfPresent(type, forKey: key) ?? []
  }

  func decode(_ type: [FeedMedia].Type, forKey key: Key) throws -> [FeedMedia] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}

// MARK: - Draft

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

// MARK: - Taking

extension FeedItem.Draft {
  /// Adds an element that has ended.
  mutating func take(
    _ element: FeedElement, _ tag: XMLTag, _ text: String, _ person: FeedPerson, base: URL?
  ) {
    if element == .link { return takeLink(tag, text, base: base) }
    if element == .category, text.isEmpty, let term = tag["term"] { categories.append(term) }
    if let kind = element.mediaKind {
      guard let file = FeedMedia(kind, tag, text: text, base: base) else { return }
      if kind == .enclosure { enclosures.append(file) } else { media.append(file) }
      return
    }
    if element == .author || element == .contributor {
      let person = person.isEmpty && !text.isEmpty ? FeedPerson(text: text) : person
      if element == .author { authors.add(person) } else { contributors.add(person) }
      return
    }
    guard !text.isEmpty else { return }
    switch element {
    case .title, .mediaTitle:
      let isForeign = !tag.prefix.isEmpty && tag.prefix != "atom"
      guard title.isEmpty || isTitleForeign && !isForeign, let text = decoded(text, tag) else {
        return
      }
      (title, isTitleForeign) = (text, isForeign)
    case .guid:
      guid = text
      isGUIDLink = tag["isPermaLink"]?.lowercased() != "false"
    case .description: description = description ?? decoded(text, tag)
    case .summary: summary = summary ?? decoded(text, tag)
    case .content: content = content ?? decoded(text, tag)
    case .mediaDescription: mediaDescription = mediaDescription ?? text
    case .published: published = text
    case .created: created = text
    case .updated: updated = text
    case .category: categories.append(text)
    case .keywords: addKeywords(text)
    case .language: language = text
    default: break
    }
  }

  /// Adds a link, which is the text of `link` in RSS and an attribute in Atom, where only
  /// `alternate` is used.
  private mutating func takeLink(_ tag: XMLTag, _ text: String, base: URL?) {
    let href = tag["href"]
    if href != nil {
      let relation = tag["rel"]?.lowercased() ?? "alternate"
      if relation == "enclosure", let file = FeedMedia(.enclosure, tag, text: "", base: base) {
        enclosures.append(file)
      }
      let type = tag["type"]?.lowercased() ?? "text/html"
      guard relation == "alternate",
        type == "html" || type == "text/html" || type == "application/xhtml+xml"
      else { return }
    }
    let address = href ?? text
    guard !address.isEmpty, !isLinkText || href == nil else { return }
    (rawLink, linkBase, isLinkText) = (address, base, href == nil)
  }

  /// Adds the keywords of a list as categories, unless the item has them.
  private mutating func addKeywords(_ text: String) {
    var known = Set(categories)
    for part in text.split(whereSeparator: { ",，、;；".contains($0) }) {
      let keyword = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      if !keyword.isEmpty, known.insert(keyword).inserted { categories.append(keyword) }
    }
  }

  /// Gives a title to the files of a group that have none.
  mutating func nameMedia(_ title: String, from start: Int) {
    for index in media.indices.dropFirst(start) where media[index].kind == .content {
      media[index].title = media[index].title ?? title
    }
  }

  /// Returns the text of an element in Atom, which is Base64 if its type isn't a text type (RFC
  /// 4287, 4.1.3.3), or notes a problem and returns `nil` if the content isn't text.
  ///
  /// Programs write JSON and other code as it is, which is seldom Base64 by chance.
  private mutating func decoded(_ text: String, _ tag: XMLTag) -> String? {
    if tag.attributes.isEmpty { return text }
    let type = tag["type"]?.lowercased() ?? ""
    let isText =
      !type.contains("/") || type.hasPrefix("text/") || type.hasSuffix("+xml")
      || type.hasSuffix("/xml")
    let isBase64 = tag["mode"]?.lowercased() == "base64"
    guard isBase64 || tag["mode"] == nil && !isText else { return text }
    if !isBase64, type.hasPrefix("application/"), text.utf8.contains(where: { !Self.isBase64($0) })
    {
      return text
    }
    if let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
      let decoded = String(validating: data, as: UTF8.self), !decoded.utf8.contains(0)
    {
      return decoded
    }
    // A number or a word, such as `true`, may have the letters of Base64.
    if !isBase64, Self.codeTypes.contains(where: type.contains) { return text }
    problems.append(("the content has the type \(type), which isn't text", text))
    return nil
  }

  /// The names in media types of code, which is text.
  private static let codeTypes = ["json", "javascript", "ecmascript", "yaml", "toml", "sql"]

  private static func isBase64(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
      || XMLCharacter.isBlank(byte)
  }
}
