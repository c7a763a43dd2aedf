extension SubstringIndex {
  /// A builder of a ``SubstringIndex`` that takes one text after another.
  package struct Builder {
    private var bytes: [UInt8] = []
    private var starts: [UInt32] = [0]

    /// Creates a builder without texts.
    package init() {}

    /// Reserves space for a number of texts with a total number of bytes.
    package mutating func reserve(texts: Int, bytes count: Int) {
      starts.reserveCapacity(texts + 1)
      bytes.reserveCapacity(count + texts)
    }

    /// Adds a text at the next position.
    package mutating func append(_ text: String) {
      text.withUTF8Span { append(utf8: $0) }
    }

    /// Adds a text in UTF-8 at the next position.
    package mutating func append(utf8 text: Span<UInt8>) {
      TextFolding.append(foldedBytesOf: text, to: &bytes)
      bytes.append(0)
      precondition(bytes.count <= UInt32.max, "An index can contain up to 4 GiB of folded text.")
      starts.append(UInt32(bytes.count))
    }

    /// Adds a text at a position, after empty texts at those that were skipped.
    package mutating func append(_ text: String, at position: Int) {
      fill(upTo: position)
      append(text)
    }

    /// Adds a part of `bytes`, which is text in UTF-8, at a position, after empty texts at those that were skipped.
    package mutating func append(utf8 range: Range<Int>, of bytes: [UInt8], at position: Int) {
      fill(upTo: position)
      bytes.withByteSpan { append(utf8: $0.extracting(range)) }
    }

    private mutating func fill(upTo count: Int) {
      while starts.count <= count {
        bytes.append(0)
        starts.append(UInt32(bytes.count))
      }
    }

    /// Returns the index of the texts, followed by empty texts up to a number of texts.
    package consuming func finish(count: Int = 0) -> SubstringIndex {
      fill(upTo: count)
      return SubstringIndex(
        bytes: bytes, starts: starts, blocks: Self.blocks(starts), places: LazyPlaces(in: bytes))
    }

    private static func blocks(_ starts: [UInt32]) -> [UInt32] {
      var blocks: [UInt32] = []
      for text in 0..<max(starts.count - 1, 0) {
        while blocks.count << 6 < Int(starts[text + 1]) { blocks.append(UInt32(text)) }
      }
      return blocks
    }
  }
}
