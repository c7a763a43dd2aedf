import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import FieldCore

@Suite("An outbox", .timeLimit(.minutes(60)))
struct OutboxTests {
  private let store = InMemoryStore<NoteRecord>()
  private let clock = ManualClock()
  private let server = NoteServer()

  private func outbox(_ server: NoteServer? = nil, policy: OutboxPolicy = OutboxPolicy())
    -> NoteOutbox
  {
    NoteOutbox(store, server ?? self.server, clock: clock, policy: policy)
  }

  private func note(_ number: Int) async throws -> String? {
    try await store.snapshot()[id: "note/\(number)"]?.note?.text
  }

  @Test("an outbox commits an operation together with its record, and the receipt with its removal")
  func oneStep() async throws {
    let outbox = outbox()
    let revision = try await outbox.update { _, changes in
      changes.upsert(.note(Note(1, "a")))
      changes.enqueue(NoteChange(1, "a"), lane: "l")
    }
    #expect(revision.number == 1)
    #expect(try await store.snapshot().count == 2)
    let view = try await outbox.send()
    #expect(view.isEmpty)
    #expect(server.notes == [1])
    #expect(try await store.snapshot().revision.number == 3, "claimed, and completed")
    #expect(try await note(1) == "a #1")
  }

  @Test("an outbox adds an operation once, however often it is added with the same ID")
  func sameID() async throws {
    let outbox = outbox()
    let id = UUID()
    for text in ["first", "second"] {
      try await outbox.update { _, changes in
        changes.enqueue(NoteChange(1, text), lane: "l", id: id)
      }
    }
    #expect(try await outbox.pending().operations.map(\.payload.text) == ["first"])
  }

