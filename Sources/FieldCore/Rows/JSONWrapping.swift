/// What servers and programs put around JSON.
enum JSONWrapping {
  /// Returns the JSON after several byte-order marks, in the call of a function (JSONP), after the
  /// `)]}'` that keeps scripts from running it, before the Ctrl-Z that ends a text of DOS, in the
  /// `<string>` element of .NET, or in a JSON string, which results from encoding it twice; `nil` if it
  /// is bare.
  ///
  /// Blanks replace the beginning, so that the offsets in messages are those of the body, except in
  /// a string or an element.
  static func removed(from bytes: [UInt8]) -> [UInt8]? {
    bytes.withByteSpan { span in
      var first = ForeignBody.firstInk(span, from: 0)
      var markCount = 0
      while ForeignBody.isMark(span, first) {
        first = ForeignBody.firstInk(span, from: first + 3)
        markCount += 1
      }
      if isJSON(span, first) {
        let end = RowScan.endOfText(span)
        let isBare = markCount == 0 || markCount == 1 && ForeignBody.isMark(span, 0)
        return isBare && end == span.count ? nil : blanks(first) + bytes[first..<end]
      }
      if span.count > first, span[first] == UInt8(ascii: "\"") { return unquoted(span, at: first) }
      if span.count > first, span[first] == UInt8(ascii: "<") {
        guard let text = elementText(bytes, at: first),
          text.withByteSpan({ isJSON($0, ForeignBody.firstInk($0, from: 0)) })
        else { return nil }
        return text
      }
      guard let inner = beginning(span, first), isJSON(span, inner) else { return nil }
      let ends = [UInt8(ascii: ")"), UInt8(ascii: ";"), 0x20, 0x09, 0x0A, 0x0D, 0x1A]
      let end = bytes.lastIndex { !ends.contains($0) } ?? inner
      return blanks(inner) + bytes[inner...end]
    }
  }

  /// Returns the JSON in the string that is the whole body, or `nil` if there is none.
  private static func unquoted(_ bytes: Span<UInt8>, at start: Int) -> [UInt8]? {
    var scanner = JSONScanner(at: start)
    do throws(JSONFault) {
      let string = try scanner.string(bytes)
      try scanner.expectEnd(bytes)
      guard scanner.halfPair == nil else { return nil }
      let text = JSONText.unescaped(bytes, string.start..<string.end)
      return text.withByteSpan { text in
        let first = ForeignBody.firstInk(text, from: 0)
        return isJSON(text, first) || text.count > first && text[first] == UInt8(ascii: "\"")
      } ? text : nil
    } catch {
      return nil
    }
  }

  /// Returns the error for a body that is a JSON string without JSON, or one that was cut off, or
  /// `nil` if it is neither.
  static func stringError(_ bytes: Span<UInt8>, at start: Int) -> FieldError? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return nil }
    var scanner = JSONScanner(at: start)
    do throws(JSONFault) {
      _ = try scanner.string(bytes)
      try scanner.expectEnd(bytes)
    } catch {
      return error.isCut && isJSON(bytes, start + 1) ? error.fieldError : nil
    }
    return FieldError(
      .unknownFormat,
      "The body is a JSON string without rows. It begins with "
        + ForeignBody.quoted(bytes, from: start))
  }

  private static func blanks(_ count: Int) -> [UInt8] { Array(repeating: 0x20, count: count) }

  private static func isJSON(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
    at < bytes.count && (bytes[at] == UInt8(ascii: "{") || bytes[at] == UInt8(ascii: "["))
  }

  /// Returns the offset after the beginning of a wrapping, or `nil` if there is none.
  private static func beginning(_ bytes: Span<UInt8>, _ first: Int) -> Int? {
    func end(of mark: StaticString, _ start: Int) -> Int? {
      let count = mark.utf8CodeUnitCount
      return bytes.agreement(with: mark, at: start) == count ? start + count : nil
    }
    if let start = end(of: ")]}'", first) {
      return ForeignBody.firstInk(bytes, from: end(of: ",", start) ?? start)
    }
    let name = end(of: "/**/", first) ?? first
    var at = name
    while at < bytes.count, isNamePart(bytes[at]) { at += 1 }
    guard at > name, let inner = end(of: "(", at) else { return nil }
    return ForeignBody.firstInk(bytes, from: inner)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}

// MARK: - Element

extension JSONWrapping {
  /// Returns the text of the `<string>` element that .NET's web services put around JSON, with
  /// references replaced; `nil` if the body is another document, or has other elements inside.
  ///
  /// Without the closing tag, it is the text up to the end, so that the JSON shows what is missing.
  static func elementText(_ body: [UInt8], at start: Int) -> [UInt8]? {
    guard let range = body.withByteSpan({ elementContent($0, at: start) }) else { return nil }
    return XMLText.unescaped(body[range])
  }

  private static func elementContent(_ bytes: Span<UInt8>, at start: Int) -> Range<Int>? {
    var at = start
    if bytes.begins(with: "<?xml", at: at) {
      guard let end = end(of: "?>", bytes, from: at, within: 200) else { return nil }
      at = ForeignBody.firstInk(bytes, from: end)
    }
    guard bytes.begins(with: "<string", at: at), at + 7 < bytes.count,
      bytes[at + 7] == UInt8(ascii: ">") || bytes[at + 7] <= 0x20,
      let open = end(of: ">", bytes, from: at + 7, within: 500)
    else { return nil }
    at = ForeignBody.firstInk(bytes, from: open)
    if bytes.begins(with: "<![CDATA[", at: at) { return at..<bytes.count }
    let close = bytes.firstOffset(of: UInt8(ascii: "<"), from: at)
    return close == bytes.count || bytes.begins(with: "</string", at: close) ? at..<close : nil
  }

  /// Returns the offset after a mark, or `nil` if it doesn't end within a number of bytes.
  private static func end(
    of mark: StaticString, _ bytes: Span<UInt8>, from start: Int, within count: Int
  ) -> Int? {
    let last = min(start + count, bytes.count)
    return (start..<max(start, last)).first { bytes.begins(with: mark, at: $0) }
      .map { $0 + mark.utf8CodeUnitCount }
  }
}
