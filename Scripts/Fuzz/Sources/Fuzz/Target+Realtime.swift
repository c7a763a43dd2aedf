internal import FieldTransit
internal import Foundation

/// Messages about a timetable.
extension Target {
  /// A message of GTFS Realtime, applied to a small timetable at its own time.
  static let realtime = Target("realtime", seeds: messages) { bytes in
    guard let message = try readable({ try RealtimeMessage(bytes) }) else { return }
    hold(message.tripCount <= bytes.count, "\(message.tripCount) trips in \(bytes.count) bytes")
    for alert in message.alerts { _ = alert.title(in: ["en", "zh-Hant"]) }
    let live = timetable.applying([message], at: message.date ?? Date(timeIntervalSince1970: 0))
    let report = live.realtime
    let isPlausible = message.date.map { $0.timeIntervalSince1970 < 1e11 } ?? false
    hold((report?.date != nil) == isPlausible, "A message is old at its own time")
    holdEqual(live.bytes, timetable.bytes, "The bytes of the timetable")
    for day in [day - 1, day, day + 1] {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 28_000)
      for (from, to) in [("A", "C"), ("B", "A"), ("C", "B")] {
        let answer = try live.journeys(from: .stop(from), to: .stop(to), departing: date)
        _ = try live.journeys(from: .stop(from), to: .stop(to), arriving: date)
        let range = try live.journeys(
          from: .stop(from), to: .stop(to), departing: date...date.addingTimeInterval(3600))
        for journey in answer.journeys + range.journeys {
          hold(journey.departure.date >= date, "A journey begins before it may")
          hold(
            zip(journey.legs, journey.legs.dropFirst()).allSatisfy { $0.arrival <= $1.departure },
            "A leg begins before the one before it ends")
          for leg in journey.legs {
            hold(leg.departure <= leg.arrival, "A leg ends before it begins")
            hold(
              zip(leg.visits, leg.visits.dropFirst()).allSatisfy { $0.departure <= $1.arrival },
              "Times go backward")
          }
        }
        _ = try live.departures(at: from, from: date).map { ($0.headsign, $0.predictedAt) }
      }
    }
  }

  /// 18 December 2024.
  private static let day = 20_075

  private static let timetable: Timetable = {
    let visits =
      "trip_id,stop_sequence,stop_id,arrival_time,departure_time\nt,1,A,8:00:00,8:00:00\nt,2,B,8:10:00,8:11:00\n"
      + "t,3,C,8:20:00,8:20:00\nu,5,C,24:10:00,24:10:00\nu,7,A,24:30:00,24:30:00\nf,1,B,0:00:00,0:00:00\nf,2,A,0:05:00,0:05:00\n"
    let files = [
      "agency.txt": "agency_name,agency_url,agency_timezone\nx,https://h.example,UTC\n",
      "calendar_dates.txt":
        "service_id,date,exception_type\nW,20241217,1\nW,20241218,1\nW,20241219,1\n",
      "routes.txt": "route_id,route_short_name,route_type\nR,Red,1\n",
      "trips.txt": "trip_id,route_id,service_id,block_id\nt,R,W,b\nu,R,W,b\nf,R,W,\n",
      "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nf,8:00:00,9:00:00,600\n",
      "stops.txt": "stop_id,stop_name\nA,Alpha\nB,Beta\nC,Gamma\n", "stop_times.txt": visits,
    ]
    do {
      return try Timetable.compile(ZipArchive(archive(files))).timetable
    } catch { fail("The feed doesn't compile: \(error)") }
  }()

  // MARK: Seeds

  private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(content.count)] + content
  }

  private static func text(_ number: UInt8, _ text: String) -> [UInt8] {
    field(number, Array(text.utf8))
  }

  /// Messages with one entity each, made at 07:00 of the day.
  private static var messages: [[UInt8]] {
    let header = field(1, text(1, "2.0") + [0x18, 0xF0, 0xE5, 0x89, 0xBB, 0x06])
    let trip = text(1, "t") + text(3, "20241218") + text(5, "R")
    let stop =
      [0x08, 2] + field(2, [0x08, 0xB4, 0x01]) + field(3, [0x08, 0xF0, 0x01]) + text(4, "B")
    let added = [UInt8]([0xC0, 0xF5, 0x89, 0xBB, 0x06])
    let entities: [[UInt8]] = [
      field(3, field(1, trip) + field(2, stop) + [0x20, 0xF0, 0xE5, 0x89, 0xBB, 0x06]),
      field(3, field(1, trip + [0x20, 3])), field(3, field(1, trip) + [0x28, 0x3C]),
      field(3, field(1, trip) + field(2, text(4, "B") + [0x28, 1])),
      field(3, field(1, trip + [0x20, 6]) + field(6, text(1, "d") + text(3, "09:00:00"))),
      field(
        3,
        field(1, text(1, "n") + [0x20, 1])
          + field(2, text(4, "C") + field(2, [0x10] + added))
          + field(2, text(4, "B") + field(2, [0x10] + added))),
      field(3, field(1, text(1, "f") + text(2, "08:10:00")) + [0x28, 0x3C]),
      field(
        4,
        field(1, trip) + field(2, [0x0D, 0, 0, 0xC8, 0x41, 0x15, 0, 0, 0xF3, 0x42])
          + text(7, "B") + field(8, text(1, "v"))),
      field(
        5,
        field(1, [0x08, 1]) + field(5, text(2, "R"))
          + field(10, field(1, text(1, "Late") + text(2, "en")))),
    ]
    return entities.map { header + field(2, text(1, "1") + $0) }
      + [header + entities.map { field(2, text(1, "1") + $0) }.joined()]
  }
}
