/// The Castagnoli checksum (CRC-32C, RFC 3720 appendix B.4), computed 16 bytes at a time.
///
/// A step waits for the previous one, not for memory, so long input is read in three parallel lanes
/// whose checksums are combined: a checksum is a polynomial remainder, and the bytes that follow
/// multiply it by a power of x.
package enum CRC32C {
  /// Returns the checksum of `bytes`, continuing an earlier one.
  package static func checksum(_ bytes: Span<UInt8>, after earlier: UInt32 = 0) -> UInt32 {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe tables.withUnsafeBufferPointer { tables in
        unsafe checksum(bytes, tables, ~earlier)
      }
    }
  }

  /// Returns the checksum of a part of an array.
  package static func checksum(
    _ bytes: [UInt8], _ range: Range<Int>, after earlier: UInt32 = 0
  ) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      let part = unsafe UnsafeBufferPointer(rebasing: buffer[range])
      return checksum(unsafe part.span, after: earlier)
    }
  }

  /// Sixteen tables of 256: the contribution of a byte at each distance from the end of a step.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 16 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = timesX(value) }
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
    while bytes.count - place >= 3 * lane {
      let end = place + lane
      var (second, third) = (0 as UInt32, 0 as UInt32)
      while place < end {
        unsafe sum = step(bytes, place, sum, tables)
        unsafe second = step(bytes, place + lane, second, tables)
        unsafe third = step(bytes, place + 2 * lane, third, tables)
        place += 16
      }
      sum = product(product(sum, laneFactor) ^ second, laneFactor) ^ third
      place += 2 * lane
    }
    while bytes.count - place >= 16 {
      unsafe sum = step(bytes, place, sum, tables)
      place += 16
    }
    while place < bytes.count {
      sum = unsafe (sum >> 8) ^ tables[Int(UInt8(truncatingIfNeeded: sum) ^ bytes[place])]
      place += 1
    }
    return ~sum
  }

  /// Returns the checksum after 16 more bytes.
  @inline(__always)
  private static func step(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, _ sum: UInt32,
    _ tables: UnsafeBufferPointer<UInt32>
  ) -> UInt32 {
    let low = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    let high = unsafe bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
    return unsafe step(UInt64(littleEndian: low) ^ UInt64(sum), tables, 15)
      ^ step(UInt64(littleEndian: high), tables, 7)
  }

  /// Returns the contribution of eight bytes, the first of them using the table `first`.
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

  // MARK: Combining

  /// The size of a lane in bytes: a power of two.
  private static let lane = 4096

  /// The factor by which a lane multiplies the previous checksum: x to the power of its bits.
  private static let laneFactor = {
    var factor: UInt32 = 0x4000_0000  // x; the highest power is the lowest bit
    for _ in 0..<(8 * lane).trailingZeroBitCount { factor = product(factor, factor) }
    return factor
  }()

  /// Returns the product of two polynomials, modulo Castagnoli's.
  private static func product(_ left: UInt32, _ right: UInt32) -> UInt32 {
    var (product, power) = (0 as UInt32, right)
    for bit in 0..<32 as Range<UInt32> {
      if left & (0x8000_0000 >> bit) != 0 { product ^= power }
      power = timesX(power)
    }
    return product
  }

  private static func timesX(_ value: UInt32) -> UInt32 {
    value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1
  }
}
