/// Turns Big5 into UTF-8 and back: the encoding that the older files of Taiwan's open data are in.
///
/// It is code page 950, which Windows servers write. The second byte of a character can be an ASCII
/// backslash or bracket, so text has to be turned into UTF-8 before anything is looked for in it.
package enum Big5 {
  /// The text in UTF-8; nil when a byte is no ASCII and no part of a character of Big5.
  ///
  /// - Parameter damage: What stands for bytes that are no character, so that the rest can be read; nil
  ///   to refuse such bytes. Of a pair whose second byte is ASCII only the first counts as damaged, so
  ///   that a quotation mark behind it is not lost.
  package static func utf8(_ bytes: [UInt8], damage: UInt8? = nil) -> [UInt8]? {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 2)
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        text.append(lead)
        index += 1
        continue
      }
      guard index + 1 < bytes.count, let place = place(lead, bytes[index + 1]),
        table.units[place] != 0, let scalar = Unicode.Scalar(table.units[place])
      else {
        guard let damage else { return nil }
        text.append(damage)
        index += index + 1 < bytes.count && bytes[index + 1] >= 0x80 ? 2 : 1
        continue
      }
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      index += 2
    }
    return text
  }

  /// The text in Big5; nil when it has a character that Big5 does not have.
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

  /// The place of a character in the table; nil for bytes that make none.
  private static func place(_ lead: UInt8, _ trail: UInt8) -> Int? {
    guard (firstLead...0xF9).contains(lead) else { return nil }
    let row = Int(lead - firstLead) * trailCount
    switch trail {
    case 0x40...0x7E: return row + Int(trail - 0x40)
    case 0xA1...0xFE: return row + Int(trail - 0xA1) + 63
    default: return nil
    }
  }

  private struct Table: Sendable {
    /// The character of each place; 0 for none.
    var units: [UInt16] = []
    /// The place of each character, the first where it has two.
    var places: [UInt16: UInt16] = [:]
  }

  private static let table: Table = {
    var table = Table()
    table.units.reserveCapacity(89 * trailCount)
    var gap: Int?
    for unit in characters.utf16 {
      switch (unit, gap) {
      // The sign for "less than" is full-width in Big5, so this one begins the number of a gap.
      case (0x3C, _): gap = 0
      case (0x3E, let count?):
        table.units.append(contentsOf: repeatElement(0, count: count))
        gap = nil
      case (_, let count?): gap = count * 10 + Int(unit) - 0x30
      case (_, nil): table.units.append(unit)
      }
    }
    for (place, unit) in table.units.enumerated() where unit != 0 && table.places[unit] == nil {
      table.places[unit] = UInt16(place)
    }
    return table
  }()
}
