import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("A field over an observed storage", .timeLimit(.minutes(60)))
struct ObservationTests {
  private final class Log: Sendable {
    let events = Lock<[FieldEvent]>([])

    func events(_ name: FieldEvent.Name, _ step: FieldEvent.Step) -> [FieldEvent] {
      events.withLock { $0 }.filter { $0.name == name && $0.step == step }
    }
  }

  @Test(
    "a field over an observed storage reports its kits' refreshes, and their stores' commits",
    arguments: [true, false])
  func kits(inMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let log = Log()
    let storage: Storage = inMemory ? .inMemory : .directory(folder.url)
    let field = Field(
      storage: storage.observed(
        by: FieldObserver { event in log.events.withLock { $0.append(event) } }),
      transport: StubTransport { FieldTests.sources(&$0, meteorites: .error(.offline)) },
      clock: ImmediateClock())
    for await _ in field.refreshAll() {}
    try await field.walks.open()
    let refreshed = log.events(.refresh, .ended).map(\.subject)
    #expect(Set(refreshed).isSuperset(of: ["zoo", "metro", "civic"]))
    let parts = log.events(.refreshPart, .ended).filter { $0.subject == "civic" }.map(\.part)
    #expect(parts == ["feeds"])
    let failed = log.events(.refresh, .failed)
    #expect(failed.map(\.subject) == ["meteorites"])
    #expect(failed.map(\.code) == [.offline])
    #expect(
      Set(log.events(.kitOpen, .ended).map(\.subject)).isSuperset(of: [
        "zoo", "metro", "meteorites", "walks", "civic",
      ]))
    #expect(Set(log.events(.storeCommit, .ended).map(\.subject)).isSuperset(of: ["zoo"]))
    #expect(log.events(.storeCommit, .failed).isEmpty)
    log.events.withLock { $0 = [] }
    _ = try await field.zoo.view()
    _ = try await field.metro.board()
    #expect(log.events.withLock { $0 }.isEmpty)
    try await field.close()
  }
}
