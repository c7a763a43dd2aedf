/// What is in the bytes of a journal: the entries that are in order, and what follows them.
///
/// An entry is its length and a checksum, four bytes each, lowest first, and the payload. The checksum is
/// of the length and the payload and goes on from that of the entry before, the first from the name of the
/// journal. So an entry that is whole by itself and stands in the wrong place, or in the wrong file, is
/// none.
package struct JournalScan: Sendable {
  /// How many bytes stand before the payload of an entry.
  package static let prefixSize = 8

  /// Bytes at the end that are no entry.
  package struct Tail: Sendable, Equatable {
    package var offset: Int
    package var count: Int
    package var reason: String
  }

  /// Where the payloads are.
  package private(set) var payloads: [Range<Int>] = []
  /// Where the last good entry ends.
  package private(set) var end: Int
  /// What the next entry's checksum goes on from.
  package private(set) var chain: UInt32
  /// What follows the last good entry; nil when nothing does.
  package private(set) var tail: Tail?

  /// Looks through the entries from `start` on.
  package init(_ bytes: [UInt8], from start: Int, seed: UInt32) {
    end = start
    chain = seed
    read(bytes)
  }

  private mutating func read(_ bytes: [UInt8]) {
    while end < bytes.count {
      guard bytes.count - end >= Self.prefixSize else {
        return stop(bytes, "the journal ends in the prefix of an entry")
      }
      let length = Int(bytes.fixed(at: end) as UInt32)
      guard length > 0 else { return stop(bytes, "an entry has no length") }
      let payload = end + Self.prefixSize
      guard length <= bytes.count - payload else {
        return stop(bytes, "the journal ends in an entry")
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

  /// What the first entry's checksum goes on from.
  package static func seed(of name: String) -> UInt32 {
    let bytes = Array(name.utf8)
    return CRC32C.checksum(bytes, 0..<bytes.count)
  }

  private static func checksum(
    _ bytes: [UInt8], at place: Int, length: Int, after chain: UInt32
  ) -> UInt32 {
    let ofLength = CRC32C.checksum(bytes, place..<(place + 4), after: chain)
    let payload = place + prefixSize
    return CRC32C.checksum(bytes, payload..<(payload + length), after: ofLength)
  }
}
