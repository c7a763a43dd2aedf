extension ForeignBody {
  /// Returns the error for an HTML page that arrived instead of `wanted`, such as “a feed”, with
  /// the page's title if its first 16 KiB contain one.
  package static func webPage(_ bytes: [UInt8], insteadOf wanted: String) -> FieldError {
    let text = String(decoding: bytes.prefix(16_384), as: UTF8.self)
    let title = element("title", of: text).map { ": \($0)" } ?? ""
    return FieldError(
      .notData,
      "a web page came instead of \(wanted)\(title); the address may have moved, or a sign-in stands "
        + "before it")
  }

  /// Returns the beginning of a body, on one line and in quotation marks, for a message.
  package static func quotedBeginning(_ bytes: [UInt8]) -> String {
    bytes.withBytes { quoted($0, from: firstInk($0, from: markLength($0))) }
  }
}
