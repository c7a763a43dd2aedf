/// A table of values keyed by the bytes of a cell, so that repeated cells are converted once.
struct ByteTable<Value> {
  private struct Entry {
    var hash: UInt64
    /// The position in ``words`` where the key begins, and its length in bytes.
    var start: Int
    var count: Int
    var value: Value
  }

  private var entries: [Entry] = []
  /// The keys, with eight bytes in each number.
  private var words: [UInt64] = []
  /// The positions in ``entries`` plus one, by hash; 0 marks an empty slot.
  private var slots = [Int32](repeating: 0, count: 512)

  /// Returns the value for the bytes; the closure creates it the first time.
  mutating func value(_ key: Span<UInt8>, make: (Span<UInt8>) -> Value) -> Value {
    let hash = Self.hash(key)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if entries[position].hash == hash, isKey(of: position, key) { return entries[position].value }
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
    // Mix the high bits into the low ones, which select the slot.
    return hash ^ (hash >> 32)
  }

  /// Returns eight bytes of a key as a number. The last eight overlap those before, and a key that
  /// is shorter fits into one number. Together with the length, the numbers identify the key.
  @inline(__always)
  private static func word(of key: Span<UInt8>, at offset: Int) -> UInt64 {
    guard key.count < 8 else {
      // The offset leaves eight bytes because it is at most the length minus eight.
      return unsafe key.bytes.unsafeLoadUnaligned(
        fromByteOffset: min(offset, key.count &- 8), as: UInt64.self)
    }
    var word: UInt64 = 0
    for index in key.indices { word = word << 8 | UInt64(key[index]) }
    return word
  }
}
