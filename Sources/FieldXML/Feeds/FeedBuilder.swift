internal import FieldCore
internal import FieldFoundation

/// A builder that makes a feed from the elements of a document.
///
/// Only direct children of the channel or of an item are used, because images and sources have
/// their own titles and links.
struct FeedBuilder {
  /// The feed so far, whose format is known after the root element.
  private var document = FeedDocument(format: .rss)
  private var hasRoot = false

  /// An open element.
  private struct Frame {
    /// The meaning of the element; `other` if it doesn't describe the channel or the item.
    var element: FeedElement
    var tag: XMLTag
    /// The index of the frame that the element's text belongs to.
    var owner: Int?
    var text = ""
    var markup: FeedMarkup?
    /// The parts of an author; `nil` if there are none.
    var person: FeedPerson?
    /// The title of the files that the element stands for.
    var title: String?

    mutating func add(_ text: String) {
      if markup == nil { self.text += text } else { markup?.text(text) }
    }
  }

  private static let deepestMarkup = 32

  private let parser: TimestampParser
  private let address: URL?
  private var stack: [Frame] = []
  /// The bases for relative links that open elements declare, innermost last. They aren't in the
  /// frames, because the size of a URL is unknown to the compiler, which makes copies slow.
  private var bases: [(depth: Int, url: URL)] = []
  private var rootLanguage: String?
  private var channel = FeedItem.Draft()
  private var item: FeedItem.Draft?
  /// The index of the item's frame.
  private var itemIndex = 0
  /// The number of the item's files before the group that is open.
  private var groupStart = 0
  /// What the dates of the items say about the order of day and month.
  private var order = DateOrder()
  /// The items whose dates are ambiguous alone, with the texts of the dates.
  private var ambiguous: [(index: Int, published: String?, updated: String?)] = []
  /// The number of elements that have the name of an item, but are in another vocabulary.
  private var foreignItemCount = 0

  init(address: URL?, zone: FixedZone) {
    self.address = address
    parser = TimestampParser(zone: zone)
  }

  /// Returns the feed, or `nil` if there was no root element.
  mutating func finish() -> FeedDocument? {
    guard hasRoot else { return nil }
    resolveDates()
    // Do this once instead of after each part of the channel: the title may be long and the parts
    // many.
    let title = HTMLText(channel.title).plainText
    document.title = title.isEmpty ? nil : title
    document.language = channel.language ?? rootLanguage
    document.authors = channel.authors
    if foreignItemCount > 0, document.items.isEmpty {
      document.failures.append(
        RowFailure(
          at: 0,
          reason: "elements called item or entry are in another vocabulary (\(foreignItemCount))"))
    }
    if document.format == .atom, !channel.authors.isEmpty {
      for index in document.items.indices where document.items[index].authors.isEmpty {
        document.items[index].authors = channel.authors
      }
    }
    return document
  }

  // MARK: Elements

  /// Adds the start of an element.
  mutating func start(_ tag: XMLTag) throws {
    if !hasRoot {
      document.format = try Self.format(tag)
      hasRoot = true
      rootLanguage = tag["xml:lang"]
    }
    var element = FeedElement(tag) { isOwn($0) }
    if element == .foreignItem {
      element = tag.prefix.isEmpty && item == nil && isDirect ? .item : .other
      if element == .other { foreignItemCount += 1 }
    }
    if let own = tag["xml:base"], let url = SafeAddress.url(own, base: base) {
      bases.append((stack.count, url))
    }
    var owner = stack.last?.owner
    if let index = owner, !isPart(element) {
      // Elements inside a text are part of it.
      if stack[index].element.isMarkup, stack[index].markup == nil {
        stack[index].markup = FeedMarkup(after: stack[index].text, isDeclared: false)
      }
      stack[index].markup?.start(tag)
      element = .other
    } else if element == .item && item == nil {
      var draft = FeedItem.Draft()
      draft.guid = tag["rdf:about"]
      draft.isGUIDLink = draft.guid != nil
      item = draft
      itemIndex = stack.count
    } else if !isPart(element), !isDirect {
      element = .other
    } else if element.isField {
      owner = stack.count
    }
    if element == .mediaGroup { groupStart = item?.media.count ?? 0 }
    let isMarkup = element.isMarkup && Self.holdsMarkup(tag)
    stack.append(
      Frame(
        element: element, tag: tag, owner: owner,
        markup: isMarkup ? FeedMarkup(isDeclared: true) : nil))
  }

