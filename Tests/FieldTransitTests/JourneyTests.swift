import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Journeys")
struct JourneyTests {
  @Test("Journeys are those that arrive earliest with each number of changes")
  func pareto() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    #expect(try timetable.pairs("A", "D", at: 7 * 60) == [[600, 0], [510, 1]])
    #expect(try timetable.pairs("A", "D", at: 8 * 60 + 1) == [[600, 0]])
    #expect(try timetable.pairs("A", "C", at: 8 * 60 + 1) == [[560, 0]])
    #expect(try timetable.pairs("C", "A", at: 8 * 60) == [])
  }

  @Test("Journeys that arrive by a time are those that depart latest with each number of changes")
  func arriving() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    #expect(try timetable.pairs("A", "D", at: 600, isArriving: true) == [[485, 0]])
    #expect(try timetable.pairs("A", "D", at: 599, isArriving: true) == [[480, 1]])
    #expect(try timetable.pairs("A", "C", at: 559, isArriving: true) == [[480, 0]])
  }

  @Test("A journey has its trips, lines, stops on the way, and times")
  func legs() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
    let answer = try timetable.journeys(from: .stop("A"), to: .stop("D"), departing: date)
    let journey = try #require(answer.journeys.last)
    #expect(journey.legs.map(\.tripID) == ["t1", "g1"])
    #expect(journey.legs.map(\.route?.shortName) == ["Red", "Green"])
    #expect(journey.legs.map(\.headsign) == ["to C", "to D"])
    #expect(journey.legs[0].visits.map(\.stop.name) == ["Alpha", "Beta"])
    #expect(journey.legs[0].visits.map(\.arrival.description) == ["08:00", "08:10"])
    #expect(journey.legs[1].origin?.id == "B")
    #expect(journey.departure.day == (try CalendarDay("2024-12-18")))
  }

  @Test("An answer without journeys says why")
  func absence() throws {
    var feed = FeedFixture.simple
    feed.add("never", service: "gone", [("C", "08:00:00"), ("A", "08:10:00")])
    feed.files["calendar_dates.txt"] = "service_id,date,exception_type\ngone,20240301,1\n"
    let timetable = try feed.compile().timetable
    func absence(_ from: String, _ to: String, _ day: String) throws -> JourneyAnswer.Absence? {
      let date = timetable.date(of: try CalendarDay(day), minutes: 420)
      return try timetable.journeys(from: .stop(from), to: .stop(to), departing: date).absence
    }
    #expect(try absence("A", "D", "2024-12-18") == nil)
    #expect(try absence("A", "D", "2025-02-18") == .expired(CalendarDay("2024-12-31")))
    #expect(try absence("A", "D", "2023-12-18") == .notYetValid(CalendarDay("2024-01-01")))
    #expect(try absence("C", "D", "2024-12-18") == .notServedAtOrigin)
    #expect(try absence("D", "A", "2024-12-18") == .notServedAtOrigin)
    #expect(try absence("B", "A", "2024-12-18") == .notServedAtDestination)
    #expect(throws: FieldError.self) { try absence("A", "nowhere", "2024-12-18") }
  }

  @Test(
    "Trips after 24:00 belong to the day before, and those of the next day are found in the evening"
  )
  func nights() throws {
    var feed = FeedFixture()
    feed.add("night", [("A", "25:00:00"), ("B", "25:30:00")])
    feed.add("early", [("A", "05:00:00"), ("B", "05:10:00")])
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "B", at: 30) == [[90, 0]])
    #expect(try timetable.pairs("A", "B", at: 61) == [[310, 0]])
    #expect(try timetable.pairs("A", "B", at: 23 * 60) == [[1530, 0]])
    // A Saturday has Friday's night and nothing else.
    #expect(try timetable.pairs("A", "B", on: "2024-12-21", at: 0) == [[90, 0]])
    #expect(try timetable.pairs("A", "B", on: "2024-12-21", at: 61) == [])
    #expect(try timetable.pairs("A", "B", at: 100, isArriving: true) == [[60, 0]])
  }

  @Test(
    "Service days with clock changes start at noon minus 12 hours",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/America/New_York"),
      "there are no time zones"))
  func clockChanges() throws {
    var feed = FeedFixture()
    feed.files["agency.txt"] = "agency_name,agency_url,agency_timezone\nx,y,America/New_York\n"
    feed.files["calendar.txt"] = feed.files["calendar.txt"]?.replacing(
      "1,1,1,1,1,0,0", with: "1,1,1,1,1,1,1")
    feed.add("t", [("A", "01:30:00"), ("B", "03:30:00")])
    let timetable = try feed.compile().timetable
    func journey(_ day: String) throws -> Journey? {
      let date = timetable.date(of: try CalendarDay(day), minutes: 0)
      return try timetable.journeys(from: .stop("A"), to: .stop("B"), departing: date).journeys
        .first
    }
    // Clocks go forward from 02:00, so the day starts at 23:00 of the day before.
    let spring = try #require(try journey("2024-03-10"))
    #expect(spring.departure.description == "00:30")
    #expect(spring.arrival.description == "03:30")
    // Clocks go back from 02:00, so the day starts at 01:00.
    let autumn = try #require(try journey("2024-11-03"))
    #expect(autumn.departure.date == Date(timeIntervalSince1970: 1_730_615_400))
    #expect(autumn.arrival.description == "03:30")
    #expect(try journey("2024-12-18")?.departure.zone.secondsFromUTC == -5 * 3600)
    #expect(try journey("2024-07-18")?.departure.zone.secondsFromUTC == -4 * 3600)
  }

  @Test("Frequencies are runs from the start and before the end, marked unless they are exact")
  func frequencies() throws {
    var feed = FeedFixture()
    feed.add("f", [("A", "00:00:00"), ("B", "00:10:00")])
    feed.files["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs,exact_times\nf,08:00:00,09:00:00,600,0\nf,10:00:00,10:01:00,600,1\n"
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "B", at: 475) == [[490, 0]])
    #expect(try timetable.pairs("A", "B", at: 530) == [[540, 0]])
    #expect(try timetable.pairs("A", "B", at: 531) == [[610, 0]])
    #expect(try timetable.pairs("A", "B", at: 601) == [[1930, 0]])
    let day = try CalendarDay("2024-12-18")
    let departures = try timetable.departures(at: "A", from: timetable.date(of: day, minutes: 0))
    #expect(
      departures.map(\.time.description) == [
        "08:00", "08:10", "08:20", "08:30", "08:40", "08:50", "10:00", "08:00", "08:10", "08:20",
      ])
    #expect(
      departures.map(\.leg.isFrequency).prefix(7) == [true, true, true, true, true, true, false])
  }

  @Test("Stations stand for their platforms, between which changing takes as long as the feed says")
  func stations() throws {
    var feed = FeedFixture()
    feed.files["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\nA,A,1,1,,\nS,S,1,1,1,\nS1,S 1,1,1,0,S\nS2,S 2,1,1,0,S\nD,D,1,1,,\n"
    feed.add("in", [("A", "08:00:00"), ("S1", "08:10:00")])
    for minute in 11...19 {
      feed.add(
        "out\(minute)", route: "G", [("S2", "08:\(minute):00"), ("D", "08:\(minute + 20):00")])
    }
    #expect(try feed.compile().timetable.pairs("A", "D", at: 470) == [[512, 1]])
    #expect(try feed.compile().timetable.pairs("S", "D", at: 491) == [[511, 0]])
    #expect(try feed.compile().timetable.pairs("A", "S", at: 470) == [[490, 0]])
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nS,S,2,290\n"
    #expect(try feed.compile().timetable.pairs("A", "D", at: 470) == [[515, 1]])
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nS1,S2,3,\n"
    #expect(try feed.compile().timetable.pairs("A", "D", at: 470) == [])
  }

  @Test("Passengers neither board nor alight where the feed says so, or has them arrange it")
  func boarding() throws {
    var feed = FeedFixture()
    feed.files["stop_times.txt"] =
      "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type,drop_off_type\n"
      + "t,1,A,08:00:00,08:00:00,0,\nt,2,B,08:10:00,08:10:00,1,0\nt,3,C,08:20:00,08:20:00,2,1\nt,4,D,08:30:00,08:30:00,,\n"
    feed.files["trips.txt"]? += "t,R,W,x\n"
    let compiled = try feed.compile()
    let timetable = compiled.timetable
    #expect(try timetable.pairs("A", "B", at: 470) == [[490, 0]])
    #expect(try timetable.pairs("B", "D", at: 470) == [])
    #expect(try timetable.pairs("A", "C", at: 470) == [])
    #expect(try timetable.pairs("C", "D", at: 470) == [])
    #expect(compiled.report.arrangedStopCount == 1)
  }

  @Test(
    "Journeys avoid kinds of vehicles, limit changes and time, need accessible trips, and go by a stop"
  )
  func options() throws {
    var feed = FeedFixture.simple
    let timetable = try feed.compile().timetable
    var options = JourneyOptions()
    options.maximumTransfers = 0
    #expect(try timetable.pairs("A", "D", at: 420, options: options) == [[600, 0]])
    options = JourneyOptions()
    options.avoidedModes = [.bus]
    #expect(try timetable.pairs("A", "D", at: 420, options: options) == [])
    options = JourneyOptions()
    options.maximumMinutes = 120
    #expect(try timetable.pairs("A", "D", at: 420, options: options) == [[510, 1]])
    options = JourneyOptions()
    options.via = "B"
    #expect(try timetable.pairs("A", "D", at: 420, options: options) == [[510, 1]])
    #expect(
      try timetable.pairs("A", "D", at: 600, isArriving: true, options: options) == [[480, 1]])
    options = JourneyOptions()
    options.isWheelchairAccessible = true
    #expect(try timetable.pairs("A", "C", at: 420, options: options) == [])
    feed.files["trips.txt"] =
      "trip_id,route_id,service_id,trip_headsign,wheelchair_accessible\nt1,R,W,x,2\nt2,R,W,x,1\n"
    feed.files["stop_times.txt"] = feed.files["stop_times.txt"].map {
      $0.split(separator: "\n").filter { !$0.hasPrefix("g") && !$0.hasPrefix("slow") }.joined(
        separator: "\n")
    }
    #expect(try feed.compile().timetable.pairs("A", "C", at: 420, options: options) == [[560, 0]])
  }

  @Test("A query with a longer limit after one with a shorter limit sees all its days")
  func limits() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    var options = JourneyOptions()
    options.maximumMinutes = 60
    // Friday evening; the next trip is on Monday.
    #expect(try timetable.pairs("A", "C", on: "2024-12-20", at: 1200, options: options) == [])
    options.maximumMinutes = 7 * 1440
    #expect(
      try timetable.pairs("A", "C", on: "2024-12-20", at: 1200, options: options)
        == [[3 * 1440 + 500, 0]])
    options.maximumMinutes = 60
    #expect(
      try timetable.pairs("A", "C", on: "2024-12-20", at: 480, options: options) == [[500, 0]])
  }

  @Test("A range of departures goes by a stop, begins at coordinates, and says why there is none")
  func ranges() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    let day = try CalendarDay("2024-12-18")
    func range(
      _ from: JourneyPlace, _ to: JourneyPlace, _ first: Int, _ last: Int,
      _ options: JourneyOptions = JourneyOptions()
    ) throws -> JourneyAnswer {
      try timetable.journeys(
        from: from, to: to,
        departing: timetable.date(of: day, minutes: first)...timetable.date(of: day, minutes: last),
        options: options)
    }
    func times(_ answer: JourneyAnswer) -> [[Int]] {
      answer.journeys.map { [$0.departure.minutes, $0.arrival.minutes, $0.transfers] }
    }
    #expect(
      try times(range(.stop("A"), .stop("C"), 420, 600)) == [[480, 500, 0], [540, 560, 0]])
    // Of three departures, the last one arrives on the next day.
    let nextDay = [540, 1950, 1]
    #expect(
      try times(range(.stop("A"), .stop("D"), 420, 600)) == [
        [480, 510, 1], [485, 600, 0], nextDay,
      ])
    var options = JourneyOptions()
    options.via = "B"
    #expect(
      try times(range(.stop("A"), .stop("D"), 420, 600, options)) == [[480, 510, 1], nextDay])
    let place = try Coordinate(latitude: 25.012, longitude: 121.5)
    let walked = try range(.coordinate(place), .stop("C"), 420, 600)
    #expect(times(walked) == [[476, 500, 0], [536, 560, 0]])
    #expect(walked.journeys.first?.legs.map(\.isWalk) == [true, false])
    #expect(walked.journeys.first?.legs.first?.arrival.minutes == 480)
    #expect(try range(.stop("A"), .stop("C"), 600, 700).absence == .nothingWithinLimits)
    #expect(try range(.stop("C"), .stop("A"), 420, 600).absence == .notServedAtOrigin)
  }

  @Test("Journeys begin and end at coordinates, with walks to the stops nearby")
  func coordinates() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
    let start = try Coordinate(latitude: 25.012, longitude: 121.5)
    let answer = try timetable.journeys(from: .coordinate(start), to: .stop("C"), departing: date)
    let journey = try #require(answer.journeys.first)
    // 222 meters at 60 meters a minute.
    #expect(journey.legs.map(\.isWalk) == [true, false])
    #expect(journey.departure.minutes == 420)
    #expect(journey.legs[0].arrival.minutes == 424)
    #expect(journey.legs[0].origin == nil)
    let back = try timetable.journeys(
      from: .stop("A"), to: .coordinate(Coordinate(latitude: 25.03, longitude: 121.501)),
      departing: date)
    #expect(back.journeys.first?.legs.map(\.isWalk) == [false, true])
    #expect(back.journeys.first?.arrival.minutes == 502)
  }

  @Test("Stops are found by name, as people write it, and by location")
  func stops() throws {
    var feed = FeedFixture.simple
    feed.files["stops.txt"]? += "E,臺北車站,25.05,121.6\n"
    let timetable = try feed.compile().timetable
    #expect(timetable.stops(matching: "台北").map(\.id) == ["E"])
    #expect(timetable.stops(matching: "ALPHA").map(\.id) == ["A"])
    #expect(timetable.stops(matching: "ta").map(\.id) == ["B", "D"])
    let place = try Coordinate(latitude: 25.021, longitude: 121.5)
    #expect(timetable.stops(near: place, within: .meters(500)).map(\.id) == ["B"])
    #expect(
      timetable.stops(near: place, within: .kilometers(3), limit: 3).map(\.id) == ["B", "C", "A"])
    #expect(timetable.stop("E")?.name == "臺北車站")
    #expect(timetable.stop("F") == nil)
  }
}
