/// The contents of a journal: the intact entries, and the bytes that follow them.
///
/// An entry consists of its length and a checksum, four bytes each in little-endian order, and the
/// payload. The checksum covers the length and the payload and continues that of the previous
/// entry; the first one continues that of the journal's name. An intact entry in the wrong place,
/// or in the wrong file, is therefore invalid.
package struct JournalScan: Sendable {
  /// The number of bytes before the payload of an entry.
  package static let prefixSize = 8

  /// Bytes at the end that aren't an entry.
  package struct Tail: Sendable, Equatable {
    package var offset: Int
    package var count: Int
    package var reason: String
  }

  package private(set) var payloads: [Range<Int>] = []
  /// The end of the last intact entry.
  package private(set) var end: Int
  /// The checksum that the next entry continues.
  package private(set) var chain: UInt32
  /// The bytes after the last intact entry, or `nil` if there are none.
  package private(set) var tail: Tail?

  /// Creates a scan of the entries from `start` on.
  package init(_ bytes: [UInt8], from start: Int, seed: UInt32) {
    end = start
    chain = seed
    read(bytes)
  }

  private mutating func read(_ bytes: [UInt8]) {
    while end < bytes.count {
      guard bytes.count - end >= Self.prefixSize else {
        return stop(bytes, "the journal ends within the prefix of an entry")
      }
      let length = Int(clamping: bytes.fixed(at: end) as UInt32)
      guard length > 0 else { return stop(bytes, "an entry has no length") }
      let payload = end + Self.prefixSize
      guard length <= bytes.count - payload else {
        return stop(bytes, "the journal ends within an entry")
      }
      let sum = Self.checksum(bytes, at: end, length: length, after: chain)
      guard bytes.fixed(at: end + 4) == sum else {
        return stop(bytes, "the checksum of an entry is wrong")
      }
      payloads.append(payload..<(payload + length))
      chain = sum
      end = payload + length
    }
  }

  /// Returns whether `bytes` end in an entry that may continue after them.
  func goesOn(after bytes: [UInt8]) -> Bool {
    guard bytes.count - end >= Self.prefixSize else { return true }
    let length = Int(clamping: bytes.fixed(at: end) as UInt32)
    return length > bytes.count - end - Self.prefixSize && length <= Self.longestEntry
  }

  private static var longestEntry: Int { 1 << 26 }

  private mutating func stop(_ bytes: [UInt8], _ reason: String) {
    tail = Tail(offset: end, count: bytes.count - end, reason: reason)
  }

  /// Fills in the prefix of an entry that begins at 0, and returns its checksum.
  package static func seal(_ entry: inout [UInt8], after chain: UInt32) -> UInt32 {
    let length = entry.count - prefixSize
    entry.put(fixed: UInt32(truncatingIfNeeded: length), at: 0)
    let sum = checksum(entry, at: 0, length: length, after: chain)
    entry.put(fixed: sum, at: 4)
    return sum
  }

  /// Returns the checksum that the first entry continues.
  package static func seed(of name: String) -> UInt32 {
    let bytes = Array(name.utf8)
    return CRC32C.checksum(bytes, 0..<bytes.count)
  }

  static func checksum(
    _ bytes: [UInt8], at place: Int, length: Int, after chain: UInt32
  ) -> UInt32 {
    let ofLength = CRC32C.checksum(bytes, place..<(place + 4), after: chain)
    let payload = place + prefixSize
    return CRC32C.checksum(bytes, payload..<(payload + length), after: ofLength)
  }
}