  /// Adds the text between two tags.
  mutating func text(_ text: String) { if let owner = stack.last?.owner { stack[owner].add(text) } }

  /// Adds the end of an element.
  mutating func end(_ name: String) {
    guard var frame = stack.popLast() else { return }
    defer { if bases.last?.depth == stack.count { bases.removeLast() } }
    if let owner = frame.owner, !frame.element.isField {
      stack[owner].markup?.end(name)
      return
    }
    if frame.element == .item, item != nil, stack.count == itemIndex { return endItem() }
    if frame.element == .mediaGroup, let title = frame.title {
      item?.nameMedia(title, from: groupStart)
    }
    guard frame.element.isField else { return }
    // The parts of the text are stream-safe, but not all of it.
    let text = Self.trimmed((frame.markup?.inner ?? frame.text).streamSafe)
    let base = base
    if frame.element == .mediaTitle, let last = stack.indices.last,
      stack[last].element == .mediaContent || stack[last].element == .mediaGroup
    {
      let title = HTMLText(text).plainText
      if !title.isEmpty { stack[last].title = stack[last].title ?? title }
      // The title of one of several files isn't that of the item.
      if stack[last].element == .mediaContent { return }
    }
    if let title = frame.title, frame.tag["title"] == nil { frame.tag.attributes["title"] = title }
    if frame.element.isPartOfPerson, let last = stack.indices.last {
      stack[last].person = stack[last].person ?? FeedPerson()
      stack[last].person?.take(frame.element, text, base: base)
    } else if item != nil {
      item?.take(frame.element, frame.tag, text, frame.person ?? FeedPerson(), base: base)
    } else {
      channel.take(frame.element, frame.tag, text, frame.person ?? FeedPerson(), base: base)
      if frame.element == .link || frame.element == .guid && channel.rawLink == nil {
        document.link = channel.link(base: address)
      }
    }
  }

  /// Returns the number of open elements that must have ended before a tag.
  ///
  /// It changes nothing, but is mutating because otherwise the class that contains the builder would
  /// copy it for each call.
  mutating func elementsEnded(by tag: XMLTag) -> Int {
    // Nearly all tags are outside of texts, where only an item ends anything.
    guard stack.last?.owner != nil || item != nil && FeedElement.isNamedLikeItem(tag) else {
      return 0
    }
    let element = FeedElement(tag) { isOwn($0) }
    if element == .item, item != nil {
      // Elements of another vocabulary may contain their own items.
      let isOwn = stack[itemIndex...].allSatisfy { frame in
        frame.owner != nil || frame.tag.namespace == tag.namespace
      }
      let isDeclared = stack.last?.owner.map { stack[$0].markup?.isDeclared == true } ?? false
      return isOwn && !isDeclared ? stack.count - itemIndex : 0
    }
    guard let owner = stack.last?.owner else { return 0 }
    // Markup that is nested too deeply is flattened instead of rejecting the feed.
    if stack.count - owner > Self.deepestMarkup { return 1 }
    let frame = stack[owner]
    // Other files may have elements inside.
    guard frame.markup?.isDeclared != true, !isPart(element),
      frame.element.mediaKind == nil || frame.element == .enclosure
    else { return 0 }
    switch element {
    // HTML doesn't contain these.
    case .item, .published, .guid, .enclosure: return stack.count - owner
    // HTML may contain these, but hardly as the first element in a text.
    case .title, .link, .description, .category, .author: return owner == stack.count - 1 ? 1 : 0
    default: break
    }
    guard owner < stack.count - 1, let last = stack.last?.tag.name else { return 0 }
    let isNested = last == tag.name && ["p", "li"].contains(last)
    return SafeHTMLWriter.void.contains(last) || isNested ? 1 : 0
  }

  // MARK: Parts

  /// The base for relative links at the present position.
  private var base: URL? { bases.last?.url ?? address }

