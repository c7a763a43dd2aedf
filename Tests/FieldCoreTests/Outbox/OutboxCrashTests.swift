import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("An outbox in a file", .heavy(seconds: 1), .timeLimit(.minutes(60)))
struct OutboxCrashTests {
  private static let path = "/data/notes.store"
  /// No seed is a process that ends; the others are power cuts.
  private static let seeds: [UInt64?] = [nil] + (1...UInt64(Sample.rounds(5, 1))).map(\.self)
  private let clock = ManualClock()

  private func store(_ fileSystem: MemoryFileSystem) -> FileStore<NoteRecord> {
    FileStore(unsharedPath: Self.path, fileSystem: fileSystem, patience: .milliseconds(20))
  }

  private func outbox(_ store: FileStore<NoteRecord>, _ server: NoteServer) -> NoteOutbox {
    NoteOutbox(store, server, clock: clock, policy: OutboxPolicy(lease: .zero))
  }

  @Test("an outbox in a file does everything once if nothing fails", arguments: [true, false])
  func undisturbed(ignoresRepeatedKeys: Bool) async throws {
    let store = store(MemoryFileSystem())
    let server = OutboxScript.server(ignoresRepeatedKeys: ignoresRepeatedKeys)
    let script = OutboxScript(outbox(store, server))
    await script.run { _ in false }
    #expect(script.errors.isEmpty, "\(script.errors)")
    try await OutboxScript.check(
      script.outbox, store, server, certain: script.done, possible: [], "undisturbed")
    #expect(Set(server.notes) == [1, 2, 3, 4, 5, 6, 20, 90, 91])
  }

  @Test(
    "an outbox loses and duplicates nothing if the process or the power fails at any call",
    arguments: seeds, [true, false])
  func crash(seed: UInt64?, ignoresRepeatedKeys: Bool) async throws {
    var last = 0
    for call in Sample.steps(from: 1, apart: 12, inDebug: 60) {
      last = call
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .crash)
      let server = OutboxScript.server(ignoresRepeatedKeys: ignoresRepeatedKeys)
      let script = OutboxScript(outbox(store(fileSystem), server))
      await script.run { _ in false }
      if fileSystem.callCount < call { break }
      let after = store(
        fileSystem.afterCrash(seed: seed.map { $0 &* 1_000_003 &+ UInt64(call) }))
      try await OutboxScript.check(
        outbox(after, server), after, server, certain: script.done, possible: script.failed,
        "seed \(seed ?? 0), call \(call): \(fileSystem.log.suffix(3))")
    }
    #expect(last > 200, "\(last) calls")
  }

  @Test(
    "an outbox in a file continues after any one call has failed",
    arguments: [(ENOSPC, true), (EIO, false)])
  func failure(error: Int32, isPartial: Bool) async throws {
    var last = 0
    for call in Sample.steps(from: 1, apart: 12, inDebug: 60) {
      last = call
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, isPartial ? .partialFailure(error) : .failure(error))
      let store = store(fileSystem)
      let server = OutboxScript.server(ignoresRepeatedKeys: false)
      let script = OutboxScript(outbox(store, server))
      await script.run { _ in
        _ = try? await store.open()
        return true
      }
      if fileSystem.callCount < call { break }
      for error in script.errors {
        let code = (error as? FieldError)?.code
        // What was not put can't be changed, nor what has no recorded outcome.
        let codes: [FieldError.Code?] = [
          .io, .diskFull, .needsReopening, .notPending, .alreadySent,
        ]
        #expect(codes.contains(code), "\(error)")
      }
      try await OutboxScript.check(
        script.outbox, store, server, certain: script.done, possible: script.failed,
        "\(error), call \(call): \(script.errors)")
    }
    #expect(last > 200, "\(last) calls")
  }

  @Test(
    "an outbox in a file waits for space if the disk is full at any request",
    arguments: [true, false])
  func fullDisk(ignoresRepeatedKeys: Bool) async throws {
    for request in Sample.of(1...20, 5) {
      let fileSystem = MemoryFileSystem()
      let store = store(fileSystem)
      let server = OutboxScript.server(ignoresRepeatedKeys: ignoresRepeatedKeys) { number in
        if number == request { fileSystem.failAlways("write", ENOSPC) }
      }
      let script = OutboxScript(outbox(store, server))
      await script.run { _ in true }
      fileSystem.failAlways(nil)
      let codes = Set(script.errors.map { ($0 as? FieldError)?.code })
      #expect(codes.isSubset(of: [.diskFull, .notPending, .alreadySent]), "\(script.errors)")
      try await OutboxScript.check(
        script.outbox, store, server, certain: script.done, possible: script.failed,
        "request \(request): \(script.errors)")
    }
  }

  @Test("an outbox is read again by another process, with rejected operations and their reasons")
  func reopening() async throws {
    let fileSystem = MemoryFileSystem()
    let server = NoteServer { _, _ in .reject }
    try await outbox(store(fileSystem), server).put(1)
    try await outbox(store(fileSystem), server).send()
    let next = outbox(store(fileSystem), server)
    let rejected = try await next.pending().rejected
    #expect(rejected.map(\.payload.note) == [1])
    #expect(rejected[0].lastError?.message == "HTTP 422 on purpose")
    server.setPlan { _, _ in nil }
    try await next.resend(rejected[0].id)
    #expect(try await outbox(store(fileSystem), server).send().isEmpty)
  }
}
