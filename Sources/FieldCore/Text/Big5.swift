/// A converter between UTF-8 and Big5, the encoding of the older files of Taiwan's open data.
///
/// The encoding is code page 950, which Windows servers write. The second byte of a character can
/// be an ASCII backslash or bracket, so convert a text to UTF-8 before searching it.
package enum Big5 {
  /// Returns the text in UTF-8.
  ///
  /// - Parameters:
  ///   - damage: The byte to write in place of bytes that encode no character. Defaults to `nil`,
  ///     which makes the result `nil` if there are such bytes. If the second byte of an invalid
  ///     pair is ASCII, only the first is replaced, so that a quotation mark after it is kept.
  ///   - isHongKong: Pass `true` for Big5-HKSCS, which has 4,657 more characters. Defaults to
  ///     `false`.
  package static func utf8(
    _ bytes: [UInt8], damage: UInt8? = nil, isHongKong: Bool = false
  ) -> [UInt8]? {
    TextEncoding.text(of: bytes, damage: damage) { index, text in
      guard index + 1 < bytes.count else { return nil }
      let (lead, trail) = (bytes[index], bytes[index + 1])
      if isHongKong, let supplement = hongKong(lead, trail) {
        guard supplement != "\u{FFFD}" else { return nil }
        text.append(contentsOf: supplement.utf8)
        return 2
      }
      guard let place = place(lead, trail), table.units[place] != 0,
        let scalar = Unicode.Scalar(table.units[place])
      else { return nil }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      return 2
    }
  }

  /// Returns the text in Big5, or `nil` if it contains a character that Big5 lacks.
  package static func bytes(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(UInt8(scalar.value))
      } else {
        guard let unit = UInt16(exactly: scalar.value), let place = table.places[unit] else {
          return nil
        }
        let (lead, trail) = Int(place).quotientAndRemainder(dividingBy: trailCount)
        bytes.append(UInt8(lead) + firstLead)
        bytes.append(UInt8(trail) + (trail < 63 ? 0x40 : 0xA1 - 63))
      }
    }
    return bytes
  }

  private static let firstLead: UInt8 = 0xA1
  private static let trailCount = 157

  /// Returns the index of a character in the table, or `nil` for invalid bytes.
  private static func place(_ lead: UInt8, _ trail: UInt8) -> Int? {
    (firstLead...0xF9).contains(lead) ? place(lead, trail, from: firstLead) : nil
  }

  private static func place(_ lead: UInt8, _ trail: UInt8, from first: UInt8) -> Int? {
    let row = Int(lead - first) * trailCount
    switch trail {
    case 0x40...0x7E: return row + Int(trail - 0x40)
    case 0xA1...0xFE: return row + Int(trail - 0xA1) + 63
    default: return nil
    }
  }

  private struct Table: Sendable {
    /// The character at each index, or 0 for none.
    var units: [UInt16] = []
    /// The index of each character, the first if it has two.
    ///
    /// Exceptions are 十 and 卅: the first index is that of a Suzhou numeral.
    var places: [UInt16: UInt16] = [:]
  }

  private static let table: Table = {
    var table = Table()
    table.units = [UInt16](repeating: 0, count: 89 * trailCount)
    unpack(characters) { place, scalar in table.units[place] = UInt16(scalar.value) }
    let numerals = [place(0xA2, 0xCC), place(0xA2, 0xCE)]
    for (place, unit) in table.units.enumerated()
    where unit != 0 && table.places[unit] == nil && !numerals.contains(place) {
      table.places[unit] = UInt16(place)
    }
    return table
  }()

  private static let firstHongKongLead: UInt8 = 0x87

  /// Returns the characters of two bytes where Big5-HKSCS differs from code page 950, or U+FFFD for
  /// none.
  private static func hongKong(_ lead: UInt8, _ trail: UInt8) -> String? {
    guard lead >= firstHongKongLead, let place = place(lead, trail, from: firstHongKongLead) else {
      return nil
    }
    return supplement[place]
  }

  private static let supplement: [Int: String] = {
    var supplement: [Int: String] = [:]
    unpack(hongKongCharacters) { place, scalar in
      supplement[place, default: ""].unicodeScalars.append(scalar)
    }
    return supplement
  }()

  /// Reads the grammar of ``characters``, and passes each scalar with its index in the table. Four
  /// codes of Hong Kong are a letter with a mark, which are two scalars.
  private static func unpack(
    _ packed: String, _ body: (_ place: Int, _ scalar: Unicode.Scalar) -> Void
  ) {
    var (place, gap) = (0, nil as Int?)
    for scalar in packed.unicodeScalars {
      switch (scalar.value, gap) {
      // Big5 has only the full-width "less than" sign, so this one begins the size of a gap.
      case (0x3C, _): gap = 0
      case (0x3E, let count?):
        place += count
        gap = nil
      case (let value, let count?): gap = count * 10 + Int(value) - 0x30
      case (0x300...0x36F, nil): body(place - 1, scalar)
      case (_, nil):
        body(place, scalar)
        place += 1
      }
    }
  }
}
