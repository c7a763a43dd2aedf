import FieldTransit
import Foundation
import TestSupport
import Testing

/// The rules of `transfers.txt` and of blocks, beside a search that tries everything.
@Suite("Rules for changing and staying")
struct JourneyRuleTests {
  /// A random feed with rules for certain routes and trips, blocks, and linked trips.
  struct RuleFeed {
    struct Trip {
      var route: Int, service: Int, block: Int?
      var visits: [(stop: Int, arrival: Int, departure: Int)]
    }
    struct Rule {
      var from: Int, to: Int
      var fromRoute: Int?, toRoute: Int?, fromTrip: Int?, toTrip: Int?
      var type: Int, minutes: Int

      func holds(_ first: (trip: Int, route: Int)?, _ second: (trip: Int, route: Int)?) -> Bool {
        if let fromTrip {
          if first?.trip != fromTrip { return false }
        } else if let fromRoute, first?.route != fromRoute {
          return false
        }
        if let toTrip { return second?.trip == toTrip }
        if let toRoute { return second?.route == toRoute }
        return true
      }

      /// The place in the specification's list, the most specific one first.
      var rank: Int {
        switch (fromTrip != nil, toTrip != nil, fromRoute != nil, toRoute != nil) {
        case (true, true, _, _): 1
        case (true, false, _, true), (false, true, true, _): 2
        case (true, _, _, _), (_, true, _, _): 3
        case (_, _, true, true): 4
        case (_, _, true, _), (_, _, _, true): 5
        default: 6
        }
      }
    }
    struct Run: Hashable { var trip: Int, day: Int }
    struct Event: Hashable {
      var run: Run, place: Int
    }

    static let stopCount = 6
    /// Every day; Mondays, Wednesdays, and Fridays; the other days.
    static let services = ["1,1,1,1,1,1,1", "1,0,1,0,1,0,0", "0,1,0,1,0,1,1"]
    var feed = FeedFixture()
    var trips: [Trip] = []
    var rules: [Rule] = []
    var links: [(from: Int, to: Int, isSeat: Bool)] = []

    init(_ generator: inout SeededGenerator) {
      func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
      for number in 0..<14 {
        var time = Int.random(in: 300...1500, using: &generator)
        var stop = Int.random(in: 0..<Self.stopCount, using: &generator)
        var visits: [(stop: Int, arrival: Int, departure: Int)] = []
        // A trip of a block may begin where another one ended.
        let block = chance(3) ? nil : Int.random(in: 0..<3, using: &generator)
        if block != nil, chance(2), let last = trips.last(where: { $0.block == block })?.visits.last
        {
          (stop, time) = (last.stop, last.departure + Int.random(in: 0...9, using: &generator))
        }
        for _ in 0..<Int.random(in: 2...4, using: &generator) {
          let wait = Int.random(in: 0...2, using: &generator)
          visits.append((stop, time, time + wait))
          time += wait + Int.random(in: 1...25, using: &generator)
          stop = (stop + Int.random(in: 1..<Self.stopCount, using: &generator)) % Self.stopCount
        }
        trips.append(
          Trip(
            route: number % 3, service: Int.random(in: 0..<3, using: &generator), block: block,
            visits: visits))
      }
      for _ in 0..<Int.random(in: 4...16, using: &generator) {
        let from = Int.random(in: 0..<Self.stopCount, using: &generator)
        var rule = Rule(
          from: from, to: chance(2) ? from : Int.random(in: 0..<Self.stopCount, using: &generator),
          type: Int.random(in: 0...3, using: &generator),
          minutes: Int.random(in: 0...15, using: &generator))
        if chance(3) { rule.fromRoute = Int.random(in: 0..<3, using: &generator) }
        if chance(3) { rule.toRoute = Int.random(in: 0..<3, using: &generator) }
        if chance(4) { rule.fromTrip = Int.random(in: 0..<trips.count, using: &generator) }
        if chance(4) { rule.toTrip = Int.random(in: 0..<trips.count, using: &generator) }
        // The specification wants the route to be that of the trip.
        if let trip = rule.fromTrip {
          rule.fromRoute = rule.fromRoute.map { _ in trips[trip].route }
        }
        if let trip = rule.toTrip { rule.toRoute = rule.toRoute.map { _ in trips[trip].route } }
        rules.append(rule)
      }
      for _ in 0..<4 {
        let from = Int.random(in: 0..<trips.count, using: &generator)
        let to = Int.random(in: 0..<trips.count, using: &generator)
        if from != to { links.append((from, to, chance(2))) }
      }
      write()
    }

