import FieldFakes
import Foundation
import MetroKit

/// Small boards, written for the tests.
enum BoardRows {
  /// 18 October 2024, 11:39:30 in Taipei.
  static let noon = Date(timeIntervalSince1970: 1_729_222_770)

  /// The feed's text for so many seconds after `noon`.
  static func time(_ seconds: Int) -> String {
    let clock = 11 * 3600 + 39 * 60 + 30 + seconds
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "20241018\(two(clock / 3600))\(two(clock / 60 % 60))\(two(clock % 60))"
  }

  /// A row as a feed reads it.
  static func row(_ station: String, _ destination: String, _ time: String) -> Arrival {
    let network = MetroNetwork.taipei
    let (from, to) = (network.station(named: station)?.id, network.station(named: destination)?.id)
    let lines = from.flatMap { from in to.map { network.lines(from: from, toward: $0) } } ?? []
    return Arrival(
      stationName: station, destinationName: destination, station: from, destination: to,
      line: lines.count == 1 ? lines[0] : nil, updatedAt: FeedTime(time))
  }

  /// A row whose time is so many seconds after `noon`.
  static func row(_ station: String, _ destination: String, _ seconds: Int) -> Arrival {
    row(station, destination, time(seconds))
  }

  /// The rows of an answer; rows that agree in all are numbered, as every source does.
  static func rows(_ rows: [Arrival]) -> Batch<Arrival> {
    var seen: [Arrival.ID: Int] = [:]
    return Batch(
      records: rows.map { row in
        var row = row
        seen[row.id, default: 0] += 1
        if let count = seen[row.id], count > 1 {
          row.id = Arrival.ID(rawValue: "\(row.id)#\(count)")
        }
        return row
      })
  }

  /// A board that came at `noon`, unless told otherwise.
  static func board(
    _ rows: Arrival..., at date: Date = noon, serverDate: Date? = nil
  ) -> ArrivalBoard {
    ArrivalBoard(Self.rows(rows).records, fetchedAt: date, serverDate: serverDate)
  }

  /// Rows as the text of today's feed.
  static func json(_ rows: [Arrival]) -> String {
    let rows = rows.map { row in
      """
      {"Station":"\(row.stationName)","Destination":"\(row.destinationName)",\
      "UpdateTime":"\(row.updatedAt?.rawText ?? "")"}
      """
    }
    return "[\(rows.joined(separator: ",\n"))]"
  }
}

extension Array where Element == Arrival {
  /// The names of the stations and destinations, for comparing.
  var names: [String] { map { "\($0.stationName)→\($0.destinationName)" } }
}

extension ManualClock {
  /// Waits for the next sleep before a poll, and returns its duration.
  ///
  /// The rows of the tests age one millisecond after a full second. Polls wait for full seconds.
  func nextPoll() async throws -> Duration {
    while true {
      let wait = try await nextSleep()
      if wait.components.attoseconds == 0 { return wait }
    }
  }
}
