/// Splits a text of the source into telephone numbers.
struct PhoneReader {
  let areaCode: String

  init(areaCode: String) { self.areaCode = areaCode }

  func numbers(in text: String) -> [PhoneNumber] {
    var numbers: [PhoneNumber] = []
    for piece in Self.narrowed(text).split(whereSeparator: { "/、,;，；|或及\n\r\u{0B}".contains($0) }) {
      let (main, extensions) = Self.parts(of: piece)
      let digits = Self.digits(of: main)
      if extensions == nil, (2...5).contains(digits.count), !digits.hasPrefix("0"),
        !Self.shortNumbers.contains(digits), let last = numbers.last,
        last.extensionDigits != nil, Self.isBare(main)
      {
        // `06-2991111#1012、1013` is one switchboard with two extensions.
        numbers.append(PhoneNumber(digits: last.digits, extensionDigits: digits))
        continue
      }
      let chunks = Self.wholeNumbers(in: main)
      for number in chunks.dropLast() { numbers.append(PhoneNumber(digits: number)) }
      guard let number = chunks.last ?? completed(digits, from: main) else { continue }
      numbers.append(PhoneNumber(digits: number, extensionDigits: extensions))
    }
    return numbers
  }

  /// The numbers of `06-2991111 06-2982712`, which nothing but blanks part; none when that is not what a
  /// piece is, as `06 299 1111` is not.
  private static func wholeNumbers(in piece: Substring) -> [String] {
    let chunks = piece.split(whereSeparator: \.isWhitespace).map { digits(of: $0) }
    let areNumbers = chunks.allSatisfy { $0.hasPrefix("0") && (9...10).contains($0.count) }
    return chunks.count > 1 && areNumbers ? chunks : []
  }

  /// The digits with their area code; nil when they are none that can be dialled.
  private func completed(_ digits: String, from main: Substring) -> String? {
    var digits = digits
    if main.drop(while: { $0 == " " || $0 == "(" }).first == "+" || digits.hasPrefix("00886") {
      if digits.hasPrefix("00") { digits.removeFirst(2) }
      guard digits.hasPrefix("886") else { return digits.count >= 7 ? "+" + digits : nil }
      digits = String(digits.dropFirst(3))
      return digits.hasPrefix("0") ? digits : "0" + digits
    }
    if digits.hasPrefix("0") { return digits.count >= 8 ? digits : nil }
    // `886-6-2991111`: no number of Taiwan is that long without the zero in front.
    if (11...12).contains(digits.count), digits.hasPrefix("886") {
      return "0" + digits.dropFirst(3)
    }
    return switch digits.count {
    // Those that are dialled as they are.
    case _ where Self.shortNumbers.contains(digits): digits
    case 6...8: areaCode + digits
    default: nil
    }
  }

  /// The numbers of Taiwan that are dialled as they are: police, rescue, fraud, the city and the like.
  private static let shortNumbers: Set<String> = [
    "110", "112", "113", "117", "118", "119", "123", "165", "1911", "1912", "1922", "1925", "1950",
    "1955", "1957", "1966", "1968", "1980", "1995", "1996", "1999",
  ]

  /// The number and its extension.
  private static func parts(of piece: Substring) -> (main: Substring, extension: String?) {
    let lowercased = Substring(piece.lowercased())
    for mark in ["#", "轉", "分機", "ext", "x", "~"] {
      guard let range = firstRange(of: mark, in: lowercased) else { continue }
      let digits = lowercased[range.upperBound...].drop { !$0.isASCII || !$0.isNumber }
        .prefix { $0.isASCII && $0.isNumber }
      return (
        lowercased[..<range.lowerBound],
        mark == "~" || digits.isEmpty ? nil : String(digits)
      )
    }
    return (lowercased, nil)
  }

  private static func firstRange(
    of mark: String, in text: Substring
  ) -> Range<Substring.Index>? {
    var start = text.startIndex
    while start < text.endIndex {
      if text[start...].hasPrefix(mark) {
        return start..<text.index(start, offsetBy: mark.count)
      }
      start = text.index(after: start)
    }
    return nil
  }

  private static func digits(of text: Substring) -> String {
    String(text.filter { $0.isASCII && $0.isNumber })
  }

  /// Whether nothing but digits and space is in a piece.
  private static func isBare(_ text: Substring) -> Bool {
    text.allSatisfy { $0.isWhitespace || ($0.isASCII && $0.isNumber) }
  }

  /// Full-width signs as those of ASCII, and every dash as a hyphen.
  private static func narrowed(_ text: String) -> String {
    var narrow = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E: narrow.append(Unicode.Scalar(UInt8(scalar.value - 0xFF01 + 0x21)))
      case 0x3000, 0xA0: narrow.append(" ")
      case 0x2010...0x2015, 0x2212: narrow.append("-")
      default: narrow.append(scalar)
      }
    }
    return String(narrow)
  }
}
