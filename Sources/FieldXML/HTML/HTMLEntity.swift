internal import FieldCore

/// Character references: `&amp;`, `&mdash;`, `&#39;`, `&#x4E2D;`.
enum HTMLEntity {
  /// Returns the text with its references replaced, as browsers read them (HTML Standard,
  /// 13.2.5.72).
  ///
  /// - Parameter isAttribute: Whether the text is the value of an attribute, where `&copy=1` isn't
  ///   a reference.
  static func decoded(_ text: some StringProtocol, isAttribute: Bool = false) -> String {
    let source = Array(text.utf8)
    guard source.contains(UInt8(ascii: "&")) else { return String(text).streamSafe }
    var plain: [UInt8] = []
    plain.reserveCapacity(source.count)
    var at = 0
    while at < source.count {
      guard source[at] == UInt8(ascii: "&"),
        let found = reference(source, at + 1, isAttribute: isAttribute)
      else {
        plain.append(source[at])
        at += 1
        continue
      }
      for scalar in found.scalars {
        plain.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      }
      at = found.end
    }
    return String(decoding: plain, as: UTF8.self).streamSafe
  }

  /// Returns the characters that a name stands for, or `nil` if HTML doesn't define it.
  static func scalars(named name: String) -> [Unicode.Scalar]? { table.names[name] }

  /// Returns the reference after the ampersand, and the offset after it.
  static func reference(
    _ source: [UInt8], _ start: Int, isAttribute: Bool
  ) -> (scalars: [Unicode.Scalar], end: Int)? {
    guard start < source.count else { return nil }
    if source[start] == UInt8(ascii: "#") { return number(source, start + 1) }
    var end = start
    while end < source.count, end - start < longestName, isAlphanumeric(source[end]) { end += 1 }
    guard end > start else { return nil }
    let name = String(decoding: source[start..<end], as: UTF8.self)
    if end < source.count, source[end] == UInt8(ascii: ";"), let scalars = table.names[name] {
      return (scalars, end + 1)
    }
    // Use the longest name that may lack a semicolon: `&notit` is `¬it`.
    for length in stride(from: min(name.utf8.count, longestBareName), through: 2, by: -1) {
      let prefix = String(name.utf8.prefix(length)) ?? ""
      guard table.bare.contains(prefix), let scalars = table.names[prefix] else { continue }
      let next = start + length < source.count ? source[start + length] : 0
      if isAttribute, next == UInt8(ascii: "=") || isAlphanumeric(next) { return nil }
      return (scalars, start + length)
    }
    return nil
  }

  private static func number(
    _ source: [UInt8], _ start: Int
  ) -> (scalars: [Unicode.Scalar], end: Int)? {
    var at = start
    let isHex = at < source.count && source[at] | 0x20 == UInt8(ascii: "x")
    if isHex { at += 1 }
    let first = at
    var number: UInt32 = 0
    while at < source.count, let digit = digit(source[at], isHex: isHex) {
      // A number that is too large isn't a character, however many digits follow.
      number = min(number * (isHex ? 16 : 10) + digit, 0x11_0000)
      at += 1
    }
    guard at > first else { return nil }
    if at < source.count, source[at] == UInt8(ascii: ";") { at += 1 }
    return (HTMLCharacter.referenced(number).map { [$0] } ?? [], at)
  }

  /// Returns the value of a digit, or `nil` if the byte isn't one.
  static func digit(_ byte: UInt8, isHex: Bool) -> UInt32? {
    JSONText.hexDigit(byte).flatMap { isHex || $0 < 10 ? $0 : nil }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }

  private struct Table: Sendable {
    var names: [String: [Unicode.Scalar]] = [:]
    var bare: Set<String> = []
  }

  /// The length of the longest name, `CounterClockwiseContourIntegral`.
  private static let longestName = 32
  /// The length of the longest name that may lack a semicolon.
  private static let longestBareName = 6

  private static let table: Table = {
    var table = Table()
    let words = pairs.split(separator: " ")
    table.names.reserveCapacity(words.count / 2)
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      table.names[String(words[index])] = words[index + 1].split(separator: ".").compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
    }
    table.bare = Set(bareNames.split(separator: " ").map(String.init))
    return table
  }()
}
