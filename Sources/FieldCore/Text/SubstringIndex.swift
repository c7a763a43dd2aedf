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
  /// The places of each three bytes, found once searching all of the text instead has cost about as much.
  let places: Amortized<Places>

  /// The number of texts.
  package var count: Int { starts.count - 1 }

  /// The size of the index in memory, in bytes.
  package var byteCount: Int {
    let places = places.value
    return bytes.count
      + 4 * (starts.count + places.blocks.count + places.buckets.count + places.places.count)
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

extension SubstringIndex {
  /// The relation of the beginning of a text to a query.
  package enum Beginning: Sendable {
    /// The text is the query.
    case equal
    /// The text begins with the query and continues after it.
    case begins
    /// The text begins with something else.
    case other
  }

  /// Returns how the text at a position begins, compared with a query that is already folded.
  package func beginning(of position: Int, with folded: [UInt8]) -> Beginning {
    let start = Int(starts[position])
    let length = Int(starts[position + 1]) - 1 - start
    guard length >= folded.count else { return .other }
    for offset in folded.indices where bytes[start + offset] != folded[offset] { return .other }
    return length == folded.count ? .equal : .begins
  }
}

// MARK: - Builder

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
      let (bytes, starts) = (bytes, starts)
      return SubstringIndex(
        bytes: bytes, starts: starts,
        places: Amortized(after: 4) { Places(in: bytes, starts: starts) })
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

// MARK: - Matches

extension SubstringIndex {
  /// The way in which the words of a query, separated by blanks, must occur in a text.
  package enum Words: Sendable {
    /// As written, with one blank between them.
    case asOneText
    /// Each of them, anywhere.
    case all
    /// At least one of them.
    case any
  }

  /// Returns the positions of the texts that contain a query, in ascending order.
  ///
  /// The query is folded like the texts, so blanks at its ends are ignored. A query that folds to
  /// an empty text matches every text. If an empty query should match nothing, check with
  /// ``TextFolding`` first.
  package func matches(_ query: String, words: Words = .asOneText) -> [Int32] {
    let folded = TextFolding.foldedBytes(of: query)
    if words == .asOneText { return matches(folded: folded[...]) }
    let parts = folded.split(separator: 0x20)
    guard parts.count > 1 else { return matches(folded: folded[...]) }
    if words == .any {
      var isHit = [Bool](repeating: false, count: count)
      for part in parts {
        for hit in matches(folded: part) { isHit[Int(hit)] = true }
      }
      return isHit.indices.filter { isHit[$0] }.map { Int32($0) }
    }
    // The rarest word is looked up, and its texts are searched for the others.
    let places = places.value
    let ranked = parts.map { part in
      (part: part, places: Array(part).withByteSpan { places.best(of: $0).range.count })
    }
    .sorted { $0.places < $1.places }
    return matches(folded: ranked[0].part).filter { hit in
      ranked.dropFirst().allSatisfy { contains($0.part, at: Int(hit)) }
    }
  }

  /// Returns the positions of the texts that contain a folded query, in ascending order.
  func matches(folded query: ArraySlice<UInt8>) -> [Int32] {
    guard !query.isEmpty else { return (0..<count).map { Int32($0) } }
    var hits: [Int32] = []
    search(for: Array(query)) { position, _ in hits.append(Int32(position)) }
    return hits
  }

  /// Returns the texts that contain a folded query, in ascending order, with how they begin.
  package func matches(
    beginningWith folded: [UInt8]
  ) -> [(position: Int32, beginning: Beginning)] {
    guard folded.count >= 3 else {
      return matches(folded: folded[...]).map { ($0, beginning(of: Int($0), with: folded)) }
    }
    var hits: [(position: Int32, beginning: Beginning)] = []
    search(for: folded) { position, start in
      // The first place in the text is enough to decide, without comparing its beginning.
      let isFirst = start == Int(starts[position])
      let isAll = start + folded.count == Int(starts[position + 1]) - 1
      hits.append((Int32(position), !isFirst ? .other : isAll ? .equal : .begins))
    }
    return hits
  }

  /// Passes each text that contains a folded query once, with the first place of the query in it.
  private func search(for query: [UInt8], _ body: (_ position: Int, _ start: Int) -> Void) {
    // In texts that repeat the beginning of a long query, comparing it everywhere would take quadratic time.
    let places =
      query.count < 3 ? nil : query.count > 64 ? places.value : places.value(insteadOf: 1)
    bytes.withByteSpan { text in
      query.withByteSpan { query in
        if let places {
          search(text, for: query, at: places, body)
        } else {
          scan(text, for: query, body)
        }
      }
    }
  }

  /// Searches all texts, for the query's first two bytes at 64 places at once.
  private func scan(
    _ text: Span<UInt8>, for query: Span<UInt8>, _ body: (_ position: Int, _ start: Int) -> Void
  ) {
    let first = ByteTest.spread(query[0])
    let (second, ignored) =
      query.count > 1 ? (ByteTest.spread(query[1]), 0) : (0, UInt64.max)
    let (firsts, seconds) = (SIMD8(repeating: first), SIMD8(repeating: second))
    var (start, position, endOfBlock) = (0, 0, 0)
    search: while start + query.count <= text.count {
      if start >= endOfBlock, let block = text.wholeBlock(at: start),
        let next = text.wholeBlock(at: start + 1)
      {
        endOfBlock = start + 64
        let hits =
          ByteTest.zeros(block ^ firsts)
          & (ByteTest.zeros(next ^ seconds) | SIMD8(repeating: ignored))
        if hits == SIMD8() {
          start = endOfBlock
          continue
        }
      }
      // The last few bytes are tested one by one.
      var (hits, step) = (1 << 7 as UInt64, 1)
      if let word = text.wholeWord(at: start), let next = text.wholeWord(at: start + 1) {
        hits = ByteTest.zeros(word ^ first) & (ByteTest.zeros(next ^ second) | ignored)
        step = 8
      }
      while hits != 0 {
        let place = start + ByteTest.first(hits)
        if place + query.count <= text.count, isEqual(text, at: place, query) {
          // Each text counts once.
          position = self.position(ofByte: place, from: position)
          body(position, place)
          start = Int(starts[position + 1])
          continue search
        }
        hits &= hits - 1
      }
      start += step
    }
  }

  /// Checks the places of the query's rarest three bytes.
  @inline(__always)
  private func search(
    _ text: Span<UInt8>, for query: Span<UInt8>, at places: Places,
    _ body: (_ position: Int, _ start: Int) -> Void
  ) {
    // Up to eight bytes of the query, which are compared at once.
    let mask: UInt64 = query.count < 8 ? 1 << UInt64(8 * query.count) - 1 : .max
    var head: UInt64 = 0
    for index in 0..<min(query.count, 8) { head |= UInt64(query[index]) << UInt64(8 * index) }
    let (range, offset) = places.best(of: query)
    var end = 0
    for index in range {
      let start = Int(places.places[index]) - offset
      // Each text counts once.
      guard start >= end, start + query.count <= text.count,
        isPlace(text, start, query, head, mask)
      else { continue }
      var position = Int(places.blocks[start >> 6])
      while Int(starts[position + 1]) <= start { position += 1 }
      body(position, start)
      end = Int(starts[position + 1])
    }
  }

  /// Returns whether a query is at a place of the text, by its first eight bytes, which are masked if it has fewer.
  ///
  /// It isn't a function within ``search(_:for:at:_:)``, which the compiler wouldn't inline.
  @inline(__always)
  private func isPlace(
    _ text: Span<UInt8>, _ start: Int, _ query: Span<UInt8>, _ head: UInt64, _ mask: UInt64
  ) -> Bool {
    guard start + 8 <= text.count else { return isEqual(text, at: start, query) }
    guard text.word(at: start) & mask == head else { return false }
    return query.count <= 8 || isEqual(text, at: start, query)
  }

  private func contains(_ query: ArraySlice<UInt8>, at position: Int) -> Bool {
    let query = Array(query)
    return bytes.withByteSpan { text in
      query.withByteSpan { query in
        let end = Int(starts[position + 1]) - query.count
        var start = Int(starts[position])
        while start < end {
          if isEqual(text, at: start, query) { return true }
          start += 1
        }
        return false
      }
    }
  }

  @inline(__always)
  private func isEqual(_ text: Span<UInt8>, at start: Int, _ query: Span<UInt8>) -> Bool {
    guard query.count >= 8 else {
      for offset in 0..<query.count where text[start + offset] != query[offset] { return false }
      return true
    }
    // The last eight bytes overlap the previous ones.
    let last = query.count - 8
    for offset in stride(from: 0, to: last, by: 8)
    where text.word(at: start + offset) != query.word(at: offset) { return false }
    return text.word(at: start + last) == query.word(at: last)
  }

  /// Returns the text that contains a byte, which is the text at a position or a later one, in steps that double.
  @inline(__always)
  private func position(ofByte offset: Int, from first: Int) -> Int {
    var (position, step) = (first, 1)
    while Int(starts[position + 1]) <= offset {
      position += 1
      while position + step < count, Int(starts[position + step]) <= offset {
        position += step
        step *= 2
      }
      step = 1
    }
    return position
  }
}

// MARK: - Places

extension SubstringIndex {
  /// The places of each three bytes that begin at a character.
  struct Places: Sendable {
    /// The start of each bucket's places, and the end of the last.
    let buckets: [UInt32]
    /// The places in the text, ascending within a bucket.
    let places: [UInt32]
    /// The text that contains the first byte of each block of 64 bytes.
    let blocks: [UInt32]

    /// Returns the bucket of the three bytes at `offset`, out of `1 << bits`.
    @inline(__always)
    private static func bucket(
      _ first: UInt8, _ second: UInt8, _ third: UInt8, bits: UInt32
    ) -> Int {
      let key = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
      return Int((key &* 0x9E37_79B1) >> (32 - bits))
    }

    /// Finds the places in folded texts.
    init(in bytes: [UInt8], starts: [UInt32]) {
      var blocks: [UInt32] = []
      blocks.reserveCapacity(bytes.count >> 6 + 1)
      for text in 0..<starts.count - 1 {
        while blocks.count << 6 < Int(starts[text + 1]) { blocks.append(UInt32(text)) }
      }
      self.blocks = blocks
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
