/// A converter of separated values in UTF-16, which Excel writes as "Unicode Text".
package enum UTF16Text {
  /// Returns the text in UTF-8 if it begins with a byte-order mark of UTF-16, and otherwise `nil`.
  ///
  /// The result is also `nil` if the text seems to be JSON, which has to be UTF-8. An unpaired
  /// surrogate becomes a byte that isn't UTF-8, so it fails its own row and no other.
  ///
  /// - Throws: `FieldError` with the code `rows.encoding` if the mark is that of UTF-32, and `rows.cut` if
  ///   half a unit is left at the end.
  package static func utf8(_ bytes: [UInt8]) throws(FieldError) -> [UInt8]? {
    guard bytes.count >= 2 else { return nil }
    let isLittleEndian: Bool
    switch (bytes[0], bytes[1]) {
    case (0xFF, 0xFE): isLittleEndian = true
    case (0xFE, 0xFF): isLittleEndian = false
    default: return nil
    }
    if isLittleEndian, bytes.count >= 4, bytes[2] == 0, bytes[3] == 0 {
      throw FieldError(.encoding, "The body is in UTF-32. Convert it to UTF-8.")
    }
    guard bytes.count.isMultiple(of: 2) else {
      throw FieldError(
        .cut, "The body is in UTF-16 and ends in the middle of a character. Request it again.")
    }
    var text = utf8(bytes[2...], width: 2, isBigEndian: !isLittleEndian)
    // The text has all of its units, so half of a pair at the end is an unpaired surrogate.
    if bytes[bytes.count - (isLittleEndian ? 1 : 2)] & 0xFC == 0xD8 { text.append(0xFF) }
    let first = text.first { $0 > 0x20 }
    return first == UInt8(ascii: "[") || first == UInt8(ascii: "{") ? nil : text
  }

  /// Returns text in UTF-16, or UTF-32 if its units are four bytes wide, in UTF-8.
  ///
  /// Invalid units become bytes that are not UTF-8. The rest at the end, which is part of a
  /// character that was cut off, is left out, and so is a high surrogate there.
  package static func utf8(_ bytes: ArraySlice<UInt8>, width: Int, isBigEndian: Bool) -> [UInt8] {
    func unit(_ offset: Int) -> UInt32 {
      var unit: UInt32 = 0
      for place in 0..<width {
        unit = unit &<< 8 | UInt32(bytes[offset + (isBigEndian ? place : width - 1 - place)])
      }
      return unit
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at + width <= bytes.endIndex {
      var scalar = unit(at)
      at += width
      if width == 2, scalar & 0xFC00 == 0xD800 {
        guard at + width <= bytes.endIndex else { break }
        if unit(at) & 0xFC00 == 0xDC00 {
          scalar = 0x10000 &+ ((scalar & 0x3FF) &<< 10 | unit(at) & 0x3FF)
          at += width
        }
      }
      if let encoded = Unicode.Scalar(scalar).flatMap({ UTF8.encode($0) }) {
        text.append(contentsOf: encoded)
      } else {
        text.append(0xFF)
      }
    }
    return text
  }
}
