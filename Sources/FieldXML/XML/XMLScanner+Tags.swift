internal import FieldCore

extension XMLScanner {
  /// Reads a start tag. A `<` that doesn't begin a tag is text.
  mutating func scanStartTag() throws {
    let start = at
    let nameEnd = XMLCharacter.nameEnd(text, from: at + 1)
    if nameEnd == text.count || nameEnd + 1 == text.count && text[nameEnd] == UInt8(ascii: "/") {
      return try cut()
    }
    guard nameEnd > at + 1,
      XMLCharacter.isBlank(text[nameEnd]) || text[nameEnd] == UInt8(ascii: ">")
        || has("/>", nameEnd)
    else {
      try fault("a < doesn't begin a tag", at: at, isRepaired: !open.isEmpty)
      if !open.isEmpty { content.append(UInt8(ascii: "<")) }
      at += 1
      return
    }
    let name = String(decoding: text[start + 1..<nameEnd], as: UTF8.self).streamSafe
    at = nameEnd
    var attributes: [String: String] = [:]
    var count = 0
    while true {
      let isApart = skipBlanks()
      guard at < text.count, !(at + 1 == text.count && text[at] == UInt8(ascii: "/")) else {
        return try cut()
      }
      if text[at] == UInt8(ascii: ">") {
        at += 1
        return try begin(name, attributes, isEmpty: false, at: start)
      }
      if text[at] == UInt8(ascii: "/"), has("/>") {
        at += 2
        return try begin(name, attributes, isEmpty: true, at: start)
      }
      if text[at] == UInt8(ascii: "<") {
        try fault("a tag isn't closed", at: start, isRepaired: false)
        return try begin(name, attributes, isEmpty: false, at: start)
      }
      count += 1
      guard count <= limits.attributeCount else {
        throw FieldError(
          .xmlLimit,
          "A tag in the document has more than the allowed \(limits.attributeCount) attributes.")
      }
      try scanAttribute(into: &attributes, isApart: isApart)
    }
  }

  private mutating func scanAttribute(
    into attributes: inout [String: String], isApart: Bool
  ) throws {
    let start = at
    let nameEnd = XMLCharacter.nameEnd(text, from: at)
    guard nameEnd > at else {
      try fault("a tag contains a character where an attribute should begin", at: at)
      repeat { at += 1 } while at < text.count && !isTagPart(text[at])
      return
    }
    if !isApart { try fault("a blank is missing between two attributes", at: at) }
    let name = String(decoding: text[at..<nameEnd], as: UTF8.self).streamSafe
    at = nameEnd
    skipBlanks()
    guard at < text.count else { return try cut() }
    var value = ""
    if text[at] == UInt8(ascii: "=") {
      at += 1
      skipBlanks()
      guard at < text.count else { return try cut() }
      value = try scanValue()
    } else {
      try fault("an attribute has no value", at: start)
    }
    if attributes[name] == nil {
      attributes[name] = value
    } else {
      try fault("an attribute occurs twice", at: start)
    }
  }

  /// Reads the value of an attribute.
  private mutating func scanValue() throws -> String {
    let quote = text[at]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      try fault("an attribute's value has no quotation marks", at: at)
      return try value(until: unquotedEnd(from: at))
    }
    let start = at
    at += 1
    guard let end = end(quote == UInt8(ascii: "'") ? .apostrophe : .quote, from: at) else {
      guard isRepairing, text[at...].contains(UInt8(ascii: ">")) else {
        try cut()
        return ""
      }
      try fault("an attribute's value has no closing quotation mark", at: start, isRepaired: false)
      return try value(until: unquotedEnd(from: at))
    }
    let written = text[at..<end - 1]
    let mark = written.firstIndex(of: UInt8(ascii: "<"))
    // The quotation mark begins the value of another attribute if there is a `=` before it, or is
    // in a text if one follows it.
    let isAfterName = written.last { !XMLCharacter.isBlank($0) } == UInt8(ascii: "=")
    let isBeforeText = end < text.count && !isTagPart(text[end]) && !isAttribute(at: end)
    let isForeign = mark == nil ? isAfterName && isBeforeText : isAfterName || isBeforeText
    if let mark {
      try fault("an attribute's value contains a <", at: mark, isRepaired: !isForeign)
    } else if isForeign {
      try fault("an attribute's value has no closing quotation mark", at: start)
    }
    if isForeign { return try value(until: unquotedEnd(from: at)) }
    let value = try value(until: end - 1)
    at = end
    return value
  }

  /// Returns whether a name and a `=` are next.
  private func isAttribute(at start: Int) -> Bool {
    let end = XMLCharacter.nameEnd(text, from: start)
    return end > start && end < text.count && text[end] == UInt8(ascii: "=")
  }

  private mutating func value(until end: Int) throws -> String {
    let mark = content.count
    try appendText(until: end, as: .attribute)
    let value = String(decoding: content[mark...], as: UTF8.self).streamSafe
    content.removeLast(content.count - mark)
    return value
  }

  private func unquotedEnd(from start: Int) -> Int {
    var end = start
    while end < text.count, !XMLCharacter.isBlank(text[end]), !isTagEnd(text[end]), !has("/>", end)
    {
      end += 1
    }
    return end
  }

  /// Reads an end tag, which is ignored if it ends no open element.
  mutating func scanEndTag() throws {
    let start = at
    at += 2
    if skipBlanks() { try fault("there is a blank before the name of an end tag", at: start) }
    let nameEnd = XMLCharacter.nameEnd(text, from: at)
    let nameStart = at
    at = nameEnd
    skipBlanks()
    if at < text.count, text[at] != UInt8(ascii: ">") {
      try fault("an end tag isn't closed", at: start)
      while at < text.count, !isTagEnd(text[at]) { at += 1 }
    }
    guard at < text.count else { return try cut() }
    if text[at] == UInt8(ascii: ">") { at += 1 }
    // Nearly all tags end the open element and spell its name with the same bytes.
    if nameEnd > nameStart, let last = open.last?.name, last.utf8.count == nameEnd - nameStart,
      XMLProlog.hasPrefix(last, text, nameStart)
    {
      return try end()
    }
    let name = String(decoding: text[nameStart..<nameEnd], as: UTF8.self).streamSafe
    if !name.isEmpty, open.last?.name == name { return try end() }
    let message = "an end tag doesn't match the open element"
    let place =
      open.lastIndex { $0.name == name }
      ?? open.lastIndex { $0.name.lowercased() == name.lowercased() }
    guard let place else { return try fault(message, at: start, isRepaired: Self.isMarkup(name)) }
    try endElements(open.count - place - 1, message, at: start)
    try end()
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = at
    while at < text.count, XMLCharacter.isBlank(text[at]) { at += 1 }
    return at > start
  }

  private func isTagEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<")
  }

  /// Returns whether a byte can end the search for the next attribute.
  private func isTagPart(_ byte: UInt8) -> Bool {
    XMLCharacter.isBlank(byte) || isTagEnd(byte) || byte == UInt8(ascii: "/")
  }
}
