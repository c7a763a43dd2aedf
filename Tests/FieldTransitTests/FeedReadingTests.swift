import FieldTransit
import TestSupport
import Testing

@Suite("Reading feeds")
struct FeedReadingTests {
  @Test(
    "A feed in a folder, with a byte-order mark, blanks, quotes, and columns in another order is read"
  )
  func untidy() throws {
    var feed = FeedFixture()
    feed.files["stops.txt"] =
      "\u{FEFF}stop_name, \"stop_id\" ,extra,stop_lat\r\n\"Alpha, \"\"main\"\"\",A,,\r\n Beta , B ,x,y,,\r\n\r\n"
    feed.files["stop_times.txt"] =
      "departure_time,stop_id,stop_sequence,trip_id,arrival_time\n8:10:00,B,20,t,\n 08:00:00 ,\"A\",3,t,08:00:00"
    feed.files["trips.txt"] = "service_id,trip_id,route_id\nW,t,R\n"
    let compiled = try feed.compile(in: "export/gtfs/")
    #expect(try compiled.timetable.pairs("A", "B", at: 470) == [[490, 0]])
    #expect(compiled.timetable.stop("A")?.name == "Alpha, \"main\"")
    #expect(compiled.timetable.stop("B")?.coordinate == nil)
    #expect(compiled.report.failureCount == 0)
  }

