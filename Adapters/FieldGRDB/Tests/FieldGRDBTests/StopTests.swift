@testable import FieldCore
import Testing

/// Random numbers that come out the same for the same seed (SplitMix64).
private struct Generator: RandomNumberGenerator, Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

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
      try await SyncStops.play(Generator(state: seed), on: try freshTarget(), "seed \(seed)")
    }
  }
}
