/// A gzip encoder for encoded responses (RFC 1951 and RFC 1952).
///
/// It writes one block with the fixed Huffman codes, over matches that hash chains find: not the
/// smallest output, but half the code, and it exercises all paths of a decoder but one.
package enum Gzip {
  /// Returns the bytes as a gzip file.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    // Deflate, no flags, no time, no extra flags, unknown system.
    var output: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    output.reserveCapacity(bytes.count / 2 + 32)
    var encoder = DeflateEncoder(output: output)
    encoder.encode(bytes)
    encoder.put(UInt64(CRC32.checksum(bytes)), 32)
    encoder.put(UInt64(UInt32(truncatingIfNeeded: bytes.count)), 32)
    return encoder.output
  }
}

private struct DeflateEncoder {
  var output: [UInt8]
  var bits: UInt64 = 0
  var bitCount: UInt64 = 0

  /// Writes all bytes as one final block.
  mutating func encode(_ bytes: [UInt8]) {
    put(0b011, 3)  // the last block, fixed codes
    var chains = MatchChains(bytes: bytes)
    var index = 0
    while index < bytes.count {
      let match = chains.longestMatch(at: index)
      if match.length >= MatchChains.shortest {
        put(length: match.length)
        put(distance: match.distance)
        for passed in index..<index + match.length { chains.add(passed) }
        index += match.length
      } else {
        put(literal: Int(bytes[index]))
        chains.add(index)
        index += 1
      }
    }
    put(literal: 256)  // the end of the block
    if bitCount > 0 { put(0, (8 - bitCount % 8) % 8) }
  }

  /// Writes a symbol of the literal and length alphabet (RFC 1951, section 3.2.6).
  private mutating func put(literal symbol: Int) {
    switch symbol {
    case ...143: putCode(0x30 + symbol, 8)
    case ...255: putCode(0x190 + symbol - 144, 9)
    case ...279: putCode(symbol - 256, 7)
    default: putCode(0xC0 + symbol - 280, 8)
    }
  }

  private mutating func put(length: Int) {
    let index = Self.lengths.lastIndex { $0.base <= length } ?? 0
    put(literal: 257 + index)
    put(UInt64(length - Self.lengths[index].base), Self.lengths[index].extra)
  }

  private mutating func put(distance: Int) {
    let index = Self.distances.lastIndex { $0.base <= distance } ?? 0
    putCode(index, 5)
    put(UInt64(distance - Self.distances[index].base), Self.distances[index].extra)
  }

  /// Writes a Huffman code, highest bit first.
  private mutating func putCode(_ code: Int, _ count: Int) {
    var reversed: UInt64 = 0
    for bit in 0..<count where code >> bit & 1 == 1 { reversed |= 1 << UInt64(count - 1 - bit) }
    put(reversed, UInt64(count))
  }

  /// Writes bits, lowest first.
  mutating func put(_ value: UInt64, _ count: UInt64) {
    bits |= value << bitCount
    bitCount += count
    while bitCount >= 8 {
      output.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }

  private typealias Range = (base: Int, extra: UInt64)

  /// The start of each length symbol's range, and the number of extra bits (section 3.2.5).
  private static let lengths: [Range] =
    (0..<28).map { symbol in
      let extra = symbol < 8 ? 0 : symbol / 4 - 1
      return (symbol < 8 ? 3 + symbol : 3 + (4 + symbol % 4) << extra, UInt64(extra))
    } + [(258, 0)]

  private static let distances: [Range] = (0..<30).map { symbol in
    let extra = symbol < 4 ? 0 : symbol / 2 - 1
    return (symbol < 4 ? 1 + symbol : 1 + (2 + symbol % 2) << extra, UInt64(extra))
  }
}

/// The earlier occurrences of the same three bytes, newest first.
private struct MatchChains {
  static let shortest = 3
  private static let longest = 258
  private static let window = 32 << 10
  let bytes: [UInt8]
  /// The newest position of each hash, plus one.
  var newest = [Int32](repeating: 0, count: 1 << 15)
  /// The previous position, plus one, by position in the window.
  var earlier = [Int32](repeating: 0, count: MatchChains.window)

  mutating func add(_ index: Int) {
    guard index + Self.shortest <= bytes.count else { return }
    let hash = hash(at: index)
    earlier[index % Self.window] = newest[hash]
    newest[hash] = Int32(index + 1)
  }

  func longestMatch(at index: Int) -> (length: Int, distance: Int) {
    var best = (length: 0, distance: 0)
    let limit = min(Self.longest, bytes.count - index)
    guard limit >= Self.shortest else { return best }
    var candidate = Int(newest[hash(at: index)]) - 1
    for _ in 0..<32 {
      let distance = index - candidate
      guard candidate >= 0, distance <= Self.window else { break }
      var length = 0
      while length < limit, bytes[candidate + length] == bytes[index + length] { length += 1 }
      if length > best.length { best = (length, distance) }
      if length == limit { break }
      // A position older than the window was overwritten by one that isn't earlier.
      let next = Int(earlier[candidate % Self.window]) - 1
      guard next < candidate else { break }
      candidate = next
    }
    return best
  }

  private func hash(at index: Int) -> Int {
    let value =
      UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
    return Int((value &* 0x9E37_79B1) >> 17)
  }
}

/// The checksum algorithm of gzip.
private enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
    }
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { value, byte in
      table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8
    }
  }
}
