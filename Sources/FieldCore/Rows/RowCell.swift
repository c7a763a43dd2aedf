/// The location of a cell in the body, and its kind.
struct RowCell {
  enum Kind: UInt8 { case missing, null, bool, number, text, nested }

  enum Encoding: UInt8 {
    /// The bytes are the text.
    case plain
    /// The text contains JSON escapes.
    case escapes
    /// Every quote in the text is doubled, as in CSV, up to one that ends the quoted part.
    case doubledQuotes
  }

  var kind: Kind = .missing
  var encoding: Encoding = .plain
  /// The quality of the match between key and column; lower is better (see ``RowSchema``).
  var rank: UInt16 = .max
  var start: Int = 0
  var end: Int = 0

  @inline(__always)
  var range: Range<Int> { start..<end }
}
