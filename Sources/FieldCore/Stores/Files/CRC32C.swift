/// The Castagnoli checksum (CRC-32C, RFC 3720 appendix B.4), sixteen bytes a step.
package enum CRC32C {
  /// The checksum of `bytes` after what gave `earlier`.
  package static func checksum(_ bytes: Span<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe tables.withUnsafeBufferPointer { tables in
        unsafe checksum(bytes, tables, ~earlier)
      }
    }
  }

  /// The checksum of a part of an array.
  package static func checksum(
    _ bytes: [UInt8], _ range: Range<Int>, after earlier: UInt32 = 0
  ) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      let part = unsafe UnsafeBufferPointer(rebasing: buffer[range])
      return checksum(unsafe part.span, after: earlier)
    }
  }

  /// Sixteen tables of 256: what a byte contributes when it is that far from the end of a step.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 16 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1 }
      tables[byte] = value
    }
    for place in 256..<tables.count {
      let value = tables[place - 256]
      tables[place] = (value >> 8) ^ tables[Int(value & 0xFF)]
    }
    return tables
  }()

  private static func checksum(
    _ bytes: UnsafeRawBufferPointer, _ tables: UnsafeBufferPointer<UInt32>, _ start: UInt32
  ) -> UInt32 {
    var sum = start
    var place = 0
    while bytes.count - place >= 16 {
      let low =
        unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        ^ UInt64(sum)
      let high = unsafe UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
      sum = unsafe step(low, tables, 15) ^ step(high, tables, 7)
      place += 16
    }
    while place < bytes.count {
      sum = unsafe (sum >> 8) ^ tables[Int(UInt8(truncatingIfNeeded: sum) ^ bytes[place])]
      place += 1
    }
    return ~sum
  }

  /// What eight bytes contribute, the first of them through the table `first`.
  @inline(__always)
  private static func step(
    _ word: UInt64, _ tables: UnsafeBufferPointer<UInt32>, _ first: Int
  ) -> UInt32 {
    let base = first * 256
    let left =
      unsafe tables[base + Int(word & 0xFF)] ^ tables[base - 256 + Int(word >> 8 & 0xFF)]
      ^ tables[base - 512 + Int(word >> 16 & 0xFF)] ^ tables[base - 768 + Int(word >> 24 & 0xFF)]
    let right =
      unsafe tables[base - 1024 + Int(word >> 32 & 0xFF)]
      ^ tables[base - 1280 + Int(word >> 40 & 0xFF)]
      ^ tables[base - 1536 + Int(word >> 48 & 0xFF)] ^ tables[base - 1792 + Int(word >> 56)]
    return left ^ right
  }
}
