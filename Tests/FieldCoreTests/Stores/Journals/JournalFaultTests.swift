import FieldCore
import Foundation
import TestSupport
import Testing

/// A fixed piece of work on a journal, and what it has been told.
private struct Workload {
  /// What was appended with success, in order.
  var appended: [String] = []
  /// What was tried, in order.
  var tried: [String] = []
  /// How much of what was appended was flushed with success.
  var flushed = 0
  var isMade = false
  var failures = 0

  /// Makes a journal, appends a dozen entries and flushes after each third; what fails is tried once more.
  mutating func run(_ files: MemoryFileSystem) {
    var journal: Journal?
    for _ in 0..<2 where journal == nil {
      do {
        journal = try TextJournals(files).make()
      } catch {
        failures += 1
      }
    }
    guard let journal else { return }
    isMade = true
    appended = ["first"]
    tried = ["first"]
    flushed = 1
    for number in 0..<12 {
      let text = "\(number) " + String(repeating: "x", count: number * 7)
      tried.append(text)
      if attempt({ _ = try journal.append(text) }) { appended.append(text) }
      if number % 3 == 2, attempt({ try journal.flush() }) { flushed = appended.count }
    }
    journal.close()
  }

  private mutating func attempt(_ body: () throws -> Void) -> Bool {
    for _ in 0..<2 {
      do {
        try body()
        return true
      } catch {
        failures += 1
      }
    }
    return false
  }
}

@Suite("A journal on a failing device", .timeLimit(.minutes(60)))
struct JournalFaultTests {
  @Test(
    "a journal on a failing device loses nothing flushed if the machine stops at any call",
    arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func machineStops(seed: UInt64) throws {
    try stopEverywhere { call in seed &* 1009 &+ UInt64(call) }
  }

  @Test("a journal on a failing device loses nothing appended if the process stops at any call")
  func processStops() throws {
    try stopEverywhere { _ in nil }
  }

  private func stopEverywhere(_ seed: (Int) -> UInt64?) throws {
    var call = 0
    while true {
      call += 1
      let files = MemoryFileSystem()
      files.fail(at: call, .crash)
      var work = Workload()
      work.run(files)
      if files.callCount < call { break }
      let seed = seed(call)
      let after = files.afterCrash(seed: seed)
      let what: Comment = "seed \(seed ?? 0), call \(call): \(files.log.suffix(4))"
      let found = try TextJournals(after).read()
      let sure = seed == nil ? work.appended.count : work.flushed
      let texts = found?.texts ?? []
      #expect(texts.count >= sure, what)
      // An append that was not answered may be there, whole; and the journal, before its maker knew.
      let possible = work.isMade ? work.tried : ["first"]
      #expect(texts == Array(possible.prefix(texts.count)), what)
      try TextJournals(after).directory.removeLeftovers()
      #expect(after.paths.allSatisfy { !$0.hasSuffix(".new") }, what)
    }
    #expect(call > 20)
  }

  @Test(
    "a journal is readable and has everything appended, whichever call fails, and however",
    arguments: [
      MemoryFileSystem.Fault.failure(ENOSPC), .failure(EIO), .partialFailure(ENOSPC),
      .partialFailure(EIO),
    ])
  func oneCallFails(fault: MemoryFileSystem.Fault) throws {
    var call = 0
    while true {
      call += 1
      let files = MemoryFileSystem()
      files.fail(at: call, fault)
      var work = Workload()
      work.run(files)
      if files.callCount < call { break }
      let what: Comment = "call \(call): \(files.log.suffix(4))"
      #expect(work.isMade, what)
      #expect(work.appended.count == 13, what)
      let after = files.afterCrash(seed: nil)
      let found = try #require(try TextJournals(after).read(), what)
      #expect(found.texts == work.appended, what)
      #expect(found.cut == nil, what)
      #expect(files.openCount == 0, what)
    }
    #expect(call > 20)
  }

  @Test(
    "a journal on a device that is temporarily full accepts entries again when there is space",
    arguments: [true, false])
  func fullForAWhile(isPartly: Bool) throws {
    let files = MemoryFileSystem()
    let journal = try TextJournals(files).make()
    try journal.append("before")
    if isPartly { files.fail(at: files.callCount + 1, .partialFailure(ENOSPC)) }
    if !isPartly { files.failAlways("write", ENOSPC) }
    for _ in 0..<(isPartly ? 1 : 3) {
      // Longer than the next entry, so that part of it stays unless it is cut off.
      let error = #expect(throws: FieldError.self) {
        try journal.append(String(repeating: "never", count: 10))
      }
      #expect(error?.code == .diskFull)
    }
    files.failAlways(nil)
    try journal.append("after")
    journal.close()
    let found = try #require(try TextJournals(files).read())
    #expect(found.texts == ["first", "before", "after"])
    #expect(found.cut == nil)
  }

