import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The schedule of a field", .timeLimit(.minutes(60)))
struct ScheduleTests {
  private let clock = ManualClock()
  private let transport = CountingTransport(StubTransport { FieldTests.sources(&$0) })
  private var field: Field { Field(storage: .inMemory, transport: transport, clock: clock) }

  private func finish(_ steps: RefreshProgressUpdates) async -> [String: String] {
    var endings: [String: String] = [:]
    for await step in steps {
      switch step.outcome {
      case .finished(let report)?: endings[step.kit] = "\(report.outcome)"
      case .failed(let error)?: endings[step.kit] = "\(error.code)"
      case .cancelled?: endings[step.kit] = "cancelled"
      case nil: break
      }
    }
    return endings
  }

  @Test(
    "the schedule of a field has the next date of timed parts, and none for those of every visit")
  func nextDate() async throws {
    let field = field
    #expect(try await field.nextRefreshDate == clock.now)
    #expect(await finish(field.refreshAll()).count == 4)
    let next = try #require(try await field.nextRefreshDate)
    #expect(abs(next.timeIntervalSince(clock.now) - 86_400) < 0.001)
    for kit in field.kits {
      let date = try await kit.nextRefreshDate
      let wait = date.map { $0.timeIntervalSince(clock.now).rounded() }
      #expect(wait == (["zoo", "meteorites"].contains(kit.name) ? 86_400 : nil), "\(kit.name)")
    }
    clock.advance(by: .seconds(86_401))
    #expect(try #require(try await field.nextRefreshDate) <= clock.now)
  }

  @Test(
    "the schedule of a field isn't moved by the failure of a part that is fetched on every visit")
  func failure() async throws {
    let field = field
    _ = await finish(field.refreshAll())
    let before = try await field.nextRefreshDate
    transport.setFailure { ["metro.arrivals", "civic.feed"].contains($0) }
    let time = ImmediateClock(now: clock.now)
    let other = Field(storage: .inMemory, transport: transport, clock: time)
    #expect(await finish(other.refreshAll())["metro"] == "transport.offline")
    let next = try #require(try await other.nextRefreshDate)
    #expect(next.timeIntervalSince(time.now) > 80_000)
    #expect(try await other.metro.nextRefreshDate == nil)
    #expect(try await other.civic.nextRefreshDate == nil)
    #expect(try await field.nextRefreshDate == before)
  }

  @Test("a field asks once a day for daily kits over 30 days, and never for unseen boards")
  func thirtyDays() async throws {
    let field = field
    var wakes = 0
    let end = clock.now.addingTimeInterval(30 * 86_400 - 1)
    while let next = try await field.nextRefreshDate, next <= end {
      // A system wakes an app late, and sometimes for nothing.
      let late = next.timeIntervalSince(clock.now) + Double(wakes % 3)
      clock.advance(by: .seconds(max(0, late)))
      for _ in 0...(wakes % 2) { _ = await finish(field.refreshAll(.scheduled)) }
      wakes += 1
    }
    #expect(wakes == 30)
    #expect(
      transport.counts == [
        "zoo.animals.page": 30, "zoo.areas.page": 30, "zoo.plants.page": 30,
        "meteorites.snapshot": 30,
      ])
  }

  @Test("a field fetches arrivals and feeds again on every visit, and the rest once a day")
  func visits() async throws {
    let field = field
    for _ in 1...3 { _ = await finish(field.refreshAll()) }
    #expect(transport.counts["metro.arrivals"] == 3)
    #expect(transport.counts["civic.feed"] == 6)
    #expect(transport.counts["meteorites.snapshot"] == 1)
    #expect(
      await finish(field.refreshAll(.scheduled)) == ["zoo": "notDue", "meteorites": "notDue"])
    #expect(transport.counts["metro.arrivals"] == 3)
  }

  @Test("a field refreshes only the kits that the caller chooses")
  func chosen() async throws {
    let field = field
    let endings = await finish(field.refreshAll(.now, of: [field.zoo, field.metro]))
    #expect(endings == ["zoo": "updated", "metro": "updated"])
    #expect(transport.counts["meteorites.snapshot"] == nil)
    #expect(await finish(field.refreshAll(of: [])).isEmpty)
  }

  @Test("the schedule of a field is known even if the store of a kit can't be opened")
  func damaged() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("no store file".utf8).write(to: folder.appending(path: "meteorites.store"))
    let field = Field(storage: .directory(folder), transport: transport, clock: clock)
    #expect(try await field.nextRefreshDate == clock.now)
    #expect(
      await finish(field.refreshAll(.scheduled)) == [
        "zoo": "updated", "meteorites": "store.damaged",
      ])
    #expect(try #require(try await field.nextRefreshDate) > clock.now.addingTimeInterval(86_000))
    try await field.close()
  }
}

/// A transport that counts the requests of each operation, and can fail some.
final class CountingTransport: Transport {
  private struct State: Sendable {
    var counts: [String: Int] = [:]
    var fails: @Sendable (String) -> Bool = { _ in false }
  }

  private let base: any Transport
  private let state = Lock(State())

  init(_ base: any Transport) { self.base = base }

  var counts: [String: Int] { state.withLock(\.counts) }

  func setFailure(_ fails: @escaping @Sendable (String) -> Bool) {
    state.withLock { $0.fails = fails }
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let fails = state.withLock { state in
      state.counts[request.operation, default: 0] += 1
      return state.fails(request.operation)
    }
    if fails { throw FieldError(.offline, "There is no network.") }
    return try await base.send(request)
  }
}
