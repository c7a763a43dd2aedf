import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

/// Two processes that share a file, a server that loses requests and responses, kills, power cuts, a failing
/// disk, and a clock that jumps: what comes of it must be what comes of an undisturbed run.
@Suite("An outbox of two processes, with random operations", .heavy, .timeLimit(.minutes(60)))
struct OutboxModelTests {
  @Test("an outbox of two processes applies each operation once, in order, and loses none")
  func random() async throws {
    var applied = 0
    let seeds = Sample.of(1...UInt64(1_000), 12, inDebug: 7)
    for seed in seeds {
      var model = OutboxModel(seed: seed)
      for _ in 0..<60 { try await model.step() }
      try await model.finish()
      applied += model.server.applied.count
    }
    print("outbox: \(seeds.count) seeds, \(applied) operations applied")
  }
}

private struct OutboxModel {
  private static let path = "/data/notes.store"

  let seed: UInt64
  let server: NoteServer
  private var chance: SeededGenerator
  private var fileSystem = MemoryFileSystem()
  private var processes: [NoteOutbox] = []
  private let clock = ManualClock()
  private let isHonest = Lock(false)
  private var lastNumber = 0
  /// The lane of each operation that was put, and of those that may have been.
  private var certain: [Int: String] = [:]
  private var possible: [Int: String] = [:]
  /// What was, or may have been, discarded.
  private var discarded: Set<Int> = []

  init(seed: UInt64) {
    self.seed = seed
    chance = SeededGenerator(seed: seed)
    let faults = Lock(SeededGenerator(seed: seed &+ 1_000_003))
    server = NoteServer { [isHonest] _, operation in
      if operation.payload.text == "bad" { return .reject }
      if isHonest.withLock(\.self) { return nil }
      return faults.withLock { generator in
        let list: [NoteServer.Fault] = [
          .dropBefore, .dropAfter, .reorder, .duplicate, .rateLimit(retryAfter: 20),
          .rateLimit(retryAfter: nil), .unauthorized, .unavailable, .offline,
        ]
        return Int.random(in: 0..<2, using: &generator) == 0
          ? list.randomElement(using: &generator) : nil
      }
    }
    restart()
  }

  private mutating func restart() { processes = (0..<2).map { _ in process() } }

  private func process() -> NoteOutbox {
    NoteOutbox(
      FileStore(
        unsharedPath: Self.path, fileSystem: fileSystem, clock: ImmediateClock(),
        patience: .milliseconds(50)),
      server, clock: clock, policy: OutboxPolicy(maximumDelay: .seconds(60)))
  }

  mutating func step() async throws {
    let place = Int.random(in: 0..<2, using: &chance)
    switch Int.random(in: 0..<20, using: &chance) {
    case 0...7: await put(processes[place])
    case 8: await change(processes[place])
    case 9...13: await send(isCanceled: false)
    case 14: await send(isCanceled: true)
    case 15:
      let call = fileSystem.callCount + Int.random(in: 1...12, using: &chance)
      fileSystem.fail(at: call, .failure(Bool.random(using: &chance) ? EIO : ENOSPC))
    case 16:
      // The power is cut in the middle of what comes next.
      fileSystem.fail(
        at: fileSystem.callCount + Int.random(in: 1...30, using: &chance), .crash)
      await put(processes[place])
      await send(isCanceled: false)
      fileSystem = fileSystem.afterCrash(
        seed: Bool.random(using: &chance) ? nil : chance.next())
      restart()
    case 17: processes[place] = process()
    case 18:
      clock.set(now: Date(timeIntervalSince1970: .random(in: 0...4e9, using: &chance)))
    default: clock.advance(by: .seconds(Int.random(in: 1...40, using: &chance)))
    }
  }

  private mutating func put(_ outbox: NoteOutbox) async {
    lastNumber += 1
    let number = lastNumber
    let lane = "lane \(Int.random(in: 0..<4, using: &chance))"
    let text = Int.random(in: 0..<8, using: &chance) == 0 ? "bad" : "good"
    possible[number] = lane
    do {
      try await outbox.update { _, changes in
        changes.upsert(.note(Note(number, text)))
        changes.enqueue(NoteChange(number, text), lane: lane, subject: "note/\(number)")
      }
      certain[number] = lane
    } catch { await Self.reopen(outbox) }
  }

  /// Edits, resends, or discards an operation.
  private mutating func change(_ outbox: NoteOutbox) async {
    do {
      guard
        let operation = try await outbox.pending().operations.randomElement(using: &chance)
      else { return }
      switch Int.random(in: 0..<4, using: &chance) {
      case 0:
        // One that may have reached the server may be applied nevertheless.
        discarded.insert(operation.payload.note)
        try await outbox.discard(operation.id)
      case 1: try await outbox.resend(operation.id)
      default: try await outbox.edit(operation.id) { $0.text = "good" }
      }
    } catch { await Self.reopen(outbox) }
  }

  /// Both processes send at the same time, and one of them may be told to stop.
  private mutating func send(isCanceled: Bool) async {
    let turns = Int.random(in: 0..<60, using: &chance)
    let when = Bool.random(using: &chance) ? RefreshTrigger.now : .ifDue
    let tasks = processes.map { outbox in
      Task {
        do { try await outbox.send(when) } catch { await Self.reopen(outbox) }
      }
    }
    if isCanceled {
      for _ in 0..<turns { await Task.yield() }
      tasks[0].cancel()
    }
    for task in tasks { await task.value }
  }

  /// Opens the store again, in case that it takes no more commits.
  private static func reopen(_ outbox: NoteOutbox) async { _ = try? await outbox.store.open() }

  /// Brings everything to its end, and compares the server with an undisturbed run.
  mutating func finish() async throws {
    isHonest.withLock { $0 = true }
    fileSystem = fileSystem.afterCrash(seed: nil)
    restart()
    let what: Comment = "seed \(seed)"
    for _ in 0..<200 {
      clock.advance(by: .seconds(100))
      let left = try await processes[0].send(.now)
      for operation in left.rejected {
        try await processes[0].edit(operation.id) { $0.text = "good" }
      }
      if left.isEmpty { break }
    }
    let left = try await processes[0].pending()
    #expect(left.isEmpty, "\(left.operations), \(what)")
    let applied = server.notes
    #expect(Set(applied).count == applied.count, "doubled: \(applied), \(what)")
    let snapshot = try await processes[0].store.snapshot()
    for number in 1...max(1, lastNumber) where !discarded.contains(number) {
      let note = snapshot[id: "note/\(number)"]?.note
      if certain[number] != nil { #expect(applied.contains(number), "lost: \(number), \(what)") }
      #expect((note != nil) == applied.contains(number), "note \(number), \(what)")
      if let note { #expect(note.text.contains("#"), "no receipt: \(number), \(what)") }
    }
    for lane in Set(possible.values) {
      let order = applied.filter { possible[$0] == lane && !discarded.contains($0) }
      #expect(order == order.sorted(), "\(lane): \(order), \(what)")
    }
  }
}
