internal import FieldCore

/// What is left of a name when everything goes that spellings differ in: case, width, accents, 臺 and
/// 台, blanks and punctuation.
struct NameKey: Hashable, Sendable {
  let bytes: [UInt8]

  init(_ name: String) {
    bytes = TextFolding.foldedBytes(of: name).filter { !Self.drops($0) }
  }

  /// Whether a byte of a folded name plays no part: all of ASCII but letters and digits.
  static func drops(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): false
    default: byte < 0x80
    }
  }

  private init(bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  var isEmpty: Bool { bytes.isEmpty }

  /// The key without one 站, or without the word for it in English, at its end.
  var withoutStation: NameKey? {
    for ending in [Array("站".utf8), Array("station".utf8)]
    where bytes.count > ending.count && bytes.suffix(ending.count).elementsEqual(ending) {
      return NameKey(bytes: bytes.dropLast(ending.count))
    }
    return nil
  }

  /// The key without 捷運 before the name.
  var withoutMetro: NameKey? {
    let word = Array("捷運".utf8)
    guard bytes.count > word.count, bytes.starts(with: word) else { return nil }
    return NameKey(bytes: bytes.dropFirst(word.count))
  }

  /// The key of a code without the zeros before its number: `bl1` for `bl01`.
  var withoutLeadingZeros: NameKey? {
    guard let digit = bytes.firstIndex(where: { $0 < UInt8(ascii: "a") }),
      bytes[digit] == UInt8(ascii: "0")
    else { return nil }
    let number = bytes[digit...].drop { $0 == UInt8(ascii: "0") }
    return number.isEmpty ? nil : NameKey(bytes: bytes[..<digit] + number)
  }
}
