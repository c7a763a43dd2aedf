/// Which of several banners is shown: an index that stays within them.
public struct BannerPager: Sendable, Hashable, Codable {
  /// How many banners there are.
  public let count: Int
  /// The index of the banner that is shown; 0 when there is none.
  public private(set) var index: Int

  /// Makes a pager; an index outside is taken for the nearest one inside.
  public init(count: Int, index: Int = 0) {
    self.count = max(0, count)
    self.index = min(max(0, index), max(0, count - 1))
  }

  /// Goes so many banners on, or back when the number is negative, as far as there are banners.
  public mutating func move(by steps: Int) {
    let (sum, overflows) = index.addingReportingOverflow(steps)
    self = BannerPager(count: count, index: overflows ? (steps > 0 ? .max : 0) : sum)
  }
}
