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
    guard count > 0 else { return [] }
    let room = count < 1 << 20 ? Swift.max(4 * count, 256) : .max
    var best: [Element] = []
    var last: Element?
    for element in self {
      if let last, !precedes(element, last) { continue }
      best.append(element)
      if best.count == room {
        best.sort(by: precedes)
        best.removeLast(room - count)
        last = best.last
      }
    }
    best.sort(by: precedes)
    if best.count > count { best.removeLast(best.count - count) }
    return best
  }
}
