/// The rules for text in cells.
package enum RowText {
  /// Returns the bytes of a cell with escapes or doubled quotes replaced.
  static func decoded(_ bytes: Span<UInt8>, _ cell: RowCell) -> [UInt8] {
    switch cell.encoding {
    case .plain, .escapes: JSONText.unescaped(bytes, cell.range)
    case .doubledQuotes: unquoted(bytes, cell.range)
    }
  }

  /// Returns the content of a quoted cell with every doubled quote reduced to one, and the text
  /// after a quote that ends the quoted part as it is.
  private static func unquoted(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var at = range.lowerBound
    while at < range.upperBound {
      if bytes[at] == quote {
        at &+= 1
        guard at < range.upperBound, bytes[at] == quote else { break }
      }
      text.append(bytes[at])
      at &+= 1
    }
    while at < range.upperBound {
      text.append(bytes[at])
      at &+= 1
    }
    return text
  }

  /// Returns a Boolean value that indicates whether bytes stand for a missing value.
  ///
  /// They do if they are blank, or one of the words `null`, `NULL`, `NA`, `N/A`, `n/a`, `#N/A`, and
  /// `-`, possibly surrounded by space.
  @inline(__always)
  static func isVoid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard let first = range.isEmpty ? nil : bytes[range.lowerBound] else { return true }
    // Above the hyphen, only an N or a character beyond ASCII can begin such a text.
    if first > UInt8(ascii: "-"), first < 0x80, first | 0x20 != UInt8(ascii: "n") { return false }
    return isVoidWord(bytes, range)
  }

  @inline(never)
  private static func isVoidWord(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    // Many names begin with an N, so the second byte decides before anything is trimmed.
    if bytes[range.lowerBound] | 0x20 == UInt8(ascii: "n") {
      guard range.count > 1 else { return false }
      switch bytes[range.lowerBound + 1] {
      case UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "A"), UInt8(ascii: "/"): break
      default: return false
      }
    }
    let inner = bytes.trimmed(range)
    func isWord(_ word: StaticString) -> Bool {
      word.utf8CodeUnitCount == inner.count
        && bytes.agreement(with: word, at: inner.lowerBound) == inner.count
    }
    return inner.isEmpty || isWord("-") || isWord("NA") || isWord("null") || isWord("NULL")
      || isWord("N/A") || isWord("n/a") || isWord("#N/A")
  }

  /// Returns a Boolean value that indicates whether text stands for a missing value.
  package static func isVoid(_ text: String) -> Bool {
    Array(text.utf8).withByteSpan { isVoid($0, $0.indices) }
  }

  /// Returns an ID without the `.0` that a spreadsheet or pandas appends to whole numbers.
  package static func plainID(_ text: String) -> String {
    // Few IDs end in a zero, and the last byte of a short text is cheap to check.
    guard text.utf8.last == UInt8(ascii: "0"),
      let point = text.utf8.firstIndex(of: UInt8(ascii: "."))
    else { return text }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let whole = text.utf8[..<point]
    guard !whole.isEmpty, whole.allSatisfy(digits.contains),
      text.utf8[text.utf8.index(after: point)...].allSatisfy({ $0 == digits.lowerBound })
    else { return text }
    return String(text[..<point])
  }
}
