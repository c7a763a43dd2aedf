/// A reader of the positions in well-known text (WKT) as it occurs in open data.
///
/// ```swift
/// WellKnownText.positions(in: "MULTIPOINT ((121.5831587 24.9971109))").pairs
/// ```
///
/// The standard requires blanks between the numbers of a position, and commas between positions.
/// The files of Taipei's zoo also have a comma between the numbers, a missing parenthesis at the
/// end, two spaces, a space after the parenthesis, and 17 digits. So the reader takes the numbers
/// in the groups that commas and parentheses form, and ignores the leading word, an `SRID=4326;`,
/// and full-width characters. A third and fourth number of a position (Z, M) are skipped.
///
/// A text that ends in an open group may have been cut in its last number, so that number isn't
/// part of a position.
package struct WellKnownText: Sendable, Hashable {
  /// The first two numbers of a position: x and y, usually longitude and latitude.
  package struct Pair: Sendable, Hashable {
    /// The first number.
    package let x: Double
    /// The second number.
    package let y: Double
  }

  /// The positions, in the order of the text.
  package private(set) var pairs: [Pair] = []
  /// A Boolean value that indicates whether all of the text was read; `false` if characters or
  /// numbers aren't part of a position.
  package private(set) var isWhole = true

  /// Returns the positions of a text.
  package static func positions(in text: String) -> WellKnownText {
    var reading = WellKnownText()
    reading.read(halfWidth(text))
    return reading
  }

  /// Returns the text in ASCII: full-width characters become half-width, blanks become spaces, and
  /// everything else becomes a question mark, which is invalid in a geometry.
  static func halfWidth(_ text: String) -> [UInt8] {
    text.unicodeScalars.compactMap { scalar in
      switch scalar.value {
      case 0xFEFF: nil
      case 0x09...0x0D, 0xA0, 0x3000: UInt8(ascii: " ")
      case 0xFF01...0xFF5E: UInt8(scalar.value - 0xFEE0)
      case 0x20..<0x7F: UInt8(scalar.value)
      default: UInt8(ascii: "?")
      }
    }
  }

  private mutating func read(_ bytes: [UInt8]) {
    var rest = bytes[...]
    if let semicolon = rest.firstIndex(of: UInt8(ascii: ";")),
      rest[..<semicolon].count < 12, Self.isSRID(rest[..<semicolon])
    {
      rest = rest[(semicolon + 1)...]
    }
    // The word, with `MULTIPOINT Z` or `EMPTY`, precedes the first number and parenthesis.
    rest = rest.drop { ByteCursor.isLetter($0) || $0 == UInt8(ascii: " ") }
    let isParenthesis = { (byte: UInt8) in byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") }
    if let last = rest.lastIndex(where: isParenthesis), rest[last] == UInt8(ascii: "("),
      let cut = rest[last...].lastIndex(where: { ", (".utf8.contains($0) })
    {
      isWhole = false
      rest = rest[...cut]
    }
    for group in rest.split(whereSeparator: isParenthesis) { readGroup(group) }
  }

  /// Reads the numbers between two parentheses.
  private mutating func readGroup(_ group: ArraySlice<UInt8>) {
    var filled: [[Double]] = []
    for part in group.split(separator: UInt8(ascii: ",")) {
      let numbers = numbers(part)
      if !numbers.isEmpty { filled.append(numbers) }
    }
    if filled.allSatisfy({ $0.count == 1 }) {
      // A comma between the numbers of a position.
      let numbers = filled.map { $0[0] }
      for index in stride(from: 0, to: numbers.count - 1, by: 2) {
        pairs.append(Pair(x: numbers[index], y: numbers[index + 1]))
      }
      if numbers.count % 2 == 1 { isWhole = false }
      return
    }
    for numbers in filled {
      if numbers.count >= 2 {
        pairs.append(Pair(x: numbers[0], y: numbers[1]))
      }
      if !(2...4).contains(numbers.count) { isWhole = false }
    }
  }

  private mutating func numbers(_ part: ArraySlice<UInt8>) -> [Double] {
    var numbers: [Double] = []
    for word in part.split(separator: UInt8(ascii: " ")) {
      let word = Array(word)
      if let number = word.withByteSpan({ DecimalText.double($0, 0..<word.count) }) {
        numbers.append(number)
      } else {
        isWhole = false
      }
    }
    return numbers
  }

  private static func isSRID(_ bytes: ArraySlice<UInt8>) -> Bool {
    let word = String(decoding: bytes, as: UTF8.self).lowercased()
    return word.drop { $0 == " " }.hasPrefix("srid=")
  }
}