  @Test("a journal is there even if the name of its directory couldn't be synced at first")
  func directoryName() throws {
    let files = MemoryFileSystem()
    for count in 0..<2 {
      files.failCalls("syncDirectory", after: count)
      #expect(throws: FieldError.self) { try TextJournals(files).make() }
    }
    let next = files.afterCrash(seed: nil)
    try TextJournals(next).make().close()
    for seed in 1...20 as ClosedRange<UInt64> {
      let found = try TextJournals(next.afterCrash(seed: seed)).read()
      #expect(found?.texts == ["first"], "seed \(seed)")
    }
  }

  @Test("a journal on a failing device writes again what a failed sync may have lost")
  func failedSync() throws {
    let files = MemoryFileSystem()
    let journal = try TextJournals(files).make()
    try journal.append("one")
    files.failAlways("sync")
    #expect(throws: FieldError.self) { try journal.flush() }
    #expect(journal.isDirty)
    try journal.append("two")
    files.failAlways(nil)
    let calls = files.callCount
    try journal.flush()
    #expect(files.log.suffix(files.callCount - calls).contains { $0.contains("write") })
    #expect(!journal.isDirty)
    let found = try TextJournals(files.afterCrash(seed: 7)).read()
    #expect(found?.texts == ["first", "one", "two"])
  }

  @Test("a journal has the data of two concurrent syncs if the failure is reported to only one")
  func failedSyncAtOnce() async throws {
    let files = SlowToTell()
    let journal = try TextJournals(files).make()
    try journal.append("one")
    // The system gives up the entry, and another flush comes before it has told.
    let other = Lock<Result<Void, any Error>?>(nil)
    files.beforeTelling.withLock {
      $0 = {
        Thread.detachNewThread {
          let flushed = Result { try journal.flush() }
          other.withLock { $0 = flushed }
        }
        // The other one cannot be done before, unless it does not wait.
        for _ in 0..<100 where other.withLock({ $0 == nil }) {
          Thread.sleep(forTimeInterval: 0.002)
        }
      }
    }
    #expect(throws: FieldError.self) { try journal.flush() }
    try await eventually { other.withLock { $0 } != nil }
    try other.withLock { $0 }?.get()
    for seed in 1...20 as ClosedRange<UInt64> {
      #expect(try TextJournals(files.files.afterCrash(seed: seed)).read()?.texts.last == "one")
    }
  }

  @Test("a journal on a failing device still has to flush what was appended during a flush")
  func appendedDuringFlush() throws {
    let files = SlowToTell()
    let journal = try TextJournals(files).make()
    try journal.append("one")
    files.afterSync.withLock { $0 = { _ = try? journal.append("two") } }
    try journal.flush()
    #expect(journal.isDirty)
    try journal.flush()
    for seed in 1...20 as ClosedRange<UInt64> {
      let found = try TextJournals(files.files.afterCrash(seed: seed)).read()
      #expect(found?.texts == ["first", "one", "two"], "seed \(seed)")
    }
  }

