import FieldCore
import Foundation
import TestSupport
import Testing

/// What the system gives up at a failed sync is written again, or nobody says that it is safe: a second
/// sync succeeds without it.
@Suite("A store after a failed sync", .timeLimit(.minutes(60)))
struct FailedSyncTests {
  private static let path = "/data/notes.store"

  private let files: MemoryFileSystem
  private let core: FileStoreCore<Note>

  init() { self.init(MemoryFileSystem()) }

  private init(_ files: MemoryFileSystem) {
    self.files = files
    core = FileStoreCore(
      path: Self.path, access: .readWrite, fileSystem: files, clock: .system,
      patience: .milliseconds(20))
  }

  @discardableResult
  private func put(_ number: Int, _ durability: Durability, size: Int = 0) async throws -> Revision
  {
    let note = Note(number, String(repeating: "x", count: size))
    return try await core.commit(
      Changes(upserting: [note]), checkpoint: nil, expecting: nil, durability: durability)
  }

  /// The content after a power cut, whatever else of what waits has reached the device.
  private func expectAfterPowerCut(_ numbers: [Int]) async throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let after = files.afterCrash(seed: seed)
      let found = try await FileStore<Note>(unsharedPath: Self.path, fileSystem: after).all
      #expect(found.map(\.id) == numbers, "seed \(seed)")
    }
  }

  @Test("a store after a failed sync is in directories whose names are on the device")
  func directories() async throws {
    try files.makeDirectory("/new")
    let store = FileStore<Note>(unsharedPath: "/new/inner/notes.store", fileSystem: files)
    try await store.put(Note(1))
    for seed in 1...20 as ClosedRange<UInt64> {
      let after = files.afterCrash(seed: seed)
      let found = FileStore<Note>(unsharedPath: "/new/inner/notes.store", fileSystem: after)
      #expect(try await found.all == [Note(1)], "seed \(seed)")
    }
  }

  @Test("a store after a failed sync has the deferred commits before a durable one")
  func deferredBefore() async throws {
    try await put(1, .full)
    try await put(2, .deferred)
    files.failNext("sync")
    await #expect(throws: FieldError.self) { try await put(3, .full) }
    try await put(4, .full)
    try await expectAfterPowerCut([1, 2, 4])
  }

  @Test("a store has its deferred commits even if the failed commit couldn't be undone")
  func deferredBeforeReopening() async throws {
    try await put(1, .full)
    try await put(2, .deferred)
    files.failNext("sync", times: 2)
    await #expect(throws: FieldError.self) { try await put(3, .full) }
    _ = try await core.open()
    try await put(4, .full)
    try await expectAfterPowerCut([1, 2, 4])
  }

  @Test("a store after a failed sync has equal content that is committed again")
  func equalContent() async throws {
    let revision = try await put(1, .deferred)
    files.failNext("sync")
    await #expect(throws: FieldError.self) { try await put(1, .full) }
    #expect(try await put(1, .full) == revision)
    try await expectAfterPowerCut([1])
  }

  @Test("a store after a failed sync has a durable snapshot's content, and what an update found")
  func foundContent() async throws {
    try await put(1, .deferred)
    let next = FailedSyncTests(files.afterCrash(seed: nil))
    #expect(try await next.core.durableSnapshot().map(\.id) == [1])
    try await next.expectAfterPowerCut([1])
    let other = FailedSyncTests(files.afterCrash(seed: nil))
    _ = try await other.core.update(durability: .full) { _, _, _ in }
    try await other.expectAfterPowerCut([1])
    // A sync that fails is reported.
    let last = FailedSyncTests(files.afterCrash(seed: nil))
    last.files.failNext("sync")
    await #expect(throws: FieldError.self) { try await last.core.durableSnapshot() }
  }

  @Test("a store after a failed sync has a commit that reappeared at opening with the next one")
  func cameBack() async throws {
    try await put(1, .full)
    files.failNext("sync")
    files.failNext("truncate")
    await #expect(throws: FieldError.self) { try await put(2, .full) }
    _ = try await core.open()
    #expect(try await core.snapshot().map(\.id) == [1, 2])
    try await put(3, .full)
    try await expectAfterPowerCut([1, 2, 3])
  }

  @Test("a store after a failed sync has no deferred commit without the one before it")
  func deferredInDoubt() async throws {
    try await put(1, .full)
    // The commit is cut off, but it is unknown what is on the device.
    files.failNext("sync", times: 2)
    await #expect(throws: FieldError.self) { try await put(2, .full) }
    _ = try await core.open()
    try await put(3, .deferred)
    // A sector ends where the next commit begins, so what was there before may be on the device.
    let size = try #require(files[Self.path]?.count)
    files.keepMoments()
    try await put(4, .deferred)
    let cuts = try #require(files.keptMoments.last).powerCuts(sectorSize: size, limit: 1_000)
    #expect(cuts.isComplete)
    for device in cuts {
      let after = MemoryFileSystem(device)
      let found = try await FileStore<Note>(unsharedPath: Self.path, fileSystem: after).all
      #expect([[1], [1, 3], [1, 3, 4]].contains(found.map(\.id)))
    }
  }

  @Test(
    "a store after a failed sync has deferred commits if closing succeeds, and reports it if not")
  func closing() async throws {
    try await put(1, .deferred)
    files.failNext("sync")
    await #expect(throws: FieldError.self) { try await core.closeIfUnused() }
    _ = try await core.open()
    try await core.closeIfUnused()
    try await expectAfterPowerCut([1])
  }

  /// Another process with the same files, which has seen no failure.
  private func other() -> FileStoreCore<Note> {
    FileStoreCore(
      path: Self.path, access: .readWrite, fileSystem: files, clock: .system,
      patience: .milliseconds(20))
  }

  private func put(_ number: Int, in core: FileStoreCore<Note>) async throws {
    _ = try await core.commit(
      Changes(upserting: [Note(number)]), checkpoint: nil, expecting: nil, durability: .full)
  }

  /// The notes that a power failure preserves, in order, perhaps with others between them.
  private func expectAfterPowerCut(atLeast numbers: [Int]) async throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let after = files.afterCrash(seed: seed)
      let found = try await FileStore<Note>(unsharedPath: Self.path, fileSystem: after).all
        .map(\.id)
      #expect(Set(found).isSuperset(of: numbers), "seed \(seed): \(found)")
    }
  }

  @Test(
    "a store has its deferred commits if closing succeeds after another process rewrote the file")
  func closingAfterRewriting() async throws {
    try await put(1, .full)
    try await put(2, .deferred)
    let other = other()
    files.failNext("sync")
    await #expect(throws: FieldError.self) { try await put(3, in: other) }
    // The new file is there, but its name isn't on the device.
    files.failNext("syncDirectory", times: 2)
    await #expect(throws: FieldError.self) { try await put(4, in: other) }
    try await core.closeIfUnused()
    try await expectAfterPowerCut([1, 2])
  }

  @Test("a store after a failed sync is closed even if its file has been deleted")
  func closingWithoutFile() async throws {
    try await put(1, .deferred)
    files[Self.path] = nil
    try await core.closeIfUnused()
    #expect(files[Self.path] == nil)
    #expect(files.openCount == 0)
  }

  @Test(
    "a store after a failed sync of another process has what was reported to it as durable",
    arguments: [false, true])
  func anotherProcess(isOpenBefore: Bool) async throws {
    try await put(1, .full)
    let other = other()
    if isOpenBefore { try await put(2, in: other) }
    try await put(3, .deferred)
    // The deferred commit and the durable one after it are lost, and can't be undone.
    files.failNext("sync", times: 2)
    await #expect(throws: FieldError.self) { try await put(4, .full) }
    try await put(5, in: other)
    #expect(try await other.snapshot().map(\.id).contains(3))
    try await expectAfterPowerCut(atLeast: [1, 3, 5])
    // The first process finds that nothing is in doubt any longer.
    _ = try await core.open()
    try await put(6, .full)
    try await put(7, in: other)
    try await expectAfterPowerCut(atLeast: [1, 3, 5, 6, 7])
  }

  @Test(
    "a store after a failed sync of a process that died is rewritten by the next one",
    arguments: [1, 2])
  func deadProcess(failures: Int) async throws {
    try await put(1, .full)
    try await put(2, .deferred)
    files.failNext("sync", times: failures)
    await #expect(throws: FieldError.self) { try await put(3, .full) }
    let next = FailedSyncTests(files.afterCrash(seed: nil))
    try await next.put(4, .full)
    try await next.expectAfterPowerCut(atLeast: [1, 2, 4])
  }

  @Test("a store keeps everything before the torn end of a process that died while writing")
  func cutEnd() async throws {
    try await put(1, .full)
    try await put(2, .deferred)
    let file = try files.openFile(Self.path, .writing)
    try files.write([1], to: file, at: try files.status(of: file).size)
    let next = FailedSyncTests(files.afterCrash(seed: nil))
    #expect(try await next.core.open().cuts.count == 1)
    next.files.failNext("sync")
    await #expect(throws: FieldError.self) { try await next.put(3, .full) }
    try await next.put(4, .full)
    try await next.expectAfterPowerCut([1, 2, 4])
  }

  @Test(
    "a store is rewritten if a process dies during a sync, or after a failed one",
    arguments: [false, true])
  func dyingInSync(isFailing: Bool) async throws {
    try await put(1, .full)
    try await put(2, .deferred)
    var call = 0
    while true {
      call += 1
      let next = FailedSyncTests(files.afterCrash(seed: nil))
      if isFailing { next.files.failNext("sync") }
      next.files.fail(at: call, .crash)
      _ = try? await next.put(3, .full)
      if next.files.callCount < call { break }
      let last = FailedSyncTests(next.files.afterCrash(seed: nil))
      try await last.put(4, .full)
      try await last.expectAfterPowerCut(atLeast: [1, 2, 4])
    }
    #expect(call > 8)
  }

  @Test(
    "a store after a failed sync of two processes keeps what either was promised",
    arguments: Sample.of(1...16 as ClosedRange<UInt64>, inDebug: 8))
  func twoProcesses(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    var cores = [core, other()]
    var promised: Set<Int> = []
    for step in 0..<100 {
      switch Int.random(in: 0..<12, using: &chance) {
      case 0...2: files.failNext("sync", times: Int.random(in: 1...3, using: &chance))
      case 3: files.failNext("truncate")
      case 4: files.failNext("syncDirectory")
      default: break
      }
      let place = Int.random(in: 0...1, using: &chance)
      switch Int.random(in: 0..<12, using: &chance) {
      case 0: cores[place] = other()
      case 1...4: _ = try? await cores[place].open()
      default: break
      }
      let isDurable = Bool.random(using: &chance)
      let done: Revision? = try? await cores[place].commit(
        Changes(upserting: [Note(step)]), checkpoint: nil, expecting: nil,
        durability: isDurable ? .full : .deferred)
      if done != nil, isDurable {
        promised = Set(try await cores[place].snapshot().map(\.id))
      }
      guard step % 5 == 4 else { continue }
      let after = files.afterCrash(seed: seed &* 31 &+ UInt64(step))
      let found = try await FileStore<Note>(unsharedPath: Self.path, fileSystem: after).all
      try #require(
        Set(found.map(\.id)).isSuperset(of: promised), "seed \(seed), step \(step)")
    }
    #expect(promised.count > 20)
  }

  @Test(
    "a store is there if the name of its directory couldn't be synced at first", arguments: [1, 2])
  func directoryName(failures: Int) async throws {
    for _ in 0..<failures {
      files.failNext("syncDirectory")
      await #expect(throws: FieldError.self) { try await put(1, .full) }
    }
    let next = FailedSyncTests(files.afterCrash(seed: nil))
    try await next.put(1, .full)
    try await next.expectAfterPowerCut([1])
  }

  @Test("a store has its new file under its name if it is closed after a compaction")
  func nameAfterCompaction() async throws {
    try await put(0, .full)
    files.failNext("syncDirectory")
    var size = 12_000
    while files.log.count(where: { $0.contains("rename") }) < 2 {
      size += 1
      try await put(1, .deferred, size: size)
    }
    try await put(2, .deferred)
    try await core.closeIfUnused()
    try await expectAfterPowerCut([0, 1, 2])
  }

  @Test(
    "a store after a failed sync keeps its promises, however it is used", .heavy,
    arguments: Sample.of(1...24 as ClosedRange<UInt64>, 3))
  func random(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    /// What a power cut may leave: the last durable content, and all that came after it.
    var possible: [[Note]] = [[]]
    for step in 0..<120 {
      switch Int.random(in: 0..<24, using: &chance) {
      case 0...3:
        let call = files.callCount + Int.random(in: 1...8, using: &chance)
        let error = Bool.random(using: &chance) ? EIO : ENOSPC
        files.fail(
          at: call, Bool.random(using: &chance) ? .failure(error) : .partialFailure(error))
      case 4...6: files.failNext("sync", times: Int.random(in: 1...3, using: &chance))
      case 7: files.failNext("truncate")
      case 8: files.failNext("syncDirectory")
      default: break
      }
      if Int.random(in: 0..<6, using: &chance) == 0 { _ = try? await core.open() }
      if Int.random(in: 0..<12, using: &chance) == 0 { _ = try? await core.closeIfUnused() }
      let isDurable = Int.random(in: 0..<3, using: &chance) == 0
      let size = Int.random(in: 0..<8, using: &chance) == 0 ? 20_000 : 10
      let note = Note(
        Int.random(in: 0..<6, using: &chance), String(repeating: "\(step % 10)", count: size))
      guard let before = try? await core.snapshot() else { continue }
      let changes = Changes<Note>(upserting: [note])
      do {
        _ = try await core.commit(
          changes, checkpoint: nil, expecting: nil, durability: isDurable ? .full : .deferred)
        if isDurable { possible = [] }
      } catch {}
      // One that failed may show up whole when the store is opened again.
      possible.append(Array(before.applying(changes)))
      guard step % 8 == 7 else { continue }
      for loss in 1...3 as ClosedRange<UInt64> {
        let after = files.afterCrash(seed: seed &* 977 &+ loss)
        let found = try await FileStore<Note>(unsharedPath: Self.path, fileSystem: after).all
        try #require(possible.contains(found), "seed \(seed), step \(step), loss \(loss)")
      }
    }
  }
}
