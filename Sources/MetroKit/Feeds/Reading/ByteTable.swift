/// Values by the bytes of a cell, so that what is the same in many rows is made once.
struct ByteTable<Value> {
  private struct Entry {
    var hash: UInt64
    /// Where the bytes begin in ``bytes``, and how many they are.
    var start: Int
    var count: Int
    var value: Value
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
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
    entries.append(Entry(hash: hash, start: bytes.count, count: key.count, value: value))
    for index in key.indices { bytes.append(key[index]) }
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
    let (start, count) = (entries[position].start, entries[position].count)
    guard count == key.count else { return false }
    for index in 0..<count where bytes[start &+ index] != key[index] { return false }
    return true
  }

  /// A hash of eight bytes at a time; the last eight may overlap those before.
  private static func hash(_ key: Span<UInt8>) -> UInt64 {
    var hash = UInt64(truncatingIfNeeded: key.count) &* 0x9E37_79B9_7F4A_7C15
    if key.count < 8 {
      for index in key.indices { hash = (hash ^ UInt64(key[index])) &* 0x0000_0100_0000_01B3 }
    } else {
      var at = 0
      while at < key.count {
        // The offset leaves eight bytes, as it is eight before the end at most.
        let word = unsafe key.bytes.unsafeLoadUnaligned(
          fromByteOffset: min(at, key.count &- 8), as: UInt64.self)
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
        at &+= 8
      }
    }
    // The low bits, by which slots are chosen, take part of the high ones.
    return hash ^ (hash >> 32)
  }
}
