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
  /// Name, code, platform, latitude, longitude, kind and wheelchair and change, station.
  case stops
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
  /// Route, first stop, number of stops, first run, number of runs, first departure, first arrival.
  case patterns
  /// The stops of each pattern, and whether passengers may board (1) and alight (2) there.
  case patternStops, patternFlags
  /// The trip of each run, and its service in 24 bits with flags above.
  case runTrips, runServices
  /// The times of each pattern, by stop and then by run, in 16 bits.
  case times
  /// The first visit of each stop, and each visit's pattern and place in it.
  case visitStarts, visits
  /// The first walk from each stop, and each walk's destination and minutes.
  case walkStarts, walks
  /// The same to each stop.
  case reverseStarts, reverseWalks
  /// The first member of each stop, and the members: the platforms of a station, or the stop itself.
  case memberStarts, members
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
    case .stops, .patterns: 7
    case .routes: 6
    case .services: 4
    case .trips, .zone: 3
    case .agencies, .visits, .walks, .reverseWalks, .sequenceTrips: 2
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
