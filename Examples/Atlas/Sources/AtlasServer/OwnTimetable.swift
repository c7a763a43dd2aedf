import FieldKit
import FieldTransit
import Foundation

/// A city's timetable that a visitor has brought.
struct OwnTimetable: Sendable {
  let catalog: TimetableCatalog
  /// The live message that the page's button has made.
  let message: Locked<LiveMessage?>
  private let map: Locked<(timetable: [UInt8], map: TransitMap)?>

  // atlas:begin transit
  /// Creates the timetable of the feed at a URL.
  ///
  /// - Parameter seconds: The seconds since its last day. A catalog refuses a feed that has ended, as an app should, but a
  ///   visitor may want to see one, so its clock is that much slow.
  init(
    _ name: String, at url: URL, storage: Storage, transport: any Transport,
    endedBefore seconds: Double
  ) {
    catalog = TimetableCatalog(
      name, at: url, storage: storage, transport: transport, clock: SlowClock(seconds: seconds),
      includingShapes: true)
    message = Locked(nil)
    map = Locked(nil)
  }

  /// Returns the timetable with what the newest message says, if that isn't too old, and with names in a language, if
  /// the feed has them.
  func timetable(in language: String = "") async throws -> Timetable {
    let view = try await catalog.view()
    guard let timetable = view.timetable?.translated(into: language) else {
      throw view.failure ?? FieldError(.notFound, "The timetable isn't stored. Refresh it.")
    }
    guard let live = message.withLock({ $0 }) else { return timetable }
    return timetable.applying([try RealtimeMessage(live.bytes)], at: Date())
  }
  // atlas:end transit

  /// Returns the seconds since the last day of a feed, or 0 if it hasn't ended.
  static func secondsSinceEnd(of bytes: [UInt8]) throws -> Double {
    let timetable = try Timetable.compile(ZipArchive(bytes)).timetable
    guard let last = timetable.serviceDays?.upperBound, last < timetable.day(of: Date()) else {
      return 0
    }
    return Date().timeIntervalSince(timetable.date(of: last, minutes: 12 * 60))
  }

  /// Returns what couldn't be used of the feed.
  func validation(at date: Date) async throws -> OwnValidation {
    let report = try await catalog.view().report
    return OwnValidation(
      rows: report?.tripCount ?? 0,
      failures: (report?.failures ?? []).prefix(OwnLimits.failures).map { failure in
        OwnValidation.Failure(
          file: failure.file, row: failure.row.index + 1, line: failure.line,
          reason: failure.row.reason,
          excerpt: String(failure.row.excerpt.prefix(120)))
      }, failureCount: report?.failureCount ?? 0, date: date)
  }

  /// Returns the map of the city, which is drawn once for each timetable.
  func cityMap() async throws -> TransitMap {
    guard let timetable = try await catalog.view().timetable else { return TransitMap() }
    if let known = map.withLock({ $0 }), known.timetable == timetable.bytes { return known.map }
    let drawn = try await Self.draw(timetable)
    map.withLock { $0 = (timetable.bytes, drawn) }
    return drawn
  }

  @concurrent
  private static func draw(_ timetable: Timetable) async throws -> TransitMap {
    try TransitMap(timetable)
  }
}

/// The system's clock, late by some seconds.
struct SlowClock: FieldClock {
  let seconds: Double

  var now: Date { Date().addingTimeInterval(-seconds) }
  var uptime: Duration { SystemClock.system.uptime }

  func sleep(for duration: Duration) async throws {
    try await SystemClock.system.sleep(for: duration)
  }
}

/// The lines and stops of a timetable, for drawing.
struct TransitMap: Codable, Sendable {
  struct Line: Codable, Sendable {
    var name: String
    var color: String?
    var mode: Int
    /// Longitudes and latitudes in turn.
    var points: [Double]
  }

  /// West, south, east, and north.
  var box: [Double] = [0, 0, 0, 0]
  var lines: [Line] = []
  /// A day with service, if there is one.
  var day = ""
  /// The stops that have no other as their station.
  var stops: [TransitStopPayload] = []

  init() {}

  private static let stopLimit = 4_000
  private static let lineLimit = 600
  private static let pointLimit = 300

