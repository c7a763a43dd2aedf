/// A report about a feed: what was read, and what couldn't be used.
public struct TimetableReport: Sendable, Hashable, Codable {
  /// A row of a feed's file that couldn't be used.
  public struct Failure: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the file, such as `stop_times.txt`.
    public var file: String
    /// The number of the line in the file, from 1.
    public var line: Int
    /// The row, and the reason.
    public var row: RowFailure

    /// The file, the line, and the reason, on one line.
    public var description: String {
      "\(file), line \(line)\(row.key.map { " (\($0))" } ?? ""): \(row.reason)"
    }
  }

  /// The first 1,000 rows that couldn't be used.
  public internal(set) var failures: [Failure] = []
  /// The number of all rows that couldn't be used.
  public internal(set) var failureCount = 0
  /// The number of trips in the feed.
  public internal(set) var tripCount = 0
  /// The number of trips that can't be used; the reasons are in ``failures``.
  public internal(set) var unusableTripCount = 0
  /// The number of stop times at which passengers have to arrange boarding or alighting with the agency or the driver,
  /// which journeys don't use.
  public internal(set) var arrangedStopCount = 0

  /// Creates a report about nothing.
  init() {}
}

/// Collects a report about one file after another.
struct FeedLog {
  var report = TimetableReport()
  /// The offset and the line of the last failure, because the rows of a file are read in their order.
  private var place = (offset: 0, line: 1)
  private var file = ""

  mutating func add(_ reason: String, key: String? = nil, _ row: FeedRow, _ file: FeedFile) {
    report.failureCount += 1
    guard report.failures.count < 1000 else { return }
    if file.name != self.file { (self.file, place) = (file.name, (0, 1)) }
    let start = row.range.lowerBound
    // A row that is reported late is counted from the start.
    if start < place.offset { place = (0, 1) }
    place = (start, file.table.line(of: start, after: place))
    report.failures.append(
      TimetableReport.Failure(
        file: file.name, line: place.line,
        row: RowFailure(
          index: row.index, key: key?.printable, excerpt: row.excerpt.printable, reason: reason)))
  }
}
