internal import FieldFoundation

/// A reader of decimal numbers, with correct rounding.
enum DecimalText {
  /// The powers of ten that a `Double` represents exactly.
  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Returns the finite number in a text, possibly surrounded by space, or `nil` for anything else.
  ///
  /// The text may be anything that JSON allows and what other exports contain: a leading plus,
  /// `.5`, `5.`, leading zeros, full-width characters, U+2212 as a minus, and commas that can only
  /// group thousands, but not hexadecimal numbers, `inf`, or `nan`.
  static func double(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    var number = Digits()
    guard number.scan(bytes, range) else {
      return plainForm(bytes, range)?.withByteSpan { double($0, $0.indices) }
    }
    if number.isExact {
      // Clinger's fast path: both operands are exact, so the result is rounded once, correctly.
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

  /// Returns the integer in a text, including `1880.0` and `1e3`, or `nil` for anything else or on
  /// overflow.
  static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var number = Digits()
    guard number.scan(bytes, range) else {
      return plainForm(bytes, range)?.withByteSpan { integer($0, $0.indices) }
    }
    if !number.isExact {
      // More than nineteen digits fit only if the last ones are zeros after the point.
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
    guard number.isNegative else { return Int64(exactly: value) }
    return value <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- value) : nil
  }

  /// Returns the number in a text with all its digits, or `nil` for anything else.
  static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Decimal? {
    var number = Digits()
    guard number.scan(bytes, range) else {
      return plainForm(bytes, range)?.withByteSpan { decimal($0, $0.indices) }
    }
    guard let value = Decimal(string: bytes.text(number.range)), value.isFinite else { return nil }
    return value
  }

  /// Returns a number that isn't written as in JSON in a form that is, or `nil` if there is none.
  @inline(never)
  private static func plainForm(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    let range = bytes.trimmed(range)
    return narrowed(bytes, range) ?? ungrouped(bytes, range)
  }

  /// Returns a text whose characters beyond ASCII are the full-width ones of numbers, in ASCII, or
  /// `nil` if there are others, or none.
  private static func narrowed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    guard range.contains(where: { bytes[$0] >= 0x80 }) else { return nil }
    var plain: [UInt8] = []
    var at = range.lowerBound
    while at < range.upperBound {
      if bytes[at] < 0x80 {
        plain.append(bytes[at])
        at += 1
        continue
      }
      guard at + 3 <= range.upperBound else { return nil }
      switch (bytes[at], bytes[at + 1], bytes[at + 2]) {
      // U+FF0B to U+FF0E, from plus to point, the digits, and E and e.
      case (0xEF, 0xBC, let last)
      where (0x8B...0x8E).contains(last) || (0x90...0x99).contains(last):
        plain.append(last - 0x60)
      case (0xEF, 0xBC, 0xA5), (0xEF, 0xBD, 0x85): plain.append(UInt8(ascii: "e"))
      case (0xE2, 0x88, 0x92): plain.append(UInt8(ascii: "-"))
      default: return nil
      }
      at += 3
    }
    return plain
  }

  /// Returns the number without its commas if they can only group thousands, as in `60,000,000` and
  /// `1,234.5`.
  ///
  /// The result is `nil` for `1,234`, which is a little more than one where a comma is the decimal
  /// separator.
  private static func ungrouped(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    guard range.count >= 6 else { return nil }
    var plain: [UInt8] = []
    var commas = 0
    // The digits since the sign, the last comma, or the point.
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

  /// The parts of a decimal number.
  private struct Digits {
    var isNegative = false
    /// The digits as a number, if they fit.
    var significand: UInt64 = 0
    /// The power of ten to multiply by.
    var exponent = 0
    /// A Boolean value that indicates whether ``significand`` and ``exponent`` are the whole
    /// number.
    var isExact = true
    /// The range of the number, without surrounding space.
    var range = 0..<0

    /// Parses the number, and returns `false` if the text isn't one.
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
      range = start..<end
      let text = bytes.extracting(range)
      var at = 0
      if text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
        isNegative = text[at] == UInt8(ascii: "-")
        at = 1
      }
      let first = at
      at = takeDigits(text, from: at)
      var digits = at &- first
      if at < text.count, text[at] == UInt8(ascii: ".") {
        let point = at &+ 1
        at = takeDigits(text, from: point)
        exponent = point &- at
        digits &+= at &- point
      }
      guard digits > 0 else { return false }
      // Twenty digits may overflow, except for leading zeros.
      if digits > 19, digits &- leadingZeros(text, first..<at) > 19 { isExact = false }
      return at == text.count
        || text[at] | 0x20 == UInt8(ascii: "e") && scanExponent(text, at &+ 1..<text.count)
    }

    /// Appends the digits from an offset to the significand, and returns the offset after them.
    @inline(__always)
    private mutating func takeDigits(_ text: Span<UInt8>, from start: Int) -> Int {
      var at = start
      var number = significand
      while at < text.count {
        // The offset begins at a checked one and is below the count.
        let digit = unsafe text[unchecked: at] &- UInt8(ascii: "0")
        if digit >= 10 { break }
        number = number &* 10 &+ UInt64(digit)
        at &+= 1
      }
      significand = number
      return at
    }

    /// Returns the number of zeros that begin a range of digits, which may contain a point.
    @inline(never)
    private func leadingZeros(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
      var zeros = 0
      for at in range where bytes[at] != UInt8(ascii: ".") {
        guard bytes[at] == UInt8(ascii: "0") else { break }
        zeros += 1
      }
      return zeros
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
        // Beyond this, every number is zero or infinite, except for absurd lengths, which are read
        // slowly.
        if power < 100_000 { power = power * 10 + Int(digit) } else { isExact = false }
        at += 1
      }
      exponent += isDown ? -power : power
      return true
    }
  }
}
