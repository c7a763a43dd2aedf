extension SubstringIndex {
  /// How a text relates to a query that it may begin with.
  package enum Beginning: Sendable {
    /// The text is the query.
    case equal
    /// The text goes on behind the query.
    case begins
    /// The text begins with something else.
    case other
  }

  /// Whether the text at a position is, or begins with, a query that is folded already.
  package func beginning(of position: Int, with folded: [UInt8]) -> Beginning {
    let start = Int(starts[position])
    let length = Int(starts[position + 1]) - 1 - start
    guard length >= folded.count else { return .other }
    for offset in folded.indices where bytes[start + offset] != folded[offset] { return .other }
    return length == folded.count ? .equal : .begins
  }
}
