import FieldTransit
import Foundation
import TestSupport
import Testing

@Suite("Timetables with messages")
struct RealtimeTests {
  /// Midnight of 18 December 2024 in UTC.
  static let midnight = 1_734_480_000
  /// The moment at which the messages are made, at 07:00.
  static let now = midnight + 7 * 3600

  private static func date(_ seconds: Int) -> Date {
    Date(timeIntervalSince1970: Double(seconds))
  }

  /// Returns a timetable with a message of one moment.
  private func live(
    _ feed: FeedFixture = .simple, at time: Int = now, _ body: (inout MessageFixture) -> Void
  ) throws -> Timetable {
    var message = MessageFixture(time)
    body(&message)
    return try feed.compile().timetable.applying([message.message()], at: Self.date(time))
  }

  @Test("A delay holds for all later stops, and changes which journeys there are")
  func delays() throws {
    let timetable = try live { $0.trip("t1", [.init(sequence: 1, departure: 180)]) }
    // g1 leaves B at 08:12, and changing takes 2 minutes, so it is missed by a minute.
    #expect(try timetable.pairs("A", "C", at: 420) == [[503, 0]])
    #expect(try timetable.pairs("A", "D", at: 420) == [[600, 0], [570, 1]])
    // The next day is as planned.
    #expect(try timetable.pairs("A", "D", on: "2024-12-19", at: 420) == [[600, 0], [510, 1]])
    #expect(try timetable.pairs("A", "C", at: 503, isArriving: true) == [[483, 0]])
    let report = try #require(timetable.realtime)
    #expect(report.predictedTripCount == 1 && report.staleMessageCount == 0)
    #expect(report.date == Self.date(Self.now))
  }

