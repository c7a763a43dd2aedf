/// A converter of GB 18030 to UTF-8, the encoding of China's older files, with GBK and GB 2312 in it.
///
/// The second byte of a character can be an ASCII backslash or bracket, so convert a text to UTF-8
/// before searching it.
package enum GB18030 {
  /// Returns the text in UTF-8.
  ///
  /// - Parameter damage: The byte to write in place of bytes that encode no character. Defaults to
  ///   `nil`, which makes the result `nil` if there are such bytes. If the second byte of an invalid
  ///   pair is ASCII, only the first is replaced, so that a quotation mark after it is kept.
  package static func utf8(_ bytes: [UInt8], damage: UInt8? = nil) -> [UInt8]? {
    TextEncoding.text(of: bytes, damage: damage) { index, text in
      guard let (scalar, length) = scalar(bytes, at: index) else { return nil }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return length
    }
  }

  /// Returns the character of two or four bytes at an offset, or `nil` if there is none.
  private static func scalar(
    _ bytes: [UInt8], at index: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    let lead = bytes[index]
    guard (0x81...0xFE).contains(lead), index + 1 < bytes.count else { return nil }
    let trail = bytes[index + 1]
    switch trail {
    case 0x40...0x7E, 0x80...0xFE:
      let place = Int(lead - 0x81) * 190 + Int(trail - 0x40) - (trail > 0x7F ? 1 : 0)
      return Unicode.Scalar(table.pairs[place]).map { ($0, 2) }
    case 0x30...0x39:
      guard index + 3 < bytes.count, (0x81...0xFE).contains(bytes[index + 2]),
        (0x30...0x39).contains(bytes[index + 3])
      else { return nil }
      let whole = Int(lead - 0x81) * 10 + Int(trail - 0x30)
      let place = (whole * 126 + Int(bytes[index + 2] - 0x81)) * 10 + Int(bytes[index + 3] - 0x30)
      if place < table.others.count {
        return Unicode.Scalar(table.others[place]).map { ($0, 4) }
      }
      // The other planes begin at the lead 90.
      let beyond = place - 189_000
      guard beyond >= 0 else { return nil }
      return Unicode.Scalar(UInt32(beyond) + 0x10000).map { ($0, 4) }
    default: return nil
    }
  }

  private struct Table: Sendable {
    /// The characters of two bytes.
    var pairs: [UInt16] = []
    /// The other characters of the basic plane, in the order of Unicode, which is that of the codes of
    /// four bytes.
    var others: [UInt16] = []
  }

  private static let table: Table = {
    // The listed characters are known first, because the derived ones are the rest.
    var isTaken = [Bool](repeating: false, count: 0x10000)
    unpack { scalar in
      isTaken[Int(scalar)] = true
    } derived: { _ in
    }
    var table = Table()
    table.pairs.reserveCapacity(126 * 190)
    var next = 0x4E00
    unpack { scalar in
      table.pairs.append(scalar)
    } derived: { count in
      for _ in 0..<count {
        while isTaken[next] { next += 1 }
        isTaken[next] = true
        table.pairs.append(UInt16(next))
      }
    }
    table.others = (0x80..<0x10000).filter { !isTaken[$0] && !(0xD800..<0xE000).contains($0) }
      .map { UInt16($0) }
    return table
  }()

  /// Reads the grammar of ``characters``, and passes each listed scalar, and the count of each run of
  /// derived ones.
  private static func unpack(
    _ body: (_ scalar: UInt16) -> Void, derived: (_ count: Int) -> Void
  ) {
    var last: UInt16 = 0
    var count: Int?
    for scalar in characters.unicodeScalars {
      switch (scalar, count) {
      // These signs are in the table as full-width ones only.
      case ("<", _), ("{", _): count = 0
      case (">", let length?):
        derived(length)
        count = nil
      case ("}", let length?):
        for step in 0..<UInt16(length) { body(last + step + 1) }
        count = nil
      case (let digit, let length?): count = length * 10 + Int(digit.value) - 0x30
      case (let scalar, nil):
        last = UInt16(scalar.value)
        body(last)
      }
    }
  }
}
