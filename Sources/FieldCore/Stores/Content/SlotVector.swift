/// A persistent vector of elements by slot, with holes where elements were removed.
///
/// It is a tree of arrays, with 64 elements in a leaf and 32 children in a node. A copy is free and
/// shares all nodes; a change copies the path to its leaf, and only if another copy still refers to
/// it. The arrays' copy-on-write does all of that, so a batch copies each changed node once, and
/// the vector is `Sendable` because its parts are.
@usableFromInline
package struct SlotVector<Element: Sendable>: Sendable {
  @usableFromInline
  package enum Node: Sendable {
    case inner([Node])
    case leaf([Element?])
    /// A leaf whose elements are made once they have been used several times.
    case stored(StoredLeaf<Element>, StoredLeaf<Element>.Place)
    /// An inner node whose children are made when one of them is first used.
    case deferred(Once<[Node]>, Once<[Node]>.Place)

    @usableFromInline
    package init(storing leaf: StoredLeaf<Element>) { self = .stored(leaf, leaf.place) }

    @usableFromInline
    package init(deferring children: Once<[Node]>) { self = .deferred(children, children.place) }

    @usableFromInline
    var storedLeaf: StoredLeaf<Element> {
      guard case .stored(let leaf, _) = self else {
        preconditionFailure("This isn't a stored leaf.")
      }
      return leaf
    }

    /// The memory of a deferred node's children, which are made if they haven't been.
    @usableFromInline
    var madeChildren: UnsafePointer<[Node]> {
      guard case .deferred(let children, _) = self else {
        preconditionFailure("This isn't a deferred node.")
      }
      return unsafe children.pointer
    }
  }

  @usableFromInline
  package var root: Node

  /// The number of slots, including holes.
  @usableFromInline
  package var count: Int

  /// The number of bits by which a slot is shifted to get its child in the root; 0 if the root is a
  /// leaf.
  @usableFromInline
  package var shift: Int

  @inlinable
  package init() {
    root = .leaf([])
    count = 0
    shift = 0
  }

  /// Creates a vector of full leaves, of which only the last may be shorter, with `count` elements.
  @inlinable
  package init(leaves: [Node], count: Int) { self.init(leaves, shift: 0, count: count) }

  /// Creates a vector of full nodes, of which only the last may be smaller, from the shift that slots have in them.
  @inlinable
  package init(_ nodes: [Node], shift: Int, count: Int) {
    self.count = count
    self.shift = shift
    var level = nodes
    while level.count > 1 {
      self.shift = self.shift == 0 ? 6 : self.shift + 5
      var above: [Node] = []
      above.reserveCapacity(level.count / 32 + 1)
      for start in stride(from: 0, to: level.count, by: 32) {
        above.append(.inner(Array(level[start..<Swift.min(start + 32, level.count)])))
      }
      level = above
    }
    root = level.first ?? .leaf([])
  }

  /// Returns the element in a slot below `count`, or `nil` if the slot is a hole.
  @inlinable
  package subscript(slot: Int) -> Element? {
    withLeaf(of: slot, stored: { $0.element(at: slot & 63) }, { $0[slot & 63] })
  }

  /// Returns the leaf that contains a slot below `count`: the slots from `slot & ~63` on.
  @inlinable
  package func leaf(of slot: Int) -> [Element?] { withLeaf(of: slot) { $0 } }

  /// Calls `body` with the leaf that contains a slot below `count`, making its elements.
  @inlinable
  @inline(__always)
  package func withLeaf<Result>(of slot: Int, _ body: ([Element?]) -> Result) -> Result {
    withLeaf(of: slot, stored: { leaf in unsafe body(leaf.pointer.pointee) }, body)
  }

  /// Calls `body` with the leaf that contains a slot below `count`, or `stored` if its elements haven't been made.
  @inlinable
  @inline(__always)
  func withLeaf<Result>(
    of slot: Int, stored: (StoredLeaf<Element>) -> Result, _ body: ([Element?]) -> Result
  ) -> Result {
    // Traversed with pointers, because a variable for the node would retain and release at each
    // step, which costs more than all the rest. The pointers stay valid: `root` retains every node
    // until the closure ends, and nobody changes an array that another variable holds.
    defer { extendLifetime(self) }
    return unsafe withUnsafePointer(to: root) { node in
      var node = unsafe node
      var shift = UInt(bitPattern: shift)
      while true {
        switch unsafe node.pointee {
        case .inner(let children):
          unsafe Self.descend(to: slot, in: children, &node, &shift)
        case .deferred(_, let place):
          let children = unsafe place.pointer ?? node.pointee.madeChildren
          unsafe Self.descend(to: slot, in: children.pointee, &node, &shift)
        case .leaf(let elements):
          return body(elements)
        case .stored(_, let place):
          if let elements = unsafe place.pointer { return body(unsafe elements.pointee) }
          return stored(unsafe node.pointee.storedLeaf)
        }
      }
    }
  }

  /// Goes on to the child that contains a slot.
  @inlinable
  @inline(__always)
  static func descend(
    to slot: Int, in children: [Node], _ node: inout UnsafePointer<Node>, _ shift: inout UInt
  ) {
    let child = (slot &>> Int(bitPattern: shift)) & 31
    precondition(child < children.count)
    unsafe children.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { return }
      unsafe node = base + child
    }
    shift = shift == 6 ? 0 : shift &- 5
  }

  /// The slots without an element, ascending, found without making elements.
  var holes: [Int32] {
    var holes: [Int32] = []
    for first in stride(from: 0, to: count, by: 64) {
      // Stored leaves have no holes.
      withLeaf(of: first, stored: { _ in }) { leaf in
        for index in leaf.indices where leaf[index] == nil {
          holes.append(Int32(truncatingIfNeeded: first + index))
        }
      }
    }
    return holes
  }

  @inlinable
  package mutating func append(_ element: Element) {
    if count == 64 << (shift == 0 ? 0 : shift - 1) {
      root = .inner([root])
      shift = shift == 0 ? 6 : shift + 5
    }
    root.append(element, at: count, shift: shift)
    count += 1
  }

  /// Puts an element, or a hole, into a slot below `count`.
  @inlinable
  package mutating func set(_ element: Element?, at slot: Int) {
    root.set(element, at: slot, shift: shift)
  }
}

