package import FieldFoundation

/// The only code that inserts text into URLs.
///
/// Servers read the characters that `URLComponents` leaves bare in a query (`+`, `'`, `;`, and
/// others) in different ways, so a value keeps only the characters that RFC 3986 calls unreserved:
/// letters, digits, `-`, `.`, `_`, and `~`. Equal input results in equal URLs, byte for byte.
package enum PercentEncoding {
  /// Returns the text with all but unreserved characters written as `%XX`, for a name or a value in
  /// a query.
  package static func component(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) { bytes.append(byte) } else { appendEscaped(byte, to: &bytes) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text as one segment of a path: like ``component(_:)``, but `.` and `..`, which would be
  /// steps in the path, are escaped as well.
  package static func segment(_ text: String) -> String {
    [".", ".."].contains(text) ? text.replacing(".", with: "%2E") : component(text)
  }

  /// Returns `name=value` pairs joined by `&`, in the given order.
  package static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { "\(component($0.name))=\(component($0.value))" }.joined(separator: "&")
  }

  /// Returns a URL with the pairs appended to its query.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if `base` can't have a
  ///   query.
  package static func url(_ base: URL, adding items: [(name: String, value: String)]) throws -> URL
  {
    guard !items.isEmpty else { return base }
    let parts = base.absoluteString.split(
      separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    var text = String(parts[0])
    if !text.contains("?") {
      text += "?"
    } else if !text.hasSuffix("?") && !text.hasSuffix("&") {
      text += "&"
    }
    text += query(items)
    if parts.count > 1 { text += "#\(parts[1])" }
    guard let url = URL(string: text, encodingInvalidCharacters: false) else {
      throw FieldError(.invalidInput, "A query can't be added to \(base.absoluteString).")
    }
    return url
  }

  /// Returns the text with every `%XX` replaced by its byte; incomplete escapes stay.
  package static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "%")) else { return String(text) }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if isEscape(bytes, at: index),
        let byte = UInt8(
          String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        plain.append(byte)
        index += 3
      } else {
        plain.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
      && JSONText.hexDigit(bytes[index + 1]) != nil && JSONText.hexDigit(bytes[index + 2]) != nil
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: byte.isLetterOrDigit
    }
  }

  static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "%"))
    bytes.append(hexDigit(byte >> 4))
    bytes.append(hexDigit(byte & 15))
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
  }
}
