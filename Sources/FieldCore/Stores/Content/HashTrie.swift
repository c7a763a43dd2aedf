/// A persistent index from hashes to slots: a 16-way trie over 32-bit hashes, with buckets as leaves.
///
/// It doesn't store IDs: the caller of a lookup finds the right slot by comparing the records.
/// Copies share nodes like those of ``SlotVector``.
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

  /// The size of a bucket above which it is split, unless all 32 bits have been used.
  package static let bucketLimit = 32

  /// Creates an empty index.
  @inlinable
  package init() { root = .bucket([]) }

  /// Returns the slot with this hash that `matches` accepts.
  @inlinable
  package func firstSlot(of hash: UInt32, where matches: (Int) -> Bool) -> Int? {
    // Traversed with pointers for the reason given in ``SlotVector``.
    defer { extendLifetime(self) }
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

  /// Removes an existing entry.
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
  /// Creates the index of slots 0, 1, 2… in one step from their hashes.
  ///
  /// The entries are sorted by their first bits in one counting pass, so that each bucket is
  /// allocated with its final size.
  @usableFromInline
  package init(hashes: [UInt32]) {
    var depth = 0
    // A bucket of average size has room to spare, so few are split again.
    while depth < 5, hashes.count >> (4 * depth) > Self.bucketLimit * 3 / 4 { depth += 1 }
    let shift = UInt32(32 - 4 * depth)
    guard depth > 0 else {
      root = .bucket(hashes.indices.map { UInt64(hashes[$0]) << 32 | UInt64($0) })
      return
    }
    var ends = [Int](repeating: 0, count: 1 << (4 * depth))
    for hash in hashes { ends[Int(hash >> shift)] += 1 }
    var total = 0
    for group in ends.indices {
      let count = ends[group]
      ends[group] = total
      total += count
    }
    var sorted = [UInt64](repeating: 0, count: hashes.count)
    for slot in hashes.indices {
      let group = Int(hashes[slot] >> shift)
      sorted[ends[group]] = UInt64(hashes[slot]) << 32 | UInt64(slot)
      ends[group] += 1
    }
    var start = 0
    var level: [Node] = ends.map { end in
      defer { start = end }
      return Node.splitting(Array(sorted[start..<end]), depth: depth)
    }
    while level.count > 1 {
      level = stride(from: 0, to: level.count, by: 16).map { .inner(Array(level[$0..<$0 + 16])) }
    }
    root = level[0]
  }

  /// Pairs of slots with equal hashes, the only ones in which an ID can occur twice.
  @usableFromInline
  package var slotsOfEqualHash: [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    root.appendEqualHashes(to: &pairs)
    return pairs
  }
}

extension HashTrie.Node {
  fileprivate func appendEqualHashes(to pairs: inout [(Int, Int)]) {
    switch self {
    case .inner(let children):
      for child in children { child.appendEqualHashes(to: &pairs) }
    case .bucket(let entries):
      guard entries.count > 1 else { return }
      for right in 1..<entries.count {
        for left in 0..<right where entries[left] >> 32 == entries[right] >> 32 {
          pairs.append(
            (Int(entries[left] & 0xFFFF_FFFF), Int(entries[right] & 0xFFFF_FFFF)))
        }
      }
    }
  }
}
