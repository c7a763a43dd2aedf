extension SubstringIndex {
  /// The relation of the beginning of a text to a query.
  package enum Beginning: Sendable {
    /// The text is the query.
    case equal
    /// The text begins with the query and continues after it.
    case begins
    /// The text begins with something else.
    case other
  }

  /// Returns how the text at a position begins, compared with a query that is already folded.
  package func beginning(of position: Int, with folded: [UInt8]) -> Beginning {
    let start = Int(starts[position])
    let length = Int(starts[position + 1]) - 1 - start
    guard length >= folded.count else { return .other }
    for offset in folded.indices where bytes[start + offset] != folded[offset] { return .other }
    return length == folded.count ? .equal : .begins
  }
}
