import FieldFakes
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Alerts beside arrivals", .timeLimit(.minutes(60)))
struct AlertTests {
  private let clock = ManualClock(now: BoardRows.noon)
  private static let rows = [BoardRows.row("台北車站", "淡水站", 0)]
  private static let offline = FieldError(.offline, "no network")

  private static let whole = MetroAlert(id: "1", title: "全線延誤")
  private static let red = MetroAlert(id: "2", title: "紅線", lines: ["R"])
  private static let xinbeitou = MetroAlert(
    id: "3", title: "新北投", stations: ["新北投"], stationNames: ["新北投站"])
  private static let moon = MetroAlert(id: "4", title: "月球", stationNames: ["月球站"])
  private static let all = [whole, red, xinbeitou, moon]

  /// Gives the results one after the other, the last one again and again.
  private final class ScriptedAlerts: RecordSource {
    private let results: Lock<[Result<MetroAlerts, FieldError>]>
    private let counter = Lock(0)

    init(_ results: Result<MetroAlerts, FieldError>...) { self.results = Lock(results) }

    static func alerts(_ alerts: MetroAlert...) -> ScriptedAlerts {
      ScriptedAlerts(.success(MetroAlerts(alerts: alerts)))
    }

    var count: Int { counter.withLock { $0 } }
    var dataSource: DataSource? { .tdxMetro }

    func fetch(_ request: RecordRequest) async throws -> Batch<MetroAlerts> {
      counter.withLock { $0 += 1 }
      let alerts = try results.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
      return Batch(records: [alerts])
    }
  }

  private func metro(
    _ alerts: ScriptedAlerts, _ feed: ScriptedFeed = ScriptedFeed(.rows(rows)),
    storage: Storage = .inMemory
  ) -> Metro {
    Metro(source: feed, alerts: alerts, storage: storage, clock: clock, random: { 0 })
  }

  @Test("a refresh stores the alerts, and a restarted metro shows them without a request")
  func stored() async throws {
    let folder = try TemporaryFolder()
    let metro = metro(.alerts(Self.whole, Self.red), storage: .directory(folder.url))
    let report = try await metro.refresh()
    #expect((report.rows, report.added) == (3, 3))
    try await metro.close()

    let source = ScriptedAlerts(.failure(Self.offline))
    let again = self.metro(source, storage: .directory(folder.url))
    clock.advance(by: .seconds(30))
    let board = try await again.board()
    #expect(board.alerts?.alerts == [Self.whole, Self.red])
    #expect(board.alerts?.fetchedAt == BoardRows.noon)
    #expect(board.alertsAge == .seconds(30))
    #expect(board.alertsFailure == nil)
    #expect(source.count == 0)
    try await again.close()
  }

  @Test(
    "a station has its own alerts, those of its lines, and those of the network, in any spelling",
    arguments: [
      ("淡水", ["1", "2"]), ("Tamsui Station", ["1", "2"]), ("R28", ["1", "2"]),
      ("動物園", ["1"]), ("新北投站", ["1", "2", "3"]), ("月球", ["1", "4"]), ("", ["1"]),
    ])
  func ofStation(name: String, expected: [String]) async throws {
    let metro = metro(ScriptedAlerts(.success(MetroAlerts(alerts: Self.all))))
    try await metro.refresh()
    let board = try await metro.board()
    #expect(board.alerts(at: name).map(\.id.rawValue) == expected)
    #expect(board.alerts?.alerts.count == 4)
  }

