/// The errors for bodies that contain no rows.
package enum ForeignBody {
  /// Returns the length of the UTF-8 byte-order mark that begins the body: 3 or 0.
  static func markLength(_ bytes: Span<UInt8>) -> Int { isMark(bytes, 0) ? 3 : 0 }

  /// Returns whether a UTF-8 byte-order mark is next.
  static func isMark(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
    at + 3 <= bytes.count && bytes[at] == 0xEF && bytes[at + 1] == 0xBB && bytes[at + 2] == 0xBF
  }

  /// Refuses bodies that aren't text or data, and returns the offset of the text, after a
  /// byte-order mark.
  static func check(_ bytes: Span<UInt8>) throws(FieldError) -> Int {
    guard bytes.count > 0 else {
      throw FieldError(.emptyBody, "The body is empty. Check the file, or request it again.")
    }
    if bytes.count >= 2 {
      switch (bytes[0], bytes[1]) {
      case (0x1F, 0x8B):
        throw FieldError(.unknownFormat, "The body is compressed with gzip. Decompress it first.")
      case (UInt8(ascii: "P"), UInt8(ascii: "K")) where bytes.count >= 4 && bytes[2] < 0x20:
        throw FieldError(.unknownFormat, "The body is a ZIP archive. Extract it first.")
      case (0xFF, 0xFE), (0xFE, 0xFF), (0, 1...), (1..., 0):
        throw FieldError(.encoding, "The body is in UTF-16. Convert it to UTF-8.")
      case (0, 0):
        throw FieldError(.encoding, "The body isn't UTF-8, because it begins with zeros.")
      default: break
      }
    }
    let start = markLength(bytes)
    let first = firstInk(bytes, from: start)
    guard first < bytes.count else { throw FieldError(.emptyBody, "The body is blank.") }
    if bytes[first] == UInt8(ascii: "<") { throw markup(bytes, from: first, insteadOf: "rows") }
    return start
  }

  /// Returns the offset of the first byte that isn't space, or the length.
  static func firstInk(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at] == 0x20 || (0x09...0x0D).contains(bytes[at]) { at += 1 }
    return at
  }

  /// Returns the error for an HTML page or an XML document.
  static func markup(
    _ bytes: Span<UInt8>, from start: Int, insteadOf wanted: String
  ) -> FieldError {
    let text = bytes.text(start..<min(bytes.count, start + 16_384))
    if isPage(text) { return webPage(title: element("title", of: text), insteadOf: wanted) }
    let said = ["code", "message", "title"].compactMap { element($0, of: text) }
    return FieldError(
      .notData,
      "Expected \(wanted) but received an XML document"
        + (said.isEmpty ? "" : ": \(said.joined(separator: ": "))"))
  }

  /// Returns a message about an HTML page or an XML document, with the page's title, or `nil` if the
  /// body is neither.
  package static func pageTitle(_ body: TransportBody) -> String? {
    guard case .bytes(let bytes) = body else { return nil }
    return markup(bytes, insteadOf: "rows")?.message
  }

  /// Returns whether the first tag of a text, after comments and instructions, is one of HTML: the
  /// `<Body>` of an XML document doesn't make it a page.
  private static func isPage(_ text: String) -> Bool {
    var rest = text[...]
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...].dropFirst()
      if rest.hasPrefix("!--") {
        guard let end = rest.firstRange(of: "-->") else { return false }
        rest = rest[end.upperBound...]
      } else if rest.first != "?" {
        let isType = rest.prefix(8).lowercased() == "!doctype"
        if isType { rest = rest.dropFirst(8).drop { $0.isWhitespace } }
        let name = rest.prefix(12).prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let next = rest.dropFirst(name.count).first
        let isWhole = next.map { $0 == ">" || $0 == "/" || $0.isWhitespace } ?? true
        return isWhole && (isType ? ["html"] : pageElements).contains(name.lowercased())
      }
    }
    return false
  }

  /// The elements that a page, or what a careless server sends of one, begins with.
  private static let pageElements: Set<String> = [
    "html", "head", "body", "title", "meta", "link", "script", "style", "base", "center", "div",
    "p", "br", "b", "h1", "h2", "h3", "h4", "font", "table", "form", "pre", "span", "hr",
  ]

  /// Returns the text of the first element with a name, on one line, or `nil` if there is none.
  static func element(_ name: String, of text: String) -> String? {
    // Lowercasing may change lengths beyond ASCII, so offsets are found in the lowercased text
    // only.
    var rest = text[...]
    while let open = rest.firstIndex(of: "<") {
      let tag = rest[open...].dropFirst()
      rest = tag
      guard tag.prefix(name.count).lowercased() == name else { continue }
      let afterName = tag.dropFirst(name.count)
      guard let next = afterName.first, next == ">" || next.isWhitespace,
        let close = afterName.firstIndex(of: ">")
      else { continue }
      let content = afterName[close...].dropFirst().prefix { $0 != "<" }
      let line = content.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return line.isEmpty ? nil : String(line.prefix(200))
    }
    return nil
  }

  /// Returns the error for text without a header that contains a known column.
  static func noHeader(_ bytes: Span<UInt8>, from start: Int, columns: String) -> FieldError {
    let start = firstInk(bytes, from: start)
    if !UTF8Check.isValid(bytes, start..<bytes.count) { return otherEncoding }
    return FieldError(
      .schema,
      "No header line names a column of \(columns). The body begins with "
        + quoted(bytes, from: start))
  }

  /// The error for text in another encoding.
  static var otherEncoding: FieldError {
    FieldError(
      .encoding,
      "The body isn't UTF-8, but in an encoding such as Big5 or Windows-1251. Convert it to "
        + "UTF-8.")
  }

  /// Returns the error for JSON that has no rows where they should be.
  static func noRows(
    _ bytes: Span<UInt8>, from start: Int, for format: RowFormat
  ) -> FieldError {
    let start = firstInk(bytes, from: start)
    if let value = JSONValue.read(bytes, from: start), let error = errorDocument(value) {
      return error
    }
    return FieldError(
      .schema,
      "The body has no rows in the form of \(format). It begins with "
        + quoted(bytes, from: start))
  }

  /// Returns the error for an object that is the source's error message, or `nil` if it isn't one.
  static func errorDocument(_ value: JSONValue) -> FieldError? {
    guard case .object(let members) = value else { return nil }
    let names = ["error", "errors", "errorcode", "errormessage", "message", "detail", "fault"]
    guard members.contains(where: { names.contains($0.key.lowercased()) }) else { return nil }
    var said: [String] = []
    collect(value, ["code", "errorCode", "message", "errorMessage", "detail"], &said)
    for key in ["error", "fault"] {
      if let inner = value[key] {
        if let text = inner.string { said.append(text) }
        collect(inner, ["code", "type", "message", "detail"], &said)
      }
    }
    return FieldError(
      .notData,
      "The source responded with an error instead of rows"
        + (said.isEmpty ? "" : ": \(said.joined(separator: ": ").prefix(400))"))
  }

  private static func collect(_ value: JSONValue, _ keys: [String], _ said: inout [String]) {
    for key in keys {
      switch value[key] {
      case .string(let text), .number(let text): if !said.contains(text) { said.append(text) }
      default: break
      }
    }
  }

  /// Returns the beginning of the body, for a message.
  static func quoted(_ bytes: Span<UInt8>, from start: Int) -> String {
    let text = bytes.excerpt(start..<min(bytes.count, start + 80))
      .split(whereSeparator: \.isNewline).joined(separator: " ")
    return "“\(Redaction.default.redact(text: text))”"
  }
}

