/// A check for valid UTF-8 (table 3-7 of the Unicode standard): no overlong forms, no surrogates,
/// nothing beyond U+10FFFF.
enum UTF8Check {
  static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var at = range.lowerBound
    let end = range.upperBound
    while at < end {
      if at &+ 8 <= end, let word = bytes.wholeWord(at: at), ByteTest.high(word) == 0 {
        at &+= 8
        continue
      }
      let lead = bytes[at]
      if lead < 0x80 {
        at &+= 1
        continue
      }
      var least: UInt8 = 0x80
      var most: UInt8 = 0xBF
      let length: Int
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, least) = (3, 0xA0)
      case 0xED: (length, most) = (3, 0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, least) = (4, 0x90)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, most) = (4, 0x8F)
      default: return false
      }
      guard at &+ length <= end else { return false }
      let second = bytes[at &+ 1]
      guard second >= least, second <= most else { return false }
      if length > 2, bytes[at &+ 2] & 0xC0 != 0x80 { return false }
      if length > 3, bytes[at &+ 3] & 0xC0 != 0x80 { return false }
      at &+= length
    }
    return true
  }
}
