import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Compiled timetables")
struct TimetableFileTests {
  @Test("A compiled timetable opens again from its bytes, with the same answers")
  func opened() throws {
    let compiled = try FeedFixture.simple.compile().timetable
    let timetable = try Timetable(compiled.bytes)
    #expect(try timetable.pairs("A", "D", at: 420) == [[600, 0], [510, 1]])
    #expect(timetable.zoneName == "UTC")
    #expect(timetable.bytes == compiled.bytes)
  }

  @Test("Compiling a feed twice yields the same bytes")
  func deterministic() throws {
    #expect(
      try FeedFixture.simple.compile().timetable.bytes
        == FeedFixture.simple.compile().timetable.bytes)
  }

  @Test("A compiled timetable that ends at any byte is refused")
  func truncated() throws {
    let bytes = try FeedFixture.simple.compile().timetable.bytes
    for end in bytes.indices {
      #expect(throws: FieldError.self) { try Timetable(Array(bytes[..<end])) }
    }
    #expect(throws: FieldError.self) { try Timetable(bytes + [0]) }
  }

  @Test("A compiled timetable with any flipped bit is refused")
  func damaged() throws {
    let bytes = try FeedFixture.simple.compile().timetable.bytes
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << bit
        #expect(throws: FieldError.self) { try Timetable(damaged) }
      }
    }
  }

  /// A timetable with something in each section.
  private static var full: Timetable {
    get throws {
      var feed = FeedFixture.simple
      feed.files["trips.txt"] =
        "trip_id,route_id,service_id,block_id,shape_id\nt1,R,W,b,s\nt2,R,W,b,s\ng1,G,W,b,s\ng2,G,W,,\nslow,G,W,,\n"
      feed.files["transfers.txt"] =
        "from_stop_id,to_stop_id,transfer_type,from_route_id,from_trip_id,to_trip_id\nB,B,1,R,,\nC,D,2,,,\n,,4,,g1,g2\n"
      feed.files["translations.txt"] =
        "table_name,field_name,language,translation,record_id\nstops,stop_name,en,x,A\n"
      feed.files["shapes.txt"] =
        "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,25.01,121.5,1\ns,25.03,121.5,2\n"
      let files = feed.files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      return try Timetable.compile(ZipArchive(ZipFixture(files).bytes()), includingShapes: true)
        .timetable
    }
  }

  @Test(
    "A timetable whose checksum is right but whose numbers aren't is refused or answers without trapping"
  )
  func forged() throws {
    let bytes = try Self.full.bytes
    var generator = SeededGenerator(seed: 37)
    for round in 0..<3000 + bytes.count - 28 {
      var forged = bytes
      if round >= 3000 {
        forged[24 + round - 3000] ^= 1 << (round % 8)
      } else {
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          forged[Int.random(in: 24..<bytes.count - 4, using: &generator)] =
            [0, 1, 2, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        }
      }
      let end = forged.count - 4
      let sum = forged.withByteSpan { CRC32C.checksum($0.extracting(0..<end)) }
      for place in 0..<4 { forged[end + place] = UInt8(truncatingIfNeeded: sum >> (place * 8)) }
      guard let timetable = try? Timetable(forged) else { continue }
      for (from, to) in [("A", "D"), ("B", "D"), ("C", "A")] {
        _ = try? timetable.pairs(from, to, at: 420)
        _ = try? timetable.pairs(from, to, at: 600, isArriving: true)
        let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
        let departures = try? timetable.departures(at: from, from: date)
        _ = departures?.map { ($0.headsign, $0.leg.shape?.count) }
        let range = try? timetable.journeys(
          from: .stop(from), to: .stop(to), departing: date...date.addingTimeInterval(7200))
        _ = range?.journeys.map { $0.legs.map { ($0.tripID, $0.visits.count) } }
      }
      _ = timetable.stops(matching: "a")
      _ = timetable.translated(into: "en").stop("A")
    }
  }
}
