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

  /// Searches all texts, for the query's first two bytes at eight places at once.
  private func scan(
    _ text: Span<UInt8>, for query: Span<UInt8>, _ body: (_ position: Int, _ start: Int) -> Void
  ) {
    let first = ByteTest.spread(query[0])
    let (second, ignored) =
      query.count > 1 ? (ByteTest.spread(query[1]), 0) : (0, UInt64.max)
    var start = 0
    search: while start + query.count <= text.count {
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
          let position = position(ofByte: place)
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
      let position = position(ofByte: start)
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

  /// Returns the text that contains a byte.
  @inline(__always)
  private func position(ofByte offset: Int) -> Int {
    var position = Int(blocks[offset >> 6])
    while Int(starts[position + 1]) <= offset { position += 1 }
    return position
  }
}
