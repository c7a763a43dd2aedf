extension ForeignBody {
  /// Returns the error for an HTML page that arrived instead of `wanted`, such as “a feed”, with
  /// the page's title if its first 16 KiB contain one.
  package static func webPage(_ bytes: [UInt8], insteadOf wanted: String) -> FieldError {
    let text = String(decoding: bytes.prefix(16_384), as: UTF8.self)
    return webPage(title: element("title", of: text), insteadOf: wanted)
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
