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

    /// Returns the index of the texts.
    package consuming func finish() -> SubstringIndex {
      // About sixteen bytes of text per bucket: most buckets contain one kind of three bytes.
      let wanted = max(bytes.count / 16, 64)
      let bits = min(UInt32(Int.bitWidth - wanted.leadingZeroBitCount), 18)
      var buckets = [UInt32](repeating: 0, count: 1 << Int(bits) + 1)
      var places: [UInt32] = []
      bytes.withByteSpan { text in
        forEachPlace(in: text, bits: bits) { bucket, _ in buckets[bucket] += 1 }
        var sum: UInt32 = 0
        for index in buckets.indices {
          sum += buckets[index]
          buckets[index] = sum
        }
        places = [UInt32](repeating: 0, count: Int(sum))
        // The buckets are filled from the end, so that each bucket's number decreases to its start.
        forEachPlace(in: text, bits: bits) { bucket, place in
          buckets[bucket] -= 1
          places[Int(buckets[bucket])] = place
        }
      }
      return SubstringIndex(
        bytes: bytes, starts: starts, blocks: Self.blocks(starts), buckets: buckets,
        places: places)
    }

    /// Calls a closure with every place where three bytes begin with a character within one text,
    /// last first.
    @inline(__always)
    private func forEachPlace(
      in text: Span<UInt8>, bits: UInt32, _ body: (_ bucket: Int, _ place: UInt32) -> Void
    ) {
      guard text.count > 3 else { return }
      var (second, third) = (text[text.count - 2], text[text.count - 1])
      var place = text.count - 3
      while place >= 0 {
        let first = text[place]
        // A zero ends a text, and a byte 10xxxxxx continues a character.
        if first != 0 && second != 0 && third != 0 && first & 0xC0 != 0x80 {
          body(SubstringIndex.bucket(first, second, third, bits: bits), UInt32(place))
        }
        (second, third) = (first, second)
        place -= 1
      }
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