    private mutating func write() {
      feed.files["stops.txt"] =
        "stop_id,stop_name\n" + (0..<Self.stopCount).map { "S\($0),S\($0)\n" }.joined()
      feed.files["routes.txt"] = "route_id,route_type\nr0,1\nr1,1\nr2,3\n"
      feed.files["calendar.txt"] =
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        + Self.services.enumerated().map { "s\($0),\($1),20240101,20241231\n" }.joined()
      feed.files["trips.txt"] =
        "trip_id,route_id,service_id,block_id\n"
        + trips.enumerated().map {
          "t\($0),r\($1.route),s\($1.service),\($1.block.map { "b\($0)" } ?? "")\n"
        }.joined()
      var rows = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n"
      for (number, trip) in trips.enumerated() {
        for (place, visit) in trip.visits.enumerated() {
          rows +=
            "t\(number),\(place),S\(visit.stop),\(Self.text(visit.arrival)),\(Self.text(visit.departure))\n"
        }
      }
      feed.files["stop_times.txt"] = rows
      func text(_ number: Int?, _ prefix: String) -> String {
        number.map { "\(prefix)\($0)" } ?? ""
      }
      feed.files["transfers.txt"] =
        "from_stop_id,to_stop_id,from_route_id,to_route_id,from_trip_id,to_trip_id,transfer_type,min_transfer_time\n"
        + rules.map {
          "S\($0.from),S\($0.to),\(text($0.fromRoute, "r")),\(text($0.toRoute, "r")),\(text($0.fromTrip, "t")),\(text($0.toTrip, "t")),\($0.type),\($0.minutes * 60)\n"
        }.joined()
        + links.map { ",,,,t\($0.from),t\($0.to),\($0.isSeat ? 4 : 5),\n" }.joined()
    }

    private static func text(_ minutes: Int) -> String {
      "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00"
    }

    // MARK: Trying everything

    /// Returns whether a trip runs on a day before (-1), on (0), or after (1) a Wednesday.
    func runs(_ trip: Int, _ day: Int) -> Bool {
      Array(Self.services[trips[trip].service].split(separator: ","))[(2 + day + 7) % 7] == "1"
    }

    /// The minutes of changing from one trip to another, or `nil` if that isn't possible; of no trip at the ends.
    func change(_ from: Int, _ to: Int, _ first: Int?, _ second: Int?) -> Int? {
      func named(_ trip: Int?) -> (trip: Int, route: Int)? { trip.map { ($0, trips[$0].route) } }
      let found = rules.filter {
        $0.from == from && $0.to == to && $0.holds(named(first), named(second))
      }
      guard let rank = found.map(\.rank).min(), let rule = found.last(where: { $0.rank == rank })
      else { return from == to ? 2 : nil }
      switch rule.type {
      case 1: return 0
      case 3: return nil
      default: return rule.minutes == 0 ? 2 : rule.minutes
      }
    }

    /// The runs as which the vehicle of a run continues with its passengers.
    func continuations(_ run: Run) -> [Run] {
      guard let end = trips[run.trip].visits.last else { return [] }
      let linked = links.filter { $0.from == run.trip && $0.isSeat }
      if !linked.isEmpty {
        return linked.map { link in
          Run(
            trip: link.to,
            day: trips[link.to].visits[0].departure < end.arrival ? run.day + 1 : run.day)
        }.filter { runs($0.trip, $0.day) }
      }
      guard let block = trips[run.trip].block else { return [] }
      let next = trips.indices
        .filter {
          $0 != run.trip && trips[$0].block == block && runs($0, run.day)
            && trips[$0].visits[0].departure >= end.arrival
            && (trips[$0].visits[0].departure, $0)
              > (trips[run.trip].visits[0].departure, run.trip)
        }
        .min { (trips[$0].visits[0].departure, $0) < (trips[$1].visits[0].departure, $1) }
      guard let next, trips[next].visits[0].stop == end.stop,
        !links.contains(where: { $0.from == run.trip && $0.to == next })
      else { return [] }
      return [Run(trip: next, day: run.day)]
    }

