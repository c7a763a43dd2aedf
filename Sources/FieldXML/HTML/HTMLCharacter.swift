internal import FieldCore

/// Single characters that HTML pages write by number.
enum HTMLCharacter {
  /// Returns the character for a numeric reference, as browsers read it (HTML Standard, 13.2.5.80).
  /// Invalid numbers become U+FFFD. Control characters are `nil`, because they are omitted, as in
  /// Python.
  static func referenced(_ number: UInt32) -> Unicode.Scalar? {
    guard number != 0, let scalar = Unicode.Scalar(number) else { return "\u{FFFD}" }
    switch number {
    case 0x80...0x9F: return TextEncoding.windowsScalar(number)
    case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F, 0xFDD0...0xFDEF: return nil
    default: return number & 0xFFFE == 0xFFFE ? nil : scalar
    }
  }
}
