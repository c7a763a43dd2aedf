public import FieldCore

/// The arrivals and failures read from a feed's rows.
public struct ArrivalRows: Sendable, Hashable, Codable {
  /// The arrivals, in the order of the feed.
  public var arrivals: [Arrival]
  /// The rows that couldn't be used.
  public var failures: [RowFailure]
  /// The number of rows in the feed.
  public var count: Int
  /// The number of rows that the feed declares; `nil` if it doesn't declare any.
  public var announcedCount: Int?

  /// Creates rows from arrivals and failures.
  public init(
    arrivals: [Arrival], failures: [RowFailure] = [], count: Int? = nil,
    announcedCount: Int? = nil
  ) {
    self.arrivals = arrivals
    self.failures = failures
    self.count = count ?? arrivals.count + failures.count
    self.announcedCount = announcedCount
  }

  /// The feed's unreadable times, as written and in its order.
  public var unreadTimes: [String] {
    arrivals.compactMap(\.updatedAt).filter { $0.instant == nil }.map(\.rawText)
  }

  /// The names of stations and destinations that aren't in the network, each once, in the order of
  /// the feed.
  public var unknownStations: [String] { arrivals.unknownNames }

  /// The latest time of the feed; `nil` if none is readable.
  public var newest: FeedTime? { arrivals.newest?.updatedAt }
}