    /// The earliest arrival with each number of changes.
    ///
    /// - Parameter last: The latest departure.
    func arrivals(
      from origin: Int, to target: Int, at time: Int, until last: Int = .max
    ) -> [[Int]] {
      let all = trips.indices.flatMap { trip in
        [-1, 0, 1].map { Run(trip: trip, day: $0) }
      }.filter { runs($0.trip, $0.day) }
      func visit(_ event: Event) -> (stop: Int, arrival: Int, departure: Int) {
        let visit = trips[event.run.trip].visits[event.place]
        let shift = event.run.day * 1440
        return (visit.stop, visit.arrival + shift, visit.departure + shift)
      }
      var events: Set<Event> = []
      var answers: [[Int]] = []
      for rides in 1...8 {
        var next: Set<Event> = []
        func ride(_ run: Run, from place: Int) {
          let last = trips[run.trip].visits.count - 1
          guard place < last else { return }
          var isNew = false
          for place in place + 1...last where next.insert(Event(run: run, place: place)).inserted {
            isNew = true
          }
          if isNew { for other in continuations(run) { ride(other, from: 0) } }
        }
        for run in all {
          for place in 0..<trips[run.trip].visits.count - 1 {
            let (stop, _, departure) = visit(Event(run: run, place: place))
            let walk = stop == origin ? 0 : change(origin, stop, nil, nil)
            let canBoard =
              rides == 1
              ? walk.map { time + $0 <= departure && departure - $0 <= last } ?? false
              : events.contains { event in
                let (other, arrival, _) = visit(event)
                guard let minutes = change(other, stop, event.run.trip, run.trip) else {
                  return false
                }
                // Nobody rides to where one could have waited or walked.
                if last != .max, let walk, arrival + minutes >= time + walk { return false }
                return arrival + minutes <= departure
              }
            if canBoard {
              ride(run, from: place)
              break
            }
          }
        }
        events = next
        let goal = events.compactMap { event -> Int? in
          let (stop, arrival, _) = visit(event)
          if stop == target { return arrival }
          return change(stop, target, nil, nil).map { arrival + $0 }
        }.min()
        if let goal, goal <= time + 1440, goal < answers.last?[0] ?? .max {
          answers.append([goal, rides - 1])
        }
      }
      return answers
    }
  }

  @Test(
    "Journeys follow the rules for routes and trips, blocks, and linked trips, as a search that tries everything does",
    arguments: 0..<80)
  func everything(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let random = RuleFeed(&generator)
    let compiled = try random.feed.compile()
    #expect(compiled.report.failureCount == 0)
    for _ in 0..<8 {
      let from = Int.random(in: 0..<RuleFeed.stopCount, using: &generator)
      let to =
        (from + Int.random(in: 1..<RuleFeed.stopCount, using: &generator)) % RuleFeed.stopCount
      let time = Int.random(in: 0..<1440, using: &generator)
      let expected = random.arrivals(from: from, to: to, at: time)
      let found = try compiled.timetable.pairs("S\(from)", "S\(to)", at: time)
      #expect(found == expected, "S\(from) to S\(to) at \(time), seed \(seed)")
      // A journey that arrives in time departs no earlier than the one forward.
      guard let best = found.last else { continue }
      let back = try compiled.timetable.pairs("S\(from)", "S\(to)", at: best[0], isArriving: true)
        .map { [$0[0] + best[0] / 1440 * 1440, $0[1]] }
      #expect(back.contains { $0[0] >= time && $0[1] <= best[1] }, "seed \(seed)")
    }
  }