  @Test("a refresh succeeds with a notice if only the alerts fail, and the last alerts stay")
  func alertsFail() async throws {
    let source = ScriptedAlerts(
      .success(MetroAlerts(alerts: [Self.red])), .failure(Self.offline),
      .success(MetroAlerts(alerts: [])))
    let feed = ScriptedFeed(.rows(Self.rows), .rows([BoardRows.row("台北車站", "淡水站", 9)]))
    let metro = metro(source, feed)
    try await metro.refresh()
    let report = try await metro.refresh()
    #expect(report.notices.map(\.code) == [.partFailed])
    let board = try await metro.board()
    #expect(board.arrivals.first?.updatedAt?.rawText == BoardRows.time(9))
    #expect(board.lastFailure == nil)
    #expect(board.alerts?.alerts == [Self.red])
    #expect(board.alertsFailure?.code == .offline)

    // Nothing in force is a fact, too.
    #expect(try await metro.refresh().removed == 1)
    let later = try await metro.board()
    #expect(later.alerts?.alerts.isEmpty == true)
    #expect(later.alertsFailure == nil)
  }

  @Test("a refresh throws if only the arrivals fail, and the new alerts are stored")
  func arrivalsFail() async throws {
    let feed = ScriptedFeed(.rows(Self.rows), .failure(Self.offline))
    let source = ScriptedAlerts(
      .success(MetroAlerts(alerts: [])), .success(MetroAlerts(alerts: [Self.whole])))
    let metro = metro(source, feed)
    try await metro.refresh()
    await #expect(throws: FieldError.self) { try await metro.refresh() }
    let board = try await metro.board()
    #expect(board.lastFailure?.code == .offline)
    #expect(board.alerts?.alerts == [Self.whole])
    #expect(board.alertsFailure == nil)
  }

  @Test("polling fetches the alerts with the board, and listeners see them")
  func polled() async throws {
    let source = ScriptedAlerts(
      .success(MetroAlerts(alerts: [])), .success(MetroAlerts(alerts: [Self.whole])))
    let metro = metro(source)
    var boards = metro.boards(every: .seconds(15)).makeAsyncIterator()
    func nextBoard(_ count: Int) async throws {
      while let board = await boards.next() {
        if board.alerts?.alerts.count == count { return }
      }
      Issue.record("The sequence ended.")
    }
    try await nextBoard(0)
    clock.advance(by: try await clock.nextPoll())
    try await nextBoard(1)
    #expect(source.count == 2)
  }

  @Test("alerts are fetched on every visit, and never by a schedule")
  func neverScheduled() async throws {
    let source = ScriptedAlerts.alerts(Self.whole)
    let metro = metro(source)
    #expect(try await metro.nextRefreshDate == nil)
    try await metro.refresh(.scheduled)
    #expect(source.count == 0)
    try await metro.refresh()
    try await metro.refresh()
    #expect(source.count == 2)
    #expect(try await metro.nextRefreshDate == nil)
    #expect(metro.dataSources == [.boardRows, .tdxMetro])
  }

  @Test("erasing the metro's data deletes the alerts and their failure")
  func erased() async throws {
    let source = ScriptedAlerts(
      .success(MetroAlerts(alerts: [Self.whole])), .failure(Self.offline))
    let metro = metro(source)
    try await metro.refresh()
    try await metro.refresh()
    try await metro.eraseAll()
    let board = try await metro.board()
    #expect(board.alerts == nil)
    #expect(board.alertsFailure == nil)
  }

  @Test("a board's JSON contains its alerts and their failure")
  func coding() throws {
    let board = ArrivalBoard(
      Self.rows, fetchedAt: BoardRows.noon, alerts: MetroAlerts(alerts: Self.all),
      alertsFailure: Self.offline)
    let copy = try JSONDecoder().decode(ArrivalBoard.self, from: JSONEncoder().encode(board))
    #expect(copy == board)
    #expect(copy.alerts?.alerts == Self.all)
  }

  @Test("TDX's alerts are on the board of a metro that reads them")
  func tdx() async throws {
    let fake = FakeMetroFeed(clock: clock, alerts: ["淡水信義線列車延誤"])
    let token = TDXToken(clientID: "client", secret: "secret", transport: fake, clock: clock)
    let metro = Metro(
      alerts: TDXAlerts(token: token, transport: fake), storage: .inMemory, transport: fake,
      clock: clock)
    try await metro.refresh()
    #expect(try await metro.board().alerts(at: "淡水").map(\.title) == ["淡水信義線列車延誤"])
  }
}
