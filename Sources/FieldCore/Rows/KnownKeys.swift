/// The keys of the rows so far, in the order in which they came, so that the next row's keys need only
/// be compared with bytes that came before rather than looked up.
///
/// A key is known by its bytes as they stand, quotes and escapes included.
struct KnownKeys {
  private struct Key {
    /// The first eight bytes, or all and zeros; the opening quote left out.
    var head: UInt64
    /// The bits of ``head`` that count.
    var mask: UInt64
    /// Where the key stood when it came first, its opening quote left out, its closing quote kept.
    var start: Int
    var length: Int
    var column: Int
    var rank: UInt16
  }

  /// More keys than this are looked up every time: whoever has so many has no order either.
  private static let most = 64

  private var keys: [Key] = []
  /// Which key is expected next.
  private var next = 0

  /// Begins a row.
  @inline(__always)
  mutating func rewind() { next = 0 }

  /// The column and rank of the key whose opening quote is next, having gone past it; nil when the key
  /// is not known. The column is -1 for a key that no column has.
  @inline(__always)
  mutating func pass(
    _ bytes: Span<UInt8>, _ scanner: inout JSONScanner
  ) -> (column: Int, rank: UInt16)? {
    let start = scanner.at &+ 1
    guard start &+ 8 <= bytes.count else { return nil }
    let word = bytes.word(at: start)
    // The expected key first, then those after it, since a row may lack some, then those before it.
    let expected = next
    var place = expected
    while place < keys.count {
      if matches(keys[place], word, bytes, start) { return take(place, start, &scanner) }
      place &+= 1
    }
    place = 0
    while place < expected {
      if matches(keys[place], word, bytes, start) { return take(place, start, &scanner) }
      place &+= 1
    }
    return nil
  }

  @inline(__always)
  private mutating func take(
    _ place: Int, _ start: Int, _ scanner: inout JSONScanner
  ) -> (column: Int, rank: UInt16) {
    let key = keys[place]
    next = place &+ 1
    scanner.at = start &+ key.length
    return (key.column, key.rank)
  }

  @inline(__always)
  private func matches(_ key: Key, _ word: UInt64, _ bytes: Span<UInt8>, _ start: Int) -> Bool {
    guard word & key.mask == key.head else { return false }
    if key.length <= 8 { return true }
    return matchesTail(key, bytes, start)
  }

  @inline(__always)
  private func matchesTail(_ key: Key, _ bytes: Span<UInt8>, _ start: Int) -> Bool {
    guard start &+ key.length <= bytes.count else { return false }
    var done = 8
    while done < key.length {
      // The last eight bytes may overlap what is compared already.
      let place = min(done, key.length &- 8)
      guard bytes.word(at: start &+ place) == bytes.word(at: key.start &+ place) else {
        return false
      }
      done &+= 8
    }
    return true
  }

  /// Takes up a key that was not known, at its place in the order.
  mutating func insert(_ string: JSONString, _ bytes: Span<UInt8>, _ match: RowSchema.Match?) {
    let length = string.end - string.start + 1
    guard keys.count < Self.most, string.start + 8 <= bytes.count else { return }
    let mask: UInt64 = length >= 8 ? .max : 1 << UInt64(length * 8) - 1
    keys.insert(
      Key(
        head: bytes.word(at: string.start) & mask, mask: mask, start: string.start, length: length,
        column: match?.column ?? -1, rank: match?.rank ?? .max),
      at: next)
    next += 1
  }
}
