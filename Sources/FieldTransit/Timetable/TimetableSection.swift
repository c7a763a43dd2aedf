/// The parts of a compiled timetable, each a column or table of numbers of fixed width.
///
/// Numbers are little-endian. Strings are numbers of ``strings``, days count from 1 January 1970, and times are whole
/// minutes after the start of the service day. `UInt32.max` stands for nothing.
enum TimetableSection: Int, CaseIterable {
  /// First and last day of service, days of `feed_info.txt`, default change, latest time, publisher, version, zone.
  case facts
  case stringStarts, stringBytes
  /// IDs of stops by number, and the numbers of the stops by ID.
  case stopIDStarts, stopIDBytes, stopOrder
  case routeIDStarts, routeIDBytes
  case tripIDStarts, tripIDBytes
  /// Name, code, platform, latitude, longitude, kind and wheelchair, station.
  case stops
  /// The stop of each node, and the minutes of changing there. The first nodes are the stops themselves; the others stand
  /// for a stop with the trips for which `transfers.txt` has rules of their own.
  case nodes
  /// Short name, long name, type, color, text color, agency.
  case routes
  /// Name, address.
  case agencies
  /// Headsign, short name, direction.
  case trips
  /// Weekdays, first day, last day, first exception.
  case services
  /// Day, with the top bit set if it is added.
  case exceptions
  /// Route, first stop, number of stops, first run, number of runs, first departure, first arrival, flags.
  case patterns
  /// The nodes of each pattern, and whether passengers may board (1) and alight (2) there.
  case patternStops, patternFlags
  /// The trip of each run, and its service in 24 bits with flags above.
  case runTrips, runServices
  /// The times of each pattern, by stop and then by run, in 16 bits.
  case times
  /// Run, next run, and ``SeatFlags``, by run: where passengers stay in a vehicle that continues as another trip.
  case seats
  /// The rows of ``seats`` by their next run.
  case seatOrder
  /// The first visit of each node, and each visit's pattern and place in it.
  case visitStarts, visits
  /// The first walk from each node, and each walk's destination and minutes.
  case walkStarts, walks
  /// The same to each node.
  case reverseStarts, reverseWalks
  /// The first member of each stop, and the members: the nodes of the platforms of a station, or of the stop itself.
  case memberStarts, members
  /// Language, number of a ``TranslatedField``, record or string, translated string; in their order.
  case translations
  /// The shape of each trip, if the timetable has shapes; the first point of each, and the latitude and longitude of each
  /// point.
  case tripShapes, shapeStarts, shapePoints
  /// Start in two halves, offset in seconds.
  case zone
  /// The trips whose `stop_sequence` isn't 1, 2, 3, and so on, and where in the numbers that of their first stop is.
  case sequenceTrips, sequences

  /// The width of a number, in bytes.
  var width: Int {
    switch self {
    case .stringBytes, .stopIDBytes, .routeIDBytes, .tripIDBytes, .patternFlags: 1
    case .times: 2
    default: 4
    }
  }

  /// The number of numbers in a row.
  var stride: Int {
    switch self {
    case .facts: 9
    case .patterns: 8
    case .stops: 7
    case .routes: 6
    case .services, .translations: 4
    case .trips, .zone, .seats: 3
    case .agencies, .nodes, .visits, .walks, .reverseWalks, .shapePoints, .sequenceTrips: 2
    default: 1
    }
  }
}

/// The fields of ``TimetableSection/facts``.
enum TimetableFact: Int {
  case firstDay, lastDay, feedStart, feedEnd, change, latest, publisher, version, zone
}

/// What the runs of a trip are marked with, above the number of their service.
enum RunFlags {
  static let serviceMask: UInt32 = 0xFF_FFFF
  /// The values of `wheelchair_accessible` and `bikes_allowed`, from these bits on.
  static let wheelchair: UInt32 = 24, bikes: UInt32 = 26
  /// The run is one of a frequency, and doesn't keep to exact times.
  static let isFrequency: UInt32 = 1 << 28
}

/// What a pattern is marked with.
enum PatternFlags {
  /// The runs of one day are all before those of the next day.
  static let isDaily: UInt32 = 1
  /// Some of its runs continue as another trip, or are such trips.
  static let hasNext: UInt32 = 2, hasPrevious: UInt32 = 4
}

/// What a row of ``TimetableSection/seats`` is marked with.
enum SeatFlags {
  /// Of the rows of a run with this mark, only the first one whose trip runs on the day counts.
  static let isOfBlock: UInt32 = 1
  /// Passengers can't stay in the vehicle.
  static let isForbidden: UInt32 = 2
  /// The next trip runs on the next service day.
  static let isNextDay: UInt32 = 4
}

/// A column of numbers in a timetable's bytes. The indexes in a timetable have been checked when it was opened.
@safe
struct Column<Number: BitwiseCopyable> {
  private let base: UnsafePointer<Number>
  let count: Int

  init(_ base: UnsafePointer<Number>, count: Int) {
    unsafe self.base = base
    self.count = count
  }

  @inline(__always)
  subscript(index: Int) -> Number {
    assert(index >= 0 && index < count)
    return unsafe base[index]
  }

  /// Calls a closure with some of the numbers.
  func withSpan<Result>(_ range: Range<Int>, _ body: (Span<Number>) -> Result) -> Result {
    assert(range.lowerBound >= 0 && range.upperBound <= count)
    let part = unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
    return body(unsafe part.span)
  }
}
