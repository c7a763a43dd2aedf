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
/// - Changing at one stop, or between two platforms of a station, takes 2 minutes, or as long as `transfers.txt` says; a
///   minimum of 0 says nothing. A timed transfer takes none, because the vehicle waits. Between other stops, one can walk only
///   where `transfers.txt` says so, and once between two rides, before the first one, and after the last one.
/// - Of the rows of `transfers.txt` for two trips, the most specific one counts: trips before routes, and both before one. Rows
///   for certain routes or trips don't allow walks before the first ride or after the last one.
/// - Passengers stay in a vehicle that continues as another trip, without a change: where `transfers.txt` links two trips, or
///   else as the next trip of the same block that runs on the day, if that begins at the stop or station where the first
///   one ended.
/// - Stops at which one has to arrange boarding aren't used.
/// - Runs of `frequencies.txt` begin at the start time, and before the end time.
public struct Timetable: Sendable {
  let storage: TimetableStorage

  init(storage: TimetableStorage) { self.storage = storage }

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
  ///   - includesShapes: Pass `true` for ``JourneyLeg/shape``. Shapes may be larger than the rest of the timetable.
  /// - Throws: ``/FieldCore/FieldError`` if a file that every feed needs is missing or can't be read, or with the code
  ///   `transit.zone` if the system doesn't know the feed's zone.
  public static func compile(
    _ archive: ZipArchive, zone: FixedZone? = nil, includingShapes includesShapes: Bool = false
  ) throws(FieldError) -> TimetableCompilation {
    try compile(FeedFiles(archive), zone: zone, includingShapes: includesShapes)
  }

  /// Compiles a feed whose files aren't in an archive.
  ///
  /// - Parameter files: The bytes of the files, by name.
  package static func compile(
    _ files: [String: [UInt8]], zone: FixedZone? = nil
  ) throws(FieldError) -> TimetableCompilation {
    try compile(FeedFiles(files), zone: zone, includingShapes: false)
  }

  private static func compile(
    _ files: FeedFiles, zone: FixedZone?, includingShapes includesShapes: Bool
  ) throws(FieldError) -> TimetableCompilation {
    let tables = try FeedTables(files, includingShapes: includesShapes)
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

  /// The compiled bytes, for a file.
  ///
  /// The changes of messages aren't in them.
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
  let pool: SearchPool
  /// What searches for ranges need, computed by the first one.
  let remainingTimes: Once<RemainingTimes>
  /// What messages have changed; `nil` if none was applied.
  let predictions: Predictions?
  /// The string with the language of the answers; `nil` for that of the feed.
  let language: UInt32?

  init(
    _ bytes: [UInt8], _ places: [(offset: Int, count: Int)], _ rules: ZoneRules,
    _ predictions: Predictions? = nil, language: UInt32? = nil
  ) {
    (self.bytes, self.places, self.rules) = (bytes, places, rules)
    (self.predictions, self.language, pool) = (predictions, language, SearchPool())
    remainingTimes = Once {
      unsafe bytes.withUnsafeBytes { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("A timetable has bytes.") }
        return RemainingTimes(unsafe TimetableContents(base, places))
      }
    }
  }

  /// Creates a storage with the numbers of another one, whose searches use the same memory.
  init(like other: TimetableStorage, _ predictions: Predictions?, language: UInt32?) {
    (bytes, places, rules) = (other.bytes, other.places, other.rules)
    (pool, remainingTimes) = (other.pool, other.remainingTimes)
    (self.predictions, self.language) = (predictions, language)
  }

  /// Returns the same timetable with answers in another language.
  func translated(_ language: String?) -> TimetableStorage {
    let number = read { contents in
      stride(from: 0, to: contents.translations.count, by: 4)
        .first { contents.string(contents.translations[$0]) == language }
        .map { contents.translations[$0] }
    }
    return TimetableStorage(like: self, predictions, language: number)
  }

  /// Calls a closure with the numbers of the timetable.
  @inline(__always)
  func read<Result>(_ body: (TimetableContents) throws -> Result) rethrows -> Result {
    try unsafe bytes.withUnsafeBytes { buffer in
      // The file has a head, so there are bytes.
      guard let base = buffer.baseAddress else { preconditionFailure("A timetable has bytes.") }
      return try body(unsafe TimetableContents(base, places, language: language))
    }
  }
}
