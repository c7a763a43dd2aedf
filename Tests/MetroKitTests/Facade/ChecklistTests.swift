import FieldFakes
import FieldTesting
import Foundation
import MetroKit
import Testing

/// Each line of the old app's checklist, M1 to M7, by its number.
@Suite("The old app's checklist of the metro")
struct ChecklistTests {
  private let clock = ManualClock(now: BoardRows.noon)

  private func metro(_ steps: ScriptedFeed.Step...) -> Metro {
    var steps = steps
    let feed = ScriptedFeed(steps.removeFirst())
    return Metro(source: feed, storage: .inMemory, clock: clock)
  }

  private static let rows = [
    BoardRows.row("七張站", "松山站", -3), BoardRows.row("士林站", "象山站", -700),
    BoardRows.row("中山國小站", "南勢角站", "?"), BoardRows.row("七張站", "新店站", -1),
  ]

  // M1 of Docs/old-apps.md
  @Test("all rows of the feed exist, in the source's order")
  func m1() async throws {
    let metro = metro(.rows(Self.rows))
    let report = try await metro.refresh()
    #expect((report.outcome, report.rows, report.added) == (.updated, 4, 4))
    let names = ["七張站→松山站", "士林站→象山站", "中山國小站→南勢角站", "七張站→新店站"]
    #expect(try await metro.board().arrivals.names == names)
  }

  // M2 of Docs/old-apps.md
  @Test("a refresh can be requested anytime and always sends a request; its end is reported")
  func m2() async throws {
    let feed = ScriptedFeed(.rows(Self.rows))
    let metro = Metro(source: feed, storage: .inMemory, clock: clock)
    let steps = metro.refreshProgress()
    for expected in 1...3 {
      try await metro.refresh(expected == 2 ? .now : .ifDue)
      #expect(feed.count == expected)
    }
    #expect(try await metro.nextRefreshDate == nil)  // fetched on every visit, never scheduled
    var outcomes: [RefreshReport.Outcome] = []
    for await step in steps {
      guard case .finished(let report)? = step.outcome else { continue }
      outcomes.append(report.outcome)
      if outcomes.count == 3 { break }
    }
    #expect(outcomes == [.updated, .unchanged, .unchanged])
  }

  // M3 of Docs/old-apps.md
  @Test(
    "times with any number of fraction digits are read as Taipei's",
    arguments: [
      ("2016-05-16T18:00:51.953", 51.953), ("2016-05-16T18:00:51.95", 51.95),
      ("2016-05-16T18:00:51.9", 51.9), ("2016-05-16T18:00:51", 51.0), ("20160516180051", 51.0),
    ])
  func m3(text: String, seconds: Double) async throws {
    let metro = metro(.rows([BoardRows.row("台北車站", "淡水站", text)]))
    try await metro.refresh()
    let time = try #require(try await metro.board().arrivals[0].updatedAt)
    // 16 May 2016, 10:00 UTC.
    let instant = try #require(time.instant)
    #expect(abs(instant.timeIntervalSince1970 - 1_463_392_800 - seconds) < 1e-5)
    #expect(time.rawText == text)
  }

  // M4 of Docs/old-apps.md
  @Test("a time is shown as 2016年05月16日18時00分")
  func m4() async throws {
    let metro = metro(.rows([BoardRows.row("台北車站", "淡水站", "2016-05-16T18:00:51.953")]))
    try await metro.refresh()
    let here = try await metro.board().arrivals(at: "台北車站")
    #expect(here.first?.updatedAt?.taipeiText == "2016年05月16日18時00分")
  }

  // M5 of Docs/old-apps.md
  @Test(
    "a guess is right in any spelling, and gets the old app's message",
    arguments: ["淡水", "淡水站", "Tamsui", "tamsui station", "R28", " 淡水 "])
  func m5(guess: String) throws {
    let metro = metro(.rows([]))
    let board = BoardRows.board(BoardRows.row("台北車站", "淡水站", 0))
    let answer = metro.check(guess: guess, for: board.arrivals[0])
    #expect(answer.isRight)
    #expect(answer.title.string(in: .traditionalChinese) == "你好聰明，竟然答對了！")
    #expect(answer.text.string(in: .traditionalChinese) == "真的是淡水站耶!")
    #expect(answer.button.string(in: .traditionalChinese) == "當然當然")
    #expect("\(answer)" == "你好聰明，竟然答對了！ 真的是淡水站耶!")
    #expect(metro.destination(of: board.arrivals[0]) == "淡水")
  }

