public import FieldCore
internal import FieldFoundation

/// The rows of a feed, read.
public struct ArrivalRows: Sendable, Hashable, Codable {
  /// The arrivals in the order of the feed.
  public var arrivals: [Arrival]
  /// The rows that could not be used.
  public var failures: [RowFailure]
  /// How many rows the feed has.
  public var count: Int
  /// How many rows the feed says that it has; nil when it does not say.
  public var announcedCount: Int?

  /// Makes rows.
  public init(
    arrivals: [Arrival], failures: [RowFailure] = [], count: Int? = nil,
    announcedCount: Int? = nil
  ) {
    self.arrivals = arrivals
    self.failures = failures
    self.count = count ?? arrivals.count + failures.count
    self.announcedCount = announcedCount
  }

  /// The times of the feed that cannot be read, as they came, in its order.
  public var unreadTimes: [String] {
    arrivals.compactMap { arrival in
      arrival.updatedAt.flatMap { $0.instant == nil ? $0.rawText : nil }
    }
  }

  /// The names of stations and destinations that the network does not know, each once, in the order in
  /// which they came.
  public var unknownStations: [String] {
    var seen: Set<String> = []
    return arrivals.flatMap { arrival in
      [
        arrival.station == nil ? arrival.stationName : nil,
        arrival.destination == nil ? arrival.destinationName : nil,
      ].compactMap { $0 }
    }.filter { seen.insert($0).inserted }
  }

  /// The latest time of the feed; nil when none can be read.
  public var newest: FeedTime? {
    arrivals.compactMap(\.updatedAt).filter { $0.instant != nil }.max {
      ($0.instant ?? .distantPast) < ($1.instant ?? .distantPast)
    }
  }
}
