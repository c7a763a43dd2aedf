import FieldCore
import FieldFakes
import FieldKit
import Foundation
import TestSupport

/// Three processes on two devices, the servers, and what must be true of them.
///
/// Processes 0 and 1 share a device, such as an app and its extension.
final class SimulatedWorld: Sendable {
  private struct State: Sendable {
    var processes: [SimulatedProcess?] = [nil, nil, nil]
    var starts: UInt64 = 0
    var trace: [String] = []
    var failures: [String] = []
    var mishapCount = 0
  }

  let seed: UInt64
  let scheduler: SeededScheduler
  let servers: SimulatedServers
  let devices = [DeviceFiles(), DeviceFiles()]
  private let shifts = [Lock(0.0), Lock(0.0)]
  let ledger: Lock<SimulationLedger>
  private let state = Lock(State())

  init(seed: UInt64) {
    self.seed = seed
    scheduler = SeededScheduler(seed: seed)
    servers = SimulatedServers(clock: SimulatedClock(scheduler))
    var first = SimulationLedger()
    for number in 1...25 { first.masses["\(number)"] = [Double(number)] }
    ledger = Lock(first)
  }

  /// What happened, the same whenever the same steps are run with the same seed.
  var trace: [String] { state.withLock(\.trace) }
  var failures: [String] { state.withLock(\.failures) }
  var mishapCount: Int { state.withLock(\.mishapCount) }

  /// Runs steps, and then checks how all has ended.
  static func run(_ steps: [SimulationStep], seed: UInt64) -> SimulatedWorld {
    let world = SimulatedWorld(seed: seed)
    do {
      try world.scheduler.run { await world.live(steps) }
    } catch {
      world.fail("the simulation ended with \(error)")
    }
    return world
  }

  func fail(_ what: String) {
    note("FAILURE \(what)")
    state.withLock { $0.failures.append(what) }
  }

  func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) {
    if !isTrue { fail(what()) }
  }

  func note(_ line: String) {
    let seconds = scheduler.time.components.seconds
    state.withLock { $0.trace.append("[\(seconds) s] \(line)") }
  }

  private func live(_ steps: [SimulationStep]) async {
    var place = 0
    while place < steps.count, failures.isEmpty {
      var end = place + 1
      while end < steps.count, end < place + 3, steps[end - 1].isAlongside { end += 1 }
      await perform(Array(steps[place..<end]))
      place = end
    }
    guard failures.isEmpty else { return }
    do {
      try await finish()
    } catch {
      fail("the end failed with \(error)")
    }
  }

  // MARK: Processes

  static func device(of process: Int) -> Int { process == 2 ? 1 : 0 }

  func shift(_ device: Int, by seconds: Double) { shifts[device].withLock { $0 += seconds } }

  /// Returns a running process, which is started if necessary.
  func process(_ number: Int) throws -> SimulatedProcess {
    if let running = state.withLock({ $0.processes[number] }), !running.files.isDead {
      return running
    }
    let start = state.withLock { state in
      state.starts += 1
      return state.starts
    }
    let device = Self.device(of: number)
    let process = try SimulatedProcess(
      on: devices[device], shift: shifts[device], scheduler: scheduler, servers: servers,
      seed: seed &* 1_000 &+ start)
    state.withLock { $0.processes[number] = process }
    return process
  }

  /// Whether a walk is being recorded in any process.
  var isRecording: Bool { !recorders.isEmpty }

  func isRecording(_ id: Walk.ID) -> Bool { recorders.contains { $0.id == id } }

  private var recorders: [WalkRecorder] {
    state.withLock(\.processes).compactMap { $0?.recorder.withLock(\.self) }
  }

  func end(_ number: Int) {
    let running = state.withLock { state in
      defer { state.processes[number] = nil }
      return state.processes[number]
    }
    running?.files.kill()
    running?.recorder.withLock { $0 = nil }
  }

  /// Starts a device again; without a seed, only its processes have ended.
  func restart(_ device: Int, powerCut seed: UInt64?) {
    for number in 0..<3 where Self.device(of: number) == device { end(number) }
    devices[device].restart(powerCut: seed)
    if seed != nil { ledger.withLock { $0.losePower(on: device) } }
  }

  // MARK: Steps

  private func perform(_ group: [SimulationStep]) async {
    servers.isFaulty.withLock { $0 = group.contains(where: \.isFaulty) }
    let isAlone = group.count == 1
    let runs = group.map { step in
      Task { await self.perform(step, isAlone: isAlone) }
    }
    for run in runs { await run.value }
    servers.isFaulty.withLock { $0 = false }
    servers.stones.onRequest = nil
    for step in group {
      let device = Self.device(of: step.process)
      let system = devices[device].system
      system.failAlways(nil)
      if devices[device].hasFailed.withLock(\.self) {
        note("the power of device \(device) fails")
        restart(device, powerCut: step.draw | 1)
      }
      state.withLock { $0.processes[step.process] }?.files.set(nil)
    }
  }

  private func perform(_ step: SimulationStep, isAlone: Bool) async {
    do {
      // Two devices don't do anything in the same microsecond.
      try await scheduler.sleep(for: .microseconds(step.draw + 1))
      let process = try process(step.process)
      let system = devices[Self.device(of: step.process)].system
      if step.mishap != nil { state.withLock { $0.mishapCount += 1 } }
      switch step.mishap {
      case .files(let kind, let count): process.files.set(kind, after: count)
      case .fullDisk: system.failAlways("write", ENOSPC)
      case .failingSync: system.failAlways("sync", EIO)
      case .cancel, nil: break
      }
      let action = Task {
        try await Action(world: self, process: process, step: step, isAlone: isAlone).run()
      }
      if case .cancel(let duration) = step.mishap {
        try await scheduler.sleep(for: duration)
        action.cancel()
      }
      let outcome = await action.result
      switch outcome {
      case .success(let what): note("\(step) → \(what)")
      case .failure(let error as FieldError):
        note("\(step) → \(error.code)")
        // An app starts its stores again after this.
        if error.code == .needsReopening { end(step.process) }
      case .failure(is CancellationError): note("\(step) → canceled")
      case .failure(let error): fail("\(step) → \(error)")
      }
      if process.files.isDead { end(step.process) }
    } catch {
      fail("\(step) → \(error)")
    }
    note("\(scheduler.jobCount) jobs, \(servers.requestCount.withLock(\.self)) requests")
  }
}
