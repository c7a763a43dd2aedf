/// Options for reading a ``PagedSource``.
public struct SyncOptions: Sendable, Hashable, Codable {
  /// The maximum number of rows per page, which defaults to 10,000.
  ///
  /// Memory use grows with it.
  public var pageSize: Int
  /// The smallest page size to fall back to if responses take too long, which defaults to 100.
  public var smallestPage: Int
  /// The delay after which a changed row may still become visible, which defaults to 24 hours.
  ///
  /// Each run requests the rows of this period before the previous run again. Socrata's replicas
  /// have been seen to lag by two and a half hours. If the form of the source's times isn't understood,
  /// runs don't overlap.
  public var overlap: Duration
  /// The number of pages after which the source counts as endless, which defaults to 20,000.
  public var pageLimit: Int
  /// The number of rows that the source is known to return at once; `nil`, the default, detects it.
  ///
  /// If it is known, a shorter page is the last one, which saves a request.
  public var knownCapacity: Int?

  /// Creates options.
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
