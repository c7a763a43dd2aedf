@testable import FieldCore
import Testing

@Suite("A sync of a table that stops")
struct StopTests {
  @Test(
    "a sync of a table that stops after any single step resumes to the same end",
    arguments: [DeletionPolicy.never, .bySnapshot, .byKeys])
  func everyStep(deletion: DeletionPolicy) async throws {
    var step = 0
    while try await !SyncStops.stop(after: step, deletion, on: try freshTarget()) { step += 2 }
    #expect(step > 10)
  }

  @Test("a sync of a table that stops at random steps while the portal changes loses nothing")
  func randomSteps() async throws {
    for seed in UInt64(0)..<40 {
      try await SyncStops.play(SeededGenerator(seed: seed), on: try freshTarget(), "seed \(seed)")
    }
  }
}
