@testable internal import FieldCore
internal import FieldTransit
internal import Foundation
internal import MetroKit

/// Archives, and the timetables in them.
extension Entry {
  static let timetables: [Entry] = [
    Entry(
      "FieldCore.ZipArchive.init(_:maximumEntrySize:)",
      "FieldCore.ZipArchive.init(contentsOf:maximumEntrySize:)"
    ) {
      _ = try? ZipArchive(Array($0.utf8))
      try await inFile($0) { _ = try ZipArchive(contentsOf: $0) }
    },
    Entry("FieldCore.ZipArchive.bytes(of:)") {
      let archive = try ZipArchive(archive(["a": $0, "b": $0]))
      _ = try? archive.bytes(of: $0)
      _ = try archive.bytes(of: "b")
    },
    Entry("FieldTransit.Timetable.init(_:)", "FieldTransit.Timetable.init(contentsOf:)") {
      _ = try? Timetable(Array($0.utf8))
      try await inFile($0) { _ = try Timetable(contentsOf: $0) }
    },
    feed("a table of stops") { ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n\($0)"] },
    feed("names of stops") { text in
      let name = text.replacingOccurrences(of: "\"", with: "\"\"")
      let stops = ["A", "B"].map { "\($0),\"\(name)\",25,121.5\n" }
      return ["stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n" + stops.joined()]
    },
    feed("a table of visits") {
      ["stop_times.txt": "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n\($0)"]
    },
    feed("a table of transfers") {
      ["transfers.txt": "from_stop_id,to_stop_id,transfer_type,from_trip_id,to_trip_id\n\($0)"]
    },
    feed("a table of translations") {
      ["translations.txt": "table_name,field_name,language,translation,record_id\n\($0)"]
    },
    feed("a table of shapes") {
      ["shapes.txt": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n\($0)"]
    },
    Entry(
      "FieldTransit.Timetable.stop(_:)", "FieldTransit.Timetable.stops(matching:limit:)",
      "FieldTransit.Timetable.translated(into:)",
      "FieldTransit.Timetable.departures(at:from:limit:)", "FieldTransit.JourneyPlace.stop(_:)"
    ) {
      let timetable = try compile([:])
      _ = timetable.stop($0)
      _ = timetable.translated(into: $0)
      _ = timetable.stops(matching: $0)
      let date = Date(timeIntervalSince1970: 1.7e9)
      _ = try? timetable.departures(at: $0, from: date)
      _ = try? timetable.journeys(from: .stop($0), to: .stop("B"), departing: date)
    }.ofProgram,
    Entry("FieldTransit.RealtimeMessage.init(_:)") {
      _ = try? RealtimeMessage(header + Array($0.utf8))
      // Many stops of a trip, and many fields of one that doesn't exist.
      let stop = Array($0.utf8.map { $0 & 0x7F })
      try apply(
        field(2, field(3, field(1, text(1, "t")) + field(2, text(4, $0)) + field(2, stop))))
    },
    Entry(
      "FieldTransit.RealtimeMessage.init(from:transport:fields:timeout:)",
      "FieldTransit.Timetable.applying(_:at:maximumAge:)", form: "trips"
    ) { content in
      let updates = content.utf8.flatMap {
        field(2, field(3, field(1, text(1, $0 & 1 == 0 ? "t" : "\($0)")) + [0x28, $0 & 0x7F]))
      }
      try apply(updates)
      let url = URL(filePath: "/")
      _ = try? await RealtimeMessage(from: url, transport: Answer(content))
    },
    Entry(
      "FieldTransit.TransitAlert.title(in:)", "FieldTransit.TransitAlert.text(in:)"
    ) {
      let translated = field(1, text(1, $0) + text(2, $0))
      let message = try RealtimeMessage(
        header + field(2, field(5, field(10, translated) + field(11, translated))))
      for alert in message.alerts {
        use(alert.title(in: [$0, "en"]))
        use(alert.text(in: [$0, "en"]))
      }
    }.ofProgram,
    Entry("MetroKit.MetroTimetable.init(reading:network:)") {
      _ = try? MetroTimetable(reading: [Array($0.utf8), Array($0.utf8)])
      let text = String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
      let train = #"{"Dst":\#(text),"Schedule":[{"StationCode":\#(text),"DepTime":\#(text)}]}"#
      let file =
        #"[{"EffectiveFrom":\#(text),"Timetables":[{"Days":\#(text),"Trains":[\#(train)]}]}]"#
      _ = try MetroTimetable(reading: [Array(file.utf8)])
    }.ofProgram,
  ]

  /// The header of a message that was made on the day of the trip.
  private static let header = field(1, [0x18, 0x80, 0x94, 0xD0, 0xAA, 0x06])

  private static func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    var (length, bytes) = (content.count, [number << 3 | 2])
    while length >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    return bytes + [UInt8(length)] + content
  }

  private static func text(_ number: UInt8, _ text: String) -> [UInt8] {
    field(number, Array(text.utf8))
  }

  private static func apply(_ entities: [UInt8]) throws {
    let message = try RealtimeMessage(header + entities)
    let live = try compile([:]).applying(
      [message], at: message.date ?? Date(timeIntervalSince1970: 0))
    _ = try live.departures(at: "A", from: Date(timeIntervalSince1970: 1.7e9))
  }

  private static func feed(
    _ form: String, tables: @escaping @Sendable (String) -> [String: String]
  ) -> Entry {
    Entry("FieldTransit.Timetable.compile(_:zone:includingShapes:)", form: form) {
      let timetable = try compile(tables($0))
      _ = timetable.stops(matching: "al")
    }
  }

  private static func compile(_ tables: [String: String]) throws -> Timetable {
    var files = [
      "agency.txt": "agency_name,agency_url,agency_timezone\nx,https://h.example,UTC\n",
      "calendar_dates.txt": "service_id,date,exception_type\nW,20231115,1\n",
      "routes.txt": "route_id,route_short_name,route_type\nR,Red,1\n",
      "trips.txt": "trip_id,route_id,service_id\nt,R,W\n",
      "stops.txt":
        "stop_id,stop_name,stop_lat,stop_lon\nA,Alpha,25,121.5\nB,Beta,25.01,121.5\n",
      "stop_times.txt":
        "trip_id,stop_sequence,stop_id,arrival_time,departure_time\nt,1,A,8:00:00,8:00:00\nt,2,B,9:00:00,9:00:00\n",
    ]
    files.merge(tables) { _, changed in changed }
    return try Timetable.compile(ZipArchive(archive(files)), includingShapes: true).timetable
  }

  private static func archive(_ files: [String: String]) -> [UInt8] {
    ZipFixture(files.map { ($0.key, $0.value) }).bytes()
  }
}
