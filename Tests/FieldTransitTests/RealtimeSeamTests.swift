import FieldTransit
import Foundation
import TestSupport
import Testing

/// Messages about feeds with blocks, rules for certain trips, languages, and shapes.
@Suite("Messages and the other parts of a timetable")
struct RealtimeSeamTests {
  private static let midnight = 1_734_480_000

  private static func live(
    _ timetable: Timetable, _ body: (inout MessageFixture) -> Void
  ) throws -> Timetable {
    let now = midnight + 7 * 3600
    var message = MessageFixture(now)
    body(&message)
    return timetable.applying(
      [try message.message()], at: Date(timeIntervalSince1970: Double(now)))
  }

  private static func compile(_ feed: FeedFixture, shapes: Bool = false) throws -> Timetable {
    let files = feed.files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return try Timetable.compile(
      ZipArchive(ZipFixture(files).bytes()), zone: .utc, includingShapes: shapes
    ).timetable
  }

  private static func date(_ minutes: Int) -> Date {
    Date(timeIntervalSince1970: Double(midnight + minutes * 60))
  }

  // MARK: Blocks

  /// A vehicle that goes from A by B and C to D as three trips; on some Wednesdays, `other` comes after `t1`, too.
  private static var block: FeedFixture {
    var feed = FeedFixture()
    feed.add("t1", [("A", "08:00:00"), ("B", "08:10:00")])
    feed.add("t2", route: "G", [("B", "08:14:00"), ("C", "08:20:00")])
    feed.add("t3", [("C", "08:21:00"), ("D", "08:30:00")])
    feed.add("other", route: "G", [("B", "08:40:00"), ("D", "08:50:00")])
    feed.files["calendar_dates.txt"] =
      "service_id,date,exception_type\nV,20241218,1\nV,20241219,1\nV,20241220,1\n"
    feed.files["trips.txt"] =
      "trip_id,route_id,service_id,block_id\nt1,R,W,b\nt2,G,V,b\nt3,R,V,b\nother,G,W,b\n"
    return feed
  }

  /// Returns the trips of the only journey, its minutes at both ends, and its changes.
  private static func ride(
    _ timetable: Timetable, _ from: String, _ to: String, at minutes: Int, day: Int = 0
  ) throws -> [String] {
    let (start, end) = (date(minutes + day * 1440), date(minutes + day * 1440 + 180))
    let (origin, target) = (JourneyPlace.stop(from), JourneyPlace.stop(to))
    func count(_ time: TransitTime) -> Int {
      Int(time.date.timeIntervalSince(date(day * 1440))) / 60
    }
    let answers = [
      try timetable.journeys(from: origin, to: target, departing: start),
      try timetable.journeys(from: origin, to: target, departing: start...end),
      try timetable.journeys(from: origin, to: target, arriving: end),
    ]
    let texts = answers.map(\.journeys.first)
      .map { journey in
        journey.map { journey in
          journey.legs.map { ($0.tripID ?? "") + ($0.isContinuation ? "+" : "") }.joined(
            separator: " ")
            + " \(count(journey.departure))-\(count(journey.arrival)) \(journey.transfers)"
        } ?? "none"
      }
    #expect(Set(texts).count == 1, "\(texts)")
    return [texts[0]]
  }

