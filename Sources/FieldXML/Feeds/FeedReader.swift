internal import FieldCore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Gathers a feed from the elements of a document.
///
/// Only what stands directly in the channel or in an item counts: an image, a source and a group of
/// media have titles and links of their own.
final class FeedReader: XMLHandler {
  /// What has been read; nil until the root element has come.
  private var document: FeedDocument?

  private struct Frame {
    var element: FeedElement
    var tag: XMLTag
    /// What relative links within are completed by.
    var base: URL?
    var text = ""
  }

  private let parser: TimestampParser
  private let address: URL?
  private var stack: [Frame] = []
  private var rootLanguage: String?
  private var channel = FeedItem.Draft()
  private var item: FeedItem.Draft?
  private var itemDepth = 0
  private var markup: FeedMarkup?

  init(address: URL?, zone: FixedZone) {
    self.address = address
    parser = TimestampParser(zone: zone)
  }

  /// What has been read; nil when the root element has not come.
  func finish() -> FeedDocument? {
    // Once, and not whenever a part of the channel has come: the title may be long and the parts many.
    let title = HTMLText(channel.title).plainText
    document?.title = title.isEmpty ? nil : title
    document?.language = channel.language ?? rootLanguage
    return document
  }

  // MARK: XMLHandler

  func start(_ tag: XMLTag) throws {
    if markup != nil {
      markup?.start(tag)
      return
    }
    if document == nil {
      document = FeedDocument(format: try Self.format(tag))
      rootLanguage = tag["xml:lang"]
    }
    var element = FeedElement(tag, root: stack.first?.tag.namespace)
    var base = stack.last?.base ?? address
    if let own = tag["xml:base"] { base = SafeAddress.url(own, base: base) ?? base }
    if element == .item && item == nil {
      var draft = FeedItem.Draft()
      draft.guid = tag["rdf:about"]
      draft.isGUIDLink = draft.guid != nil
      item = draft
      itemDepth = stack.count + 1
    } else if !isDirect {
      element = .other
    }
    stack.append(Frame(element: element, tag: tag, base: base))
    if Self.holdsMarkup(element, tag) { markup = FeedMarkup() }
  }

  func text(_ text: String) {
    if markup != nil {
      markup?.text(text)
    } else if let last = stack.indices.last {
      stack[last].text += text
    }
  }

  func end(_ name: String) {
    if markup?.end(name) == true { return }
    guard var frame = stack.popLast() else { return }
    if let markup {
      frame.text = markup.inner
      self.markup = nil
    }
    if item != nil, stack.count < itemDepth {
      endItem(frame)
    } else if item != nil {
      item?.take(frame.element, frame.tag, Self.trimmed(frame.text), base: frame.base)
    } else if frame.element != .channel, frame.element != .other {
      channel.take(frame.element, frame.tag, Self.trimmed(frame.text), base: frame.base)
      if frame.element == .link || frame.element == .guid && channel.rawLink == nil {
        document?.link = channel.link(base: address)
      }
    }
  }

  // MARK: Parts

  /// Whether what comes next stands directly in the item, or in the channel when there is no item.
  private var isDirect: Bool {
    if item != nil { return stack.count == itemDepth }
    switch stack.last?.element {
    case nil, .channel: return true
    // `rss` and `RDF` hold the channel.
    default: return stack.count == 1
    }
  }

  private func endItem(_ frame: Frame) {
    guard let draft = item, let index = document?.items.count else { return }
    item = nil
    let link = document?.link
    let (item, failures) = draft.item(
      index: index, base: frame.base ?? address ?? link, parser: parser)
    document?.items.append(item)
    document?.failures.append(contentsOf: failures)
  }

  private static func format(_ tag: XMLTag) throws(FieldError) -> FeedFormat {
    switch tag.name.lowercased() {
    case "rss": return .rss
    case "rdf": return .rdf
    case "feed": return .atom
    default:
      throw FieldError(
        .notData,
        "the document is XML, and no feed: its root element is <\(tag.name.prefix(80))>, and not <rss>, "
          + "<rdf:RDF> or <feed>")
    }
  }

  /// Whether an element holds elements of XHTML that are its text.
  private static func holdsMarkup(_ element: FeedElement, _ tag: XMLTag) -> Bool {
    switch element {
    case .title, .description, .summary, .content:
      tag["type"] == "xhtml" || tag["type"] == "application/xhtml+xml" || tag["mode"] == "xml"
    default: false
    }
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(scalars[first...last])
  }
}

extension FeedItem.Draft {
  /// Takes an element that has ended.
  fileprivate mutating func take(
    _ element: FeedElement, _ tag: XMLTag, _ text: String, base: URL?
  ) {
    if element == .link { return takeLink(tag, text, base: base) }
    if element == .category, text.isEmpty, let term = tag["term"] { categories.append(term) }
    guard !text.isEmpty else { return }
    switch element {
    case .title:
      let isForeign = !tag.prefix.isEmpty && tag.prefix != "atom"
      guard title.isEmpty || isTitleForeign && !isForeign else { return }
      (title, isTitleForeign) = (text, isForeign)
    case .guid:
      guid = text
      isGUIDLink = tag["isPermaLink"]?.lowercased() != "false"
    case .description: description = description ?? text
    case .summary: summary = summary ?? text
    case .content: content = content ?? text
    case .published: published = text
    case .updated: updated = text
    case .category: categories.append(text)
    case .language: language = text
    case .link, .channel, .item, .other: break
    }
  }

  /// A link is the text of `link` in RSS, and an attribute in Atom, where only the alternate counts.
  private mutating func takeLink(_ tag: XMLTag, _ text: String, base: URL?) {
    let address: String
    if let href = tag["href"] {
      let type = tag["type"]?.lowercased() ?? "text/html"
      guard tag["rel"] ?? "alternate" == "alternate",
        type == "html" || type == "text/html" || type == "application/xhtml+xml"
      else { return }
      address = href
    } else {
      address = text
    }
    guard !address.isEmpty else { return }
    (rawLink, linkBase) = (address, base)
  }
}
