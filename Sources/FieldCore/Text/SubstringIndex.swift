/// An index that finds the texts that contain a query, ignoring the differences that
/// ``TextFolding`` removes.
///
/// Texts are identified by their position, from 0. The index never changes; if the texts change,
/// build a new one.
///
/// ```swift
/// let index = SubstringIndex(["Aachen", "Österplana 048", "臺北車站"])
/// index.matches("osterplana")   // [1]
/// index.matches("台")           // [2]
/// ```
///
/// The index contains the folded texts, one after another, and the places of each three bytes that
/// begin at a character. A Han character is three bytes, so a query of one is as fast as any other.
/// The places of the query's rarest three bytes are checked one by one, so every result is exact. A
/// query of fewer than three bytes searches all texts, and so do the first few queries of up to 64 bytes, because
/// finding the places takes longer than that.
///
/// Building takes O(bytes). Including the folded text, the index takes about five bytes of memory per
/// byte of Latin text, three per byte of Han text, and up to 1 MB in addition.
package struct SubstringIndex: Sendable {
  /// The folded texts, each followed by a zero, which no folded text contains.
  let bytes: [UInt8]
  /// The start of each text in `bytes`, and the end of the last.
  let starts: [UInt32]
  /// The text that contains the first byte of each block of 64 bytes.
  let blocks: [UInt32]
  /// The places of each three bytes, found once searching all of the text instead has cost about as much.
  let places: Amortized<Places>

  /// The number of texts.
  package var count: Int { starts.count - 1 }

  /// The size of the index in memory, in bytes.
  package var byteCount: Int {
    let places = places.value
    return bytes.count
      + 4 * (starts.count + blocks.count + places.buckets.count + places.places.count)
  }

  /// Returns the folded text at a position.
  package func foldedText(at position: Int) -> String {
    String(decoding: bytes[Int(starts[position])..<Int(starts[position + 1]) - 1], as: UTF8.self)
  }
}

extension SubstringIndex {
  /// Creates an index of texts.
  package init(_ texts: some Sequence<String>) {
    var builder = Builder()
    for text in texts { builder.append(text) }
    self = builder.finish()
  }
}
