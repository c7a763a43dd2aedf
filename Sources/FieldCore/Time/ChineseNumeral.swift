/// Numbers in Chinese characters.
enum ChineseNumeral {
  /// Returns whether a character is a digit or a unit.
  static func isPart(_ scalar: Unicode.Scalar) -> Bool { values[scalar] != nil }

  /// Returns the number in ASCII digits: `二〇一三` and `零五` digit by digit, `一百一十二`, `廿七` by
  /// value. Returns `nil` for anything else, such as `十百`.
  static func digits(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8]? {
    let parts = scalars.compactMap { values[$0] }
    if !parts.contains(where: { $0 >= 10 }) { return parts.map { UInt8($0) + UInt8(ascii: "0") } }
    var (sum, digit, lastUnit) = (0, nil as Int?, 10_000)
    for part in parts {
      switch part {
      case 0:
        guard digit == nil else { return nil }
      case 1...9:
        guard digit == nil, lastUnit > 1 else { return nil }
        digit = part
      default:
        // `廿` and `卅` are two and three tens.
        let unit = part == 20 || part == 30 ? 10 : part
        guard unit < lastUnit, unit == part || digit == nil else { return nil }
        sum += (digit ?? part / unit) * unit
        (digit, lastUnit) = (nil, unit)
      }
    }
    return Array(String(sum + (digit ?? 0)).utf8)
  }

  private static let values: [Unicode.Scalar: Int] = {
    var values: [Unicode.Scalar: Int] = ["廿": 20, "卄": 20, "卅": 30]
    let digits = ["〇○◯零", "一壹⼀", "二貳贰貮两兩⼆", "三參叁叄参", "四肆", "五伍", "六陸陆", "七柒", "八捌⼋", "九玖"]
    for (value, characters) in digits.enumerated() {
      for scalar in characters.unicodeScalars { values[scalar] = value }
    }
    for (value, characters) in [(10, "十拾⼗"), (100, "百佰"), (1000, "千仟")] {
      for scalar in characters.unicodeScalars { values[scalar] = value }
    }
    return values
  }()
}
