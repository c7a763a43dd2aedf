@testable internal import FieldCore
internal import FieldTransit
internal import Foundation

/// Archives, and the timetables in them.
extension Target {
  static let timetables: [Target] = [zip, inflate, timetable, feed, realtime]

  private static let zip = Target(
    "zip", seeds: [archive(files), archive(["a/b.txt": "x"]), archive([:]) + [0, 0]]
  ) { bytes in
    let archive = try ZipArchive(bytes, maximumEntrySize: 1 << 20)
    var total = 0
    for entry in archive.entries {
      hold(!entry.name.hasPrefix("/") && !entry.name.contains("../"), "A path leaves the folder")
      guard let content = try readable({ try archive.bytes(of: entry) }) else { continue }
      hold(content.count <= 1 << 20, "An entry is larger than allowed")
      total += content.count
    }
    // No part of an archive is read twice, and nothing grows by more than DEFLATE can.
    hold(total <= bytes.count * 1040, "\(bytes.count) bytes became \(total)")
  }

  /// The first two bytes are the length of what the others decode to.
  private static let inflate = Target(
    "inflate",
    // A stored block, one with the fixed codes, and one with codes of its own.
    seeds: [
      [5, 0, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8),
      [3, 0, 0x4B, 0x4C, 0x4C, 0x04, 0x00],
      [0xDC, 0x02] + deflated,
    ]
  ) { bytes in
    guard bytes.count > 2 else { return }
    let count = Int(bytes[0]) | Int(bytes[1]) << 8
    func decoded() -> Result<[UInt8], Inflater.Failure> {
      bytes.withByteSpan { span in
        do throws(Inflater.Failure) {
          return .success(try Inflater.bytes(span.extracting(2..<span.count), count: count))
        } catch {
          return .failure(error)
        }
      }
    }
    let first = decoded()
    if case .success(let content) = first { holdEqual(content.count, count, "The length") }
    switch (first, decoded()) {
    case (.success(let one), .success(let two)): hold(one == two, "Two results differ")
    case (.failure(let one), .failure(let two)): holdEqual(one, two, "The failure")
    default: fail("Only one of two attempts failed")
    }
  }

  /// A compiled timetable, whose length and checksum the harness corrects.
  private static let timetable = Target(
    "timetable", seeds: [compiled(files)].compactMap(\.self)
  ) { bytes in
    guard bytes.count > 28 else { return }
    var forged = bytes
    let (size, end) = (UInt64(forged.count), forged.count - 4)
    for place in 0..<8 { forged[16 + place] = UInt8(truncatingIfNeeded: size >> (place * 8)) }
    let sum = CRC32C.checksum(forged, 0..<end)
    for place in 0..<4 { forged[end + place] = UInt8(truncatingIfNeeded: sum >> (place * 8)) }
    try use(Timetable(forged))
  }

  /// The texts of stop_times.txt, transfers.txt, frequencies.txt, and trips.txt, with a blank line between them.
  private static let feed = Target(
    "feed",
    texts: [
      ["stop_times.txt", "transfers.txt", "frequencies.txt", "trips.txt"]
        .map { files[$0] ?? "" }.joined(separator: "\n")
    ]
  ) { text in
    var changed = files
    let parts = text.split(separator: "\n\n", omittingEmptySubsequences: false)
    for (name, part) in Swift.zip(
      ["stop_times.txt", "transfers.txt", "frequencies.txt", "trips.txt"], parts)
    {
      changed[name] = String(part)
    }
    let compiled = try Timetable.compile(ZipArchive(archive(changed)), zone: .utc)
    let report = compiled.report
    hold(report.unusableTripCount <= report.tripCount, "More trips are unusable than there are")
    hold(report.failures.count <= report.failureCount, "More failures than were counted")
    try use(Timetable(compiled.timetable.bytes))
  }

