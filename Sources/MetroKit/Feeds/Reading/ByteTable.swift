/// Values by the bytes of a cell, so that what is the same in many rows is made once.
struct ByteTable<Value> {
  private struct Entry {
    var hash: UInt64
    /// Where the key begins in ``words``, and how many bytes it has.
    var start: Int
    var count: Int
    var value: Value
  }

  private var entries: [Entry] = []
  /// The keys, eight bytes in each number.
  private var words: [UInt64] = []
  /// The positions in ``entries`` by hash, one more than they are; 0 for none.
  private var slots = [Int32](repeating: 0, count: 512)

  /// The value of the bytes, made by the closure the first time.
  mutating func value(_ key: Span<UInt8>, make: (Span<UInt8>) -> Value) -> Value {
    let hash = Self.hash(key)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if entries[position].hash == hash, isKey(of: position, key) {
        return entries[position].value
      }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    let value = make(key)
    entries.append(Entry(hash: hash, start: words.count, count: key.count, value: value))
    for at in stride(from: 0, to: key.count, by: 8) { words.append(Self.word(of: key, at: at)) }
    slots[slot] = Int32(entries.count)
    if entries.count * 2 > slots.count { grow() }
    return value
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 4)
    for (position, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(position + 1)
    }
  }

  private func isKey(of position: Int, _ key: Span<UInt8>) -> Bool {
    guard entries[position].count == key.count else { return false }
    var place = entries[position].start
    var at = 0
    while at < key.count {
      guard words[place] == Self.word(of: key, at: at) else { return false }
      place &+= 1
      at &+= 8
    }
    return true
  }

  private static func hash(_ key: Span<UInt8>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: key.count) &* 0x9E37_79B9_7F4A_7C15
    var at = 0
    while at < key.count {
      hash = (hash ^ word(of: key, at: at)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      at &+= 8
    }
    // The low bits, by which slots are chosen, take part of the high ones.
    return hash ^ (hash >> 32)
  }

  /// Eight bytes of a key as a number: the last eight overlap those before, and a key that is shorter is
  /// all in one. With the count of its bytes they tell a key from all others.
  @inline(__always)
  private static func word(of key: Span<UInt8>, at offset: Int) -> UInt64 {
    guard key.count < 8 else {
      // The offset leaves eight bytes, as it is eight before the end at most.
      return unsafe key.bytes.unsafeLoadUnaligned(
        fromByteOffset: min(offset, key.count &- 8), as: UInt64.self)
    }
    var word: UInt64 = 0
    for index in key.indices { word = word << 8 | UInt64(key[index]) }
    return word
  }
}
