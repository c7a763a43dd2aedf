/// A persistent index from hashes to slots: a table of those that came at once, and a 16-way trie over
/// 32-bit hashes for those that came later, with buckets as leaves.
///
/// The table is open-addressing and never changes, so a look-up reads one place of it. An entry of it
/// stays there when its slot is removed, as nobody accepts the slot of a hole.
///
/// It knows nothing of ids: who looks a hash up says which of the slots is the one that was meant, by
/// comparing the records. Copies share nodes as those of ``SlotVector`` do.
@usableFromInline
package struct HashTrie: Sendable {
  /// An entry is a hash in the upper half and its slot in the lower half.
  @usableFromInline
  package enum Node: Sendable {
    case inner([Node])
    case bucket([UInt64])
  }

  @usableFromInline
  package var root: Node

  /// The entries that came at once, each at the ``home`` of its hash or in the next place that was
  /// ``free``, as at least half of them are.
  @usableFromInline
  package private(set) var table: [UInt64] = []

  /// A place in the table without an entry.
  @usableFromInline
  package static var free: UInt64 { .max }

  /// The size of a bucket above which it is split, unless all 32 bits have been used.
  package static let bucketLimit = 32

  /// Creates an empty index.
  @inlinable
  package init() { root = .bucket([]) }

  /// Where the table looks for a hash first.
  @inlinable
  func home(of hash: UInt32) -> Int {
    Int((hash &* 0x9E37_79B1) >> UInt32(32 - table.count.trailingZeroBitCount))
  }

  /// Returns the slot with this hash that `matches` accepts.
  @inlinable
  package func firstSlot(of hash: UInt32, where matches: (Int) -> Bool) -> Int? {
    if !table.isEmpty {
      var place = home(of: hash)
      while table[place] != Self.free {
        let entry = table[place]
        if UInt32(truncatingIfNeeded: entry >> 32) == hash {
          let slot = Int(UInt32(truncatingIfNeeded: entry))
          if matches(slot) { return slot }
        }
        place = (place &+ 1) & (table.count &- 1)
      }
    }
    // Traversed with pointers for the reason given in ``SlotVector``.
    return unsafe withUnsafePointer(to: root) { node in
      var node = unsafe node
      var shift: UInt32 = 28
      while true {
        switch unsafe node.pointee {
        case .inner(let children):
          let child = Int((hash &>> shift) & 15)
          precondition(child < children.count)
          unsafe children.withUnsafeBufferPointer {
            guard let base = $0.baseAddress else { return }
            unsafe node = base + child
          }
          shift &-= 4
        case .bucket(let entries):
          for entry in entries where UInt32(truncatingIfNeeded: entry >> 32) == hash {
            let slot = Int(UInt32(truncatingIfNeeded: entry))
            if matches(slot) { return slot }
          }
          return nil
        }
      }
    }
  }

  /// Adds an entry.
  @usableFromInline
  package mutating func insert(slot: Int, hash: UInt32) {
    root.insert(UInt64(hash) << 32 | UInt64(slot), depth: 0)
  }

  /// Removes an entry, whose slot nobody accepts any more.
  @usableFromInline
  package mutating func remove(slot: Int, hash: UInt32) {
    root.remove(UInt64(hash) << 32 | UInt64(slot), depth: 0)
  }
}

extension HashTrie.Node {
  private static func child(of entry: UInt64, depth: Int) -> Int {
    Int((entry >> UInt64(60 - 4 * depth)) & 15)
  }

  fileprivate mutating func insert(_ entry: UInt64, depth: Int) {
    switch self {
    case .inner(var children):
      self = .bucket([])  // so that `children` is the only reference and is changed in place
      children[Self.child(of: entry, depth: depth)].insert(entry, depth: depth + 1)
      self = .inner(children)
    case .bucket(var entries):
      self = .bucket([])
      entries.append(entry)
      self = Self.splitting(entries, depth: depth)
    }
  }

  fileprivate mutating func remove(_ entry: UInt64, depth: Int) {
    switch self {
    case .inner(var children):
      self = .bucket([])
      children[Self.child(of: entry, depth: depth)].remove(entry, depth: depth + 1)
      self = .inner(children)
    case .bucket(var entries):
      self = .bucket([])
      if let place = entries.firstIndex(of: entry) {
        entries.swapAt(place, entries.count - 1)
        entries.removeLast()
      }
      self = .bucket(entries)
    }
  }

  /// Returns a bucket of the entries, or a node of several buckets if one isn't enough.
  fileprivate static func splitting(_ entries: [UInt64], depth: Int) -> HashTrie.Node {
    guard entries.count > HashTrie.bucketLimit, depth < 8 else { return .bucket(entries) }
    var children = [[UInt64]](repeating: [], count: 16)
    for entry in entries { children[child(of: entry, depth: depth)].append(entry) }
    return .inner(children.map { splitting($0, depth: depth + 1) })
  }
}

extension HashTrie {
  /// Makes the index of slots 0, 1, 2… at once, from their hashes.
  @usableFromInline
  package init(hashes: [UInt32]) {
    self.init()
    guard !hashes.isEmpty else { return }
    var size = 64
    while size < 2 * hashes.count { size *= 2 }
    table = [UInt64](repeating: Self.free, count: size)
    for slot in hashes.indices {
      var place = home(of: hashes[slot])
      while table[place] != Self.free { place = (place + 1) & (size - 1) }
      table[place] = UInt64(hashes[slot]) << 32 | UInt64(slot)
    }
  }

  /// Pairs of slots that came at once and whose hashes are equal, in which alone an id can be there
  /// twice.
  @usableFromInline
  package var slotsOfEqualHash: [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    for place in table.indices where table[place] != Self.free {
      // Equal hashes have no free place between them.
      var next = (place + 1) & (table.count - 1)
      while table[next] != Self.free {
        if table[place] >> 32 == table[next] >> 32 {
          pairs.append((Int(table[place] & 0xFFFF_FFFF), Int(table[next] & 0xFFFF_FFFF)))
        }
        next = (next + 1) & (table.count - 1)
      }
    }
    return pairs
  }
}
