public import FieldCore
public import FieldFoundation
public import FieldTransit

/// The metro's timetable: the next trains at a station, its first and last ones, and journeys with times, without a network.
///
/// A ``Metro`` with a source of timetables, such as ``TDXTimetable``, refreshes and stores it:
///
/// ```swift
/// if let timetable = try await metro.timetable() {
///   for train in try timetable.departures(at: "台北車站", from: .now) {
///     print(train.time, train.headsign ?? "", train.isFrequency ? "about" : "")
///   }
/// }
/// ```
///
/// ``ArrivalBoard/departures(at:limit:)`` has its trains beside the live ones, so that a frozen board still says when the next
/// train leaves.
///
/// Import `FieldTransit`, too, to use the departures and the ``timetable``.
///
/// The source publishes departures of stations on some lines, and only how often trains run on others, such as the Wenhu line.
/// These rules hold:
///
/// - Times before 04:00 belong to the service day before. Of several rows of a station for a day, the one for the fewest
///   days of the week counts. The source has no dates of national holidays.
/// - Departures of stations that fit the network's running times belong to one train. Each departure is in the timetable even
///   if it fits none.
/// - The source gives no arrivals, so a train counts as arriving when it leaves, and at its destination after the network's running
///   time.
/// - Trains of lines without departures leave at the longest headway, with the running times of the network; `isFrequency` marks
///   them.
public struct MetroTimetable: Sendable {
  /// The network in which stations are looked up.
  public internal(set) var network: MetroNetwork
  /// The timetable, for journeys.
  ///
  /// A station's name is the ID of its stop, and its codes are those of its platforms.
  public let timetable: Timetable
  /// The report about the trains that can't be used.
  public let report: TimetableReport
  /// The rows that couldn't be used.
  public let failures: [RowFailure]
  /// The date when the source last confirmed the timetable, by the device's clock; `nil` if it isn't from a ``Metro``.
  public internal(set) var fetchedAt: Date?

  /// The number of departures in a week, by line.
  let departureCounts: [String: Int]
  /// The reason why a stored timetable can't be used, such as that it has an older format; `nil` if it can.
  let failure: FieldError?

  /// Creates a timetable from the JSON of the metro's open data.
  ///
  /// A row that can't be used is one of the ``failures``, and the others are used.
  ///
  /// - Parameters:
  ///   - files: The files, in any order. Each has rows of TDX's `StationTimeTable` or `Frequency`, or all trains of a line: JSON
  ///     with `Direction`, `EffectiveFrom`, and `Timetables`, which have `Days` and `Trains`. Trains of a line count instead of
  ///     departures of its stations, and both instead of headways.
  ///   - network: The network in which stations are looked up. Defaults to `.taipei`.
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/malformed`` if a file isn't such JSON, or if
  ///   none of its rows can be used.
  public init(reading files: [[UInt8]], network: MetroNetwork = .taipei) throws(FieldError) {
    var rows = MetroTimetableRows(network)
    for file in files {
      do throws(FieldError) {
        try rows.add(file)
      } catch {
        throw FieldError(
          .malformed, "The metro's timetable can't be read: \(error.message) Check the file.",
          underlying: error)
      }
    }
    try self.init(rows, network)
  }

  init(_ rows: MetroTimetableRows, _ network: MetroNetwork) throws(FieldError) {
    let writer = MetroFeedWriter(rows, network)
    let compiled = try Timetable.compile(writer.files(), zone: .taipei)
    self.init(
      network, compiled.timetable, compiled.report, failures: rows.failures,
      departureCounts: writer.departureCounts)
  }

  init(
    _ network: MetroNetwork, _ timetable: Timetable, _ report: TimetableReport,
    failures: [RowFailure], departureCounts: [String: Int], failure: FieldError? = nil
  ) {
    self.network = network
    self.timetable = timetable
    self.report = report
    // A store isn't a log: what the first failures have in common is what matters.
    self.failures = Array(failures.prefix(100))
    self.departureCounts = departureCounts
    self.failure = failure
  }

  // MARK: Queries

