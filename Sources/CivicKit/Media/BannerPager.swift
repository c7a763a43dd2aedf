/// The index of the current banner among several, which always stays in range.
public struct BannerPager: Sendable, Hashable, Codable {
  /// The number of banners.
  public let count: Int
  /// The index of the current banner; 0 if there is none.
  public private(set) var index: Int

  /// Creates a pager, moving an index that is out of range to the nearest one in range.
  public init(count: Int, index: Int = 0) {
    self.count = max(0, count)
    self.index = min(max(0, index), max(0, count - 1))
  }

  /// Moves by a number of banners, backward if it is negative, and stops at the first or last one.
  public mutating func move(by steps: Int) {
    let (sum, overflows) = index.addingReportingOverflow(steps)
    self = BannerPager(count: count, index: overflows ? (steps > 0 ? .max : 0) : sum)
  }
}
