import FieldFakes
import FieldTransit
import Foundation
import MetroKit
import TestSupport

/// Small timetables in TDX's form, written for the tests.
enum TimetableFixture {
  static let workdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
  static let weekend = ["Saturday", "Sunday"]

  /// A row of `StationTimeTable`.
  static func row(
    _ station: String, to destination: String, _ times: [String],
    on days: [String] = workdays + weekend, route: String? = nil
  ) -> String {
    let line = String(station.prefix { $0.isLetter })
    let entries = times.enumerated().map {
      #"{"Sequence":\#($0.offset + 1),"DepartureTime":"\#($0.element)","TrainType":0}"#
    }
    return """
      {"RouteID":"\(route ?? "\(line)-1")","LineID":"\(line)","StationID":"\(station)","Direction":0,\
      "DestinationStaionID":"\(destination)","Timetables":[\(entries.joined(separator: ","))],\
      "ServiceDay":{\(days.map { #""\#($0)":true"# }.joined(separator: ","))}}
      """
  }

  /// Rows as a file.
  static func file(_ rows: String...) -> [UInt8] {
    Array("[\(rows.joined(separator: ",\n"))]".utf8)
  }

  /// The Bannan line from 西門 to 忠孝新生: a train about every ten minutes, the last of them after midnight.
  static func bannan(_ hours: ClosedRange<Int> = 6...23) -> [String] {
    ["BL11": 1, "BL12": 3, "BL13": 5].sorted { $0.key < $1.key }.map { code, minute in
      row(
        code, to: "BL14",
        hours.flatMap { hour in
          stride(from: minute, to: 60, by: 10).map { "\(two(hour)):\(two($0))" }
        } + ["00:0\(minute)"])
    }
  }

  static let wenhu = """
    {"RouteID":"BR-1","ServiceDay":{"Monday":true,"Friday":true,"Saturday":true},"Headways":[
      {"StartTime":"06:00","EndTime":"24:00","MinHeadwayMins":4,"MaxHeadwayMins":10}]}
    """

  static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  static func timetable() throws -> MetroTimetable {
    try MetroTimetable(
      reading: [Array("[\(bannan().joined(separator: ","))]".utf8), file(wenhu)])
  }
}

/// A source that gives timetables as the test says, and counts how often it was asked.
final class ScriptedTimetables: RecordSource {
  private let steps: Lock<[Result<[UInt8], FieldError>]>
  private let counter = Lock(0)

  /// Gives the files one after the other, the last one again and again.
  init(_ steps: Result<[UInt8], FieldError>...) { self.steps = Lock(steps) }

  var count: Int { counter.withLock { $0 } }
  var dataSource: DataSource? { .tdxMetro }

  func fetch(_ request: RecordRequest) async throws -> Batch<MetroTimetable> {
    counter.withLock { $0 += 1 }
    let file = try steps.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
    return Batch(records: [try MetroTimetable(reading: [file])])
  }
}