  /// Returns the next trains that leave a station.
  ///
  /// The ID of a departure's route is that of its line, and that of its leg's origin is the station's code on that line.
  ///
  /// - Parameters:
  ///   - station: The station.
  ///   - date: The time from which on departures count.
  ///   - limit: The maximum number of departures.
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.stop` if the network has no such station.
  public func departures(
    at station: MetroStation.ID, from date: Date, limit: Int = 10
  ) throws(FieldError) -> [TransitDeparture] {
    try timetable.departures(at: station.rawValue, from: date, limit: limit)
  }

  /// Returns the journeys between two stations that arrive earliest, for each number of changes.
  ///
  /// ```swift
  /// for journey in try timetable.journeys(from: "動物園", to: "淡水", departing: .now).journeys {
  ///   print(journey.departure, journey.arrival, journey.transfers)
  /// }
  /// ```
  ///
  /// Other queries, such as those for the latest departure, are those of the ``timetable``.
  ///
  /// - Parameters:
  ///   - origin: The station at which the journey begins.
  ///   - destination: The station at which it ends.
  ///   - date: The earliest departure.
  ///   - options: The limits of the journeys.
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.stop` if the network has no such station.
  public func journeys(
    from origin: MetroStation.ID, to destination: MetroStation.ID, departing date: Date,
    options: JourneyOptions = JourneyOptions()
  ) throws(FieldError) -> JourneyAnswer {
    try timetable.journeys(
      from: .stop(origin.rawValue), to: .stop(destination.rawValue), departing: date,
      options: options)
  }

  /// Returns the first and the last train of a day from a station to each destination, in the order in which the first ones
  /// leave.
  ///
  /// - Parameters:
  ///   - station: The station.
  ///   - day: The service day, which ends at 04:00 of the next one.
  /// - Throws: ``/FieldCore/FieldError`` with the code `transit.stop` if the network has no such station.
  public func trainTimes(
    at station: MetroStation.ID, on day: CalendarDay
  ) throws(FieldError) -> [MetroTrainTimes] {
    let dawn = timetable.date(of: day, minutes: 4 * 60)
    var found: [MetroTrainTimes] = []
    // No station has a train every 10 seconds.
    for departure in try departures(at: station, from: dawn, limit: 8640) {
      let time = MetroTrainTimes.Time(
        minutes: Int(departure.time.date.timeIntervalSince(dawn) / 60) + 4 * 60)
      guard time.minutes < 28 * 60 else { break }
      guard let code = departure.leg.origin?.id, let end = departure.leg.destination?.stationID
      else { continue }
      let destination = MetroStation.ID(rawValue: end)
      let place = found.firstIndex { $0.code.rawValue == code && $0.destination == destination }
      if let place {
        found[place].last = time
      } else {
        found.append(
          MetroTrainTimes(
            code: MetroStation.Code(rawValue: code), destination: destination, first: time,
            last: time))
      }
    }
    return found
  }
}

// MARK: - Storage

/// The store in which a metro keeps its timetable: any `RecordStore` of timetables, with a single record.
///
/// By default, it is the store `metro-timetable` of a `Storage`.
public typealias TimetableRepository = RecordStore<MetroTimetable>

/// A timetable is stored in its compiled form. As one record, it can only be replaced as a whole.
extension MetroTimetable: StoredRecord {
  /// The constant ID, so that a new timetable replaces the previous one.
  public var id: String { Self.onlyID }

  static let onlyID = "timetable"

  /// The name of the type in store files.
  public static var storedName: String { "MetroTimetable" }

  /// A Boolean value that indicates whether backups include the timetable, which is `false` because it is fetched again.
  public static var isBackedUp: Bool { false }

  /// Returns a Boolean value that indicates whether two timetables have the same trains and the same age.
  public static func == (left: Self, right: Self) -> Bool {
    left.timetable.bytes == right.timetable.bytes && left.report == right.report
      && left.failures == right.failures && left.fetchedAt == right.fetchedAt
      && left.network.version == right.network.version
  }

  /// The parts of a timetable besides its compiled form, stored as JSON.
  private struct Rest: Codable {
    var report: TimetableReport
    var failures: [RowFailure]
    var departureCounts: [String: Int]
  }

  /// Writes the compiled form, and then the rest.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(timetable.bytes)
    try writer.encode(rest)
  }

  /// Creates a timetable by reading it, in the network of Taipei.
  ///
  /// One in a format that this version doesn't read becomes a timetable without trains, until the next refresh replaces it.
  public init(reading reader: inout RecordReader) throws {
    try self.init(try reader.byteArray(), try reader.decode(Rest.self))
  }

  /// Reads the ID and checks the rest.
  public static func id(checking reader: inout RecordReader) throws -> String? {
    _ = try reader.byteArray()
    _ = try reader.decode(Rest.self)
    return onlyID
  }

  private var rest: Rest {
    Rest(report: report, failures: failures, departureCounts: departureCounts)
  }

  private init(_ bytes: [UInt8], _ rest: Rest) throws {
    do throws(FieldError) {
      self.init(
        .taipei, try Timetable(bytes), rest.report, failures: rest.failures,
        departureCounts: rest.departureCounts)
    } catch {
      let empty = try MetroTimetable(MetroTimetableRows(.taipei), .taipei)
      self.init(
        .taipei, empty.timetable, rest.report, failures: rest.failures,
        departureCounts: rest.departureCounts, failure: error)
    }
  }

  // MARK: JSON

  private enum CodingKeys: String, CodingKey { case bytes, rest, fetchedAt }

  /// Creates a timetable by decoding it, in the network of Taipei.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      [UInt8](try container.decode(Data.self, forKey: .bytes)),
      try container.decode(Rest.self, forKey: .rest))
    fetchedAt = try container.decodeIfPresent(Date.self, forKey: .fetchedAt)
  }

  /// Encodes the compiled form, the rest, and the age.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Data(timetable.bytes), forKey: .bytes)
    try container.encode(rest, forKey: .rest)
    try container.encodeIfPresent(fetchedAt, forKey: .fetchedAt)
  }
}
