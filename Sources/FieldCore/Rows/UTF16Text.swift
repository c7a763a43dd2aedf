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
    func unit(_ offset: Int) -> UInt32 {
      isLittleEndian
        ? UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) &<< 8
        : UInt32(bytes[offset]) &<< 8 | UInt32(bytes[offset + 1])
    }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var at = 2
    while at < bytes.count {
      var scalar = unit(at)
      at += 2
      if scalar & 0xFC00 == 0xD800, at < bytes.count, unit(at) & 0xFC00 == 0xDC00 {
        scalar = 0x10000 &+ ((scalar & 0x3FF) &<< 10 | unit(at) & 0x3FF)
        at += 2
      }
      if let encoded = Unicode.Scalar(scalar).flatMap({ UTF8.encode($0) }) {
        text.append(contentsOf: encoded)
      } else {
        text.append(0xFF)
      }
    }
    let first = text.first { $0 > 0x20 }
    return first == UInt8(ascii: "[") || first == UInt8(ascii: "{") ? nil : text
  }
}