  @Test("A delayed trip of a block keeps its seats while the next trip can wait for it")
  func delayedBlock() throws {
    let timetable = try Self.compile(Self.block)
    #expect(try Self.ride(timetable, "A", "D", at: 470) == ["t1 t2+ t3+ 480-510 0"])
    let late = try Self.live(timetable) { $0.trip("t1", delay: 180) }
    #expect(try Self.ride(late, "A", "D", at: 470) == ["t1 t2+ t3+ 483-510 0"])
    #expect(try Self.ride(late, "A", "D", at: 470, day: 1) == ["t1 t2+ t3+ 480-510 0"])
    let both = try Self.live(timetable) {
      $0.trip("t1", delay: 600)
      $0.trip("t2", delay: 420)
    }
    // t2 comes to C at 08:27, when t3 has left.
    #expect(try Self.ride(both, "A", "C", at: 470) == ["t1 t2+ 490-507 0"])
    #expect(try Self.ride(both, "A", "D", at: 470) == ["t1 other 490-530 1"])
    let all = try Self.live(timetable) {
      for trip in ["t1", "t2", "t3"] { $0.trip(trip, delay: 600) }
    }
    #expect(try Self.ride(all, "A", "D", at: 470) == ["t1 t2+ t3+ 490-520 0"])
    let legs = try all.journeys(from: .stop("A"), to: .stop("D"), departing: Self.date(470))
      .journeys[0].legs
    #expect(legs.allSatisfy { $0.predictedAt != nil })
    #expect(legs.map(\.scheduledDeparture?.minutes) == [480, 494, 501])
  }

  @Test(
    "A trip of a block that comes too late has no seats, and the vehicle doesn't skip the next trip"
  )
  func lateBlock() throws {
    let timetable = try Self.compile(Self.block)
    let late = try Self.live(timetable) { $0.trip("t1", delay: 300) }
    #expect(try Self.ride(late, "A", "C", at: 470) == ["none"])
    // `other` comes after t2, so one must change to it.
    #expect(try Self.ride(late, "A", "D", at: 470) == ["t1 other 485-530 1"])
    let early = try Self.live(timetable) { $0.trip("t2", delay: -360) }
    #expect(try Self.ride(early, "A", "D", at: 470) == ["t1 other 480-530 1"])
    let short = try Self.live(timetable) { $0.trip("t2", [.init(stop: "C", relationship: 1)]) }
    #expect(try Self.ride(short, "A", "D", at: 470) == ["t1 other 480-530 1"])
  }

  @Test("A canceled trip of a block has no seats, and the vehicle continues as the next one")
  func canceledBlock() throws {
    let timetable = try Self.compile(Self.block)
    let second = try Self.live(timetable) { $0.trip("t2", relationship: 3) }
    #expect(try Self.ride(second, "A", "C", at: 470) == ["none"])
    // The vehicle is thought to continue as t3, which begins elsewhere.
    #expect(try Self.ride(second, "A", "D", at: 470) == ["t1 other 480-530 1"])
    #expect(try Self.ride(second, "A", "D", at: 470, day: 1) == ["t1 t2+ t3+ 480-510 0"])
    let first = try Self.live(timetable) { $0.trip("t1", relationship: 3) }
    #expect(try Self.ride(first, "A", "D", at: 470) == ["none"])
    #expect(try first.pairs("B", "D", at: 470) == [[510, 0]])
    let rest = try Self.live(timetable) {
      $0.trip("t2", relationship: 3)
      $0.trip("t3", relationship: 3)
    }
    #expect(try Self.ride(rest, "A", "D", at: 470) == ["t1 other+ 480-530 0"])
    #expect(try Self.ride(rest, "A", "D", at: 470, day: 1) == ["t1 t2+ t3+ 480-510 0"])
    let delayed = try Self.live(timetable) {
      $0.trip("t1", delay: 120)
      $0.trip("t2", relationship: 3)
      $0.trip("t3", relationship: 3)
    }
    #expect(try Self.ride(delayed, "A", "D", at: 470) == ["t1 other+ 482-530 0"])
  }

  @Test("Linked trips of the next day keep their seats when one or both are moved across midnight")
  func links() throws {
    var feed = FeedFixture()
    feed.add("night", route: "G", [("A", "23:50:00"), ("B", "24:05:00")])
    feed.add("early", route: "G", [("B", "00:05:00"), ("D", "00:40:00")])
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n,,night,early,4\n"
    let timetable = try Self.compile(feed)
    #expect(try Self.ride(timetable, "A", "D", at: 1400) == ["night early+ 1430-1480 0"])
    let late = try Self.live(timetable) {
      $0.trip("night", on: "20241218", delay: 900)
      $0.trip("early", on: "20241219", delay: 900)
    }
    #expect(try Self.ride(late, "A", "D", at: 1400) == ["night early+ 1445-1495 0"])
    let early = try Self.live(timetable) {
      $0.trip("night", on: "20241218", delay: -900)
      $0.trip("early", on: "20241219", delay: -600)
    }
    #expect(try Self.ride(early, "A", "D", at: 1400) == ["night early+ 1415-1470 0"])
    let missed = try Self.live(timetable) { $0.trip("night", on: "20241218", delay: 60) }
    #expect(try Self.ride(missed, "A", "D", at: 1400) == ["none"])
  }

