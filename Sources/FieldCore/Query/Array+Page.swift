extension Array {
  /// Returns the elements after an offset, up to a limit; a limit of `nil` returns all.
  package consuming func page(offset: Int, limit: Int?) -> Self {
    if offset > 0 { removeFirst(Swift.min(offset, count)) }
    if let limit, limit < count { removeLast(count - Swift.max(0, limit)) }
    return self
  }
}

extension Sequence {
  /// Returns the first elements in an order, at most `count`, with equal ones in their present order.
  ///
  /// Only a few times `count` elements are kept at any time, instead of sorting all.
  @inlinable
  package func first(
    _ count: Int, sortedBy precedes: (Element, Element) -> Bool
  ) -> [Element] {
    var first = FirstElements<Element>(count)
    for element in self { first.insert(element, by: precedes) }
    return first.sorted(by: precedes)
  }
}

/// A collection of the first elements in an order, with equal ones in the order in which they were inserted.
@usableFromInline
package struct FirstElements<Element> {
  @usableFromInline
  let count: Int
  @usableFromInline
  let room: Int
  @usableFromInline
  var best: [Element] = []
  /// The last of the first elements so far, if there are enough.
  @usableFromInline
  package private(set) var last: Element?

  @inlinable
  package init(_ count: Int) {
    self.count = Swift.max(0, count)
    room = count < 1 << 20 ? Swift.max(4 * self.count, 256) : .max
  }

  /// Inserts an element, unless it can't be among the first.
  @inlinable
  package mutating func insert(_ element: Element, by precedes: (Element, Element) -> Bool) {
    if let last, !precedes(element, last) { return }
    guard count > 0 else { return }
    best.append(element)
    if best.count == room {
      best.sort(by: precedes)
      best.removeLast(room - count)
      last = best.last
    }
  }

  /// Returns the first elements, in their order.
  @inlinable
  package consuming func sorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    best.sort(by: precedes)
    if best.count > count { best.removeLast(best.count - count) }
    return best
  }
}
