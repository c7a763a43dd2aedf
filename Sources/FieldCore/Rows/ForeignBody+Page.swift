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