// MARK: - Page

extension ForeignBody {
  /// Returns the error for an HTML page that arrived instead of `wanted`, such as “a feed”, with
  /// the page's title if its first 16 KiB contain one.
  package static func webPage(_ bytes: [UInt8], insteadOf wanted: String) -> FieldError {
    let text = String(decoding: bytes.prefix(16_384), as: UTF8.self)
    return webPage(title: element("title", of: text), insteadOf: wanted)
  }

  /// Returns the error for an HTML page or an XML document that arrived instead of `wanted`, or
  /// `nil` if the body is neither.
  package static func markup(_ bytes: [UInt8], insteadOf wanted: String) -> FieldError? {
    bytes.withByteSpan { bytes in
      let first = firstInk(bytes, from: markLength(bytes))
      guard first < bytes.count, bytes[first] == UInt8(ascii: "<") else { return nil }
      return markup(bytes, from: first, insteadOf: wanted)
    }
  }

  /// Returns an error, or the one that describes a text for people better, such as `Unauthorized`,
  /// which a server sent instead of JSON.
  package static func explained(_ error: FieldError, by bytes: [UInt8]) -> FieldError {
    guard error.code == .malformed else { return error }
    return bytes.withByteSpan { plainText($0) }.map(refusal) ?? error
  }

  /// Returns the error for a text for people instead of rows, or `nil` if the body may be anything
  /// else that has no known column: a program, or a table.
  ///
  /// A table has at least a header and a row, or several columns.
  static func refusal(_ bytes: Span<UInt8>) -> FieldError? {
    guard bytes.count <= 2_000, let text = plainText(bytes) else { return nil }
    var (lineCount, hasWords, hasSeparators) = (0, false, false)
    var last: UInt8 = 0x0A
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "{"): return nil
      // A program calls a function.
      case UInt8(ascii: "(") where last > 0x20: return nil
      case UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"):
        hasSeparators = true
      case 0x20: hasWords = hasWords || last > 0x20
      default: break
      }
      if byte > 0x20, last == 0x0A || last == 0x0D { lineCount += 1 }
      if byte > 0x20 || byte == 0x0A || byte == 0x0D || last > 0x20 { last = byte }
    }
    return lineCount <= 1 || hasWords && !hasSeparators ? refusal(text) : nil
  }

  private static func refusal(_ text: String) -> FieldError {
    FieldError(
      .notData,
      "Expected data but received a text that begins with \(text). The server may have refused "
        + "the request. Check the URL and the key.")
  }

  /// Returns the beginning of a body that is a text for people, such as `Unauthorized` or `403
  /// Forbidden`, instead of JSON or markup, on one line and in quotation marks; `nil` for any other
  /// body.
  package static func plainText(_ bytes: [UInt8]) -> String? {
    bytes.withByteSpan { plainText($0) }
  }

  static func plainText(_ bytes: Span<UInt8>) -> String? {
    let start = firstInk(bytes, from: markLength(bytes))
    guard start < bytes.count,
      (bytes[start] | 0x20) &- UInt8(ascii: "a") < 26 || bytes[start] >= 0xC2
        || isStatus(bytes, start)
    else { return nil }
    var end = start
    while end < bytes.count, end - start < 12, (bytes[end] | 0x20) &- UInt8(ascii: "a") < 26 {
      end += 1
    }
    let word = bytes.text(start..<end).lowercased()
    // A value of JSON, or of a program's idea of it, may be cut off.
    let isValue = ["true", "false", "null", "nan", "infinity", "undefined"].contains {
      end > start && $0.hasPrefix(word)
    }
    return isValue ? nil : quoted(bytes, from: start)
  }

  /// Returns whether the status of an error and a word follow, such as `404 page`.
  private static func isStatus(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
    guard start + 3 < bytes.count,
      bytes[start] == UInt8(ascii: "4") || bytes[start] == UInt8(ascii: "5"),
      bytes[start + 1] &- UInt8(ascii: "0") < 10, bytes[start + 2] &- UInt8(ascii: "0") < 10
    else { return false }
    var at = start + 3
    while at < bytes.count, bytes[at] == 0x20 || bytes[at] == UInt8(ascii: ":") { at += 1 }
    return at > start + 3 && at < bytes.count && (bytes[at] | 0x20) &- UInt8(ascii: "a") < 26
  }

  static func webPage(title: String?, insteadOf wanted: String) -> FieldError {
    FieldError(
      .notData,
      "Expected \(wanted) but received an HTML page\(title.map { " (\($0))" } ?? ""). "
        + "The URL may have moved or may require signing in.")
  }

  /// Returns the beginning of a body, on one line and in quotation marks, for a message.
  package static func quotedBeginning(_ bytes: [UInt8]) -> String {
    bytes.withByteSpan { quoted($0, from: firstInk($0, from: markLength($0))) }
  }
}
