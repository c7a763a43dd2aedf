import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("A sync with a portal that stops, with its store in a file", .heavy)
struct SODAStopTests {
  // S19 of Docs/old-apps.md
  @Test(
    "a sync that stops after any request or commit is resumed by a new process to the same end",
    arguments: [DeletionPolicy.never, .bySnapshot, .byKeys])
  func everyStep(deletion: DeletionPolicy) async throws {
    var last = 0
    for step in Sample.steps(from: 0, apart: 4, inDebug: 8) {
      let portal = PortalFixture(stones: 45)
      let folder = try TemporaryFolder()
      let file = folder.url.appending(path: "meteorites")
      _ = try await Self.run(portal, file, deletion, stoppingAfter: .max)
      portal.pass(60)
      portal.server.update("7", ["mass": 7])
      portal.server.delete("8")
      portal.server.insert((46...60).map { PortalFixture.stone($0) })
      let isDone = try await Self.run(portal, file, deletion, stoppingAfter: step)
      _ = try await Self.run(portal, file, deletion, stoppingAfter: .max)
      let store = FileStore<Meteorite>(file)
      var stored = Dictionary(
        uniqueKeysWithValues: try await store.snapshot().map {
          ($0.id.rawValue, $0.massInGrams ?? -1)
        })
      if deletion == .never { stored["8"] = nil }
      #expect(stored == portal.portalMasses, "stopped after step \(step)")
      try await store.close()
      last = step
      if isDone { break }
    }
    #expect(last > 8)
  }

  /// One process: it opens the file, syncs until it is stopped, and is gone.
  private static func run(
    _ portal: PortalFixture, _ file: URL, _ deletion: DeletionPolicy, stoppingAfter limit: Int
  ) async throws -> Bool {
    let steps = StepCounter(limit: limit)
    let store = FileStore<Meteorite>(file)
    let repository = HookedRepository(
      base: store, before: { try steps.step() },
      after: { try steps.step() })
    let catalog = MeteoriteCatalog(
      source: try portal.source(
        deletion: deletion, pageSize: 10,
        transport: StoppingTransport(base: portal.server, steps: steps)),
      repository: repository, clock: portal.clock)
    var isDone = true
    do {
      try await catalog.refresh(.now)
    } catch let error as FieldError where error.underlying is StepCounter.Stopped {
      isDone = false
    }
    try await store.close()
    return isDone
  }
}

/// Counts steps, and stops at one of them.
private final class StepCounter: Sendable {
  struct Stopped: Error {}
  private let state = Lock(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func step() throws {
    try state.withLock { count in
      count += 1
      if count > limit { throw Stopped() }
    }
  }
}

private struct StoppingTransport: Transport {
  let base: any Transport
  let steps: StepCounter

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    try steps.step()
    let answer = try await base.send(request)
    try steps.step()
    return answer
  }
}