  // MARK: Ranges and rules

  @Test("A range of departures respects what messages say, also where a trip becomes faster")
  func range() throws {
    let timetable = try Self.compile(.simple)
    func found(_ timetable: Timetable) throws -> [[Int]] {
      try timetable.journeys(
        from: .stop("A"), to: .stop("D"), departing: Self.date(420)...Self.date(560)
      ).journeys.map { [$0.departure.minutes, $0.arrival.minutes, $0.transfers] }
    }
    // The search for the timetable itself has computed how long the rest of a journey takes.
    let planned = try found(timetable)
    // The last one changes to a train of the next day.
    #expect(planned == [[480, 510, 1], [485, 600, 0], [540, 1950, 1]])
    let fast = try Self.live(timetable) {
      $0.trip("t2", [.init(stop: "B", arrival: -240, departure: -240)])
      $0.trip("g2", [.init(stop: "B", departure: 0), .init(stop: "D", arrival: -1020)])
      $0.trip("slow", [.init(stop: "A", departure: 0), .init(stop: "D", arrival: -6300)])
    }
    let faster = try found(fast)
    #expect(faster == [[485, 495, 0], [540, 553, 1]])
    #expect(try found(timetable) == planned)
    let again = fast.applying([], at: Self.date(420))
    #expect(try found(again) == planned)
  }

  @Test("Rules for certain trips hold after a message, also at another platform of the station")
  func rules() throws {
    var feed = FeedFixture()
    feed.files["stops.txt"] =
      "stop_id,stop_name,location_type,parent_station\nA,A,0,\nS,S,1,\nB1,B1,0,S\nB2,B2,0,S\nD,D,0,\n"
    feed.add("in", [("A", "08:00:00"), ("B1", "08:10:00")])
    feed.add("in2", [("A", "07:00:00"), ("B2", "07:10:00")])
    feed.add("out", route: "G", [("B2", "08:12:00"), ("D", "08:30:00")])
    feed.add("out2", route: "G", [("B2", "08:30:00"), ("D", "08:40:00")])
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,from_route_id,to_trip_id,transfer_type,min_transfer_time\nS,S,R,,2,600\nS,S,R,out,1,\n"
    let timetable = try Self.compile(feed)
    #expect(try timetable.pairs("A", "D", at: 450) == [[510, 1]])
    // The trip out waits for the line, at whichever platform.
    let late = try Self.live(timetable) { $0.trip("in", delay: 120) }
    #expect(try late.pairs("A", "D", at: 450) == [[510, 1]])
    let later = try Self.live(timetable) { $0.trip("in", delay: 180) }
    #expect(try later.pairs("A", "D", at: 450) == [[520, 1]])
    let latest = try Self.live(timetable) { $0.trip("in", delay: 660) }
    #expect(try latest.pairs("A", "D", at: 450) == [])
    let moved = try Self.live(timetable) {
      $0.trip("in", delay: 120, [.init(stop: "B1", assigned: "B2")])
    }
    #expect(try moved.pairs("A", "D", at: 450) == [[510, 1]])
    #expect(try moved.pairs("A", "B2", at: 450) == [[492, 0]])
    let named = try Self.live(timetable) { $0.trip("out2", [.init(stop: "B2", departure: 300)]) }
    #expect(try named.pairs("B2", "D", at: 500) == [[525, 0]])
  }

  // MARK: Languages and shapes

