/// A table that decodes the prefix codes of a DEFLATE block.
///
/// The next bits of the input are the index of an entry. A code longer than the index leads to a second table, whose
/// index is the bits that follow.
///
/// An entry contains, from the lowest bit: the length of the code in 8 bits, the number of extra bits or of those that
/// index the second table in 5 bits, the kind in 3 bits, and the literal, the base of a length or distance, or the start
/// of the second table in 16 bits.
struct HuffmanTable {
  static let literal: UInt32 = 0x8000
  static let link: UInt32 = 0x4000
  static let end: UInt32 = 0x2000

  /// The number of bits that index the first table.
  let width: Int
  var entries: [UInt32]

  /// Creates an empty table.
  init(width: Int, codes: Int) {
    self.width = width
    // Codes that are longer than the index come in pairs at least, so this is the most that the second tables need.
    entries = [UInt32](
      repeating: 0, count: (1 << width) + max(codes / 2, 1) << max(15 - width, 0))
  }

  /// Fills the table with the codes of symbols whose lengths are given.
  ///
  /// - Parameters:
  ///   - lengths: The lengths of the codes, from 0 for symbols without any, through 15.
  ///   - meaning: A closure that returns the entry of a symbol without the length, or `nil` if the symbol has none.
  /// - Returns: `false` if the lengths don't describe a prefix code.
  mutating func fill(_ lengths: ArraySlice<UInt8>, _ meaning: (Int) -> UInt32) -> Bool {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    for place in 0..<(1 << width) { entries[place] = 0 }
    guard let longest = counts.lastIndex(where: { $0 > 0 }) else { return true }
    var next = [Int](repeating: 0, count: 17)
    var left = 1
    for length in 1...15 {
      left = left << 1 - counts[length]
      if left < 0 { return false }
      next[length + 1] = (next[length] + counts[length]) << 1
    }
    // An incomplete code is allowed only if it is a single bit.
    guard left == 0 || longest == 1 else { return false }
    return fill(lengths, next, longest, meaning)
  }

  private mutating func fill(
    _ lengths: ArraySlice<UInt8>, _ first: [Int], _ longest: Int, _ meaning: (Int) -> UInt32
  ) -> Bool {
    var next = first
    var free = 1 << width
    // Shorter codes come first, so that the first code of a prefix that needs a second table is known to be long.
    if longest > width {
      linkSecondTables(lengths, first, &free)
    }
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      let code = Self.reversed(next[length], length)
      next[length] += 1
      if length <= width {
        let entry = meaning(symbol) | UInt32(length)
        for place in stride(from: code, to: 1 << width, by: 1 << length) { entries[place] = entry }
      } else {
        let link = entries[code & (1 << width - 1)]
        let (start, bits) = (Int(link >> 16), Int(link >> 8 & 0x1F))
        guard link & Self.link != 0, start + 1 << bits <= entries.count else { return false }
        let entry = meaning(symbol) | UInt32(length - width)
        for place in stride(from: code >> width, to: 1 << bits, by: 1 << (length - width)) {
          entries[start + place] = entry
        }
      }
    }
    return true
  }

  /// Allots a second table to each prefix of codes that are longer than the index.
  private mutating func linkSecondTables(
    _ lengths: ArraySlice<UInt8>, _ first: [Int], _ free: inout Int
  ) {
    var next = first
    for length in lengths where length > 0 {
      let length = Int(length)
      let code = Self.reversed(next[length], length)
      next[length] += 1
      guard length > width else { continue }
      let prefix = code & (1 << width - 1)
      let bits = UInt32(length - width)
      if entries[prefix] >> 8 & 0x1F < bits {
        entries[prefix] = Self.link | bits << 8 | UInt32(width)
      }
    }
    for prefix in 0..<(1 << width) where entries[prefix] & Self.link != 0 {
      let size = 1 << Int(entries[prefix] >> 8 & 0x1F)
      guard free + size <= entries.count, free + size <= 1 << 16 else {
        entries[prefix] = 0
        continue
      }
      for place in free..<free + size { entries[place] = 0 }
      entries[prefix] |= UInt32(free) << 16
      free += size
    }
  }

  private static func reversed(_ code: Int, _ length: Int) -> Int {
    var (code, result) = (code, 0)
    for _ in 0..<length {
      result = result << 1 | code & 1
      code >>= 1
    }
    return result
  }
}