  @Test("A trip that can't be used is reported with its file and line, and the others are there")
  func reports() throws {
    var feed = FeedFixture.simple
    feed.add("single", [("A", "08:00:00")])
    feed.add("backward", [("A", "08:00:00"), ("B", "07:00:00")])
    feed.add("nowhere", [("A", "08:00:00"), ("X", "08:10:00")])
    feed.add("untimed", [("A", "08:00:00"), ("B", "")])
    feed.add("nonsense", [("A", "08:00:00"), ("B", "8h")])
    feed.add("routeless", route: "X", [("A", "08:00:00"), ("B", "08:01:00")])
    feed.add("dayless", service: "X", [("A", "08:00:00"), ("B", "08:01:00")])
    feed.files["trips.txt"]? += "empty,R,W,x\n"
    feed.files["stop_times.txt"]? += "unknown,1,A,08:00:00,08:00:00\n"
    let compiled = try feed.compile()
    #expect(try compiled.timetable.pairs("A", "D", at: 420) == [[600, 0], [510, 1]])
    #expect(try compiled.timetable.pairs("A", "B", at: 420) == [[490, 0]])
    let failures = compiled.report.failures
    #expect(compiled.report.tripCount == 13)
    #expect(compiled.report.unusableTripCount == 8)
    #expect(
      Set(failures.compactMap(\.row.key)) == [
        "single", "backward", "nowhere", "untimed", "nonsense", "routeless", "dayless", "unknown",
      ])
    #expect(compiled.report.failureCount == 9)
    let single = try #require(failures.first { $0.row.key == "single" })
    #expect((single.file, single.line) == ("stop_times.txt", 14))
    #expect(
      single.description
        == "stop_times.txt, line 14 (single): it has a single stop, so the trip isn't used")
    #expect(failures.first { $0.row.key == "routeless" }?.file == "trips.txt")
  }

  @Test("Blank times between given ones are spread by the number of stops")
  func blanks() throws {
    var feed = FeedFixture()
    feed.add("t", [("A", "08:00:00"), ("B", ""), ("C", ""), ("D", "08:10:00")])
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "B", at: 470) == [[483, 0]])
    #expect(try timetable.pairs("A", "C", at: 470) == [[487, 0]])
  }

  @Test("Trips that overtake each other, visit a stop twice, or wait are all found")
  func shapes() throws {
    var feed = FeedFixture()
    feed.add("slow", [("A", "08:00:00"), ("B", "08:30:00"), ("C", "09:00:00")])
    feed.add("fast", [("A", "08:10:00"), ("B", "08:20:00"), ("C", "08:40:00")])
    feed.add(
      "loop", route: "G",
      [
        ("D", "08:00:00"), ("C", "08:10:00"), ("B", "08:15:00"), ("D", "08:20:00"),
        ("A", "08:30:00"),
      ])
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "C", at: 480) == [[520, 0]])
    #expect(try timetable.pairs("A", "C", at: 480, isArriving: true) == [[-950, 0]])
    #expect(try timetable.pairs("A", "C", at: 560, isArriving: true) == [[490, 0]])
    #expect(try timetable.pairs("C", "D", at: 480) == [[500, 0]])
    #expect(try timetable.pairs("D", "A", at: 485) == [[510, 0]])
  }

  @Test("Services may be in calendar.txt, in calendar_dates.txt, or in both")
  func calendars() throws {
    var feed = FeedFixture.simple
    feed.files["calendar_dates.txt"] =
      "service_id,date,exception_type\nW,20241218,2\nW,20241221,1\n"
    var timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "C", on: "2024-12-18", at: 600) == [[1940, 0]])
    #expect(try timetable.pairs("A", "C", on: "2024-12-21", at: 420) == [[500, 0]])
    #expect(try timetable.pairs("A", "C", on: "2024-12-22", at: 420) == [])
    feed.files["calendar.txt"] = nil
    timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "C", on: "2024-12-21", at: 420) == [[500, 0]])
    #expect(timetable.serviceDays == (try CalendarDay("2024-12-21")...CalendarDay("2024-12-21")))
  }

  @Test(
    "Archives without a feed, and feeds in zones that the system doesn't know, have their error codes"
  )
  func codes() throws {
    func code(_ change: (inout FeedFixture) -> Void, zone: FixedZone? = nil) -> FieldError.Code? {
      var feed = FeedFixture.simple
      change(&feed)
      do {
        _ = try feed.compile(zone: zone)
        return nil
      } catch {
        return (error as? FieldError)?.code
      }
    }
    #expect(code { $0.files["stops.txt"] = nil } == .schema)
    #expect(code { $0.files["stop_times.txt"] = nil } == .schema)
    #expect(code { $0.files["stop_times.txt"] = "trip_id,stop_id\n" } == .schema)
    #expect(code { $0.files["stops.txt"] = "<html>Sign in</html>" } == .notData)
    #expect(code { $0.files["stop_times.txt"]? += "t1,\"3" } == .cut)
    let zone = { (feed: inout FeedFixture) in
      feed.files["agency.txt"] = "agency_name,agency_timezone\nx,../../etc/passwd\n"
    }
    #expect(code(zone) == .transitZone)
    #expect(code(zone, zone: .taipei) == nil)
    #expect(code { $0.files["calendar_dates.txt"] = "" } == nil)
  }

  @Test("A feed without a trip that can be used compiles to a timetable without journeys")
  func empty() throws {
    let timetable = try FeedFixture().compile().timetable
    #expect(try timetable.pairs("A", "B", at: 470) == [])
    #expect(
      try timetable.departures(
        at: "A", from: timetable.date(of: CalendarDay("2024-12-18"), minutes: 0)
      ).isEmpty)
  }

  @Test("A number may have decimals of zero, as tools write those of a column with empty cells")
  func decimals() throws {
    var feed = FeedFixture()
    feed.files["calendar.txt"] = feed.files["calendar.txt"]?.replacing(
      "1,1,1,1,1,0,0", with: "1.0,1.0,1.0,1.0,1.0,0.0,0.0")
    feed.files["stop_times.txt"] = """
      trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type,drop_off_type
      t,1.0,A,08:00:00,08:00:00,,
      t,2.0,B,08:10:00,08:10:00,1.0,
      t,3.0,C,08:20:00,08:20:00,,1.0
      t,4.0,D,08:30:00,08:30:00,0.0,0.0
      x,1.5,A,08:00:00,08:00:00,,
      """
    feed.files["trips.txt"]? += "t,R,W,\nx,R,W,\n"
    let compiled = try feed.compile()
    #expect(try compiled.timetable.pairs("A", "D", at: 470) == [[510, 0]])
    #expect(try compiled.timetable.pairs("A", "B", at: 470) == [[490, 0]])
    #expect(try compiled.timetable.pairs("B", "D", at: 470) == [])
    #expect(try compiled.timetable.pairs("A", "C", at: 470) == [])
    #expect(compiled.report.failures.compactMap(\.row.key) == ["x"])
  }

  @Test("A trip isn't used if a row of its stop times or its only headways can't be read")
  func lostRows() throws {
    var feed = FeedFixture()
    feed.add("t", [("A", "08:00:00"), ("B", ""), ("C", ""), ("D", "08:30:00")])
    feed.files["stop_times.txt"] = feed.files["stop_times.txt"]?.replacing(
      "t,2,B,,", with: "t,2,B,,,x")
    for (trip, row) in [
      ("over", "22:00:00,02:00:00,600"), ("still", "08:00:00,08:00:00,600"),
      ("odd", "06:00:00,22:00:00,-1"), ("half", "06:00:00,22:00:00,-1"),
    ] {
      feed.add(trip, route: "G", [("A", "00:00:00"), ("C", "00:10:00")])
      feed.files["frequencies.txt", default: "trip_id,start_time,end_time,headway_secs\n"] +=
        "\(trip),\(row)\n"
    }
    feed.files["frequencies.txt"]? += "half,12:00:00,12:10:00,600\n"
    let compiled = try feed.compile()
    #expect(try compiled.timetable.pairs("A", "C", at: 0) == [[730, 0]])
    #expect(try compiled.timetable.pairs("A", "D", at: 470) == [])
    #expect(compiled.report.unusableTripCount == 4)
    #expect(compiled.report.failures.map(\.line) == [2, 3, 4, 5, 3])
  }

  @Test("Passengers stay in the vehicle of a block of which each day has a service of its own")
  func blockOfManyServices() throws {
    var feed = FeedFixture()
    feed.files["calendar.txt"] = nil
    feed.files["calendar_dates.txt"] = "service_id,date,exception_type\n"
    feed.files["trips.txt"] = "trip_id,route_id,service_id,block_id\n"
    for number in 0..<60 {
      let day = "2024\(number < 30 ? "11" : "12")\(number % 30 < 9 ? "0" : "")\(number % 30 + 1)"
      feed.files["calendar_dates.txt"]? += "V\(number),\(day),1\n"
      feed.files["trips.txt"]? += "a\(number),R,V\(number),b\nb\(number),G,V\(number),b\n"
      feed.files["stop_times.txt"]? +=
        "a\(number),1,A,08:00:00,08:00:00\na\(number),2,B,08:10:00,08:10:00\n"
        + "b\(number),1,B,08:10:00,08:10:00\nb\(number),2,C,08:20:00,08:20:00\n"
    }
    let timetable = try feed.compile().timetable
    for day in ["2024-11-01", "2024-11-30", "2024-12-18"] {
      #expect(try timetable.pairs("A", "C", on: day, at: 470) == [[500, 0]])
      #expect(try timetable.pairs("A", "C", on: day, at: 500, isArriving: true) == [[480, 0]])
    }
  }

  @Test("A second row for a service in calendar.txt adds its days")
  func serviceOfTwoRows() throws {
    var feed = FeedFixture()
    feed.files["calendar.txt"]? += "W,0,0,0,0,0,1,0,20250101,20250131\n"
    feed.add("t", [("A", "08:00:00"), ("B", "08:10:00")])
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "B", on: "2024-12-18", at: 470) == [[490, 0]])
    #expect(try timetable.pairs("A", "B", on: "2025-01-04", at: 470) == [[490, 0]])
    #expect(try timetable.pairs("A", "B", on: "2025-01-03", at: 470) == [])
  }

  @Test("Trips that call at a station itself are found beside those of its platforms")
  func stationAsStop() throws {
    var feed = FeedFixture()
    feed.files["stops.txt"] = """
      stop_id,stop_name,location_type,parent_station
      S,Station,1,
      S1,Platform,0,S
      B,Beta,0,
      """
    feed.add("station", [("S", "08:00:00"), ("B", "08:10:00")])
    feed.add("platform", [("S1", "09:00:00"), ("B", "09:10:00")])
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("S", "B", at: 470) == [[490, 0]])
    #expect(try timetable.pairs("S", "B", at: 490) == [[550, 0]])
  }
}
