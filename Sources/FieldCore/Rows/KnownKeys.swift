/// The keys of the rows so far, in the order of their first occurrence, so that the next row's keys
/// are compared with earlier bytes instead of being looked up.
///
/// Keys are compared by their bytes as written, including quotes and escapes.
struct KnownKeys {
  private struct Key {
    /// The first eight bytes without the opening quote, padded with zeros.
    var head: UInt64
    /// The bits of ``head`` that are significant.
    var mask: UInt64
    /// The offset of the first occurrence, without its opening quote, but with its closing quote.
    var start: Int
    var length: Int
    var column: Int
    var rank: UInt16
  }

  /// Further keys are looked up every time, because so many keys have no stable order.
  private static let most = 64

  private var keys: [Key] = []
  /// The index of the expected key.
  private var next = 0

  /// Starts a row.
  @inline(__always)
  mutating func rewind() { next = 0 }

  /// Moves past the next key and returns its column and rank, or `nil` if the key isn't known. The
  /// column is -1 for a key without a column.
  @inline(__always)
  mutating func pass(
    _ bytes: Span<UInt8>, _ scanner: inout JSONScanner
  ) -> (column: Int, rank: UInt16)? {
    let start = scanner.at &+ 1
    guard let word = bytes.wholeWord(at: start) else { return nil }
    // The expected key is compared first, then later ones, because a row may lack some, then
    // earlier ones.
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
      // The last eight bytes may overlap those that have been compared.
      let place = min(done, key.length &- 8)
      guard bytes.word(at: start &+ place) == bytes.word(at: key.start &+ place) else {
        return false
      }
      done &+= 8
    }
    return true
  }

  /// Inserts an unknown key at its position in the order.
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
