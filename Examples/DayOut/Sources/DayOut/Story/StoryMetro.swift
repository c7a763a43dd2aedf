import FieldFakes
import FieldKit
import Foundation

/// The metro in the story: a route without a network, and a board with two ghost trains.
struct StoryMetro {
  private let metro: Metro
  private let network = MetroNetwork.taipei
  private let clock: any FieldClock

  init(storage: Storage, network: StoryNetwork, clock: any FieldClock) {
    self.clock = clock
    metro = Metro(
      source: MetroStationFeed(
        transport: URLSessionTransport(), url: network.url.appending(path: "stations.json")),
      storage: storage, clock: clock, staleness: StalenessPolicy(usesServerClock: false),
      random: { 0.5 })
  }

  /// A line whose trains run by the clock, and two ghosts: one that the feed has listed for seventeen
  /// months, and one that has just stopped.
  static func feed(_ clock: ImmediateClock) -> FakeMetroFeed {
    let lines = [MetroLine.ID.wenhu].map { line in
      FakeMetroFeed.Line(
        id: line.rawValue,
        stations: (MetroNetwork.taipei.line(line)?.trunk ?? []).compactMap { code in
          MetroNetwork.taipei.station(code: code).map {
            .init($0.name, $0.englishName, code.rawValue)
          }
        }, runTime: .seconds(107), headway: .seconds(251))
    }
    return FakeMetroFeed(
      clock: clock, lines: lines,
      frozen: [
        .init(
          station: "新埔民生站", destination: "新北產業園區站",
          date: clock.now.addingTimeInterval(-45_338_561)),
        .init(station: "小碧潭站", destination: "七張站", date: clock.now.addingTimeInterval(20)),
      ])
  }

  // MARK: At home

  func failOffline(_ narrator: Narrator) async throws {
    let error = try await narrator.failure(of: "a request without a network") {
      try await metro.refresh()
    }
    narrator.failed(.fetchingTrains, narrator.reason(of: error))
  }

  func planRoute(_ narrator: Narrator) throws {
    let route = try network.route(from: "Tamsui", to: "Taipei Zoo")
    guard let last = route.stations.last, let first = route.stations.first else { return }
    let changes = route.legs.dropLast().compactMap { $0.stations.last.flatMap(network.station) }
    try narrator.expect(
      !changes.isEmpty && changes.count == route.transfers,
      "a route with \(route.transfers) changes names them.")
    let minutes = (route.duration.components.seconds + 30) / 60
    narrator.done(
      .route, narrator.name(first), narrator.name(last), "\(minutes)",
      "\(route.stations.count)",
      changes.map(narrator.name).joined(separator: narrator.text(.and)))
    narrator.page.figure(
      MetroMap(network, route: route, in: narrator.language).svg,
      caption: narrator.text(.routeCaption, narrator.name(first), narrator.name(last)))
  }

  // MARK: At the station

  func showTrains(_ narrator: Narrator) async throws {
    narrator.chapter("08:55", .ghosts, .ghostsSentence)
    let (board, polls, moved) = try await board()
    let ghosts = board.stale
    try narrator.expect(
      ghosts.count == 2 && board.fresh.count + 2 == board.arrivals.count,
      "the board has exactly two ghosts, and \(board.description).")
    try narrator.expect(
      moved > 0 && ghosts.allSatisfy { board.freshness(of: $0) == .frozen },
      "the ghosts stand still while other trains come and go.")
    let shown = board.fresh.prefix(4)
    for train in shown { narrator.done(title(of: train, narrator)) }
    print("    \(narrator.text(.moreTrains, "\(board.fresh.count - shown.count)"))")
    var rows = board.fresh.map { train in
      let title = title(of: train, narrator)
      return [title, title, "\(title) (\(narrator.text(MetroTexts.name(of: .fresh))))"]
    }
    for train in ghosts {
      let reason = reason(for: train, on: board, polls, narrator)
      let title = title(of: train, narrator)
      narrator.hidden(title, because: reason)
      let verdict = narrator.text(MetroTexts.name(of: board.freshness(of: train)))
      rows.append([title, title, narrator.text(.crossedOut, verdict, reason)])
    }
    let count = "\(board.arrivals.count)"
    narrator.compare(
      narrator.text(.trains, count), naive: narrator.text(.allTrains, count),
      fieldKit: narrator.text(.freshTrains, "\(board.fresh.count)"))
    narrator.page.table(
      caption: narrator.text(.entering),
      [narrator.text(.feedLists), narrator.text(.naiveShows), narrator.text(.fieldKitShows)], rows)
    narrator.page.note(metro.dataSources[0].attribution)
    try await metro.close()
  }

  /// Polls until a train has stood still for long enough; returns the last board, the number of polls,
  /// and how many trains came or went between them.
  /// Fetches some boards, one after the other. An app would follow `boards(every:)`, whose waits aren't over at once.
  private func board() async throws -> (ArrivalBoard, polls: Int, moved: Int) {
    let polls = 8
    var (last, moved) = (try await metro.board(), 0)
    for _ in 1...polls {
      try await clock.sleep(for: .seconds(20))
      try await metro.refresh()
      let board = try await metro.board()
      let changes = board.changes(since: last)
      moved += changes.arrived.count + changes.left.count
      last = board
    }
    return (last, polls, moved)
  }

  private func title(of train: Arrival, _ narrator: Narrator) -> String {
    let language = narrator.language
    return narrator.text(
      .train, language.name(train.station, or: train.stationName),
      language.name(train.destination, or: train.destinationName))
  }

  private func reason(
    for train: Arrival, on board: ArrivalBoard, _ polls: Int, _ narrator: Narrator
  ) -> String {
    let days = (board.age(of: train)?.components.seconds ?? 0) / 86_400
    return days > 0 ? narrator.text(.oldTime, "\(days)") : narrator.text(.sameTime, "\(polls)")
  }
}
