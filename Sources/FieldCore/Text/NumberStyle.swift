/// The separators to use in numbers for people.
///
/// The package contains no table of locales. An app passes its own separators, such as
/// `NumberStyle(decimalSeparator: locale.decimalSeparator ?? ".")`.
public struct NumberStyle: Sendable, Hashable, Codable {
  /// The text before the fraction.
  public var decimalSeparator: String
  /// The text between groups of three digits; empty for no groups.
  public var groupingSeparator: String

  /// Creates a style.
  public init(decimalSeparator: String = ".", groupingSeparator: String = "") {
    self.decimalSeparator = decimalSeparator
    self.groupingSeparator = groupingSeparator
  }

  /// A style without groups, such as `1234.5`.
  public static var plain: NumberStyle { NumberStyle() }
  /// A style with groups, such as `1,234.5`, as in English and Chinese.
  public static var grouped: NumberStyle { NumberStyle(groupingSeparator: ",") }

  /// Returns an integer in this style.
  public func string(_ value: Int) -> String {
    var text: [UInt8] = []
    append(integer: Array(String(value.magnitude).utf8), isNegative: value < 0, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a number with a fixed number of fraction digits.
  ///
  /// The shortest decimal representation that reads back as the same number is rounded, with halves
  /// away from zero: 2.0005 with three digits is `2.001`. A number that rounds to zero has no sign.
  /// Special values are `∞`, `-∞`, and `NaN`.
  public func string(_ value: Double, fractionDigits: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-∞" : "∞" }
    var number = DecimalDigits(value.magnitude)
    number.round(toFractionDigits: max(fractionDigits, 0))
    let count = max(number.exponent, 1)
    var text: [UInt8] = []
    append(
      integer: (0..<count).map { number.digit($0 - count + max(number.exponent, 0)) + 0x30 },
      isNegative: value < 0 && !number.digits.isEmpty, to: &text)
    if fractionDigits > 0 {
      text.append(contentsOf: decimalSeparator.utf8)
      for place in 0..<fractionDigits { text.append(number.digit(place + number.exponent) + 0x30) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a number with as many digits as it takes to read back the same value, and without an
  /// exponent, such as `12` or `-0.00005`.
  package func string(exactly value: Double) -> String {
    // The standard library writes these digits, and an exponent only for very large and small
    // numbers.
    let text = (value + 0).description  // -0 + 0 is 0
    if self == .plain, value.magnitude >= 1e-4, value.magnitude < 1e15 {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    let number = DecimalDigits(value.isFinite ? value.magnitude : 0)
    let count = number.digits.count - number.digits.reversed().prefix { $0 == 0 }.count
    return string(value, fractionDigits: max(count - number.exponent, 0))
  }

  private func append(integer digits: [UInt8], isNegative: Bool, to text: inout [UInt8]) {
    if isNegative { text.append(UInt8(ascii: "-")) }
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 {
        text.append(contentsOf: groupingSeparator.utf8)
      }
      text.append(digit)
    }
  }
}

/// A nonnegative number as decimal digits: 0.`digits` times ten to the power of `exponent`.
private struct DecimalDigits {
  /// The digits, from 0 through 9, without leading zeros; empty for zero.
  var digits: [UInt8] = []
  var exponent = 0

  /// Creates the shortest digits that read back as `value`, which the standard library prints.
  init(_ value: Double) {
    let text = Array(value.description.utf8)
    var seenPoint = false
    var power = 0
    for (index, byte) in text.enumerated() {
      if byte == UInt8(ascii: "e") {
        // e+20, e-05
        power = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
        break
      }
      if byte == UInt8(ascii: ".") {
        seenPoint = true
      } else {
        if !seenPoint { exponent += 1 }
        digits.append(byte - 0x30)
      }
    }
    exponent += power
    trim()
  }

  /// Returns the digit at an index, or 0 outside.
  func digit(_ index: Int) -> UInt8 { digits.indices.contains(index) ? digits[index] : 0 }

  mutating func round(toFractionDigits count: Int) {
    let kept = exponent + count
    guard kept < digits.count else { return }
    let goesUp = digit(kept) >= 5
    digits.removeSubrange(max(kept, 0)...)
    if goesUp {
      while digits.last == 9 { digits.removeLast() }
      if let last = digits.popLast() {
        digits.append(last + 1)
      } else {
        digits = [1]
        exponent += 1
      }
    }
    trim()
  }

  /// Drops leading zeros.
  private mutating func trim() {
    let zeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(zeros)
    exponent = digits.isEmpty ? 0 : exponent - zeros
  }
}
