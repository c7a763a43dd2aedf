/// Values by the bytes of a cell, so that what is the same in many rows is made once.
struct ByteTable<Value> {
  private struct Entry {
    var hash: UInt64
    var bytes: [UInt8]
    var value: Value
  }

  private var entries: [Entry] = []
  /// The positions in ``entries`` by hash, one more than they are; 0 for none.
  private var slots = [Int32](repeating: 0, count: 64)

  /// The value of the bytes, made by the closure the first time.
  mutating func value(
    _ bytes: Span<UInt8>, make: (Span<UInt8>) -> Value
  ) -> Value {
    let hash = Self.hash(bytes)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      if entries[position].hash == hash, Self.isSame(entries[position].bytes, bytes) {
        return entries[position].value
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let value = make(bytes)
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    for index in bytes.indices { copy.append(bytes[index]) }
    entries.append(Entry(hash: hash, bytes: copy, value: value))
    slots[slot] = Int32(entries.count)
    if entries.count * 2 > slots.count { grow() }
    return value
  }

  private mutating func grow() {
    slots = [Int32](repeating: 0, count: slots.count * 2)
    for (position, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(position + 1)
    }
  }

  private static func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in bytes.indices {
      hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
    }
    // The low bits, by which slots are chosen, take part of the high ones.
    return hash ^ (hash >> 32)
  }

  private static func isSame(_ left: [UInt8], _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    for index in right.indices where left[index] != right[index] { return false }
    return true
  }
}