  @Test(
    "a journal on a failing device is safe up to the last flush, whatever fails before",
    arguments: Sample.of(1...40 as ClosedRange<UInt64>, inDebug: 15))
  func flushedIsSafe(seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    var files = MemoryFileSystem()
    var journal = try TextJournals(files).make()
    var texts = ["first"]
    var sure = 1
    for step in 0..<400 {
      let what: Comment = "seed \(seed), step \(step)"
      switch Int.random(in: 0..<40, using: &chance) {
      case 0...3: files.failNext("sync", times: Int.random(in: 1...3, using: &chance))
      case 4: files.failNext("write")
      case 5: files.fail(at: files.callCount + 1, .partialFailure(ENOSPC))
      case 6: files.failNext("truncate")
      case 7...14:
        if (try? journal.flush()) != nil { sure = texts.count }
        #expect(sure < texts.count || !journal.isDirty, what)
      case 15:
        // The process ends, perhaps after a failed sync, and the next one takes over.
        files = files.afterCrash(seed: nil)
        guard case .opened(let opened) = try TextJournals(files).open() else { throw Gone() }
        #expect(opened.texts == texts, what)
        journal = opened.journal
        sure = texts.count
      case 16:
        let found = try TextJournals(files.afterCrash(seed: seed &+ UInt64(step))).read()?.texts
        #expect((found ?? []).count >= sure, what)
        #expect(found == Array(texts.prefix(found?.count ?? 0)), what)
      default:
        let text = "\(step)" + String(repeating: "x", count: step % 30)
        if (try? journal.append(text)) != nil { texts.append(text) }
      }
    }
  }

  private struct Gone: Error {}

  @Test(
    "a journal reports at a flush that its file was deleted, replaced, or moved", arguments: 0..<3)
  func fileIsGone(kind: Int) throws {
    let files = MemoryFileSystem()
    let journal = try TextJournals(files).make()
    try journal.append("one")
    let moved = journal.path + ".moved"
    try files.rename(journal.path, to: moved)
    if kind == 0 { try files.remove(moved) }
    if kind == 1 { files[journal.path] = files[moved] }
    let error = #expect(throws: FieldError.self) { try journal.flush() }
    #expect(error?.code == .conflict)
    #expect(journal.isDirty)
    #expect(try journal.texts == ["first", "one"], "its owner can still read it")
    guard kind == 2 else { return }
    try files.rename(moved, to: journal.path)
    try journal.flush()
    #expect(!journal.isDirty)
  }

  @Test("a journal on a failing device makes no call if there is nothing to flush")
  func idleFlush() throws {
    let files = MemoryFileSystem()
    let journal = try TextJournals(files).make()
    let calls = files.callCount
    try journal.flush()
    #expect(files.callCount == calls)
  }
}

/// A file system that fails at one sync, and takes its time to tell; of a successful one as well.
private final class SlowToTell: FileSystem {
  let files = MemoryFileSystem()
  let beforeTelling = Lock<(@Sendable () -> Void)?>(nil)
  let afterSync = Lock<(@Sendable () -> Void)?>(nil)

  func sync(_ file: OpenFile) throws(FileSystemError) {
    let wait = beforeTelling.withLock { wait in
      defer { wait = nil }
      return wait
    }
    if wait != nil { files.failNext("sync") }
    do throws(FileSystemError) {
      try files.sync(file)
    } catch {
      wait?()
      throw error
    }
    let next = afterSync.withLock { next in
      defer { next = nil }
      return next
    }
    next?()
  }

  func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try files.openFile(path, mode)
  }
  func closeFile(_ file: OpenFile) throws(FileSystemError) { try files.closeFile(file) }
  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try files.read(file, at: offset, count: count)
  }
  func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError) {
    try files.write(bytes, to: file, at: offset)
  }
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try files.truncate(file, to: size)
  }
  func syncDirectory(_ path: String) throws(FileSystemError) { try files.syncDirectory(path) }
  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try files.status(at: path)
  }
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try files.status(of: file)
  }
  func rename(_ old: String, to new: String) throws(FileSystemError) {
    try files.rename(old, to: new)
  }
  func remove(_ path: String) throws(FileSystemError) { try files.remove(path) }
  func makeDirectory(_ path: String) throws(FileSystemError) { try files.makeDirectory(path) }
  func names(in path: String) throws(FileSystemError) -> [String] { try files.names(in: path) }
  func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool { try files.tryLock(file) }
  func unlock(_ file: OpenFile) throws(FileSystemError) { try files.unlock(file) }
  func canonical(_ path: String) -> String { files.canonical(path) }
}
