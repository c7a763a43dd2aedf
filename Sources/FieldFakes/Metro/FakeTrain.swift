internal import FieldCore
internal import FieldFoundation

/// A train at a station, or approaching it.
struct FakeTrain {
  var line: FakeMetroFeed.Line
  var station: FakeMetroFeed.Line.Station
  var destination: FakeMetroFeed.Line.Station
  /// The time when the train enters the station, in seconds since 1970.
  var entry: Int64
  /// The number of the train on its line and direction.
  var number: Int
}

extension FakeMetroFeed {
  /// The second of the feeds' last update.
  var written: Int64 {
    let now = Int64(clock.now.timeIntervalSince1970.rounded(.down))
    let step = interval.components.seconds
    return now - ((now % step) + step) % step
  }

  /// The trains that entered a station in the last interval, earliest first.
  var enteringTrains: [FakeTrain] {
    let end = written
    let start = end - interval.components.seconds
    return trains { first, headway in
      // The departures with an entry after the start, up to the end.
      let next = start + 1 - first
      let entry = first + Int64((Double(next) / Double(headway)).rounded(.up)) * headway
      return Array(stride(from: entry, through: end, by: Int(headway)))
    }.sorted { ($0.entry, $0.station.name) < ($1.entry, $1.station.name) }
  }

  /// The next two trains of every platform.
  var comingTrains: [FakeTrain] {
    let start = written
    return trains { first, headway in
      let entry = first + Int64((Double(start - first) / Double(headway)).rounded(.up)) * headway
      return [entry, entry + headway]
    }
  }

  /// Returns trains at each platform, at the times that a closure selects from the time at which a
  /// train entered and the interval between trains.
  private func trains(_ entries: (Int64, Int64) -> [Int64]) -> [FakeTrain] {
    var trains: [FakeTrain] = []
    for line in lines where line.stations.count > 1 {
      let run = line.runTime.components.seconds
      let headway = line.headway.components.seconds
      for stations in [line.stations, line.stations.reversed()] {
        guard let destination = stations.last else { continue }
        for (place, station) in stations.enumerated() where place > 0 {
          let first = Int64(place) * run
          for entry in entries(first, headway) {
            trains.append(
              FakeTrain(
                line: line, station: station, destination: destination, entry: entry,
                number: Int((entry - first) / headway % 100)))
          }
        }
      }
    }
    return trains
  }
}

/// The formats in which the feeds write Taipei time.
enum FakeTime {
  /// `2026-10-08T13:16:02`.
  static func local(_ seconds: Int64) -> String {
    String(
      TimestampWriter.iso8601(Date(timeIntervalSince1970: Double(seconds)), in: .taipei).prefix(19))
  }

  /// `20261008131602`.
  static func digits(_ seconds: Int64) -> String { local(seconds).filter(\.isNumber) }

  /// `2026-10-08 13:16:02`.
  static func spaced(_ seconds: Int64) -> String { local(seconds).replacing("T", with: " ") }

  /// `2026-10-08T13:16:02+08:00`.
  static func zoned(_ seconds: Int64) -> String { local(seconds) + "+08:00" }

  static func object(_ members: [(String, String)]) -> String {
    let texts = members.map { "\(FakeJSON.quoted($0.0)):\(FakeJSON.quoted($0.1))" }
    return "{\(texts.joined(separator: ","))}"
  }
}

extension TransportResponse {
  static func json(
    _ text: String, status: Int = 200, fields: HTTPHeaderFields = [:]
  ) -> TransportResponse {
    var fields = fields
    fields["Content-Type"] = "application/json"
    return TransportResponse(status: status, fields: fields, body: .text(text))
  }

  /// The HTML page of a failing server.
  static var serverError: TransportResponse {
    TransportResponse(
      status: 500, fields: ["Content-Type": "text/html"],
      body: .text("<html><head><title>系統暫時無法提供服務</title></head></html>"))
  }
}

extension TransportBody {
  /// The HTML page of a server under maintenance.
  static var maintenance: TransportBody {
    .text("<!DOCTYPE html><html><head><title>系統維護中</title></head></html>")
  }
}
