internal import FieldCore

/// IDs for records without one; the same content always has the same ID.
enum ImportID {
  /// Returns whether a document's own key can be used as an ID everywhere, including Firestore.
  static func isUsable(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= 1500 && !key.utf8.contains(UInt8(ascii: "/"))
      && key != "." && key != ".." && !(key.hasPrefix("__") && key.hasSuffix("__"))
  }

  /// Returns an ID such as `walk-9f0c…`, with two halves of 64 bits (FNV-1a from two starts). The
  /// probability that any two of a million walks have the same ID is less than one in 10^26.
  static func make(_ kind: String, _ parts: [String]) -> String {
    var halves: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4]
    for part in parts {
      // A byte that doesn't occur in UTF-8 ends each part.
      for byte in Array(part.utf8) + [0xFF] {
        for half in halves.indices {
          halves[half] = (halves[half] ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
      }
    }
    return "\(kind)-\(halves.map { $0.digits(16, radix: 16) }.joined())"
  }
}
