/// An index from hashes to slots: an immutable hash table, and a trie of the slots added later.
///
/// It doesn't store IDs: the caller of a lookup finds the right slot by comparing the records. All copies share
/// the table, so it never forgets a slot: that of a removed record is a hole, which no caller accepts.
/// The table is rebuilt when as many slots have been added as it contains.
///
/// If an ID's `hash(into:)` makes many hashes equal, a lookup compares all of these slots. IDs in a file can't
/// be chosen to do that, because Swift seeds hashes in each process.
@usableFromInline
package struct SlotIndex: Sendable {
  /// The table, with open addressing: a hash in the upper half and its slot + 1 in the lower, or 0.
  @usableFromInline
  package private(set) var table: [UInt64]

  /// The number of slots that are in the table, unless they were removed before it was built.
  private var tableEnd: Int

  /// The seed of the hashes that are stable.
  @usableFromInline
  package let seed: UInt64

  /// The other slots.
  @usableFromInline
  package private(set) var later = HashTrie()

  /// The number of slots from which a table is built.
  package static let smallestTable = 1024

  @usableFromInline
  package init(seed: UInt64) {
    table = [0]
    tableEnd = 0
    self.seed = seed
  }

  /// Creates the index of slots 0, 1, 2… from one in a file; the slots that have no stable hash must be added.
  @usableFromInline
  package init(_ stored: StoredIndex, seed: UInt64) {
    table = stored.table
    tableEnd = stored.count
    self.seed = seed
  }

  /// Creates the index of slots 0, 1, 2… from their hashes.
  ///
  /// - Parameter repeated: Receives the slots with the hash of an earlier one, the only ones in which an ID can
  ///   occur again.
  @usableFromInline
  package init(hashes: [UInt32], seed: UInt64, repeated: inout [Int]) {
    self.seed = seed
    tableEnd = hashes.count
    table = Self.emptyTable(for: tableEnd)
    for slot in hashes.indices
    where !Self.add(UInt64(hashes[slot]) << 32 | UInt64(slot + 1), to: &table) {
      repeated.append(slot)
    }
  }

  /// Returns the slot with this hash that `matches` accepts.
  @inlinable
  package func firstSlot(of hash: UInt32, where matches: (Int) -> Bool) -> Int? {
    var place = Self.place(of: hash, in: table.count)
    while case let entry = table[place], entry != 0 {
      if UInt32(truncatingIfNeeded: entry >> 32) == hash {
        let slot = Int(UInt32(truncatingIfNeeded: entry)) - 1
        if matches(slot) { return slot }
      }
      place = place + 1 < table.count ? place + 1 : 0
    }
    return later.firstSlot(of: hash, where: matches)
  }

  /// Adds a slot, which is greater than all before.
  @usableFromInline
  package mutating func insert(slot: Int, hash: UInt32) {
    later.insert(slot: slot, hash: hash)
    guard slot >= Swift.max(2 * tableEnd, Self.smallestTable) else { return }
    tableEnd = slot + 1
    var whole = Self.emptyTable(for: tableEnd)
    for entry in table where entry != 0 { _ = Self.add(entry, to: &whole) }
    later.forEach { _ = Self.add($0 + 1, to: &whole) }
    table = whole
    later = HashTrie()
  }

  /// Removes an existing slot, whose record is removed, too.
  @usableFromInline
  package mutating func remove(slot: Int, hash: UInt32) {
    if slot >= tableEnd { later.remove(slot: slot, hash: hash) }
  }

  /// The size of a table: two thirds are used, so most lookups end within the first line of memory that they read.
  static func tableSize(for count: Int) -> Int { count + count / 2 + 1 }

  static func emptyTable(for count: Int) -> [UInt64] {
    [UInt64](repeating: 0, count: tableSize(for: count))
  }

  /// Adds an entry; returns `false` if there is one with the same hash.
  static func add(_ entry: UInt64, to table: inout [UInt64]) -> Bool {
    var isFirst = true
    var place = place(of: UInt32(truncatingIfNeeded: entry >> 32), in: table.count)
    while table[place] != 0 {
      if table[place] >> 32 == entry >> 32 { isFirst = false }
      place = place + 1 < table.count ? place + 1 : 0
    }
    table[place] = entry
    return isFirst
  }

  /// Returns the first place to search in a table of `count` places.
  @inlinable
  static func place(of hash: UInt32, in count: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: count)) >> 32)
  }
}
