extension BinaryInteger {
  /// Returns the digits of a nonnegative number, with zeros before them up to a width.
  package func digits(_ width: Int, radix: Int = 10) -> String {
    let text = String(self, radix: radix)
    return String(repeating: "0", count: Swift.max(0, width - text.utf8.count)) + text
  }
}