  // atlas:begin transit
  /// Draws each line along the way that its vehicles take: the longest ride of each direction.
  init(_ timetable: Timetable) throws {
    let middle = try Coordinate(latitude: 0, longitude: 0)
    let all = timetable.stops(near: middle, within: .kilometers(20_100), limit: .max)
    let day = Self.day(of: timetable)
    self.day = day.description
    var longest: [String: JourneyLeg] = [:]
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .seconds(20))
    for hour in [8, 17] {
      let time = timetable.date(of: day, minutes: hour * 60)
      for stop in all where !stop.isStation && clock.now < end {
        for departure in try timetable.departures(at: stop.id, from: time, limit: 40) {
          let leg = departure.leg
          let key =
            "\(leg.route?.id ?? "") \(leg.destination?.stationID ?? leg.destination?.id ?? "")"
          if let known = longest[key], Self.length(known) >= Self.length(leg) { continue }
          guard longest[key] != nil || longest.count < Self.lineLimit else { continue }
          longest[key] = leg
        }
      }
    }
    // atlas:end transit
    lines = longest.values.compactMap(Self.line)
      .sorted {
        ($0.mode == 3 ? 0 : 1, $0.name, $0.points.count) < (
          $1.mode == 3 ? 0 : 1, $1.name, $1.points.count
        )
      }
    let shown = all.filter { $0.stationID == nil && $0.coordinate != nil }
    let step = max(1, (shown.count + Self.stopLimit - 1) / Self.stopLimit)
    stops = stride(from: 0, to: shown.count, by: step).map { TransitStopPayload(shown[$0]) }
    box = Self.box(shown.compactMap(\.coordinate))
  }

  private static func length(_ leg: JourneyLeg) -> Int {
    leg.arrival.minutes - leg.departure.minutes
  }

  /// Returns a working day with service, if there is one, today's if possible.
  private static func day(of timetable: Timetable) -> CalendarDay {
    let today = timetable.day(of: Date())
    guard let days = timetable.serviceDays else { return today }
    let first = max(days.lowerBound, min(today, days.upperBound))
    let choices = (0..<7).map { first.adding(days: $0) } + (1..<7).map { first.adding(days: -$0) }
    return choices.first { days.contains($0) && ![.saturday, .sunday].contains($0.weekday) }
      ?? first
  }

  private static func line(_ leg: JourneyLeg) -> Line? {
    let shape = leg.shape ?? leg.visits.compactMap(\.stop.coordinate)
    guard shape.count > 1 else { return nil }
    return Line(
      name: leg.route?.shortName ?? leg.route?.longName ?? "", color: leg.route?.color,
      mode: leg.route?.mode.rawValue ?? 3, points: flat(shape, limit: pointLimit))
  }

  /// Returns the longitudes and latitudes of places, at most so many of them.
  static func flat(_ shape: [Coordinate], limit: Int) -> [Double] {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e5).rounded() / 1e5 }
    let step = max(1, Double(shape.count - 1) / Double(limit - 1))
    return stride(from: 0, through: Double(shape.count - 1) + 1e-6, by: step).flatMap { place in
      let coordinate = shape[min(Int(place.rounded()), shape.count - 1)]
      return [rounded(coordinate.longitude), rounded(coordinate.latitude)]
    }
  }

  /// Returns the box around most of the places: a few may be far away, or wrong.
  private static func box(_ places: [Coordinate]) -> [Double] {
    guard !places.isEmpty else { return [0, 0, 0, 0] }
    func ends(_ values: [Double]) -> (Double, Double) {
      let sorted = values.sorted()
      let skipped = sorted.count / 200
      return (sorted[skipped], sorted[sorted.count - 1 - skipped])
    }
    let (west, east) = ends(places.map(\.longitude))
    let (south, north) = ends(places.map(\.latitude))
    return [west, south, east, north]
  }
}

/// A message of GTFS Realtime that delays one train, as a transit agency would send it.
struct LiveMessage: Sendable {
  let bytes: [UInt8]
  let trip: String
  let minutes: Int
  let date: Date

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - trip: The ID of the trip.
  ///   - day: The service day on which it begins.
  ///   - stop: The stop from which on it's late.
  ///   - minutes: The delay.
  ///   - date: The current time.
  init(
    delaying trip: String, on day: CalendarDay, from stop: String, by minutes: Int, at date: Date
  ) {
    (self.trip, self.minutes, self.date) = (trip, minutes, date)
    var wire = WireWriter()
    wire.message(1) { header in
      header.text(1, "2.0")
      header.number(3, Int(date.timeIntervalSince1970))
    }
    wire.message(2) { entity in
      entity.text(1, "atlas")
      entity.message(3) { update in
        update.message(1) { descriptor in
          descriptor.text(1, trip)
          descriptor.text(3, day.description.filter { $0 != "-" })
        }
        update.message(2) { time in
          for field in [2, 3] { time.message(field) { $0.number(1, minutes * 60) } }
          time.text(4, stop)
        }
        update.number(4, Int(date.timeIntervalSince1970))
      }
    }
    bytes = wire.bytes
  }
}

/// A writer of the few kinds of fields of Protocol Buffers that the message has.
private struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func number(_ field: Int, _ value: Int) {
    variable(UInt64(field << 3))
    variable(UInt64(bitPattern: Int64(value)))
  }

  mutating func text(_ field: Int, _ text: String) { data(field, Array(text.utf8)) }

  mutating func message(_ field: Int, _ body: (inout WireWriter) -> Void) {
    var inner = WireWriter()
    body(&inner)
    data(field, inner.bytes)
  }

  private mutating func data(_ field: Int, _ data: [UInt8]) {
    variable(UInt64(field << 3 | 2))
    variable(UInt64(data.count))
    bytes += data
  }

  private mutating func variable(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
