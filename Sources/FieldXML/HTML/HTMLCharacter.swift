/// Single characters that HTML pages write by number.
enum HTMLCharacter {
  /// Returns the character for a byte of Windows-1252, which differs from Unicode for 0x80 through
  /// 0x9F (WHATWG Encoding Standard, index-windows-1252).
  static func windows(_ number: UInt32) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(number) else { return Unicode.Scalar(number) ?? "\u{FFFD}" }
    return table[Int(number - 0x80)]
  }

  private static let table: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
    "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
    "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}",
    "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]

  /// Returns the character for a numeric reference, as browsers read it (HTML Standard, 13.2.5.80).
  /// Invalid numbers become U+FFFD. Control characters are `nil`, because they are omitted, as in
  /// Python.
  static func referenced(_ number: UInt32) -> Unicode.Scalar? {
    guard number != 0, let scalar = Unicode.Scalar(number) else { return "\u{FFFD}" }
    switch number {
    case 0x80...0x9F: return windows(number)
    case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F, 0xFDD0...0xFDEF: return nil
    default: return number & 0xFFFE == 0xFFFE ? nil : scalar
    }
  }
}
