/// How a ``PagedSource`` is read.
public struct SyncOptions: Sendable, Hashable, Codable {
  /// How many rows a page has at the most; 10,000 by default. Memory use grows with it.
  public var pageSize: Int
  /// What the size of a page may be cut to when answers take too long; 100 by default.
  public var smallestPage: Int
  /// How late a row may become visible after the time that it says it was changed at: rows of this
  /// time before a run are asked for again in the next one. 24 hours by default; replicas of Socrata's
  /// have been seen to lag by two and a half.
  public var overlap: Duration
  /// How many pages a run may have before the source counts as one that never ends; 20,000 by default.
  public var pageLimit: Int
  /// How many rows the source is known to give at once. A shorter page is its last one then, which
  /// saves a request; nil, as by default, finds out.
  public var knownCapacity: Int?

  /// Makes options.
  public init(
    pageSize: Int = 10_000, smallestPage: Int = 100, overlap: Duration = .seconds(86_400),
    pageLimit: Int = 20_000, knownCapacity: Int? = nil
  ) {
    self.pageSize = pageSize
    self.smallestPage = smallestPage
    self.overlap = overlap
    self.pageLimit = pageLimit
    self.knownCapacity = knownCapacity
  }
}
