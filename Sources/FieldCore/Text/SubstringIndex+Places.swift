extension SubstringIndex {
  /// The places of each three bytes that begin at a character.
  struct Places: Sendable {
    /// The start of each bucket's places, and the end of the last.
    let buckets: [UInt32]
    /// The places in the text, ascending within a bucket.
    let places: [UInt32]

    /// Returns the bucket of the three bytes at `offset`, out of `1 << bits`.
    @inline(__always)
    private static func bucket(
      _ first: UInt8, _ second: UInt8, _ third: UInt8, bits: UInt32
    ) -> Int {
      let key = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
      return Int((key &* 0x9E37_79B1) >> (32 - bits))
    }

    /// Finds the places in folded texts.
    init(in bytes: [UInt8]) {
      // About sixteen bytes of text per bucket: most buckets contain one kind of three bytes.
      let wanted = max(bytes.count / 16, 64)
      let bits = min(UInt32(Int.bitWidth - wanted.leadingZeroBitCount), 18)
      var buckets = [UInt32](repeating: 0, count: 1 << Int(bits) + 1)
      var places: [UInt32] = []
      bytes.withByteSpan { text in
        Self.forEachPlace(in: text, bits: bits) { bucket, _ in buckets[bucket] += 1 }
        var sum: UInt32 = 0
        for index in buckets.indices {
          sum += buckets[index]
          buckets[index] = sum
        }
        places = [UInt32](repeating: 0, count: Int(sum))
        // The buckets are filled from the end, so that each bucket's number decreases to its start.
        Self.forEachPlace(in: text, bits: bits) { bucket, place in
          buckets[bucket] -= 1
          places[Int(buckets[bucket])] = place
        }
      }
      (self.buckets, self.places) = (buckets, places)
    }

    /// Calls a closure with every place where three bytes begin with a character within one text,
    /// last first.
    @inline(__always)
    private static func forEachPlace(
      in text: Span<UInt8>, bits: UInt32, _ body: (_ bucket: Int, _ place: UInt32) -> Void
    ) {
      guard text.count > 3 else { return }
      var (second, third) = (text[text.count - 2], text[text.count - 1])
      var place = text.count - 3
      while place >= 0 {
        let first = text[place]
        // A zero ends a text, and a byte 10xxxxxx continues a character.
        if first != 0 && second != 0 && third != 0 && first & 0xC0 != 0x80 {
          body(bucket(first, second, third, bits: bits), UInt32(place))
        }
        (second, third) = (first, second)
        place -= 1
      }
    }

    /// Returns the places of the rarest three bytes of a query, and their offset in it, or all places
    /// if the query has fewer than three.
    func best(of query: Span<UInt8>) -> (range: Range<Int>, offset: Int) {
      var best = (range: 0..<places.count, offset: 0)
      guard query.count >= 3 else { return best }
      // The number of buckets is a power of two.
      let bits = UInt32((buckets.count - 1).trailingZeroBitCount)
      for offset in 0...query.count - 3 where query[offset] & 0xC0 != 0x80 {
        let bucket = Self.bucket(query[offset], query[offset + 1], query[offset + 2], bits: bits)
        let range = Int(buckets[bucket])..<Int(buckets[bucket + 1])
        if range.count < best.range.count || offset == 0 { best = (range, offset) }
      }
      return best
    }
  }
}
