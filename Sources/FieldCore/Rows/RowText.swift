/// What counts as text in a cell.
enum RowText {
  /// The bytes of a cell with escapes or doubled quotes replaced.
  static func decoded(_ bytes: Span<UInt8>, _ cell: RowCell) -> [UInt8] {
    switch cell.encoding {
    case .plain, .escapes: JSONText.unescaped(bytes, cell.range)
    case .doubledQuotes: CSVText.unquoted(bytes, cell.range)
    }
  }

  /// Whether text says nothing: it is blank, or the word `null` with space around it.
  @inline(__always)
  static func isVoid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard let first = range.isEmpty ? nil : bytes[range.lowerBound] else { return true }
    // Anything else that a text begins with is neither space nor the n of null.
    if first > 0x20, first < 0x80, first != UInt8(ascii: "n") { return false }
    let inner = trimmed(bytes, range)
    return inner.isEmpty
      || (inner.count == 4 && bytes.agreement(with: "null", at: inner.lowerBound) == 4)
  }

  /// The range without the Unicode white space and byte-order marks at its ends.
  static func trimmed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end {
      let length = spaceLength(bytes, start..<end)
      if length == 0 { break }
      start += length
    }
    while start < end {
      if isSpace(UInt32(bytes[end - 1])), bytes[end - 1] < 0x80 {
        end -= 1
      } else if end - start >= 2, spaceLength(bytes, end - 2..<end) == 2 {
        end -= 2
      } else if end - start >= 3, spaceLength(bytes, end - 3..<end) == 3 {
        end -= 3
      } else {
        break
      }
    }
    return start..<end
  }

  /// How many bytes the space takes that a range begins with; 0 when it begins with none.
  private static func spaceLength(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    let lead = UInt32(bytes[range.lowerBound])
    if lead < 0x80 { return isSpace(lead) ? 1 : 0 }
    guard range.count >= 2 else { return 0 }
    let second = UInt32(bytes[range.lowerBound + 1] & 0x3F)
    if lead == 0xC2 { return isSpace(0x80 | second) ? 2 : 0 }
    guard lead & 0xF0 == 0xE0, range.count >= 3 else { return 0 }
    let third = UInt32(bytes[range.lowerBound + 2] & 0x3F)
    return isSpace((lead & 0x0F) << 12 | second << 6 | third) ? 3 : 0
  }

  /// The white space of Unicode (PropList.txt), the separators 0x1C to 0x1F, and the byte-order mark.
  private static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000, 0xFEFF:
      true
    default: false
    }
  }
}
