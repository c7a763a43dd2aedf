public import FieldCore
public import FieldFoundation

/// A timetable of a city or a region, compiled from its GTFS feed, that answers on the device and without waiting.
///
/// ```swift
/// let compiled = try Timetable.compile(ZipArchive(contentsOf: feed))
/// try Data(compiled.timetable.bytes).write(to: file)
///
/// let timetable = try Timetable(contentsOf: file)
/// let answer = try timetable.journeys(from: .stop("R01"), to: .stop("D43"), departing: .now)
/// for journey in answer.journeys { print(journey.departure, journey.arrival, journey.transfers) }
/// ```
///
/// The compiled bytes are used as they are; opening them verifies a checksum and every index, and decodes nothing. A file that is
/// damaged is refused.
///
/// These rules hold:
///
/// - Times are whole minutes, as timetables are printed; seconds are cut off. Times that a feed leaves out are spread evenly
///   by the number of stops between two given ones.
/// - A service day starts at noon minus 12 hours in the zone of the first agency, and its trips may run beyond 24:00. The
///   zone's rules are those that the system had when the feed was compiled.
/// - Changing at one stop, or between two platforms of a station, takes 2 minutes, or as long as `transfers.txt` says if
///   that is longer. Between other stops, one can walk only where `transfers.txt` says so, and once between two rides,
///   before the first one, and after the last one.
/// - Rows of `transfers.txt` for certain routes or trips aren't used, nor are stops at which one has to arrange boarding.
/// - Runs of `frequencies.txt` begin at the start time, and before the end time.
public struct Timetable: Sendable {
  let storage: TimetableStorage

  init(_ storage: TimetableStorage) { self.storage = storage }

  /// Creates a timetable from its compiled bytes, which are verified.
  ///
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/notData`` if the bytes aren't a timetable,
  ///   ``/FieldCore/FieldError/Code/newerFormat`` if they are in another format, and ``/FieldCore/FieldError/Code/damaged`` if they are damaged.
  public init(_ bytes: [UInt8]) throws(FieldError) {
    let places = try TimetableFile.places(bytes)
    let rules = unsafe bytes.withUnsafeBytes { buffer -> ZoneRules? in
      guard let base = buffer.baseAddress else { return nil }
      let contents = unsafe TimetableContents(base, places)
      return contents.isValid() ? Self.zone(contents) : nil
    }
    guard let rules else { throw TimetableFile.damaged }
    storage = TimetableStorage(bytes, places, rules)
  }

  /// Creates a timetable from a compiled file, which is read whole.
  ///
  /// - Throws: ``/FieldCore/FieldError`` if the file can't be read or isn't an intact timetable.
  public init(contentsOf url: URL) throws(FieldError) {
    try self.init(LocalFile.bytes(of: url, advice: "Pass the file of a compiled timetable."))
  }

  /// Compiles a feed.
  ///
  /// A trip that can't be used is reported, and the others are there.
  ///
  /// - Parameters:
  ///   - archive: The feed's zip archive.
  ///   - zone: The offset of the feed's time zone from UTC. By default, the zone that the feed names is looked up in the
  ///     system's rules.
  /// - Throws: ``/FieldCore/FieldError`` if a file that every feed needs is missing or can't be read, or with the code
  ///   `transit.zone` if the system doesn't know the feed's zone.
  public static func compile(
    _ archive: ZipArchive, zone: FixedZone? = nil
  ) throws(FieldError) -> TimetableCompilation {
    let tables = try FeedTables(FeedFiles(archive))
    let rules: ZoneRules
    if let zone {
      rules = ZoneRules(fixed: zone)
    } else {
      rules = try ZoneRules(named: tables.zone)
    }
    var builder = TimetableBuilder(tables)
    let bytes = try builder.build(rules)
    return TimetableCompilation(timetable: try Timetable(bytes), report: builder.report)
  }

  /// The compiled bytes, for a file. What messages have changed isn't in them.
  public var bytes: [UInt8] { (storage.predictions?.base ?? storage).bytes }

  /// The first and the last day with service; `nil` if there is none.
  public var serviceDays: ClosedRange<CalendarDay>? {
    let (first, last) = storage.read { ($0.signed(.firstDay), $0.signed(.lastDay)) }
    guard first <= last else { return nil }
    return CalendarDay(dayNumber: first)...CalendarDay(dayNumber: last)
  }

  /// The number of stops, stations, and entrances.
  public var stopCount: Int { storage.read { $0.stopCount } }

  /// The name of the time zone, such as `Asia/Taipei`.
  public var zoneName: String { storage.read { $0.string($0.fact(.zone)) ?? "" } }

  private static func zone(_ contents: TimetableContents) -> ZoneRules? {
    ZoneRules(
      stride(from: 0, to: contents.zone.count, by: 3).map { place in
        ZoneRules.Change(
          start: Int64(Int32(bitPattern: contents.zone[place])) << 32
            | Int64(contents.zone[place + 1]),
          offset: Int32(bitPattern: contents.zone[place + 2]))
      })
  }
}

/// A compiled feed and the report about it.
public struct TimetableCompilation: Sendable {
  /// The timetable.
  public let timetable: Timetable
  /// The report about what couldn't be used.
  public let report: TimetableReport
}

/// The bytes of a timetable, and the memory of its searches.
final class TimetableStorage: Sendable {
  let bytes: [UInt8]
  let places: [(offset: Int, count: Int)]
  let rules: ZoneRules
  /// What messages have changed; `nil` if none was applied.
  let predictions: Predictions?
  let pool: SearchPool

  init(
    _ bytes: [UInt8], _ places: [(offset: Int, count: Int)], _ rules: ZoneRules,
    _ predictions: Predictions? = nil, pool: SearchPool = SearchPool()
  ) {
    (self.bytes, self.places, self.rules) = (bytes, places, rules)
    (self.predictions, self.pool) = (predictions, pool)
  }

  /// Calls a closure with the numbers of the timetable.
  @inline(__always)
  func read<Result>(_ body: (TimetableContents) throws -> Result) rethrows -> Result {
    try unsafe bytes.withUnsafeBytes { buffer in
      // The file has a head, so there are bytes.
      guard let base = buffer.baseAddress else { preconditionFailure("A timetable has bytes.") }
      return try body(unsafe TimetableContents(base, places))
    }
  }
}
