/// Finds the texts that contain a query, without regard to what ``TextFolding`` folds away.
///
/// The texts are known by their position, from 0. The index never changes; it is built anew when
/// the texts do.
///
/// ```swift
/// let index = SubstringIndex(["Aachen", "Österplana 048", "臺北車站"])
/// index.matches("osterplana")   // [1]
/// index.matches("台")           // [2]
/// ```
///
/// It holds the folded texts, one after the other, and for each three bytes that begin at a
/// character the places where they stand; a Han character is three bytes, so a query of one is
/// served like any other. The places of the query's rarest three bytes are looked at one by one, so
/// every answer is exact. A query of fewer than three bytes reads through all texts.
///
/// Time to build: O(bytes). Memory: for Latin text about five bytes for each of the folded text,
/// for Han text three, and up to 1 MB besides.
package struct SubstringIndex: Sendable {
  /// The folded texts, each with a zero behind it, which no folded text has in it.
  let bytes: [UInt8]
  /// Where each text starts in `bytes`, and the end of all.
  let starts: [UInt32]
  /// For each 64 bytes the text that the first of them belongs to.
  let blocks: [UInt32]
  /// For each bucket of three bytes the start of its places; one more at the end.
  let buckets: [UInt32]
  /// The places in `bytes`, ascending within a bucket.
  let places: [UInt32]

  /// How many texts there are.
  package var count: Int { starts.count - 1 }

  /// How many bytes of memory the index takes.
  package var byteCount: Int {
    bytes.count + 4 * (starts.count + blocks.count + buckets.count + places.count)
  }

  /// The folded text at a position.
  package func foldedText(at position: Int) -> String {
    String(decoding: bytes[Int(starts[position])..<Int(starts[position + 1]) - 1], as: UTF8.self)
  }

  /// The bucket of the three bytes at `offset`, out of `1 << bits`.
  @inline(__always)
  static func bucket(_ first: UInt8, _ second: UInt8, _ third: UInt8, bits: UInt32) -> Int {
    let key = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
    return Int((key &* 0x9E37_79B1) >> (32 - bits))
  }

  /// How many bits a bucket's number has: the count of buckets is a power of two.
  var bucketBits: UInt32 { UInt32((buckets.count - 1).trailingZeroBitCount) }
}

extension SubstringIndex {
  /// Builds the index of the texts.
  package init(_ texts: some Sequence<String>) {
    var builder = Builder()
    for text in texts { builder.append(text) }
    self = builder.finish()
  }
}
