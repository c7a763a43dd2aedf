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
    case .title:
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
    case .updated: updated = text
    case .category: categories.append(text)
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

  /// Returns the text of an element in Atom, which is Base64 if its type isn't a text type (RFC
  /// 4287, 4.1.3.3), or notes a problem and returns `nil` if the content isn't text.
  private mutating func decoded(_ text: String, _ tag: XMLTag) -> String? {
    if tag.attributes.isEmpty { return text }
    let type = tag["type"]?.lowercased() ?? ""
    let isText =
      !type.contains("/") || type.hasPrefix("text/") || type.hasSuffix("+xml")
      || type.hasSuffix("/xml")
    guard tag["mode"]?.lowercased() == "base64" || tag["mode"] == nil && !isText else {
      return text
    }
    if let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters),
      let decoded = String(validating: data, as: UTF8.self), !decoded.utf8.contains(0)
    {
      return decoded
    }
    problems.append(("the content has the type \(type), which isn't text", text))
    return nil
  }
}
