/// Where a cell of a row is in the body, and what it is.
struct RowCell {
  enum Kind: UInt8 { case missing, null, bool, number, text, nested }

  enum Encoding: UInt8 {
    /// The bytes are the text.
    case plain
    /// JSON escapes stand in the text.
    case escapes
    /// Every quote in the text is doubled, as in CSV.
    case doubledQuotes
  }

  var kind: Kind = .missing
  var encoding: Encoding = .plain
  /// How good the key's match with the column is; lower is better (see ``RowSchema``).
  var rank: UInt16 = .max
  var start: Int = 0
  var end: Int = 0

  @inline(__always)
  var range: Range<Int> { start..<end }
}
