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

  @usableFromInline
  package mutating func insert(slot: Int, hash: UInt32) {
    root.insert(UInt64(hash) << 32 | UInt64(slot), depth: 0)
  }

  /// Removes an existing entry.
  @usableFromInline
  package mutating func remove(slot: Int, hash: UInt32) {
    root.remove(UInt64(hash) << 32 | UInt64(slot), depth: 0)
  }

  func forEach(_ body: (UInt64) -> Void) { root.forEach(body) }
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

  fileprivate func forEach(_ body: (UInt64) -> Void) {
    switch self {
    case .inner(let children): for child in children { child.forEach(body) }
    case .bucket(let entries): entries.forEach(body)
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
