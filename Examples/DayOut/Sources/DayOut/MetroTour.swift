import FieldFakes
import FieldKit
import Foundation

/// The metro: a board with ghosts, polls on good days and bad ones, a guess, and the way home.
struct MetroTour {
  let storage: Storage
  let language: TextLanguage

  func run(page: inout HTMLPage) async throws {
    // Waits are over at once on this clock, and time has passed all the same.
    let clock = ImmediateClock(now: Date())
    let feed = Self.feed(clock)
    let server = try LoopbackServer(serving: feed)
    let metro = Metro(
      source: MetroStationFeed(
        transport: URLSessionTransport(), url: server.url.appending(path: "stations.json")),
      storage: storage, clock: clock)
    try await firstRefresh(metro)
    try await polls(metro, clock)
    let refusals = try await badDays(metro, feed, clock)
    let board = try await freshBoard(metro, feed)
    try guess(metro, board)
    try route(board, page: &page)
    add(board, refusals, source: metro.dataSources[0], to: &page)
    try await metro.close()
    await server.stop()
  }

  /// Two lines whose trains run by the clock, and the ghosts of a real capture: one that has stood still
  /// for hours, one for a year and a half, and one that has just stopped.
  private static func feed(_ clock: ImmediateClock) -> FakeMetroFeed {
    let network = MetroNetwork.taipei
    let lines = [MetroLine.ID.wenhu, .tamsuiXinyi].map { line in
      FakeMetroFeed.Line(
        id: line.rawValue,
        stations: (network.line(line)?.trunk ?? []).compactMap { code in
          network.station(code: code).map { .init($0.name, $0.englishName, code.rawValue) }
        }, runTime: .seconds(107), headway: .seconds(251))
    }
    return FakeMetroFeed(
      clock: clock, lines: lines,
      frozen: [
        .init(
          station: "中山國中站", destination: "南港展覽館站", date: clock.now.addingTimeInterval(-24_087)),
        .init(
          station: "新埔民生站", destination: "新北產業園區站",
          date: clock.now.addingTimeInterval(-45_338_561)),
        .init(station: "小碧潭站", destination: "七張站", date: clock.now.addingTimeInterval(20)),
      ])
  }

  private func firstRefresh(_ metro: Metro) async throws {
    let steps = metro.refreshProgress()
    async let report = metro.refresh()
    for await step in steps {
      ProgressBar.show(step)
      if step.outcome != nil { break }
    }
    let done = try await report
    print("\n  \(done.rows) rows from \(done.origin?.path ?? "")\n")
    let board = try await metro.board()
    BoardTable.print(board, in: language)
    print(
      "  \(board.fresh.count) fresh, \(board.stale.count) stale, \(board.undated.count) without a time\n"
    )
  }

  /// Fetches some boards, one after the other. An app would follow `boards(every:)`, whose waits aren't over at once.
  private func polls(_ metro: Metro, _ clock: ImmediateClock) async throws {
    print("  fetched every 20 seconds:")
    var last = try await metro.board()
    for _ in 1...8 {
      try await clock.sleep(for: .seconds(20))
      try await metro.refresh()
      let board = try await metro.board()
      let changes = board.changes(since: last)
      last = board
      let frozen = board.arrivals.filter { board.freshness(of: $0) == .frozen }
      var line = "\(board.fresh.count) fresh, \(board.stale.count) stale"
      line += "; \(changes.arrived.count) arrived, \(changes.left.count) left"
      if !frozen.isEmpty {
        let names = frozen.map { language.name($0.station, or: $0.stationName) }
        line += "; frozen: \(names.joined(separator: ", "))"
      }
      say(line)
    }
    print()
  }

  private func badDays(
    _ metro: Metro, _ feed: FakeMetroFeed, _ clock: ImmediateClock
  ) async throws -> [(day: String, message: String)] {
    var refusals: [(day: String, message: String)] = []
    let failures: [(title: String, failure: FakeMetroFeed.Failure)] = [
      ("a web page with status 200", .webPage), ("half an array", .cut(after: 400)),
      ("an empty array", .noRows), ("nothing at all", .noBody), ("HTTP 500", .serverError),
    ]
    for (title, failure) in failures {
      feed.fail(failure)
      try await clock.sleep(for: .seconds(150))
      do {
        try await metro.refresh()
      } catch let error as FieldError {
        refusals.append((title, "\(error.code): \(error.message)"))
        let board = try await metro.board()
        say(
          """
          \(title): \(error.code); still \(board.arrivals.count) rows, \
          \(board.fresh.count) of them fresh, \(language.text(MetroTexts.age(of: board)))
          """)
      }
    }
    return refusals
  }

  private func freshBoard(_ metro: Metro, _ feed: FakeMetroFeed) async throws -> ArrivalBoard {
    feed.fail(nil)
    try await metro.refresh()
    return try await metro.board()
  }

  private func guess(_ metro: Metro, _ board: ArrivalBoard) throws {
    guard let train = board.fresh.first, let station = train.station.flatMap(metro.network.station)
    else { return }
    let codes = station.codes.map(\.rawValue)
    let spellings = [station.name + "站", station.englishName.uppercased()] + codes
    let found = spellings.map { "\"\($0)\" \(board.arrivals(at: $0).count)" }
    print()
    say("trains by any spelling: \(found.joined(separator: ", "))")
    print()
    say("A train is entering \(language.name(station)). Where does it go?")
    let destination = metro.destination(of: train) ?? ""
    let wrong = destination.hasPrefix("淡水") ? "象山" : "淡水"
    for guess in [wrong, destination] {
      let name = metro.network.station(named: guess).map(language.name) ?? guess
      say("\(name)? \(language.text(metro.check(guess: guess, for: train).text))")
    }
  }

  private func route(_ board: ArrivalBoard, page: inout HTMLPage) throws {
    let route = try MetroNetwork.taipei.route(from: "Taipei Zoo", to: "淡水")
    let diagram = LineDiagram(route, in: .taipei, language, trains: board.fresh)
    print("\n\(diagram.text)")
    page.heading("The metro")
    page.figure(
      diagram.svg,
      caption: """
        From the zoo to Tamsui: \(route.stations.count) stations, \(route.transfers) change, \
        \((route.rideSeconds + route.changeSeconds + 30) / 60) minutes. \
        The marks below the lines are trains that are entering a station now.
        """)
  }

  private func add(
    _ board: ArrivalBoard, _ refusals: [(day: String, message: String)], source: DataSource,
    to page: inout HTMLPage
  ) {
    page.table(
      caption: "Arrivals on the board",
      ["station", "train to", "line", "time", "verdict"],
      board.arrivals.map { arrival in
        [
          language.name(arrival.station, or: arrival.stationName),
          language.name(arrival.destination, or: arrival.destinationName),
          arrival.line?.rawValue ?? "", language.time(of: arrival),
          language.text(MetroTexts.name(of: board.freshness(of: arrival))),
        ]
      })
    page.heading("When the feed misbehaves")
    page.table(
      caption: "Answers of the feed that were refused",
      ["the answer", "the error; the board was unchanged each time"],
      refusals.map { [$0.day, $0.message] })
    page.note(source.attribution)
  }
}
