public import FieldCore
public import FieldFoundation
public import FieldTransit

/// The metro's timetable: the next trains at a station, its first and last ones, and journeys with times, without a network.
///
/// ```swift
/// let timetable = try MetroTimetable(lines: files, frequencies: [headways])
/// for train in try timetable.departures(at: "台北車站", from: .now) {
///   print(train.time, train.headsign ?? "", train.isFrequency ? "about" : "")
/// }
/// ```
///
/// When the board has frozen, it still says when the next train leaves:
///
/// ```swift
/// if board.fresh.isEmpty, let next = try timetable.departures(at: here, from: .now).first {
///   print("by the timetable at \(next.time)")
/// }
/// ```
///
/// Import `FieldTransit`, too, to use the departures and the ``timetable``.
///
/// The source publishes every train of some lines, and only how often trains run on others, such as the Wenhu line. Trains of
/// the latter leave at the longest headway, with the running times of the network; `isFrequency` marks them.
/// The source gives no arrivals, so a train counts as arriving when it leaves. It says nothing about national holidays.
public struct MetroTimetable: Sendable {
  /// The network in which stations are looked up.
  public let network: MetroNetwork
  /// The timetable, for journeys.
  ///
  /// A station's name is the ID of its stop, and its codes are those of its platforms.
  public let timetable: Timetable
  /// The report about the trains that can't be used.
  public let report: TimetableReport

  /// Creates a timetable from the JSON of the metro's open data.
  ///
  /// - Parameters:
  ///   - lines: The trains of each line: JSON with `Direction`, `EffectiveFrom`, and `Timetables`, which have `Days` and `Trains`.
  ///   - frequencies: The `Frequency` resources of TDX, one of each operator, for the lines without trains. Defaults to none.
  ///   - network: The network in which stations are looked up. Defaults to `.taipei`.
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/malformed`` if a file isn't such JSON.
  public init(
    lines: [[UInt8]], frequencies: [[UInt8]] = [], network: MetroNetwork = .taipei
  ) throws(FieldError) {
    var writer = MetroFeedWriter(network)
    for bytes in lines {
      for direction: MetroDirectionFile in try MetroFeedWriter.decode(bytes, "The trains") {
        writer.add(direction)
      }
    }
    for bytes in frequencies {
      for row: MetroFrequencyFile in try MetroFeedWriter.decode(bytes, "The headways") {
        writer.add(row)
      }
    }
    let compiled = try Timetable.compile(writer.files(), zone: .taipei)
    (timetable, report) = (compiled.timetable, compiled.report)
    self.network = network
  }

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