  @Test("A leg says when its times were predicted, and what the timetable has")
  func legs() throws {
    let timetable = try live {
      $0.trip("t1", measured: Self.now - 30, [.init(sequence: 2, arrival: 90, departure: 120)])
    }
    let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
    let answer = try timetable.journeys(from: .stop("A"), to: .stop("C"), departing: date)
    let leg = try #require(answer.journeys.first?.legs.first)
    #expect(leg.tripID == "t1" && leg.headsign == "to C" && leg.route?.id == "R")
    #expect(leg.predictedAt == Self.date(Self.now - 30))
    #expect([leg.departure, leg.arrival].map(\.description) == ["08:00", "08:22"])
    #expect(leg.scheduledDeparture?.description == "08:00")
    #expect(leg.scheduledArrival?.description == "08:20")
    #expect(leg.visits.map(\.arrival.description) == ["08:00", "08:11", "08:22"])
    #expect(
      leg.visits.map(\.predictedAt) == [nil, Self.date(Self.now - 30), Self.date(Self.now - 30)])
    // The train of 09:00 is as planned, and says so.
    let departures = try timetable.departures(at: "A", from: date)
    #expect(departures.map(\.leg.tripID).prefix(3) == ["t1", "slow", "t2"])
    #expect(departures[0].predictedAt == nil)
    #expect(departures[2].predictedAt == nil)
    #expect(departures[2].scheduledTime == departures[2].time)
    let board = try timetable.departures(at: "B", from: date)
    #expect(board.map(\.time.description).prefix(3) == ["08:12", "08:12", "09:10"])
    let late = try #require(board.first { $0.leg.tripID == "t1" })
    #expect(late.predictedAt == Self.date(Self.now - 30))
    #expect(late.scheduledTime?.description == "08:10")
  }

  @Test("Skipped stops, cancellations, and trips with a single stop left aren't used")
  func canceled() throws {
    let skipped = try live { $0.trip("t1", [.init(stop: "B", relationship: 1)]) }
    #expect(try skipped.pairs("A", "D", at: 420) == [[600, 0]])
    #expect(try skipped.pairs("A", "C", at: 420) == [[500, 0]])
    #expect(try skipped.pairs("A", "B", at: 420) == [[550, 0]])
    let date = skipped.date(of: try CalendarDay("2024-12-18"), minutes: 420)
    let leg = try skipped.journeys(from: .stop("A"), to: .stop("C"), departing: date)
      .journeys[0].legs[0]
    #expect(leg.visits.map(\.stop.id) == ["A", "C"])
    for relationship in [3, 7] {
      let canceled = try live { $0.trip("t1", relationship: relationship) }
      #expect(try canceled.pairs("A", "C", at: 420) == [[560, 0]])
      #expect(try canceled.pairs("A", "C", on: "2024-12-17", at: 420) == [[500, 0]])
      #expect(canceled.realtime?.canceledTripCount == 1)
    }
    let rest = try live {
      $0.trip("t1", [.init(sequence: 1, relationship: 1), .init(sequence: 2, relationship: 1)])
    }
    #expect(try rest.pairs("A", "C", at: 420) == [[560, 0]])
    #expect(rest.realtime?.canceledTripCount == 1)
  }

  @Test("A message that is too old, from the future, or without a time changes nothing")
  func stale() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    for (time, age, isUsed) in [
      (Self.now - 300, 300, true), (Self.now - 301, 300, false), (Self.now + 300, 300, true),
      (Self.now + 301, 300, false), (Self.now - 600, 600, true), (nil, 300, false),
      (Self.now * 1000, 300, false), (0, 300, false), (Int.max, 300, false), (Int.min, 300, false),
    ] as [(Int?, Int, Bool)] {
      var fixture = MessageFixture(time)
      fixture.trip("t1", relationship: 3)
      let live = timetable.applying(
        [try fixture.message()], at: Self.date(Self.now), maximumAge: .seconds(age))
      #expect(try live.pairs("A", "C", at: 420) == [[isUsed ? 560 : 500, 0]])
      #expect(live.realtime?.staleMessageCount == (isUsed ? 0 : 1))
      #expect((live.realtime?.date != nil) == isUsed)
    }
  }

  @Test("The newest messages replace what was applied before, and the timetable stays as it is")
  func again() throws {
    let timetable = try FeedFixture.simple.compile().timetable
    var messages: [RealtimeMessage] = []
    for (trip, relationship) in [("t1", 3), ("t2", 3), ("t1", 0)] {
      var fixture = MessageFixture(Self.now)
      fixture.trip(trip, relationship: relationship, [.init(sequence: 1, departure: 60)])
      messages.append(try fixture.message())
    }
    let now = Self.date(Self.now)
    let first = timetable.applying([messages[0]], at: now)
    #expect(try first.pairs("A", "C", at: 420) == [[560, 0]])
    let second = first.applying([messages[1]], at: now)
    #expect(try second.pairs("A", "C", at: 420) == [[500, 0]])
    #expect(try second.pairs("A", "C", at: 481) == [])
    // Of two messages about one trip, the later one counts.
    let both = timetable.applying([messages[0], messages[2]], at: now)
    #expect(try both.pairs("A", "C", at: 420) == [[501, 0]])
    let none = second.applying([], at: now)
    #expect(try none.pairs("A", "C", at: 420) == [[500, 0]])
    #expect(try timetable.pairs("A", "C", at: 420) == [[500, 0]])
    #expect(timetable.realtime == nil && none.realtime?.predictedTripCount == 0)
    #expect(second.bytes == timetable.bytes)
  }

  @Test(
    "Times count more than delays, seconds are cut off, and no time is before the one before it")
  func events() throws {
    func times(_ stops: [MessageFixture.Stop], delay: Int? = nil) throws -> [String] {
      let timetable = try live { $0.trip("t1", delay: delay, stops) }
      let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
      return try timetable.journeys(from: .stop("A"), to: .stop("C"), departing: date)
        .journeys[0].legs[0].visits.map { "\($0.arrival)-\($0.departure)" }
    }
    let eight = Self.midnight + 8 * 3600
    #expect(
      try times([.init(sequence: 2, arrival: 60, arrivalTime: eight + 720)])
        == ["08:00-08:00", "08:12-08:12", "08:22-08:22"])
    #expect(
      try times([.init(sequence: 1, departure: 119), .init(sequence: 3, arrival: -1)])
        == ["08:00-08:01", "08:11-08:11", "08:19-08:19"])
    #expect(
      try times([.init(sequence: 1, departure: 600), .init(sequence: 3, arrivalTime: eight)])
        == ["08:00-08:10", "08:20-08:20", "08:20-08:20"])
    // Without data, the timetable holds again.
    #expect(
      try times([.init(sequence: 1, departure: 120), .init(sequence: 2, relationship: 2)])
        == ["08:00-08:02", "08:10-08:10", "08:20-08:20"])
    #expect(try times([], delay: 60) == ["08:01-08:01", "08:11-08:11", "08:21-08:21"])
    // A time that is days away is nonsense, as is a stop that the trip doesn't have.
    #expect(
      try times([
        .init(sequence: 1, departureTime: eight * 1000), .init(sequence: 9, arrival: 60),
        .init(stop: "D", arrival: 60), .init(stop: "X", arrival: 60),
      ]) == ["08:00-08:00", "08:10-08:10", "08:20-08:20"])
    #expect(
      try times([.init(sequence: 1, departure: .max / 2)])
        == ["07:59-07:59", "08:09-08:09", "08:19-08:19"])
  }

  @Test("Stops are found by the feed's own numbers, or by ID where a trip visits one twice")
  func sequences() throws {
    var feed = FeedFixture()
    feed.files["trips.txt"]? += "t,R,W,x\nu,R,W,x\n"
    for (number, stop) in ["A", "B", "A", "C"].enumerated() {
      for trip in ["t", "u"] {
        let time = "08:\(number)0:00"
        feed.files["stop_times.txt"]? +=
          "\(trip),\(trip == "t" ? number * 5 : number + 1),\(stop),\(time),\(time)\n"
      }
    }
    func arrivals(_ trip: String, _ stops: [MessageFixture.Stop]) throws -> [String] {
      let timetable = try live(feed) {
        $0.trip(trip, stops)
        $0.trip(trip == "t" ? "u" : "t", relationship: 3)
      }
      let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 420)
      let departures = try timetable.departures(at: "A", from: date)
      return try #require(departures.first).leg.visits.map(\.arrival.description)
    }
    let late = ["08:00", "08:10", "08:25", "08:35"]
    #expect(try arrivals("t", [.init(sequence: 10, arrival: 300)]) == late)
    #expect(try arrivals("u", [.init(sequence: 3, arrival: 300)]) == late)
    for trip in ["t", "u"] {
      #expect(
        try arrivals(trip, [.init(stop: "B", arrival: 0), .init(stop: "A", arrival: 300)]) == late)
      #expect(
        try arrivals(trip, [.init(sequence: 77, stop: "C", arrival: 60)])
          == ["08:00", "08:10", "08:20", "08:31"])
    }
    #expect(
      try arrivals("t", [.init(sequence: 3, arrival: 300)]) == ["08:00", "08:10", "08:20", "08:30"])
  }

  @Test("Trips that are added, replaced, or duplicated run, with the names that messages give them")
  func added() throws {
    let nine = Self.midnight + 7 * 3600 + 1800
    func stops(_ ids: [String]) -> [MessageFixture.Stop] {
      ids.enumerated().map {
        .init(stop: $0.element, arrivalTime: nine + $0.offset * 300, departureTime: nil)
      }
    }
    for relationship in [1, 8] {
      let timetable = try live {
        $0.trip(
          "new", route: "G", relationship: relationship, headsign: "Extra", stops(["A", "C", "D"]))
        $0.trip("other", on: nil, route: "X", relationship: relationship, stops(["C", "A"]))
        $0.trip("t1", relationship: relationship, stops(["D", "A"]))
        $0.trip("odd", relationship: relationship, stops(["D", "X"]))
        $0.trip("short", relationship: relationship, stops(["D"]))
        $0.trip("untimed", relationship: relationship, [.init(stop: "D"), .init(stop: "A")])
      }
      #expect(try timetable.pairs("A", "D", at: 420) == [[460, 0]])
      #expect(try timetable.pairs("C", "A", at: 420) == [[455, 0]])
      #expect(try timetable.pairs("D", "A", at: 420) == [])
      let report = try #require(timetable.realtime)
      #expect(
        (report.addedTripCount, report.predictedTripCount, report.unusedTripCount) == (2, 2, 4))
      let date = Self.date(Self.now)
      let departures = try timetable.departures(at: "A", from: date)
      let leg = try #require(departures.first).leg
      #expect(leg.tripID == "new" && leg.headsign == "Extra" && leg.route?.shortName == "Green")
      #expect(leg.scheduledDeparture == nil && leg.scheduledArrival == nil)
      #expect(leg.predictedAt == date)
      let other = try #require(
        try timetable.departures(at: "C", from: date).first { $0.leg.tripID == "other" })
      #expect(other.route == nil && other.leg.headsign == nil && other.headsign == "Alpha")
    }
    let replaced = try live { $0.trip("t1", relationship: 5, stops(["A", "D"])) }
    #expect(try replaced.pairs("A", "D", at: 420) == [[455, 0]])
    #expect(try replaced.pairs("A", "C", at: 420) == [[560, 0]])
    #expect(replaced.realtime?.addedTripCount == 0)
    let duplicated = try live {
      $0.trip(
        "t1", relationship: 6, new: ("copy", "20241218", "10:05:00"),
        [.init(sequence: 1, departure: 60)])
    }
    #expect(try duplicated.pairs("A", "C", at: 420) == [[500, 0]])
    #expect(try duplicated.pairs("A", "C", at: 541) == [[626, 0]])
    let copy = try duplicated.departures(at: "A", from: Self.date(Self.midnight + 36_000))[0].leg
    #expect(copy.tripID == "copy" && copy.headsign == "to C" && copy.route?.id == "R")
  }

  @Test("Platforms, boarding, alighting, and accessible vehicles change as a message says")
  func properties() throws {
    var feed = FeedFixture.simple
    feed.files["stops.txt"] =
      "stop_id,stop_name,parent_station,location_type\nA,Alpha,,\nB,Beta,S,\nB2,Beta 2,S,\nC,Gamma,,\nD,Delta,,\nS,Beta,,1\n"
    for stop in [
      MessageFixture.Stop(sequence: 2, assigned: "B2"), .init(sequence: 2, stop: "B2"),
    ] {
      let moved = try live(feed) { $0.trip("t1", [stop]) }
      #expect(try moved.pairs("A", "B2", at: 420) == [[490, 0]])
      #expect(try moved.pairs("A", "B", at: 420) == [[492, 0]])
      #expect(try moved.pairs("A", "S", at: 420) == [[490, 0]])
    }
    // Another stop isn't another platform.
    let other = try live(feed) { $0.trip("t1", [.init(sequence: 2, stop: "D")]) }
    #expect(try other.pairs("A", "B", at: 420) == [[490, 0]])
    let closed = try live { $0.trip("t1", [.init(sequence: 2, arrival: 0, pickup: 1)]) }
    #expect(try closed.pairs("A", "B", at: 420) == [[490, 0]])
    #expect(try closed.pairs("B", "C", at: 420) == [[560, 0]])
    let through = try live { $0.trip("t1", [.init(sequence: 2, arrival: 0, dropOff: 1)]) }
    #expect(try through.pairs("A", "B", at: 420) == [[550, 0]])
    #expect(try through.pairs("B", "C", at: 420) == [[500, 0]])
    var options = JourneyOptions()
    options.isWheelchairAccessible = true
    let ramp = try live { $0.trip("t2", wheelchair: 2, [.init(sequence: 1, departure: 0)]) }
    #expect(try ramp.pairs("A", "C", at: 420, options: options) == [[560, 0]])
    let steps = try live { $0.trip("t2", wheelchair: 3, [.init(sequence: 1, departure: 0)]) }
    #expect(try steps.pairs("A", "C", at: 420, options: options) == [])
  }

  @Test("A trip without a day is the one nearest to the message, or that of its day")
  func days() throws {
    var feed = FeedFixture()
    feed.add("night", [("A", "24:10:00"), ("B", "24:50:00")])
    feed.add("day", [("A", "08:00:00"), ("B", "08:10:00")])
    func hours(_ trip: String, _ hour: Double) throws -> [Int] {
      let timetable = try live(feed, at: Self.midnight + Int(hour * 3600)) {
        $0.trip(trip, on: nil, delay: 300)
      }
      // The minutes of delay on the service days before, of, and after the message.
      return try (-1...1).map { day in
        let start = Self.midnight + day * 86_400 + (trip == "night" ? 87_000 - 60 : 28_740)
        let departure = try #require(
          try timetable.departures(at: "A", from: Self.date(start)).first)
        return Int(departure.time.date.timeIntervalSince1970) - start - 60
      }
    }
    #expect(try hours("day", 8) == [0, 300, 0])
    #expect(try hours("day", 21) == [0, 300, 0])
    #expect(try hours("day", 0.5) == [0, 300, 0])
    #expect(try hours("night", 0.5) == [300, 0, 0])
    #expect(try hours("night", 3) == [300, 0, 0])
    #expect(try hours("night", 12) == [0, 300, 0])
    #expect(try hours("night", 23.9) == [0, 300, 0])
  }

  @Test("Runs of a frequency are found by their start, and run at another one beside the others")
  func frequencies() throws {
    var feed = FeedFixture()
    feed.add("f", [("A", "00:00:00"), ("B", "00:10:00")])
    feed.files["frequencies.txt"] =
      "trip_id,start_time,end_time,headway_secs\nf,08:00:00,09:00:00,600\n"
    func times(_ start: String?, relationship: Int = 0, delay: Int? = 120) throws -> [String] {
      let timetable = try live(feed) {
        $0.trip("f", at: start, relationship: relationship, delay: delay)
      }
      let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 480)
      return try timetable.departures(at: "A", from: date, limit: 4).map(\.time.description)
    }
    #expect(try times("08:10:00") == ["08:00", "08:12", "08:20", "08:30"])
    #expect(try times("08:10:00", relationship: 3) == ["08:00", "08:20", "08:30", "08:40"])
    #expect(try times("08:05:00", relationship: 2) == ["08:00", "08:07", "08:10", "08:20"])
    #expect(try times(nil) == ["08:00", "08:10", "08:20", "08:30"])
    #expect(try times("8h") == ["08:00", "08:10", "08:20", "08:30"])
  }

  @Test(
    "A trip without an ID is found by its line, direction, day, and start if it is the only one")
  func selected() throws {
    var feed = FeedFixture()
    feed.files["trips.txt"] = "trip_id,route_id,service_id,direction_id\n"
    feed.files["trips.txt"]? += "t,R,W,0\nu,R,W,1\nv,G,W,0\nw,G,W,0\n"
    for trip in ["t", "u", "v", "w"] {
      feed.files["stop_times.txt"]? +=
        "\(trip),1,\(trip == "u" ? "B" : "A"),08:00:00,08:00:00\n\(trip),2,C,08:10:00,08:10:00\n"
    }
    func canceled(
      _ route: String?, _ direction: Int?, _ start: String?, on day: String? = "20241218"
    ) throws -> Int? {
      let timetable = try live(feed) {
        $0.trip(nil, on: day, at: start, route: route, direction: direction, relationship: 3)
      }
      return timetable.realtime?.canceledTripCount
    }
    #expect(try canceled("R", 0, "08:00:00") == 1)
    #expect(try canceled("R", 1, "08:00:00") == 1)
    #expect(try canceled("R", nil, "08:00:00") == 0)
    #expect(try canceled("G", 0, "08:00:00") == 0)
    #expect(try canceled("R", 0, "08:01:00") == 0)
    #expect(try canceled("R", 0, nil) == 0)
    #expect(try canceled("X", 0, "08:00:00") == 0)
    #expect(try canceled("R", 0, "08:00:00", on: nil) == 0)
    #expect(try canceled("R", 0, "08:00:00", on: "20241221") == 0)
    #expect(try canceled("R", 0, "08:00:00", on: "2024121") == 0)
  }

  @Test("Trips that run before or after their service day are found")
  func nights() throws {
    var feed = FeedFixture()
    feed.add("early", [("A", "00:05:00"), ("B", "00:30:00")])
    feed.add("late", [("A", "23:50:00"), ("B", "24:10:00")])
    let timetable = try live(feed) {
      $0.trip("early", delay: -600)
      $0.trip("late", delay: 3600)
    }
    #expect(try timetable.pairs("A", "B", on: "2024-12-17", at: 1420) == [[1450, 0]])
    #expect(try timetable.pairs("A", "B", on: "2024-12-17", at: 1432) == [[1460, 0]])
    #expect(try timetable.pairs("A", "B", on: "2024-12-18", at: 60) == [[1470, 0]])
    #expect(try timetable.pairs("A", "B", on: "2024-12-19", at: 0) == [[30, 0]])
    #expect(try timetable.pairs("A", "B", on: "2024-12-19", at: 31) == [[70, 0]])
    let leg = try timetable.departures(at: "A", from: Self.date(Self.midnight - 300))[0].leg
    #expect(leg.scheduledDeparture?.date == Self.date(Self.midnight + 300))
  }
}