extension SlotVector.Node {
  @inlinable
  package mutating func append(_ element: Element, at slot: Int, shift: Int) {
    switch self {
    case .leaf(var elements):
      self = .leaf([])  // so that `elements` is the only reference and is changed in place
      elements.append(element)
      self = .leaf(elements)
    case .inner(var children):
      self = .leaf([])
      let child = (slot >> shift) & 31
      if child == children.count { children.append(.leaf([])) }
      let below = shift == 6 ? 0 : shift - 5
      if below > 0, case .leaf = children[child] { children[child] = .inner([]) }
      children[child].append(element, at: slot, shift: below)
      self = .inner(children)
    case .stored(let leaf, _):
      self = .leaf(leaf.elements)
      append(element, at: slot, shift: shift)
    case .deferred(let children, _):
      self = .inner(children.value)
      append(element, at: slot, shift: shift)
    }
  }

  @inlinable
  package mutating func set(_ element: Element?, at slot: Int, shift: Int) {
    switch self {
    case .leaf(var elements):
      self = .leaf([])
      elements[slot & 63] = element
      self = .leaf(elements)
    case .inner(var children):
      self = .leaf([])
      children[(slot >> shift) & 31].set(element, at: slot, shift: shift == 6 ? 0 : shift - 5)
      self = .inner(children)
    case .stored(let leaf, _):
      self = .leaf(leaf.elements)
      set(element, at: slot, shift: shift)
    case .deferred(let children, _):
      self = .inner(children.value)
      set(element, at: slot, shift: shift)
    }
  }
}