  // M5 of Docs/old-apps.md
  @Test(
    "a wrong guess is wrong, and doesn't reveal the destination",
    arguments: ["象山", "", "站", "淡", "淡水淡水", "火星"])
  func m5Wrong(guess: String) throws {
    let metro = metro(.rows([]))
    let board = BoardRows.board(BoardRows.row("台北車站", "淡水站", 0))
    let answer = metro.check(guess: guess, for: board.arrivals[0])
    #expect(!answer.isRight)
    for text in [answer.title, answer.text, answer.button] {
      #expect(guess.hasPrefix("淡水") || !text.string(in: .traditionalChinese).contains("淡水"))
    }
  }

  // M5 of Docs/old-apps.md
  @Test("an unknown destination can be guessed by its own name")
  func m5Unknown() throws {
    let metro = metro(.rows([]))
    let board = BoardRows.board(BoardRows.row("台北車站", "月球站", 0))
    #expect(metro.check(guess: "月球", for: board.arrivals[0]).isRight)
    #expect(!metro.check(guess: "淡水", for: board.arrivals[0]).isRight)
    #expect(metro.destination(of: board.arrivals[0]) == "月球站")
  }

  // M6 of Docs/old-apps.md
  @Test("the loading text is the old app's, and a host replaces it by its key")
  func m6() {
    #expect(MetroTexts.loadingTitle.string(in: .traditionalChinese) == "可愛的捷運資訊")
    #expect(MetroTexts.loadingText.string(in: .traditionalChinese) == "正在可愛地載入中。。。")
    let own = TextCatalog([.traditionalChinese: ["metro.loading.text": "載入中"]])
    #expect(MetroTexts.loadingText.string(in: .traditionalChinese, catalog: own) == "載入中")
  }

  // M7 of Docs/old-apps.md
  @Test("rows are found and grouped, the newest is known, and the stale are marked")
  func m7() async throws {
    let metro = metro(.rows(Self.rows))
    try await metro.refresh()
    let board = try await metro.board()
    #expect(board.arrivals(at: "Qizhang").count == 2)
    #expect(board.byStation.first?.arrivals.count == 2)
    #expect(board.byDestination.count == 4)
    #expect(board.newest?.destinationName == "新店站")
    #expect((board.fresh.count, board.stale.count, board.undated.count) == (2, 1, 1))
  }

  @Test("the alerts that concern a station are on its board")
  func alerts() async throws {
    let fake = FakeMetroFeed(clock: clock, alerts: ["全線延誤"])
    let token = TDXToken(clientID: "client", secret: "secret", transport: fake, clock: clock)
    let metro = Metro(
      source: ScriptedFeed(.rows(Self.rows)), alerts: TDXAlerts(token: token, transport: fake),
      storage: .inMemory, clock: clock)
    try await metro.refresh()
    let board = try await metro.board()
    #expect(board.alerts(at: "Qizhang").map(\.title) == ["全線延誤"])
    #expect(board.alertsAge == .zero)
  }

  @Test(
    "the age of a board is formatted as text",
    arguments: [
      (0.0, "updated 0 seconds ago"), (1, "updated 1 second ago"), (119, "updated 119 seconds ago"),
      (120, "updated 2 minutes ago"),
      (150, "updated 2 minutes ago"), (-20, "updated 0 seconds ago"),
    ])
  func age(seconds: Double, text: String) throws {
    let board = BoardRows.board(BoardRows.row("淡水站", "象山站", 0))
    let later = board.evaluatingFreshness(at: BoardRows.noon.addingTimeInterval(seconds))
    #expect(MetroTexts.age(of: later).string() == text)
    #expect(
      MetroTexts.age(of: .empty(asOf: BoardRows.noon)).string(in: .traditionalChinese) == "尚未更新")
    #expect(MetroTexts.name(of: .frozen).string() == "frozen")
    #expect(MetroTexts.name(of: .frozen).string(in: .korean) == "멈춤")
  }
}