  @Test("Passengers stay in a vehicle whose block continues where it ended, without a change")
  func block() throws {
    var feed = FeedFixture()
    feed.add("t1", [("A", "08:00:00"), ("B", "08:10:00")])
    feed.add("t2", route: "G", [("B", "08:11:00"), ("C", "08:20:00")])
    feed.add("t3", [("C", "08:20:00"), ("D", "08:30:00")])
    feed.files["trips.txt"] =
      "trip_id,route_id,service_id,block_id\nt1,R,W,b\nt2,G,W,b\nt3,R,W,b\n"
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "D", at: 470) == [[510, 0]])
    #expect(try timetable.pairs("A", "D", at: 520, isArriving: true) == [[480, 0]])
    let date = timetable.date(of: try CalendarDay("2024-12-18"), minutes: 470)
    for answer in [
      try timetable.journeys(from: .stop("A"), to: .stop("D"), departing: date),
      try timetable.journeys(
        from: .stop("A"), to: .stop("D"), arriving: date.addingTimeInterval(3000)),
    ] {
      let legs = try #require(answer.journeys.first).legs
      #expect(legs.map(\.tripID) == ["t1", "t2", "t3"])
      #expect(legs.map(\.isContinuation) == [false, true, true])
      #expect(legs.map(\.departure.minutes) == [480, 491, 500])
      #expect(legs.map(\.destination?.id) == ["B", "C", "D"])
    }
  }

  @Test(
    "In-seat transfers that the feed forbids are changes, and linked trips may be of the next day")
  func links() throws {
    var feed = FeedFixture()
    feed.add("t1", [("A", "08:00:00"), ("B", "08:10:00")])
    feed.add("t2", [("B", "08:12:00"), ("C", "08:20:00")])
    feed.add("night", route: "G", [("A", "23:00:00"), ("B", "24:10:00")])
    feed.add("early", route: "G", [("B", "00:10:00"), ("D", "00:40:00")])
    feed.files["trips.txt"] =
      "trip_id,route_id,service_id,block_id\nt1,R,W,b\nt2,R,W,b\nnight,G,W,\nearly,G,W,\n"
    let header = "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n"
    feed.files["transfers.txt"] = header + ",,t1,t2,5\n,,night,early,4\n"
    let timetable = try feed.compile().timetable
    #expect(try timetable.pairs("A", "C", at: 470) == [[500, 1]])
    #expect(try timetable.pairs("A", "D", at: 1300) == [[1480, 0]])
    feed.files["transfers.txt"] = header + ",,t1,x,4\n,,,t2,4\nA,B,t1,t2,7\n"
    #expect(
      try feed.compile().report.failures.map(\.row.reason) == [
        "one of its routes or trips doesn't exist", "it links no two trips",
        "its transfer_type is unknown",
      ])
  }

  @Test("Nobody stays in a vehicle whose next trip begins before it has arrived")
  func linksBackInTime() throws {
    var feed = FeedFixture()
    feed.setZone("Europe/Berlin")
    feed.files["calendar.txt"] = feed.files["calendar.txt"]?.replacing(
      "1,1,1,1,1,0,0", with: "1,1,1,1,1,1,1")
    feed.add("long", [("A", "24:00:00"), ("B", "24:50:00")])
    feed.add("next", [("B", "01:00:00"), ("C", "01:30:00")])
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n,,long,next,4\n"
    let night = try feed.compile().timetable
    #expect(try night.pairs("A", "C", on: "2024-03-28", at: 1430) == [[1530, 0]])
    // The clock goes from 02:00 to 03:00 in the next night, so that its trip at 01:00 is at 00:00.
    let date = night.date(of: try CalendarDay("2024-03-30"), minutes: 1430)
    for answer in [
      try night.journeys(from: .stop("A"), to: .stop("C"), departing: date),
      try night.journeys(
        from: .stop("A"), to: .stop("C"), departing: date...date.addingTimeInterval(3600)),
    ] {
      #expect(answer.journeys.allSatisfy { $0.transfers == 1 })
    }
    // A day is too short for this one.
    feed.files["stop_times.txt"] = "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n"
    feed.files["trips.txt"] = "trip_id,route_id,service_id,trip_headsign\n"
    feed.add("long", [("A", "20:00:00"), ("B", "33:00:00")])
    feed.add("next", [("B", "08:00:00"), ("C", "08:30:00")])
    let day = try feed.compile().timetable
    var options = JourneyOptions()
    options.maximumMinutes = 2880
    #expect(try day.pairs("A", "C", at: 1190, options: options) == [[3390, 1]])
    let back = try day.pairs("A", "C", at: 3390, isArriving: true, options: options)
    // 20:00 two days before the service day of the arrival.
    #expect(back == [[-1680, 1]])
  }

  @Test(
    "A timed transfer needs no time, one with a minimum needs that, and an impossible one isn't used"
  )
  func types() throws {
    var feed = FeedFixture()
    feed.add("in", [("A", "08:00:00"), ("B", "08:10:00")])
    for minute in 10...19 {
      feed.add(
        "out\(minute)", route: "G", [("B", "08:\(minute):00"), ("D", "08:\(minute + 20):00")])
    }
    func arrival(_ rows: String) throws -> [[Int]] {
      feed.files["transfers.txt"] =
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_trip_id\n" + rows
      return try feed.compile().timetable.pairs("A", "D", at: 470)
    }
    #expect(try arrival("") == [[512, 1]])
    #expect(try arrival("B,B,0,,,\n") == [[512, 1]])
    #expect(try arrival("B,B,1,,,\n") == [[510, 1]])
    #expect(try arrival("B,B,2,60,,\n") == [[511, 1]])
    #expect(try arrival("B,B,2,301,,\n") == [[516, 1]])
    #expect(try arrival("B,B,3,,,\n") == [])
    #expect(try arrival("B,B,3,,R,\nB,B,2,180,,\n") == [])
    #expect(try arrival("B,B,3,,R,\nB,B,1,,,out15\n") == [[515, 1]])
    #expect(try arrival("B,B,3,,G,\n") == [[512, 1]])
  }

  @Test(
    "A range of departures has each journey in it that no other one of it beats",
    arguments: 0..<24)
  func range(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let random = RuleFeed(&generator)
    let timetable = try random.feed.compile().timetable
    let day = try CalendarDay("2024-12-18")
    for _ in 0..<3 {
      let from = Int.random(in: 0..<RuleFeed.stopCount, using: &generator)
      let to =
        (from + Int.random(in: 1..<RuleFeed.stopCount, using: &generator)) % RuleFeed.stopCount
      let first = Int.random(in: 300..<1300, using: &generator)
      let last = first + Int.random(in: 0...90, using: &generator)
      // The latest departure of each arrival and number of changes, unless a later one is as good.
      var expected: [[Int]] = []
      for minute in (first...last).reversed() {
        for pair in random.arrivals(from: from, to: to, at: minute, until: last)
        where !expected.contains(where: { $0[1] <= pair[0] && $0[2] <= pair[1] }) {
          expected.append([minute] + pair)
        }
      }
      let answer = try timetable.journeys(
        from: .stop("S\(from)"), to: .stop("S\(to)"),
        departing: timetable.date(of: day, minutes: first)...timetable.date(of: day, minutes: last))
      let found = answer.journeys.map { [$0.departure.minutes, $0.arrival.minutes, $0.transfers] }
      #expect(
        Set(found) == Set(expected) && found.count == expected.count,
        "S\(from) to S\(to) from \(first) to \(last), seed \(seed): \(found) \(expected)")
      #expect(found.map { $0[0] } == found.map { $0[0] }.sorted())
      #expect((answer.absence == nil) == !found.isEmpty)
    }
  }

  @Test(
    "A range of departures finds the last trip of yesterday, which is over for its later departures"
  )
  func lastTripOfYesterday() throws {
    var feed = FeedFixture()
    feed.add("first", [("B", "00:10:00"), ("C", "00:20:00"), ("D", "00:30:00")])
    feed.add("next", [("B", "03:00:00"), ("C", "03:10:00"), ("D", "03:20:00")])
    feed.add("last", [("B", "24:50:00"), ("C", "25:00:00"), ("D", "25:10:00")])
    feed.add("toC", route: "G", [("A", "00:45:00"), ("C", "00:55:00")])
    feed.add("toB", route: "G", [("A", "02:40:00"), ("B", "02:50:00")])
    let timetable = try feed.compile().timetable
    let day = try CalendarDay("2024-12-18")
    var options = JourneyOptions()
    options.maximumMinutes = 300
    let answer = try timetable.journeys(
      from: .stop("A"), to: .stop("D"),
      departing: timetable.date(of: day, minutes: 40)...timetable.date(of: day, minutes: 165),
      options: options)
    #expect(answer.journeys.map { $0.legs.map(\.tripID) } == [["toC", "last"], ["toB", "next"]])
  }

  /// A few lines with many trips, those of one day mixed with those of the others, and of days on which they don't run.
  private static func busyFeed(_ generator: inout SeededGenerator) -> FeedFixture {
    var feed = FeedFixture()
    let header = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,"
    feed.files["calendar.txt"] =
      header + "start_date,end_date\n"
      + RuleFeed.services.enumerated().map { "V\($0),\($1),20240101,20241231\n" }.joined()
    feed.files["stops.txt"] =
      "stop_id,stop_name,stop_lat,stop_lon\n"
      + (0..<8).map { "S\($0),Stop \($0),25.\($0),121.5\n" }.joined()
    feed.files["trips.txt"] = "trip_id,route_id,service_id,block_id\n"
    // The clock changes in the next night, or in none.
    let zone = ["Europe/Berlin", "America/New_York", "UTC"].randomElement(using: &generator) ?? ""
    feed.setZone(zone)
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n"
      + (0..<Int.random(in: 0...4, using: &generator)).map { _ in
        let from = Int.random(in: 0..<8, using: &generator)
        return
          "S\(from),S\((from + Int.random(in: 1..<8, using: &generator)) % 8),2,\(Int.random(in: 1...9, using: &generator) * 60)\n"
      }.joined()
    for line in 0..<Int.random(in: 2...6, using: &generator) {
      let stops = (0..<8).shuffled(using: &generator).prefix(.random(in: 2...6, using: &generator))
      let rides = stops.map { _ in Int.random(in: 1...20, using: &generator) }
      // Some lines end at midnight, and others run through two nights.
      let end = Int.random(in: 600...3000, using: &generator)
      let headway = [10, 40, 160].randomElement(using: &generator) ?? 40
      var (start, count) = (Int.random(in: 0...600, using: &generator), 0)
      while start < end {
        let trip = "t\(line)-\(count)"
        let block = Int.random(in: 0..<4, using: &generator) == 0 ? "b\(count % 9)" : ""
        feed.files["trips.txt", default: ""] +=
          "\(trip),\(line % 2 == 0 ? "R" : "G"),V\(Int.random(in: 0..<3, using: &generator)),\(block)\n"
        var time = start
        for (place, stop) in stops.enumerated() {
          let clock = "\(time / 60):\(time % 60 < 10 ? "0" : "")\(time % 60):00"
          feed.files["stop_times.txt", default: ""] +=
            "\(trip),\(place),S\(stop),\(clock),\(clock)\n"
          time += rides[place]
        }
        start += Int.random(in: 1...headway, using: &generator)
        count += 1
      }
    }
    return feed
  }

  @Test(
    "A range of departures ends with its last minute, also where rules for changing hold at the origin"
  )
  func rangeEnd() throws {
    var feed = FeedFixture()
    feed.add("t", [("A", "08:00:00"), ("B", "08:10:00")])
    feed.files["transfers.txt"] =
      "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id,to_route_id\nA,A,2,600,R,G\n"
    let timetable = try feed.compile().timetable
    let day = try CalendarDay("2024-12-18")
    func count(until last: Int) throws -> Int {
      try timetable.journeys(
        from: .stop("A"), to: .stop("B"),
        departing: timetable.date(of: day, minutes: 400)...timetable.date(of: day, minutes: last)
      ).journeys.count
    }
    #expect(try [count(until: 478), count(until: 479), count(until: 480)] == [0, 0, 1])
  }

  @Test(
    "A range of departures has what each of its minutes has, where trips of several days are mixed",
    arguments: 0..<Sample.rounds(2000, 12))
  func busyRange(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) + 5000)
    let timetable = try Self.busyFeed(&generator).compile().timetable
    let days = ["2024-03-09", "2024-03-30", "2024-10-26", "2024-12-18"]
    let day = try CalendarDay(days.randomElement(using: &generator) ?? "")
    for _ in 0..<4 {
      let from = Int.random(in: 0..<8, using: &generator)
      let to = (from + Int.random(in: 1..<8, using: &generator)) % 8
      let first = Int.random(in: 0..<1700, using: &generator)
      let last = first + Int.random(in: 30...240, using: &generator)
      var options = JourneyOptions()
      options.maximumTransfers = [0, 1, 2, 3, 7].randomElement(using: &generator) ?? 7
      options.maximumMinutes = [120, 300, 1440].randomElement(using: &generator) ?? 1440
      func date(_ minutes: Int) -> Date { timetable.date(of: day, minutes: minutes) }
      func minutes(_ time: TransitTime) -> Int {
        Int(time.date.timeIntervalSince(date(0))) / 60
      }
      func journeys(_ first: Int, _ last: Int) throws -> [[Int]] {
        try timetable.journeys(
          from: .stop("S\(from)"), to: .stop("S\(to)"), departing: date(first)...date(last),
          options: options
        ).journeys.map { [minutes($0.departure), minutes($0.arrival), $0.transfers] }
      }
      var expected: [[Int]] = []
      for minute in (first...last).reversed() {
        for journey in try journeys(minute, minute)
        where !expected.contains(where: { $0[1] <= journey[1] && $0[2] <= journey[2] }) {
          expected.append(journey)
        }
      }
      let found = try journeys(first, last)
      #expect(
        Set(found) == Set(expected) && found.count == expected.count,
        "S\(from) to S\(to) from \(first) to \(last), seed \(seed): \(found) \(expected)")
    }
  }
}
