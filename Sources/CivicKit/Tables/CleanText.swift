internal import FieldCore

enum CleanText {
  /// Returns the text without white space, byte-order marks, and null characters at its ends; `nil`
  /// if it is blank or the word `null`.
  static func value(_ text: String) -> String? {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isBlank($0) }),
      let last = scalars.lastIndex(where: { !isBlank($0) })
    else { return nil }
    let trimmed = String(scalars[first...last])
    return trimmed.utf8.count == 4 && trimmed.lowercased() == "null" ? nil : trimmed
  }

  /// Returns the words of a column that may contain several.
  static func words(_ text: String?) -> [String] {
    (text ?? "").split { ",，、;；|/\n\r\t".contains($0) }.compactMap { value(String($0)) }.uniqued()
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.value == 0xFEFF || scalar.value == 0
      || (0x1C...0x1F).contains(scalar.value)
  }
}
