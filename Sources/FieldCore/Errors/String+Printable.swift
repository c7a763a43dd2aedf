extension StringProtocol {
  /// The text on one line and without control characters, for messages that quote a server.
  ///
  /// Line breaks and tabs become spaces. Other control characters, and the marks that reorder text,
  /// become escapes such as `\u{1B}`.
  package var printable: String {
    // Nearly every message is plain ASCII without control characters.
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }),
      unicodeScalars.contains(where: { $0.needsEscape })
    else { return String(self) }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": text.append(" ")
      case _ where scalar.needsEscape:
        text.append("\\u{\(String(scalar.value, radix: 16, uppercase: true))}")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate var needsEscape: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