  @Test(
    "A timetable keeps its language when messages are applied, and the messages when it is translated"
  )
  func languages() throws {
    var feed = FeedFixture.simple
    feed.files["translations.txt"] = """
      table_name,field_name,language,translation,record_id
      stops,stop_name,en,First,A
      stops,stop_name,zh,甲,A
      trips,trip_headsign,en,towards Gamma,t1
      """
    let timetable = try Self.compile(feed)
    func late(_ timetable: Timetable) throws -> Timetable {
      try Self.live(timetable) { $0.trip("t1", delay: 180) }
    }
    for live in [
      try late(timetable.translated(into: "en")), try late(timetable).translated(into: "en"),
      try late(late(timetable.translated(into: "zh")).translated(into: "en")),
    ] {
      let departure = try #require(live.departures(at: "A", from: Self.date(470)).first)
      #expect(departure.time.minutes == 483 && departure.predictedAt != nil)
      #expect(departure.headsign == "towards Gamma")
      #expect(departure.leg.origin?.name == "First")
      #expect(live.stop("A")?.name == "First")
      #expect(live.realtime?.predictedTripCount == 1)
      #expect(live.bytes == timetable.bytes)
      let planned = live.applying([], at: Self.date(420))
      #expect(try planned.departures(at: "A", from: Self.date(470)).first?.time.minutes == 480)
      #expect(planned.stop("A")?.name == "First")
      let added = try Self.live(live) {
        $0.trip(
          "new", relationship: 1, headsign: "to the fair",
          [
            .init(stop: "A", departureTime: Self.midnight + 471 * 60),
            .init(stop: "B", arrivalTime: Self.midnight + 480 * 60),
          ])
      }
      let first = try #require(added.departures(at: "A", from: Self.date(470)).first)
      #expect(first.headsign == "to the fair" && first.leg.origin?.name == "First")
    }
    #expect(try late(timetable).stop("A")?.name == "Alpha")
  }

  @Test(
    "A predicted ride has the shape of its trip, and one with other stops or without a trip has none"
  )
  func shapes() throws {
    var feed = FeedFixture.simple
    feed.files["trips.txt"] =
      "trip_id,route_id,service_id,shape_id\nt1,R,W,s\nt2,R,W,s\ng1,G,W,\ng2,G,W,\nslow,G,W,\n"
    feed.files["shapes.txt"] =
      "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,25.01,121.5,1\ns,25.015,121.6,2\ns,25.02,121.5,3\ns,25.03,121.5,4\n"
    let timetable = try Self.compile(feed, shapes: true)
    func shape(_ timetable: Timetable, at minutes: Int) throws -> [Double]? {
      let leg = try #require(
        timetable.departures(at: "A", from: Self.date(minutes)).first { $0.leg.tripID != "slow" })
      return leg.leg.shape?.map(\.latitude)
    }
    let whole = [25.01, 25.015, 25.02, 25.03]
    #expect(try shape(timetable, at: 470) == whole)
    #expect(try shape(Self.live(timetable) { $0.trip("t1", delay: 60) }, at: 470) == whole)
    let times = [
      MessageFixture.Stop(stop: "A", departureTime: Self.midnight + 471 * 60),
      .init(stop: "D", arrivalTime: Self.midnight + 480 * 60),
    ]
    let others = try Self.live(timetable) {
      $0.trip("t1", relationship: 5, times)
      $0.trip("t2", relationship: 6, new: ("copy", nil, "07:30:00"))
      $0.trip(
        "new", route: "R", relationship: 1,
        [
          .init(stop: "A", departureTime: Self.midnight + 460 * 60),
          .init(stop: "C", arrivalTime: Self.midnight + 465 * 60),
        ])
    }
    #expect(others.realtime?.predictedTripCount == 3)
    #expect(try shape(others, at: 440) == whole)
    #expect(try shape(others, at: 455) == nil)
    #expect(try shape(others, at: 470) == nil)
    #expect(try shape(others, at: 500) == whole)
  }
}
