import FieldTransit
import TestSupport
import Testing

/// Where nigiri answers differently, with the words of the specification that decide; see Docs/conformance.md.
@Suite("Journeys that nigiri doesn't find")
struct JourneyDifferenceTests {
  @Test("Rides are found even if a walk along transfers.txt would arrive earlier")
  func walkIsFaster() throws {
    // "Transfers.txt specifies additional rules and overrides for selected transfers." It says nothing of rides.
    var feed = FeedFixture()
    feed.add("t", [("A", "08:00:00"), ("B", "08:10:00")])
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,2,300\n"
    #expect(try feed.compile().timetable.pairs("A", "B", at: 480) == [[490, 0]])
  }

  @Test(
    "A frequency has a run at each headway before its end, also if the headway doesn't divide it")
  func lastRunOfFrequency() throws {
    // headway_secs: "Time, in seconds, between departures from the same stop (headway) for the trip, during the time
    // interval specified by start_time and end_time." 18:50:00 is in the interval that ends with 18:59:59.
    var feed = FeedFixture()
    feed.add("t", [("A", "06:00:00"), ("B", "06:10:00")])
    feed.files["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\nt,16:00:00,18:59:59,600\nt,19:00:00,21:00:00,1800\n"
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "B", at: 18 * 60 + 41) == [[19 * 60, 0]])
    #expect(try timetable.pairs("A", "B", at: 18 * 60 + 51) == [[19 * 60 + 10, 0]])
    // "New headways may start at the exact time the previous headway ends", so the end itself is outside.
    #expect(try timetable.pairs("A", "B", at: 20 * 60 + 31) == [[24 * 60 + 16 * 60 + 10, 0]])
  }

  @Test("A trip whose times begin again at midnight isn't used and is reported")
  func timesGoBack() throws {
    // "For times occurring after midnight on the service day, enter the time as a value greater than 24:00:00."
    var feed = FeedFixture()
    feed.add("t", [("A", "23:10:00"), ("B", ""), ("C", "00:02:00")])
    let compiled = try feed.compile()
    #expect(try compiled.timetable.pairs("A", "B", at: 1353) == [])
    #expect(
      compiled.report.failures.map(\.row.reason)
        == ["its times go backward at stop_sequence 3, so the trip isn't used"])
  }
}
