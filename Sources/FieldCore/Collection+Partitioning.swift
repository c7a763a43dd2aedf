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
