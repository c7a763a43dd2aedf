extension SubstringIndex {
  /// A builder of a ``SubstringIndex`` that takes one text after another.
  package struct Builder {
    private var bytes: [UInt8] = []
    private var starts: [UInt32] = [0]

    /// Creates a builder without texts.
    package init() {}

    /// Creates a builder with the texts of an index, which costs a copy.
    package init(continuing index: SubstringIndex) {
      (bytes, starts) = (index.bytes, index.starts)
    }

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
      finishText()
    }

    private mutating func finishText() {
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

    /// Adds texts at a position, of which a match lies within one, after empty texts at those that were skipped.
    package mutating func append(_ texts: some Sequence<String?>, at position: Int) {
      fill(upTo: position)
      SubstringIndex.append(foldedBytesOf: texts, to: &bytes)
      finishText()
    }

    /// Adds folded bytes at a position, after empty texts at those that were skipped.
    package mutating func append(folded text: ArraySlice<UInt8>, at position: Int) {
      fill(upTo: position)
      bytes += text
      finishText()
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
      let bytes = bytes
      return SubstringIndex(
        bytes: bytes, starts: starts, blocks: Self.blocks(starts),
        places: Amortized(after: 4) { Places(in: bytes) })
    }

    /// Returns the text that contains the first byte of each block of 64 bytes.
    static func blocks(_ starts: [UInt32]) -> [UInt32] {
      var blocks: [UInt32] = []
      for text in 0..<max(starts.count - 1, 0) {
        while blocks.count << 6 < Int(starts[text + 1]) { blocks.append(UInt32(text)) }
      }
      return blocks
    }
  }
}

extension SubstringIndex {
  /// Appends the folded forms of texts to `bytes`, with a byte between them that is in no folded text, so that no
  /// match reaches from one into another.
  package static func append(
    foldedBytesOf texts: some Sequence<String?>, to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    for case let text? in texts {
      let end = bytes.count
      if end > start { bytes.append(1) }
      let first = bytes.count
      text.withUTF8Span { TextFolding.append(foldedBytesOf: $0, to: &bytes) }
      if bytes.count == first { bytes.removeLast(first - end) }
    }
  }

  /// Returns the folded bytes at a position.
  package func foldedBytes(at position: Int) -> ArraySlice<UInt8> {
    bytes[Int(starts[position])..<Int(starts[position + 1]) - 1]
  }
}
