/// The intact entries of a journal, or of a part of one, wherever they are.
///
/// An entry's checksum continues that of the previous entry, so an entry proves that the prefix of the
/// previous one is intact. The entry that continues the last intact one is found behind anything, such as a
/// copy of a later entry.
struct FoundEntries: Sendable {
  /// The ranges of the payloads.
  private(set) var payloads: [Range<Int>] = []
  /// The ranges of the bytes that aren't part of an entry.
  private(set) var lost: [Range<Int>] = []

  /// Searches `bytes` from `start` on.
  ///
  /// - Parameter chain: The checksum that the first entry's continues; `nil` for a part that starts in the
  ///   middle of a journal.
  init(_ bytes: [UInt8], from start: Int, chain: UInt32?) {
    var place = start
    var chain = chain
    if let seed = chain { (place, chain) = take(bytes, from: place, seed) }
    while place < bytes.count {
      var damaged = place
      var next: (place: Int, chain: UInt32)?
      while next == nil, damaged + JournalScan.prefixSize < bytes.count {
        next =
          Self.continuation(of: chain, at: damaged, in: bytes)
          ?? Self.follower(of: damaged, in: bytes)
        damaged += 1
      }
      guard let next else {
        lost.append(place..<bytes.count)
        return
      }
      lost.append(place..<next.place)
      (place, chain) = take(bytes, from: next.place, next.chain)
    }
  }

  /// Adds the entries from an offset on, and returns the offset of their end and the last one's checksum.
  private mutating func take(
    _ bytes: [UInt8], from place: Int, _ chain: UInt32
  ) -> (place: Int, chain: UInt32?) {
    let scan = JournalScan(bytes, from: place, seed: chain)
    payloads += scan.payloads
    return (scan.end, scan.chain)
  }

  /// Returns an offset if the checksum of the entry there continues `chain`.
  private static func continuation(
    of chain: UInt32?, at place: Int, in bytes: [UInt8]
  ) -> (place: Int, chain: UInt32)? {
    let length = Int(clamping: bytes.fixed(at: place) as UInt32)
    guard let chain, length > 0, length <= bytes.count - place - JournalScan.prefixSize,
      JournalScan.checksum(bytes, at: place, length: length, after: chain)
        == bytes.fixed(at: place + 4)
    else { return nil }
    return (place, chain)
  }

  /// Returns the offset of the entry after the one at an offset, and that one's checksum, which it continues.
  private static func follower(of place: Int, in bytes: [UInt8]) -> (place: Int, chain: UInt32)? {
    let length = Int(clamping: bytes.fixed(at: place) as UInt32)
    let payload = place + JournalScan.prefixSize
    guard length > 0, length < bytes.count - payload - JournalScan.prefixSize else { return nil }
    let next = payload + length
    let chain: UInt32 = bytes.fixed(at: place + 4)
    let following = Int(clamping: bytes.fixed(at: next) as UInt32)
    guard following > 0, following <= bytes.count - next - JournalScan.prefixSize,
      JournalScan.checksum(bytes, at: next, length: following, after: chain)
        == bytes.fixed(at: next + 4)
    else { return nil }
    return (next, chain)
  }
}