  @Test("an outbox changes nothing if the body of an update throws")
  func throwing() async throws {
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await outbox().update { _, changes in
        changes.enqueue(NoteChange(1), lane: "l")
        throw Failure()
      }
    }
    #expect(try await store.snapshot().isEmpty)
  }

  @Test("an outbox keeps the order of a lane, and sends other lanes while one waits")
  func lanes() async throws {
    let server = NoteServer { _, operation in operation.payload.text == "bad" ? .offline : nil }
    let outbox = outbox(server)
    try await outbox.put(1, "bad", lane: "a")
    for number in 2...4 { try await outbox.put(number, lane: number == 3 ? "a" : "b") }
    let view = try await outbox.send()
    #expect(server.notes == [2, 4])
    #expect(view.operations.map(\.payload.note) == [1, 3])
    #expect(view.operations.map(\.state) == [.waiting, .waiting])
    #expect(view.operations.map(\.attempts) == [1, 0])
    #expect(view.lastError?.code == .offline)
    #expect(view.nextAttempt == clock.now.addingTimeInterval(1))
    server.setPlan { _, _ in nil }
    #expect(try await outbox.send().count == 2, "it isn't due")
    clock.advance(by: .seconds(1))
    #expect(try await outbox.send().isEmpty)
    #expect(server.notes == [2, 4, 1, 3])
  }

  @Test("an outbox doesn't end while something is due, whenever other operations end", .heavy)
  func ends() async throws {
    try await withThrowingDiscardingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<Sample.rounds(20_000, 500, inDebug: 100) {
            let server = NoteServer { _, operation in operation.payload.note == 1 ? .offline : nil }
            let outbox = NoteOutbox(InMemoryStore(), server, clock: ManualClock())
            for number in 1...3 { try await outbox.put(number, lane: number == 1 ? "a" : "b") }
            let view = try await outbox.send()
            #expect(server.notes == [2, 3])
            #expect(view.operations.map(\.payload.note) == [1])
          }
        }
      }
    }
  }

  @Test("an outbox sends a limited number of concurrent lanes")
  func concurrency() async throws {
    let server = NoteServer(clock: clock) { _, _ in .delay(.seconds(1)) }
    let outbox = outbox(server, policy: OutboxPolicy(maximumConcurrentLanes: 3))
    for number in 1...7 { try await outbox.put(number) }
    async let sent = outbox.send()
    for count in [3, 3, 1] {
      try await eventually { clock.sleeperCount == count }
      try await letOthersRun()
      #expect(clock.sleeperCount == count)
      clock.advance(by: .seconds(1))
    }
    #expect(try await sent.isEmpty)
    #expect(Set(server.notes) == Set(1...7))
  }

  @Test(
    "an outbox keeps what the server rejects, blocking its lane or not", arguments: [true, false])
  func rejection(blocks: Bool) async throws {
    let server = NoteServer { _, operation in operation.payload.text == "bad" ? .reject : nil }
    let outbox = outbox(server)
    let id = try await outbox.put(1, "bad", lane: "a", blocksLane: blocks)
    try await outbox.put(2, lane: "a")
    try await outbox.put(3, lane: "b")
    var view = try await outbox.send()
    #expect(Set(server.notes) == (blocks ? [3] : [2, 3]))
    #expect(view.rejected.map(\.id) == [id])
    #expect(view.rejected[0].lastError?.response?.status == 422)
    #expect(view.nextAttempt == nil)
    #expect(view.operations(about: "note/1").map(\.id) == [id])
    clock.advance(by: .seconds(1_000_000))
    view = try await outbox.send(.now)
    #expect(view.rejected.map(\.id) == [id])
    let key = view.rejected[0].key
    try await outbox.resend(id)
    #expect(try await outbox.pending().operations[0].state == .waiting)
    view = try await outbox.send()
    #expect(view.rejected[0].key != key, "the server may repeat what it said about a key")
    try await outbox.edit(id) { $0.text = "good" }
    #expect(try await outbox.send().isEmpty)
    #expect(server.notes.filter { $0 == 1 }.count == 1)
    if blocks { #expect(server.notes == [3, 1, 2], "an edit keeps the place in the lane") }
  }

  @Test("an outbox discards only what it is asked to")
  func discarding() async throws {
    let server = NoteServer { _, operation in operation.payload.note == 1 ? .reject : nil }
    let outbox = outbox(server)
    let first = try await outbox.put(1, lane: "a")
    let second = try await outbox.put(2, lane: "a")
    try await outbox.put(3, lane: "a")
    try await outbox.send()
    try await outbox.update { _, changes in
      try changes.discard(first)
      try changes.discard(second)
      changes.remove("note/1")
    }
    try await outbox.send()
    #expect(server.notes == [3])
    #expect(try await note(1) == nil)
    let error = await #expect(throws: FieldError.self) { try await outbox.discard(first) }
    #expect(error?.code == .notPending)
  }

  @Test("an outbox merges only operations that were never sent")
  func merging() async throws {
    let outbox = outbox()
    server.setPlan { number, _ in number == 1 ? .offline : nil }
    try await outbox.put(1, "0", isMergeable: true)
    try await outbox.send()
    for text in 1...9 { try await outbox.put(1, "\(text)", isMergeable: true) }
    var view = try await outbox.pending()
    #expect(view.operations.map(\.payload.text) == ["0", "9"])
    let other = try await outbox.put(2, lane: "note/1", isMergeable: true)
    try await outbox.put(1, "10", isMergeable: true)
    view = try await outbox.pending()
    #expect(view.operations.map(\.payload.text) == ["0", "9", "", "10"], "order comes first")
    try await outbox.discard(other)
    try await outbox.update { _, changes in
      for text in 11...13 {
        changes.enqueue(NoteChange(1, "\(text)", isMergeable: true), lane: "note/1")
      }
    }
    #expect(try await outbox.pending().operations.map(\.payload.text) == ["0", "9", "13"])
    try await outbox.send(.now)
    #expect(server.applied.map(\.payload.text) == ["0", "9", "13"])
  }

  @Test(
    "an outbox asks the server about unknown outcomes, and resends only what wasn't applied",
    arguments: [
      (NoteServer.Fault.dropAfter, 1), (.dropBefore, 2), (.reorder, 2), (.duplicate, 1),
      (.unavailable, 2),
    ])
  func unsure(fault: NoteServer.Fault, requests: Int) async throws {
    let server = NoteServer { number, _ in number == 1 ? fault : nil }
    let outbox = outbox(server)
    let id = try await outbox.put(1, "a")
    try await outbox.put(2, lane: "note/1")
    if case .duplicate = fault {
    } else {
      let view = try await outbox.send()
      #expect(view.operations.map(\.state) == [.unsure, .waiting])
      #expect(!view.operations[0].isEditable)
      let error = await #expect(throws: FieldError.self) {
        try await outbox.edit(id) { $0.text = "b" }
      }
      #expect(error?.code == .alreadySent)
      #expect(server.statusCount == 0)
    }
    #expect(try await outbox.send(.now).isEmpty)
    #expect(server.notes == [1, 2])
    #expect(server.requestCount == requests + 1)
    #expect(try await note(1) == "a #1", "the receipt comes from the status, too")
  }

  @Test("an outbox rejects an edit as long as an abandoned request may arrive")
  func editingInDoubt() async throws {
    server.setPlan { number, _ in number == 1 ? .reorder : number == 2 ? .offline : nil }
    let outbox = outbox()
    let id = try await outbox.put(1, "a")
    for _ in 1...2 { try await outbox.send(.now) }
    #expect(try await outbox.pending().operations.map(\.state) == [.waiting])
    #expect(try await outbox.pending().operations.map(\.isEditable) == [false])
    let error = await #expect(throws: FieldError.self) {
      try await outbox.edit(id) { $0.text = "b" }
    }
    #expect(error?.code == .alreadySent)
    #expect(try await outbox.send(.now).isEmpty)
    #expect(server.applied.map(\.payload.text) == ["a"])
  }

  @Test(
    "an outbox sends nothing again while the server can't tell, or the question fails",
    arguments: [
      nil, FieldError(.offline, ""),
      FieldError(.status, "", response: TransportResponse.Head(status: 403)),
    ] as [FieldError?])
  func unanswered(error: FieldError?) async throws {
    server.setPlan { number, _ in number == 1 ? .dropAfter : nil }
    let isEvasive = Lock(true)
    let target = EvasiveServer(server: server) {
      guard isEvasive.withLock({ $0 }) else { return nil }
      if let error { throw error }
      return OutboxStatus<Int>.unknown
    }
    let outbox = NoteOutbox(store, target, clock: clock)
    try await outbox.put(1, "a")
    for _ in 1...3 {
      let view = try await outbox.send(.now)
      #expect(view.operations.map(\.state) == [.unsure])
    }
    isEvasive.withLock { $0 = false }
    #expect(try await outbox.send(.now).isEmpty)
    #expect(server.requestCount == 1)
    #expect(try await note(1) == "a #1")
  }

  @Test("an outbox sends again with the same key if the server ignores repeated ones")
  func idempotent() async throws {
    let server = NoteServer(delivery: .idempotent()) { number, _ in number < 3 ? .dropAfter : nil }
    let outbox = outbox(server)
    try await outbox.put(1)
    for _ in 1...2 { #expect(try await outbox.send(.now).count == 1) }
    #expect(try await outbox.send(.now).isEmpty)
    #expect(server.notes == [1])
    let careless = NoteServer(delivery: .atLeastOnce) { number, _ in
      number == 1 ? .dropAfter : nil
    }
    let second = self.outbox(careless)
    try await second.put(1)
    for _ in 1...2 { try await second.send(.now) }
    #expect(careless.notes == [1, 1], "that is what its delivery says")
  }

  @Test("an outbox doesn't resend operations older than the server's receipts")
  func lifetime() async throws {
    let server = NoteServer(delivery: .receipts(lifetime: .seconds(60))) { number, _ in
      number == 1 ? .dropBefore : nil
    }
    let outbox = outbox(server)
    let id = try await outbox.put(1)
    try await outbox.send()
    clock.advance(by: .seconds(61))
    let view = try await outbox.send()
    #expect(view.rejected.map(\.id) == [id])
    #expect(view.lastError?.code == .outcomeUnknown)
    #expect(server.requestCount == 1)
    try await outbox.resend(id)
    #expect(try await outbox.send().isEmpty)
  }

  @Test("an outbox doubles its delays up to the maximum, whatever the clock is set to")
  func delays() async throws {
    let server = NoteServer { _, _ in .offline }
    let outbox = outbox(
      server, policy: OutboxPolicy(initialDelay: .seconds(1), maximumDelay: .seconds(10)))
    try await outbox.put(1)
    let run = Task { try await outbox.run() }
    var delays: [Duration] = []
    for step in 1...6 {
      delays.append(try await clock.nextSleep())
      clock.set(now: Date(timeIntervalSince1970: step % 2 == 0 ? 0 : 4e9))
      clock.advance(by: delays[step - 1])
    }
    #expect(delays == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
    _ = try await clock.nextSleep()
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    // Another outbox knows nothing but a date, which may be centuries away.
    clock.set(now: Date(timeIntervalSince1970: -1e10))
    let next = NoteOutbox(
      store, self.server, clock: clock,
      policy: OutboxPolicy(maximumDelay: .seconds(10), maximumRetryAfter: .seconds(20)))
    #expect(try await next.send().count == 1)
    clock.set(now: Date(timeIntervalSince1970: 1e10))
    clock.advance(by: .seconds(19))
    #expect(try await next.send().count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await next.send().isEmpty)
  }

  @Test(.needsProcesses) func `the first send of a process sends everything that is due`() async {
    #if os(macOS) || os(Linux)
      // Only a new process has a first uptime, before which nothing would be due.
      await #expect(processExitsWith: .success) {
        let server = NoteServer()
        let outbox = NoteOutbox(InMemoryStore(), server, clock: SystemClock.system)
        try await outbox.put(1)
        #expect(try await outbox.send().isEmpty)
        #expect(server.requestCount == 1)
      }
    #endif
  }

  @Test(.needsProcesses)
  func `what a killed process was sending is asked about at once by the next one`() async throws {
    #if os(macOS) || os(Linux)
      let folder = try TemporaryFolder()
      await #expect(processExitsWith: .failure) { [path = folder.url.path as String] in
        let storage = Storage.directory(URL(filePath: path))
        let server = NoteServer { _, _ in
          kill(getpid(), SIGKILL)
          return nil
        }
        let outbox = NoteOutbox(storage.store("notes"), server, clock: SystemClock.system)
        try await outbox.put(1)
        try await outbox.send()
      }
      let storage = Storage.directory(folder.url)
      let outbox = NoteOutbox(storage.store("notes"), server, clock: clock)
      let left = try await outbox.pending()
      #expect(left.operations.map(\.state) == [.sending])
      #expect(left.nextAttempt == left.operations[0].enqueued)
      // The clock stands still, so no lease ends.
      #expect(try await outbox.send().isEmpty)
      #expect(server.notes == [1])
    #endif
  }

  @Test func `an outbox's process counts as ended only if that is certain`() {
    let current = ProcessMark.current
    #expect(!current.hasEnded)
    var mark = ProcessMark(system: current.system, number: current.number, id: UUID())
    // This process has the number of another one, which has therefore ended.
    #expect(mark.hasEnded == (current.system != nil))
    mark.number = 1
    #expect(!mark.hasEnded)
    for number in [0, -1, .min] as [Int32] {
      mark.number = number
      #expect(!mark.hasEnded)
    }
    mark = ProcessMark(system: "another", number: current.number, id: UUID())
    #expect(!mark.hasEnded)
    mark.system = nil
    #expect(!mark.hasEnded)
  }

  @Test
  func `an outbox's trailing closure is the completion, with and without a closure that merges`()
    async throws
  {
    let store = InMemoryStore<NoteRecord>()
    let numbers = Lock<[Int]>([])
    let plain = Outbox(store: store, target: server, clock: clock) { operation, receipt, _, _ in
      numbers.withLock { $0.append(operation.payload.note) }
    }
    try await plain.put(1)
    try await plain.send()
    let merging = Outbox(
      store: store, target: server, clock: clock, merging: { $0.note == $1.note ? $1 : nil }
    ) { operation, receipt, notes, changes in
      numbers.withLock { $0.append(operation.payload.note) }
    }
    try await merging.put(2)
    try await merging.send()
    let both = Outbox(store: store, target: server, clock: clock) { earlier, later in
      earlier.note == later.note ? later : nil
    } completion: { operation, _, _, _ in
      numbers.withLock { $0.append(operation.payload.note) }
    }
    try await both.put(3)
    try await both.put(3)
    try await both.send()
    let silent = Outbox(store: store, target: server, clock: clock) { earlier, later in
      earlier.note == later.note ? later : nil
    }
    try await silent.put(4)
    try await silent.put(4)
    #expect(try await silent.pending().count == 1)
    #expect(numbers.withLock(\.self) == [1, 2, 3])
  }

  @Test(arguments: [-1e300, 1e300, .nan, .infinity, -.infinity, 0])
  func `an operation whose stored date can be no date is sent`(_ seconds: Double) async throws {
    var operation = OutboxOperation(
      NoteChange(1), lane: "1", enqueued: Date(timeIntervalSinceReferenceDate: seconds))
    operation.nextAttempt = Date(timeIntervalSinceReferenceDate: seconds)
    try await store.commit(
      Changes(upserting: [.operation(operation)]), checkpoint: nil, expecting: nil)
    let outbox = outbox()
    _ = try await outbox.send()
    clock.advance(by: .seconds(4_000))
    #expect(try await outbox.send().isEmpty)
  }

  @Test("an outbox sends nothing in any lane while the server limits the rate")
  func rateLimit() async throws {
    let server = NoteServer { number, _ in number == 1 ? .rateLimit(retryAfter: 30) : nil }
    let outbox = outbox(server, policy: OutboxPolicy(maximumConcurrentLanes: 1))
    try await outbox.put(1)
    try await outbox.put(2)
    #expect(try await outbox.send(.now).count == 2)
    #expect(try await outbox.send(.now).count == 2)
    #expect(server.requestCount == 1)
    clock.advance(by: .seconds(29))
    #expect(try await outbox.send(.now).count == 2)
    clock.advance(by: .seconds(1))
    #expect(try await outbox.send().isEmpty)
    server.setPlan { number, _ in number == 1 ? .rateLimit(retryAfter: nil) : nil }
    try await outbox.put(3)
    #expect(try await outbox.send().nextAttempt == clock.now.addingTimeInterval(600))
  }

  @Test("an outbox sends once more immediately if the token has expired, and counts no attempt")
  func token() async throws {
    let server = NoteServer { number, _ in number == 1 ? .unauthorized : nil }
    let outbox = outbox(server)
    try await outbox.put(1)
    #expect(try await outbox.send().isEmpty)
    server.setPlan { number, _ in number <= 2 ? .unauthorized : nil }
    try await outbox.put(2)
    let view = try await outbox.send()
    #expect(view.operations.map(\.attempts) == [0])
    #expect(view.operations.map(\.state) == [.waiting])
    #expect(view.nextAttempt == clock.now.addingTimeInterval(600))
    #expect(try await outbox.send(.now).isEmpty)
  }

  @Test("an outbox runs until it is canceled, and sends new operations")
  func running() async throws {
    let outbox = outbox()
    let run = Task { try await outbox.run() }
    try await outbox.put(1)
    try await eventually { server.notes == [1] }
    // By way of the store, as from another part of the app.
    try await NoteOutbox(store, NoteServer(), clock: clock).put(2)
    try await eventually { server.notes == [1, 2] }
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(try await outbox.pending().isEmpty)
  }

  @Test("an outbox ends its run when the store is closed")
  func closing() async throws {
    let outbox = outbox()
    let run = Task { try await outbox.run() }
    try await outbox.put(1)
    try await eventually { server.notes == [1] }
    try await letOthersRun()
    await store.close()
    let error = await #expect(throws: FieldError.self) { try await run.value }
    #expect(error?.code == .closed)
  }

  @Test("an outbox asks about an operation whose sending was canceled")
  func cancellation() async throws {
    let server = NoteServer(clock: clock) { number, _ in number == 1 ? .delay(.seconds(5)) : nil }
    let outbox = outbox(server)
    try await outbox.put(1)
    let send = Task { try await outbox.send() }
    try await eventually { clock.sleeperCount == 1 }
    send.cancel()
    await #expect(throws: CancellationError.self) { try await send.value }
    let left = try await outbox.pending().operations
    #expect(left.map(\.state) == [.unsure])
    #expect(left.map(\.attempts) == [0])
    #expect(try await outbox.send().isEmpty)
    #expect(server.statusCount == 1)
    #expect(server.notes == [1])
  }

  @Test("an outbox reports its operations and its progress")
  func updates() async throws {
    let outbox = outbox()
    var views = outbox.updates().makeAsyncIterator()
    #expect(try await views.next()?.fractionCompleted == 1)
    for number in 1...4 { try await outbox.put(number, "text", lane: "l") }
    var view = try #require(try await views.next())
    while view.count < 4 { view = try #require(try await views.next()) }
    #expect(view.fractionCompleted == 0)
    #expect(view.oldest == clock.now)
    #expect(view.byteCount == view.operations.map(\.byteCount).reduce(0, +))
    let payload = #"{"isMergeable":false,"note":1,"text":"text"}"#
    #expect(view.operations[0].byteCount == payload.utf8.count)
    try await store.put(.note(Note(99)))
    server.setPlan { number, _ in number == 4 ? .offline : nil }
    try await outbox.send()
    repeat { view = try #require(try await views.next()) } while view.lastError == nil
    #expect(view.completedCount == 3)
    #expect(view.fractionCompleted == 0.75)
    try await outbox.send(.now)
    repeat { view = try #require(try await views.next()) } while !view.isEmpty
    #expect(view.fractionCompleted == 1)
  }

  @Test("an outbox drops nothing and throws nothing if everything is erased while it sends")
  func erasing() async throws {
    let server = NoteServer(clock: clock) { _, _ in .delay(.seconds(1)) }
    let outbox = outbox(server)
    try await outbox.put(1)
    async let sent = outbox.send()
    try await eventually { clock.sleeperCount == 1 }
    try await store.eraseAll()
    clock.advance(by: .seconds(1))
    #expect(try await sent.isEmpty)
    #expect(try await store.snapshot().isEmpty, "a receipt brings nothing back")
  }

  @Test("an outbox rejects discarding an operation that is being sent")
  func discardingInFlight() async throws {
    let server = NoteServer(clock: clock) { _, _ in .delay(.seconds(1)) }
    let outbox = outbox(server)
    let id = try await outbox.put(1)
    async let sent = outbox.send()
    try await eventually { clock.sleeperCount == 1 }
    let error = await #expect(throws: FieldError.self) { try await outbox.discard(id) }
    #expect(error?.code == .alreadySent)
    clock.advance(by: .seconds(1))
    #expect(try await sent.isEmpty)
  }

  @Test("an outbox leaves an operation to the process that sends it until its lease has expired")
  func lease() async throws {
    let slow = NoteServer(clock: clock) { _, _ in .delay(.seconds(1_000)) }
    let first = outbox(slow)
    try await first.put(1)
    let send = Task { try await first.send() }
    try await eventually { clock.sleeperCount == 1 }
    let second = outbox()
    clock.set(now: Date(timeIntervalSince1970: 0))
    #expect(try await second.send(.now).operations.map(\.state) == [.sending])
    #expect(server.statusCount == 0)
    clock.advance(by: .seconds(60))
    #expect(try await second.send().isEmpty)
    #expect(server.statusCount == 1)
    #expect(server.notes == [1])
    clock.advance(by: .seconds(1_000))
    #expect(try await send.value.isEmpty)
    #expect(try await note(1) == " #1")
  }

  @Test("an outbox ignores the failure of a process whose operation another one is sending by then")
  func lostLease() async throws {
    let slow = NoteServer(clock: clock) { _, _ in .delay(.seconds(1_000)) }
    let first = outbox(slow)
    try await first.put(1)
    let send = Task { try await first.send() }
    try await eventually { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(61))
    let second = outbox(slow)
    async let sent = second.send()
    try await eventually { clock.sleeperCount == 2 }
    send.cancel()
    await #expect(throws: CancellationError.self) { try await send.value }
    #expect(try await second.pending().operations.map(\.state) == [.sending])
    clock.advance(by: .seconds(1_000))
    #expect(try await sent.isEmpty)
    #expect(slow.notes == [1])
  }

  @Test("an outbox stores its operations unchanged")
  func coding() async throws {
    let server = NoteServer { _, _ in .rateLimit(retryAfter: 7) }
    let outbox = outbox(server)
    try await outbox.put(1, "a")
    try await outbox.send()
    let operation = try await outbox.pending().operations[0]
    let decoded = try StoredJSON.decode(
      OutboxOperation<NoteChange>.self, from: StoredJSON.encode(operation)[...])
    #expect(decoded == operation)
    #expect(decoded.lastError?.response?.status == 429)
  }

  @Test(
    "an outbox classifies an error by its status and its code",
    arguments: [
      (401, OutboxFailure.unauthorized), (429, .rateLimited(retryAfter: nil)), (408, .unknown),
      (425, .unknown), (500, .unknown), (501, .rejected), (503, .unknown), (200, .unknown),
      (301, .rejected), (400, .rejected), (403, .rejected), (409, .rejected), (0, .unknown),
    ])
  func failures(status: Int, failure: OutboxFailure) {
    let error = FieldError(.status, "", response: TransportResponse.Head(status: status))
    if status > 0 { #expect(OutboxFailure(error) == failure) }
    #expect(OutboxFailure(FieldError(.offline, "")) == .notApplied)
    #expect(OutboxFailure(FieldError(.timeout, "")) == .unknown)
    #expect(OutboxFailure(FieldError(.invalidInput, "")) == .rejected)
    #expect(OutboxFailure(CancellationError()) == .unknown)
    let limited = FieldError(
      .tooManyRequests, "",
      response: TransportResponse.Head(status: 429, fields: ["Retry-After": "9"]))
    #expect(OutboxFailure(limited) == .rateLimited(retryAfter: .seconds(9)))
  }
}

/// A server that answers questions as it is told; `nil` is the answer of the other one.
private struct EvasiveServer: OutboxTarget {
  let server: NoteServer
  let answer: @Sendable () throws -> OutboxStatus<Int>?

  var delivery: OutboxDelivery { server.delivery }

  func send(_ operation: OutboxOperation<NoteChange>) async throws -> Int {
    try await server.send(operation)
  }

  func status(of operation: OutboxOperation<NoteChange>) async throws -> OutboxStatus<Int> {
    if let answer = try answer() { return answer }
    return try await server.status(of: operation)
  }
}
