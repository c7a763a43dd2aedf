extension StringProtocol {
  /// The text without the space around it, including ideographic and no-break spaces and a
  /// byte-order mark.
  var tidy: String {
    var scalars = Substring(self).unicodeScalars
    func isBlank(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isWhitespace || scalar == "\u{FEFF}"
    }
    while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(Substring(scalars))
  }
}
