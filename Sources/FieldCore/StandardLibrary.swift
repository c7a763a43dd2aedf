extension RandomAccessCollection where Index == Int {
  /// Returns the index of the first element that satisfies a condition, which all later ones must satisfy too.
  @inlinable
  package func partitioningIndex(where isInSecond: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try isInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Optional {
  /// Returns the value, which is made and kept if there is none.
  package mutating func making(_ make: () -> Wrapped) -> Wrapped {
    if let value = self { return value }
    let value = make()
    self = value
    return value
  }
}

extension Result where Failure == any Error {
  /// Creates the result of a closure that may suspend.
  package init(catching body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension Sequence {
  /// Returns the elements in order, of those with equal keys only the first.
  package func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Sequence where Element: Hashable {
  /// Returns the elements in order, each once.
  package func uniqued() -> [Element] { uniqued { $0 } }
}

extension UInt8 {
  /// A Boolean value that indicates whether this is the ASCII code of a letter or a digit.
  var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