  private static func use(_ timetable: Timetable) throws {
    let day = timetable.serviceDays?.lowerBound ?? CalendarDay.newYear(2023)
    let date = timetable.date(of: day, minutes: 420)
    for (from, to) in [("A", "C"), ("B", "C"), ("C", "A")] {
      let places = (JourneyPlace.stop(from), JourneyPlace.stop(to))
      for answer in [
        try readable { try timetable.journeys(from: places.0, to: places.1, departing: date) },
        try readable { try timetable.journeys(from: places.0, to: places.1, arriving: date) },
        try readable {
          try timetable.journeys(
            from: places.0, to: places.1, departing: date...date.addingTimeInterval(3600))
        },
      ] {
        for journey in answer?.journeys ?? [] {
          hold(!journey.legs.isEmpty, "A journey has no legs")
          _ = journey.legs.map { ($0.tripID, $0.headsign, $0.route, $0.visits.count) }
        }
        hold((answer?.absence == nil) != (answer?.journeys.isEmpty ?? false), "Why there is none")
      }
      _ = try readable { try timetable.departures(at: from, from: date) }
    }
    _ = timetable.stops(matching: "a")
  }

  // MARK: Seeds

  /// Some rows of a timetable, 732 bytes long, as zlib compresses them.
  private static let deflated: [UInt8] = stride(from: 0, to: hexadecimal.count, by: 2).compactMap {
    UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)
  }
  private static let hexadecimal =
    "35d04b6ec3300c45d179d7a28148ea976ec30b3082d60303fda48edbf557a2ae812040cee05137e7b13fd6fd3d3ccfefc7fadc7e7eb7af"
    + "b76dfeea7a3f8efdeffeb19efbe7f672c610c3d2bfda6b8cfd3340c2521d04d0b08883021696e660400a8b3a240719a337870cf4517328"
    + "c0189d772bd257934303faaaccc337171db3798044a0cf8a5f1641fa6e7150c0e81303127d321f6b63d5cf4806843e2980d22715"
    + "30faa401893e994f4d3eea773522429f0aa0579f2a62f4a901e9ead3f9d83c76bd4f3320f46901943ead80d1a70d48f4e97c6c19a37ec"
    + "52220f499004a9f2960579f1992e8b3f9d4ea7f811fb68c087d5600bdfaac22469f3520d167fed87f"

  private static let files = [
    "agency.txt": "agency_name,agency_url,agency_timezone\nx,https://h.example,UTC\n",
    "calendar.txt":
      "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\nW,1,1,1,1,1,1,1,20231115,20231130\n",
    "routes.txt": "route_id,route_short_name,route_type\nR,Red,1\nG,Green,3\n",
    "trips.txt": "trip_id,route_id,service_id,block_id\nt,R,W,b\nu,G,W,b\nf,G,W,\n",
    "stops.txt":
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,Alpha,25,121.5,0,\nB,Beta,25.01,121.5,0,S\nC,Gamma,25.02,121.5,,\nS,Delta,25.01,121.5,1,\n",
    "stop_times.txt":
      "trip_id,stop_sequence,stop_id,arrival_time,departure_time\nt,1,A,8:00:00,8:00:00\nt,2,B,9:00:00,9:00:00\nu,1,B,9:05:00,9:05:00\nu,2,C,,\nu,3,A,25:10:00,25:10:00\nf,1,C,0:00:00,0:00:00\nf,2,A,0:10:00,0:10:00\n",
    "transfers.txt":
      "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_trip_id\nA,B,2,120,,\nB,B,1,,R,u\nS,C,0,,,\n",
    "frequencies.txt": "trip_id,start_time,end_time,headway_secs\nf,6:00:00,10:00:00,600\n",
  ]

  private static func compiled(_ files: [String: String]) -> [UInt8]? {
    try? Timetable.compile(ZipArchive(archive(files)), zone: .utc).timetable.bytes
  }

  /// Returns an archive whose files are stored, in the order of their names.
  static func archive(_ files: [String: String]) -> [UInt8] {
    ZipFixture(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }).bytes()
  }
}
