import FieldTransit
import Foundation
import TestSupport
import Testing

/// The cases in which answers after a message aren't those of nigiri, with the words of the specification of GTFS Realtime.
@Suite("Differences to nigiri after messages")
struct RealtimeDifferenceTests {
  private static let midnight = RealtimeTests.midnight

  private static func live(
    _ visits: [(String, String)], more: String = "", _ body: (inout MessageFixture) -> Void
  ) throws -> Timetable {
    var feed = FeedFixture()
    feed.add("t", visits)
    if !more.isEmpty { feed.files["transfers.txt"] = more }
    var message = MessageFixture(RealtimeTests.now)
    body(&message)
    return try feed.compile().timetable.applying(
      [message.message()], at: Date(timeIntervalSince1970: Double(RealtimeTests.now)))
  }

  @Test("A train that is early by less than a minute arrives in the minute before")
  func earlySeconds() throws {
    // "Delay (in seconds) can be positive (meaning that the vehicle is late) or negative (meaning that the vehicle is ahead of
    // schedule)." 08:20:00 minus 90 seconds is 08:18:30, which nigiri counts as 08:19, because it cuts the delay to -1 minute.
    let timetable = try Self.live([("A", "08:00:00"), ("B", "08:20:00")]) {
      $0.trip("t", [.init(sequence: 2, arrival: -90)])
    }
    #expect(try timetable.pairs("A", "B", at: 420) == [[498, 0]])
  }

  @Test("A stop without data has the times of the timetable, and so have those after it")
  func noData() throws {
    // "NO_DATA: No data is given for this stop. It indicates that there is no realtime timing information available."
    // nigiri goes on with the delay of the stop before.
    let timetable = try Self.live([
      ("A", "08:00:00"), ("B", "08:10:00"), ("C", "08:40:00"), ("D", "08:50:00"),
    ]) {
      $0.trip(
        "t",
        [.init(sequence: 2, arrival: 600, departure: 600), .init(sequence: 3, relationship: 2)])
    }
    #expect(try timetable.pairs("A", "B", at: 420) == [[500, 0]])
    #expect(try timetable.pairs("A", "C", at: 420) == [[520, 0]])
    #expect(try timetable.pairs("A", "D", at: 420) == [[530, 0]])
  }

  @Test("A stop that a trip visits twice is the one with the number of the message")
  func loop() throws {
    // stop_sequence: "Must be the same as in stop_times.txt in the corresponding GTFS feed. […] is required […] if the trip
    // visits the same stop_id more than once". nigiri takes the first visit with that ID, and delays B as well.
    let timetable = try Self.live([
      ("A", "08:00:00"), ("B", "08:10:00"), ("A", "08:20:00"), ("C", "08:30:00"),
    ]) { $0.trip("t", [.init(sequence: 3, stop: "A", arrival: 300, departure: 300)]) }
    #expect(try timetable.pairs("A", "B", at: 420) == [[490, 0]])
    #expect(try timetable.pairs("B", "A", at: 420) == [[505, 0]])
    #expect(try timetable.pairs("A", "C", at: 495) == [[515, 0]])
  }

  @Test(
    "Trips that are new, deleted, or replaced do as the message says",
    arguments: [(8, "x", true, true), (7, "t", false, false), (5, "t", false, true)])
  func relationships(kind: Int, trip: String, keeps: Bool, adds: Bool) throws {
    // "NEW: An extra trip unrelated to any existing trips", "DELETED: […] producers may indicate that a trip should be removed",
    // "REPLACEMENT: A trip that replaces an existing trip". nigiri knows CANCELED and ADDED, and ignores these.
    let timetable = try Self.live([("A", "08:00:00"), ("B", "08:30:00")]) {
      $0.trip(
        trip, route: "R", relationship: kind,
        adds
          ? [
            .init(stop: "A", departureTime: Self.midnight + 9 * 3600),
            .init(stop: "D", arrivalTime: Self.midnight + 9 * 3600 + 1800),
          ] : [])
    }
    #expect(try timetable.pairs("A", "B", at: 420) == (keeps ? [[510, 0]] : []))
    #expect(try timetable.pairs("A", "D", at: 420) == (adds ? [[570, 0]] : []))
  }

  @Test("A delay of a whole trip holds for its stops")
  func tripDelay() throws {
    // TripUpdate.delay: "The current schedule deviation for the trip. […] Delay information in StopTimeUpdates take precedent of
    // trip-level delay information". nigiri doesn't read it.
    let timetable = try Self.live([("A", "08:00:00"), ("B", "08:10:00"), ("C", "08:20:00")]) {
      $0.trip("t", delay: 300, [.init(sequence: 2, arrival: 60, departure: 60)])
    }
    #expect(try timetable.pairs("A", "B", at: 420) == [[491, 0]])
    #expect(try timetable.pairs("A", "C", at: 420) == [[501, 0]])
    let only = try Self.live([("A", "08:00:00"), ("B", "08:10:00")]) { $0.trip("t", delay: 300) }
    #expect(try only.pairs("A", "B", at: 420) == [[495, 0]])
  }

  @Test("A delayed ride is found even if a walk along transfers.txt would arrive earlier")
  func walkIsFaster() throws {
    // "transfers.txt: Rules for making connections at transfer points between routes." It says nothing of rides.
    let timetable = try Self.live(
      [("A", "08:00:00"), ("B", "08:10:00")],
      more: "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,2,900\n"
    ) { $0.trip("t", [.init(sequence: 1, departure: 1200)]) }
    #expect(try timetable.pairs("A", "B", at: 480) == [[510, 0]])
  }
}