  /// Whether the next element is a direct child of the item, or of the channel if there is no item.
  private var isDirect: Bool {
    if item != nil { return stack.count == itemIndex + 1 }
    switch stack.last?.element {
    case nil, .channel: return true
    // `rss` and `RDF` contain the channel.
    default: return stack.count == 1
    }
  }

  /// Returns whether a namespace is that of the root, the channel, or the item.
  private func isOwn(_ namespace: String) -> Bool {
    func isOwn(_ index: Int) -> Bool { stack[index].tag.namespace == namespace }
    return !stack.isEmpty && isOwn(0)
      || stack.count > 1 && stack[1].element == .channel && isOwn(1)
      || item != nil && isOwn(itemIndex)
  }

  /// Returns whether the next element is part of the innermost one, which is an author or a file.
  private func isPart(_ element: FeedElement) -> Bool {
    switch stack.last?.element {
    case .author, .contributor: element.isPartOfPerson
    case .mediaContent, .mediaGroup: element.isMedia
    default: false
    }
  }

  private mutating func endItem() {
    guard let draft = item.take() else { return }
    var noted = DateOrder()
    let (item, failures) = draft.item(
      index: document.items.count, base: base ?? document.link, parser: parser, noting: &noted)
    if noted.isAmbiguous {
      ambiguous.append((document.items.count, draft.published ?? draft.created, draft.updated))
    }
    order.formUnion(noted)
    document.items.append(item)
    document.failures.append(contentsOf: failures)
  }

  /// Reads the dates again that were ambiguous alone, if the feed's other dates settle them.
  private mutating func resolveDates() {
    guard order.isKnown, !ambiguous.isEmpty else { return }
    let parser = TimestampParser(zone: parser.zone, order: order)
    var settled: Set<Int> = []
    for (index, published, updated) in ambiguous {
      var noted = DateOrder()
      document.items[index].readDate(published, updated, parser: parser, noting: &noted)
      if document.items[index].published != nil { settled.insert(index) }
    }
    document.failures.removeAll {
      settled.contains($0.index) && $0.reason == FeedItem.Draft.dateReason
    }
  }

  private static func format(_ tag: XMLTag) throws(FieldError) -> FeedFormat {
    switch tag.name.lowercased() {
    case "rss": return .rss
    case "rdf": return .rdf
    case "feed": return .atom
    default:
      throw FieldError(
        .notData,
        "The XML isn't a feed: its root element is "
          + "<\(Substring(tag.name.unicodeScalars.prefix(80)))> instead of <rss>, <rdf:RDF>, or "
          + "<feed>.")
    }
  }

  /// Returns whether an element declares that the elements inside are its text.
  private static func holdsMarkup(_ tag: XMLTag) -> Bool {
    if tag.attributes.isEmpty { return false }
    let type = tag["type"]?.lowercased() ?? ""
    return type == "xhtml" || type.hasSuffix("+xml") || type.hasSuffix("/xml")
      || tag["mode"]?.lowercased() == "xml"
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      if scalar.isASCII { return scalar == " " || (9...13).contains(scalar.value) }
      // White space ends with the ideographic space.
      if scalar.value > 0x3000 { return scalar == "\u{FEFF}" }
      return scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    var trimmed = text
    if scalars.first.map(isBlank) ?? false || scalars.last.map(isBlank) ?? false {
      guard let first = scalars.firstIndex(where: { !isBlank($0) }),
        let last = scalars.lastIndex(where: { !isBlank($0) })
      else { return "" }
      trimmed = String(scalars[first...last])
    }
    // The section was escaped once too often.
    guard trimmed.utf8.first == UInt8(ascii: "<"), trimmed.hasPrefix("<![CDATA["),
      trimmed.hasSuffix("]]>")
    else { return trimmed }
    return Self.trimmed(String(trimmed.dropFirst(9).dropLast(3)))
  }
}

extension FeedPerson {
  fileprivate mutating func take(_ element: FeedElement, _ text: String, base: URL?) {
    guard !text.isEmpty else { return }
    switch element {
    case .personName: name = name ?? text
    case .personEmail: email = email ?? text
    default: uri = uri ?? SafeAddress.url(text, base: base)?.absoluteString ?? text
    }
  }
}
