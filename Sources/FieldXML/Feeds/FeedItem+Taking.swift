internal import FieldCore
internal import FieldFoundation

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
