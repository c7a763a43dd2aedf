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

  /// Returns the beginning of a body that is a text for people, such as `Unauthorized`, instead of
  /// JSON or markup, on one line and in quotation marks; `nil` for any other body.
  package static func plainText(_ bytes: [UInt8]) -> String? {
    bytes.withByteSpan { plainText($0) }
  }

  static func plainText(_ bytes: Span<UInt8>) -> String? {
    let start = firstInk(bytes, from: markLength(bytes))
    guard start < bytes.count,
      (bytes[start] | 0x20) &- UInt8(ascii: "a") < 26 || bytes[start] >= 0xC2
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
