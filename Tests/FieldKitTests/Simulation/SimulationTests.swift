import Foundation
import TestSupport
import Testing

/// Three processes on two devices, with all that can happen to them, in virtual time.
@Suite("A simulation of everything", .heavy(seconds: 1), .timeLimit(.minutes(240)))
struct SimulationTests {
  private static let variables = ProcessInfo.processInfo.environment
  private static func variable(_ name: String) -> Int? { variables[name].flatMap { Int($0) } }

  @Test func `a simulation of everything keeps all promises in every seed`() throws {
    let given = Self.variable("FIELDKIT_SIMULATION_SEED").map(UInt64.init)
    let count =
      given == nil ? Self.variable("FIELDKIT_SIMULATIONS") ?? Sample.rounds(500, 8, inDebug: 1) : 1
    let length = Self.variable("FIELDKIT_SIMULATION_STEPS") ?? (Sample.isWhole ? 120 : 60)
    let first = given ?? (Sample.isWhole ? 1 : Sample.seed() % 1_000_000)
    var (days, mishaps, failed) = (0, 0, [UInt64]())
    for seed in first..<first + UInt64(count) {
      let steps = SimulationStep.steps(length, seed: seed)
      let world = SimulatedWorld.run(steps, seed: seed)
      days += Int(world.scheduler.time / .seconds(86_400))
      mishaps += world.mishapCount
      if given != nil { print(world.trace.joined(separator: "\n")) }
      guard !world.failures.isEmpty else { continue }
      failed.append(seed)
      print("seed \(seed):", world.failures.map { $0.prefix(300) })
      if Self.variables["FIELDKIT_SIMULATION_COUNT"] == nil { report(seed, steps, world) }
    }
    print(
      "simulation: \(count) seeds from \(first), \(count * length) steps, \(mishaps) mishaps, "
        + "\(days) days, \(failed.count) seeds failed \(failed)")
  }

  /// Records a failure with the fewest steps that still lead to one.
  private func report(_ seed: UInt64, _ steps: [SimulationStep], _ world: SimulatedWorld) {
    let few = shrunk(steps) { !SimulatedWorld.run($0, seed: seed).failures.isEmpty }
    let last = SimulatedWorld.run(few, seed: seed)
    Issue.record(
      """
      FIELDKIT_SIMULATION_SEED=\(seed): \(world.failures.joined(separator: "; "))
      With \(few.count) of \(steps.count) steps: \(last.failures.joined(separator: "; "))
      \(last.trace.joined(separator: "\n"))
      """)
  }

  @Test func `a simulation of everything is the same whenever it is run with the same seed`() {
    let seed = Sample.seed() % 1_000_000
    let steps = SimulationStep.steps(Sample.rounds(40, 40, inDebug: 20), seed: seed)
    let traces = (0..<2).map { _ in SimulatedWorld.run(steps, seed: seed).trace }
    for (first, second) in zip(traces[0], traces[1]) where first != second {
      Issue.record("seed \(seed): \(first) | \(second)")
      break
    }
    #expect(traces[0].count == traces[1].count)
  }

  @Test func `a simulation of everything is shrunk to the steps that matter`() {
    let short = shrunk(Array(0..<100)) { $0.contains(17) && $0.contains(80) && $0.count > 1 }
    #expect(short == [17, 80])
  }
}
