/// Numbers from decimal text, exactly the ones that a correctly rounding reader gives.
enum DecimalText {
  /// The powers of ten that a Double holds exactly.
  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The finite number that the text says, with space around it allowed; nil for anything else.
  ///
  /// The text is what JSON allows and what else exports write: a leading plus, `.5`, `5.`, leading
  /// zeros, and commas that can only group thousands. Nothing of hexadecimal, `inf` or `nan`.
  static func double(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    var number = Digits()
    guard number.scan(bytes, range) else {
      return ungrouped(bytes, range)?.withBytes { double($0, $0.indices) }
    }
    if number.isExact {
      // Clinger's fast path: both operands are exact, so the one rounding is the right one.
      let digits = Double(number.significand)
      let power = number.exponent
      if digits == 0 { return number.isNegative ? -0.0 : 0 }
      if number.significand <= 1 &<< 53, power >= -22, power <= 22 {
        let value = power < 0 ? digits / exactPowers[0 &- power] : digits * exactPowers[power]
        return number.isNegative ? -value : value
      }
    }
    guard let value = Double(bytes.text(number.range)), value.isFinite else { return nil }
    return value
  }

  /// The whole number that the text says; `1880.0` and `1e3` are whole. Nil for anything else, and when
  /// it does not fit.
  static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var number = Digits()
    guard number.scan(bytes, range) else {
      return ungrouped(bytes, range)?.withBytes { integer($0, $0.indices) }
    }
    if !number.isExact {
      // More than nineteen digits fit only when the last ones are zeros after the point.
      var end = number.range.upperBound
      while end > number.range.lowerBound, bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
      let kept = number.range.lowerBound..<end
      guard bytes.firstOffset(of: UInt8(ascii: "."), from: kept.lowerBound) < end else {
        return nil
      }
      number = Digits()
      guard number.scan(bytes, kept), number.isExact else { return nil }
    }
    var value = number.significand
    var power = number.exponent
    if value == 0 { return 0 }
    while power < 0 {
      guard value % 10 == 0 else { return nil }
      value /= 10
      power += 1
    }
    while power > 0 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      value = product
      power -= 1
    }
    if number.isNegative { return value <= 1 << 63 ? Int(truncatingIfNeeded: 0 &- value) : nil }
    return Int(exactly: value)
  }

  /// The number without its commas if they can only group thousands, as in `60,000,000` and `1,234.5`.
  ///
  /// It is `nil` for `1,234`, which is a little more than one where a comma is the decimal sign.
  @inline(never)
  private static func ungrouped(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    guard range.count >= 6 else { return nil }
    let range = bytes.trimmed(range)
    var plain: [UInt8] = []
    var commas = 0
    // The digits since the sign, the last comma or the point.
    var digits = 0
    var hasPoint = false
    for offset in range {
      let byte = bytes[offset]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        // No grouped number begins with a zero.
        if byte == UInt8(ascii: "0"), commas == 0, digits == 0 { return nil }
        digits += 1
      case UInt8(ascii: ","):
        guard !hasPoint, commas == 0 ? (1...3).contains(digits) : digits == 3 else { return nil }
        (commas, digits) = (commas + 1, 0)
        continue
      case UInt8(ascii: "."):
        guard !hasPoint, digits == 3 else { return nil }
        (hasPoint, digits) = (true, 0)
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard offset == range.lowerBound else { return nil }
      default:
        return nil
      }
      plain.append(byte)
    }
    guard hasPoint ? commas > 0 : commas > 1 && digits == 3 else { return nil }
    return plain
  }

  /// A decimal number taken apart.
  private struct Digits {
    var isNegative = false
    /// The digits as a number, as long as they fit.
    var significand: UInt64 = 0
    /// The power of ten that goes with it.
    var exponent = 0
    /// Whether ``significand`` and ``exponent`` are the whole number.
    var isExact = true
    /// Where the number is, without the space around it.
    var range = 0..<0

    /// Takes the number apart; false when the text is no number.
    @inline(__always)
    mutating func scan(_ bytes: Span<UInt8>, _ whole: Range<Int>) -> Bool {
      var start = whole.lowerBound
      var end = whole.upperBound
      while start < end, bytes[start] <= 0x20 || bytes[start] >= 0x80 {
        let inner = bytes.trimmed(start..<end)
        guard inner.lowerBound > start else { return false }
        start = inner.lowerBound
      }
      while end > start, bytes[end &- 1] <= 0x20 || bytes[end &- 1] >= 0x80 {
        let inner = bytes.trimmed(start..<end)
        guard inner.upperBound < end else { return false }
        end = inner.upperBound
      }
      guard start < end else { return false }
      var at = start
      if bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
        isNegative = bytes[at] == UInt8(ascii: "-")
        at &+= 1
      }
      var digits = 0
      var pointAt: Int?
      var significant = 0
      while at < end {
        let digit = bytes[at] &- UInt8(ascii: "0")
        if digit < 10 {
          digits &+= 1
          if significant > 0 || digit > 0 { significant &+= 1 }
          if significant <= 19 { significand = significand &* 10 &+ UInt64(digit) }
        } else if bytes[at] == UInt8(ascii: "."), pointAt == nil {
          pointAt = digits
        } else {
          break
        }
        at &+= 1
      }
      guard digits > 0 else { return false }
      if let pointAt { exponent = pointAt &- digits }
      if significant > 19 { isExact = false }
      if at < end {
        guard bytes[at] | 0x20 == UInt8(ascii: "e"), scanExponent(bytes, at &+ 1..<end) else {
          return false
        }
      }
      range = start..<end
      return true
    }

    private mutating func scanExponent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
      var at = range.lowerBound
      var isDown = false
      if at < range.upperBound, bytes[at] == UInt8(ascii: "-") || bytes[at] == UInt8(ascii: "+") {
        isDown = bytes[at] == UInt8(ascii: "-")
        at += 1
      }
      guard at < range.upperBound else { return false }
      var power = 0
      while at < range.upperBound {
        let digit = bytes[at] &- UInt8(ascii: "0")
        guard digit < 10 else { return false }
        // Past this every number is zero or infinite, but for absurd lengths, read the slow way.
        if power < 100_000 { power = power * 10 + Int(digit) } else { isExact = false }
        at += 1
      }
      exponent += isDown ? -power : power
      return true
    }
  }
}
