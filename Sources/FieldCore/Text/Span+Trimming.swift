extension Span<UInt8> {
  /// Returns a range without the Unicode white space and byte-order marks at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end {
      let length = spaceLength(start..<end)
      if length == 0 { break }
      start += length
    }
    while start < end {
      if Self.isSpace(UInt32(self[end - 1])), self[end - 1] < 0x80 {
        end -= 1
      } else if end - start >= 2, spaceLength(end - 2..<end) == 2 {
        end -= 2
      } else if end - start >= 3, spaceLength(end - 3..<end) == 3 {
        end -= 3
      } else {
        break
      }
    }
    return start..<end
  }

  /// Returns the length of the space that begins a range, or 0 if there is none.
  private func spaceLength(_ range: Range<Int>) -> Int {
    let lead = UInt32(self[range.lowerBound])
    if lead < 0x80 { return Self.isSpace(lead) ? 1 : 0 }
    guard range.count >= 2 else { return 0 }
    let second = UInt32(self[range.lowerBound + 1] & 0x3F)
    if lead == 0xC2 { return Self.isSpace(0x80 | second) ? 2 : 0 }
    guard lead & 0xF0 == 0xE0, range.count >= 3 else { return 0 }
    let third = UInt32(self[range.lowerBound + 2] & 0x3F)
    return Self.isSpace((lead & 0x0F) << 12 | second << 6 | third) ? 3 : 0
  }

  /// Returns whether a scalar is Unicode white space (PropList.txt), a separator 0x1C to 0x1F, or
  /// the byte-order mark.
  static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F,
      0x205F, 0x3000, 0xFEFF:
      true
    default: false
    }
  }
}
