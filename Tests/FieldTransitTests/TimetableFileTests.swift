import FieldTransit
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

  @Test("A compiled timetable with any damaged byte is refused")
  func damaged() throws {
    let bytes = try FeedFixture.simple.compile().timetable.bytes
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1 << (place % 8)
      #expect(throws: FieldError.self) { try Timetable(damaged) }
    }
  }

  @Test(
    "A timetable whose checksum is right but whose numbers aren't is refused or answers without trapping"
  )
  func forged() throws {
    let bytes = try FeedFixture.simple.compile().timetable.bytes
    var generator = SeededGenerator(seed: 37)
    for _ in 0..<3000 {
      var forged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        forged[Int.random(in: 24..<bytes.count - 4, using: &generator)] =
          [0, 1, 2, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      }
      let end = forged.count - 4
      let sum = forged.withByteSpan { CRC32C.checksum($0.extracting(0..<end)) }
      for place in 0..<4 { forged[end + place] = UInt8(truncatingIfNeeded: sum >> (place * 8)) }
      guard let timetable = try? Timetable(forged) else { continue }
      for (from, to) in [("A", "D"), ("B", "D"), ("C", "A")] {
        _ = try? timetable.pairs(from, to, at: 420)
        _ = try? timetable.pairs(from, to, at: 600, isArriving: true)
        _ = try? timetable.departures(
          at: from, from: timetable.date(of: CalendarDay("2024-12-18"), minutes: 0))
      }
      _ = timetable.stops(matching: "a")
    }
  }
}
