/// Distinct byte strings, numbered in the order in which they were added.
struct IDTable {
  /// All strings, one after another.
  private(set) var bytes: [UInt8] = []
  /// The start of each string, and the end of the last one.
  private(set) var starts: [UInt32] = [0]
  /// The number of a string plus one, at the place of its hash, or 0.
  private var slots = [UInt32](repeating: 0, count: 64)

  var count: Int { starts.count - 1 }

  /// Returns the number of a string, or `nil` if it hasn't been added.
  func number(of text: Span<UInt8>) -> UInt32? {
    let slot = place(of: text)
    return slots[slot] == 0 ? nil : slots[slot] - 1
  }

  /// Returns the number of a string, which is added if it isn't there.
  mutating func insert(_ text: Span<UInt8>) -> (number: UInt32, isNew: Bool) {
    if count * 2 >= slots.count { grow() }
    let slot = place(of: text)
    if slots[slot] != 0 { return (slots[slot] - 1, false) }
    for place in 0..<text.count { bytes.append(text[place]) }
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
    slots[slot] = UInt32(truncatingIfNeeded: count)
    return (slots[slot] - 1, true)
  }

  mutating func insert(_ text: String) -> UInt32 {
    text.withUTF8Span { insert($0).number }
  }

  func text(_ number: UInt32) -> String {
    String(decoding: bytes[range(number)], as: UTF8.self)
  }

  private func range(_ number: UInt32) -> Range<Int> {
    Int(starts[Int(number)])..<Int(starts[Int(number) + 1])
  }

  private func place(of text: Span<UInt8>) -> Int {
    let mask = slots.count - 1
    var slot = Self.hash(text) & mask
    while slots[slot] != 0, !isEqual(range(slots[slot] - 1), text) { slot = (slot + 1) & mask }
    return slot
  }

  private func isEqual(_ range: Range<Int>, _ text: Span<UInt8>) -> Bool {
    guard range.count == text.count else { return false }
    for place in 0..<text.count where bytes[range.lowerBound &+ place] != text[place] {
      return false
    }
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt32](repeating: 0, count: old.count * 2)
    for number in old where number != 0 {
      let range = range(number - 1)
      let slot = bytes.withByteSpan { place(of: $0.extracting(range)) }
      slots[slot] = number
    }
  }

  /// A hash with the process's own seed, so that nobody can choose strings that collide.
  private static func hash(_ text: Span<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe text.bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
