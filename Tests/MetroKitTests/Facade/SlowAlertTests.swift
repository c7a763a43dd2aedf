import FieldCore
import FieldFakes
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Alerts that don't arrive in time", .timeLimit(.minutes(60)))
struct SlowAlertTests {
  private static let patience = Duration.milliseconds(3_900)
  private static let rows = [BoardRows.row("台北車站", "淡水站", 0)]
  private static let late = MetroAlerts(alerts: [MetroAlert(id: "1", title: "全線延誤")])

  private let clock = ManualClock(now: BoardRows.noon)
  private let feed = ScriptedFeed(.rows(rows))

  private func metro(_ alerts: SlowAlerts) -> Metro {
    Metro(source: feed, alerts: alerts, storage: .inMemory, clock: clock, random: { 0 })
  }

  /// Waits until a task sleeps for a duration, and advances the clock by it.
  private func pass(_ duration: Duration) async throws {
    while try await clock.nextSleep() != duration {}
    clock.advance(by: duration)
  }

  /// Refreshes a metro whose alerts don't arrive in time.
  private func refreshInVain(_ metro: Metro) async throws -> RefreshReport {
    async let report = metro.refresh()
    try await pass(Self.patience)
    return try await report
  }

  @Test(
    "late alerts end a refresh with a notice after four seconds, and are stored when they arrive")
  func late() async throws {
    let source = SlowAlerts()
    let metro = metro(source)
    let report = try await refreshInVain(metro)
    #expect(report.notices.map(\.code) == [.partFailed])
    #expect(clock.uptime < .seconds(4))
    var updates = metro.updates().makeAsyncIterator()
    let board = try #require(await updates.next())
    #expect(board.arrivals.count == 1)
    #expect(board.alerts == nil)
    #expect(board.alertsFailure?.code == .timeout)

    source.answer(.success(Self.late))
    let next = try #require(await updates.next())
    #expect(next.alerts?.alerts == Self.late.alerts)
    #expect(next.alertsFailure == nil)
    #expect(try await metro.board().alerts?.alerts == Self.late.alerts)
    #expect(source.count == 1)
  }

  @Test("late alerts that fail late are the failure on the board")
  func lateFailure() async throws {
    let source = SlowAlerts()
    let metro = metro(source)
    _ = try await refreshInVain(metro)
    var updates = metro.updates().makeAsyncIterator()
    _ = await updates.next()
    source.answer(.failure(FieldError(.offline, "no network")))
    #expect(await updates.next()?.alertsFailure?.code == .offline)
  }

  @Test("late alerts don't delay the next poll, which waits for the same request")
  func polls() async throws {
    let source = SlowAlerts()
    let metro = metro(source)
    var boards = metro.boards(every: .seconds(5)).makeAsyncIterator()
    #expect(await boards.next()?.arrivals.count == 1)
    try await pass(Self.patience)
    try await pass(.seconds(5) - Self.patience)
    try await eventually { feed.count == 2 }
    #expect(clock.uptime == .seconds(5))
    try await pass(Self.patience)
    #expect(source.count == 1)
    source.answer(.success(Self.late))
    while let board = await boards.next(), board.alerts == nil {}
    #expect(source.count == 1)
    try await metro.close()
  }

  @Test(
    "late alerts are in the report of the refresh in which they arrive, not of the one that asked")
  func joined() async throws {
    let source = SlowAlerts()
    let metro = metro(source)
    _ = try await refreshInVain(metro)
    async let second = metro.refresh()
    while try await clock.nextSleep() != Self.patience {}
    source.answer(.success(Self.late))
    let report = try await second
    #expect(report.notices.isEmpty)
    #expect(report.added == 1)
    #expect(source.count == 1)
    async let third = metro.refresh()
    try await eventually { source.count == 2 }
    source.answer(.success(Self.late))
    #expect(try await third.notices.isEmpty)
  }

  @Test("late alerts are canceled with the refresh that waits for them, and requested by the next")
  func cancelled() async throws {
    let source = SlowAlerts()
    let metro = metro(source)
    let first = Task { try await metro.refresh() }
    try await eventually { source.count == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    try await eventually { source.cancellations == 1 }
    async let second = metro.refresh()
    try await eventually { source.count == 2 }
    source.answer(.success(Self.late))
    #expect(try await second.notices.isEmpty)
    #expect(try await metro.board().alertsFailure == nil)
  }

  @Test(
    "late alerts are canceled when the metro is closed, whether a refresh waits for them or not")
  func closed() async throws {
    let source = SlowAlerts()
    let waiting = metro(source)
    let refresh = Task { try await waiting.refresh() }
    try await eventually { source.count == 1 }
    try await waiting.close()
    let error = await #expect(throws: FieldError.self) { try await refresh.value }
    #expect(error?.code == .closed)
    try await eventually { source.cancellations == 1 }

    let late = metro(source)
    _ = try await refreshInVain(late)
    try await late.close()
    try await eventually { source.cancellations == 2 }
  }

  @Test("late alerts are canceled with a metro that nobody uses anymore")
  func dropped() async throws {
    let source = SlowAlerts()
    var metro: Metro? = metro(source)
    if let metro { _ = try await refreshInVain(metro) }
    metro = nil
    try await eventually { source.cancellations == 1 }
  }

  @Test(
    "late alerts aren't stored or reported after the metro's data was erased",
    arguments: [true, false])
  func erased(isSuccess: Bool) async throws {
    let source = SlowAlerts(ignoresCancellation: true)
    let metro = metro(source)
    _ = try await refreshInVain(metro)
    try await metro.eraseAll()
    #expect(source.cancellations == 1)
    source.answer(
      isSuccess ? .success(Self.late) : .failure(FieldError(.offline, "no network")))
    // A request of its own, so that the late answer has had its time.
    async let report = metro.refresh()
    try await eventually { source.count == 2 }
    source.answer(.success(MetroAlerts(alerts: [])))
    #expect(try await report.notices.isEmpty)
    let board = try await metro.board()
    #expect(board.alerts?.alerts.isEmpty == true)
    #expect(board.alertsFailure == nil)
  }

  @Test("late alerts end a refresh that waits for them while the data is erased, with the reason")
  func erasedInRun() async throws {
    let source = SlowAlerts()
    let metro = metro(source)
    let refresh = Task { try await metro.refresh() }
    try await eventually { source.count == 1 }
    try await metro.eraseAll()
    let error = await #expect(throws: FieldError.self) { try await refresh.value }
    #expect(error?.code == .conflict)
    let board = try await metro.board()
    #expect(board.alerts == nil && board.alertsFailure == nil)
  }
}
