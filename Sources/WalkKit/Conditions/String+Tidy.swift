extension StringProtocol {
  /// The text without the space around it, ideographic and no-break space and a byte-order mark among
  /// it.
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
