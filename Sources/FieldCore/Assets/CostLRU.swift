/// A least-recently-used cache of values with a total cost.
///
/// Every operation takes constant time: the order is a linked list within an array.
package struct CostLRU<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Node: Sendable {
    var key: Key
    var value: Value
    var cost: Int
    var older: Int?
    var newer: Int?
  }

  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var places: [Key: Int] = [:]
  private var oldest: Int?
  private var newest: Int?
  /// The sum of all costs.
  package private(set) var cost = 0

  package init() {}

  package var count: Int { places.count }

  package var oldestKey: Key? { oldest.flatMap { nodes[$0]?.key } }

  /// All keys, least recently used first.
  package var keys: [Key] {
    var keys: [Key] = []
    var next = oldest
    while let place = next, let node = nodes[place] {
      keys.append(node.key)
      next = node.newer
    }
    return keys
  }

  /// Returns the value of a key without changing the order.
  package func peek(_ key: Key) -> Value? { places[key].flatMap { nodes[$0]?.value } }

  /// Returns the cost of a key, or zero if the key isn't present.
  package func cost(of key: Key) -> Int { places[key].flatMap { nodes[$0]?.cost } ?? 0 }

  /// Returns the value of a key and makes it the most recently used.
  package mutating func use(_ key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    unlink(place)
    link(place)
    return nodes[place]?.value
  }

  /// Sets the value of a key and makes it the most recently used.
  package mutating func put(_ value: Value, for key: Key, cost: Int) {
    remove(key)
    let node = Node(key: key, value: value, cost: cost)
    let place: Int
    if let last = free.popLast() {
      place = last
      nodes[place] = node
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[key] = place
    self.cost += cost
    link(place)
  }

  /// Replaces the value of a key without changing the order; has no effect if it isn't present.
  package mutating func replace(_ value: Value, for key: Key) {
    if let place = places[key] { nodes[place]?.value = value }
  }

  @discardableResult
  package mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    unlink(place)
    let node = nodes[place]
    nodes[place] = nil
    free.append(place)
    cost -= node?.cost ?? 0
    return node?.value
  }

  /// Removes the least recently used values until the total cost is at most `limit`.
  package mutating func shrink(to limit: Int) {
    while cost > limit, let key = oldestKey { remove(key) }
  }

  private mutating func link(_ place: Int) {
    nodes[place]?.older = newest
    nodes[place]?.newer = nil
    if let newest { nodes[newest]?.newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int) {
    guard let node = nodes[place] else { return }
    if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
    if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
  }
}
