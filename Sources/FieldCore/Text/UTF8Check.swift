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
      let (length, least, most) = UTF8Scalar.form(of: lead)
      guard length > 0, at &+ length <= end else { return false }
      let second = bytes[at &+ 1]
      guard second >= least, second <= most else { return false }
      if length > 2, bytes[at &+ 2] & 0xC0 != 0x80 { return false }
      if length > 3, bytes[at &+ 3] & 0xC0 != 0x80 { return false }
      at &+= length
    }
    return true
  }
}
