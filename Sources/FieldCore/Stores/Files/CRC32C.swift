/// The Castagnoli checksum (CRC-32C, RFC 3720 appendix B.4), computed 16 bytes at a time.
///
/// A step waits for the previous one, not for memory, so long input is folded first, at the speed of
/// memory: a checksum is the remainder of a polynomial, which stays the same when each byte is moved to
/// three later places whose powers of x have the same sum as its own.
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
    if bytes.count >= 3 * window {
      return unsafe withUnsafeTemporaryAllocation(
        byteCount: window + block, alignment: 64
      ) { work in
        let rest = unsafe fold(bytes, start, work)
        return unsafe checksum(UnsafeRawBufferPointer(rebasing: work[..<rest]), tables, 0)
      }
    }
    var sum = start
    var place = 0
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

  private static func timesX(_ value: UInt32) -> UInt32 {
    value & 1 == 1 ? (value >> 1) ^ 0x82F6_3B78 : value >> 1
  }

  // MARK: Folding

  /// The distances in bytes from a byte to the places to which it is moved.
  ///
  /// Modulo the polynomial, the power 5275 of x is the sum of those of 4508, 2751, and 0: the smallest one that is the
  /// sum of three others. The same holds for the eighth powers of all, because squaring a sum squares each term.
  private static let (near, middle, window) = (5275 - 4508, 5275 - 2751, 5275)

  /// The number of bytes that are moved before the last ones of them are copied to the start of the work memory.
  private static let block = 16_384

  /// Moves all but the last bytes, writes those with what was moved to them to the start of `work`, and returns how
  /// many there are.
  ///
  /// - Parameters:
  ///   - start: The checksum of what precedes the bytes.
  ///   - work: The memory for the bytes that are moved; the first `window` bytes are those before the current block.
  private static func fold(
    _ bytes: UnsafeRawBufferPointer, _ start: UInt32, _ work: UnsafeMutableRawBufferPointer
  ) -> Int {
    unsafe work.initializeMemory(as: UInt8.self, repeating: 0)
    // It is added to the first bytes, as if it had been moved to them.
    unsafe work.storeBytes(of: start.littleEndian, as: UInt32.self)
    let moved = (bytes.count - window) & ~63
    for first in stride(from: 0, to: moved, by: block) {
      let size = min(block, moved - first)
      for place in stride(from: 0, to: size, by: 64) {
        let sum =
          unsafe bytes.loadUnaligned(fromByteOffset: first + place, as: SIMD8<UInt64>.self)
          ^ work.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt64>.self)
          ^ work.loadUnaligned(fromByteOffset: place + window - middle, as: SIMD8<UInt64>.self)
          ^ work.loadUnaligned(fromByteOffset: place + window - near, as: SIMD8<UInt64>.self)
        unsafe work.storeBytes(of: sum, toByteOffset: place + window, as: SIMD8<UInt64>.self)
      }
      unsafe work.copyMemory(from: UnsafeRawBufferPointer(rebasing: work[size..<size + window]))
    }
    // Nothing is moved from the last bytes, so they are written over what was moved to them.
    unsafe UnsafeMutableRawBufferPointer(rebasing: work[window...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    let rest = bytes.count - moved
    for place in 0..<rest {
      unsafe work[place] ^=
        bytes[moved + place] ^ work[place + window - middle] ^ work[place + window - near]
    }
    return rest
  }
}
