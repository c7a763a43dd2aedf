/// The checksum of zip archives: CRC-32 with the polynomial of ISO 3309, not the one of ``CRC32C``.
enum CRC32 {
  /// Returns the checksum of bytes.
  static func checksum(_ bytes: Span<UInt8>) -> UInt32 {
    unsafe tables.withUnsafeBufferPointer { tables in
      var sum = ~(0 as UInt32)
      var at = 0
      while let word = bytes.wholeWord(at: at) {
        let low = word ^ UInt64(sum)
        sum = unsafe tables[1792 + Int(low & 0xFF)] ^ tables[1536 + Int(low >> 8 & 0xFF)]
        sum ^= unsafe tables[1280 + Int(low >> 16 & 0xFF)] ^ tables[1024 + Int(low >> 24 & 0xFF)]
        sum ^= unsafe tables[768 + Int(low >> 32 & 0xFF)] ^ tables[512 + Int(low >> 40 & 0xFF)]
        sum ^= unsafe tables[256 + Int(low >> 48 & 0xFF)] ^ tables[Int(low >> 56)]
        at &+= 8
      }
      while at < bytes.count {
        sum = unsafe sum >> 8 ^ tables[Int((sum ^ UInt32(bytes[at])) & 0xFF)]
        at &+= 1
      }
      return ~sum
    }
  }

  /// Eight tables of 256 sums: table `n` contains the sum of a byte that `n` zeros follow.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var sum = UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
      tables[byte] = sum
    }
    for place in 256..<tables.count {
      let sum = tables[place - 256]
      tables[place] = sum >> 8 ^ tables[Int(sum & 0xFF)]
    }
    return tables
  }()
}
