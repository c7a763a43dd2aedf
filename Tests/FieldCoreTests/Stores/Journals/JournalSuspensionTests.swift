import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A journal whose owner is suspended", .timeLimit(.minutes(60)))
struct JournalSuspensionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func directories() -> [TextJournals] {
    [
      TextJournals(MemoryFileSystem()), TextJournals(VolatileFileSystem()),
      TextJournals(PosixFileSystem(), folder.url.path),
    ]
  }

  private func code(_ body: () throws -> Void) -> FieldError.Code? {
    #expect(throws: FieldError.self) { try body() }?.code
  }

  @Test("a suspended owner's journal holds no lock, takes entries, and is unchanged on return")
  func goesOn() throws {
    for texts in directories() {
      let journal = try texts.make()
      try journal.suspend()
      try journal.suspend()
      // Other processes can open it, as if its owner had died.
      #expect(try texts.read()?.texts == ["first"])
      try journal.append("suspended")
      try journal.flush()
      #expect(try texts.read()?.texts == ["first", "suspended"])
      try journal.resume()
      try journal.resume()
      guard case .owned = try texts.open() else {
        Issue.record("it has its owner again")
        continue
      }
      try journal.append("back")
      journal.close()
      #expect(try texts.read()?.texts == ["first", "suspended", "back"])
    }
  }

  @Test("a journal whose owner is suspended isn't changed by an owner that has lost it")
  func taken() throws {
    for texts in directories() {
      let journal = try texts.make()
      try journal.append("mine")
      try journal.suspend()
      guard case .opened(let opened) = try texts.open() else {
        Issue.record("it could not be taken")
        continue
      }
      #expect(code { try journal.append("late") } == .busy)
      #expect(code { try journal.resume() } == .busy)
      #expect(code { try journal.remove() } == .busy)
      try opened.journal.append("theirs")
      opened.journal.close()
      #expect(code { try journal.append("late") } == .conflict)
      #expect(code { try journal.resume() } == .conflict)
      #expect(code { try journal.remove() } == .conflict)
      journal.close()
      #expect(try texts.read()?.texts == ["first", "mine", "theirs"])
    }
  }

  @Test("a journal whose owner is suspended isn't recreated after another process removed it")
  func removed() throws {
    for texts in directories() {
      let journal = try texts.make()
      try journal.suspend()
      guard case .opened(let opened) = try texts.open() else {
        Issue.record("it could not be taken")
        continue
      }
      try opened.journal.remove()
      #expect(code { try journal.append("late") } == .conflict)
      let other = try texts.make()
      #expect(code { try journal.resume() } == .conflict)
      journal.close()
      other.close()
      #expect(try texts.read()?.texts == ["first"])
    }
  }

  @Test("a suspended owner's journal rewrites what a failed sync dropped, unless another owns it")
  func failedSync() throws {
    let files = MemoryFileSystem()
    let texts = TextJournals(files)
    let journal = try texts.make()
    try journal.append("one")
    files.failNext("sync")
    #expect(throws: FieldError.self) { try journal.flush() }
    try journal.suspend()
    files.fail(at: files.callCount + 4, .partialFailure(ENOSPC))
    #expect(throws: FieldError.self) { try journal.append("never") }
    try journal.append("two")
    try journal.flush()
    journal.close()
    #expect(try TextJournals(files.afterCrash(seed: 3)).read()?.texts == ["first", "one", "two"])
  }

  @Test("a journal isn't cut by an owner whose append failed before another process continued it")
  func takenAfterFailure() throws {
    for isFailedBefore in [true, false] {
      let files = MemoryFileSystem()
      let texts = TextJournals(files)
      let journal = try texts.make()
      if !isFailedBefore { try journal.suspend() }
      files.fail(at: files.callCount + (isFailedBefore ? 1 : 4), .partialFailure(ENOSPC))
      #expect(throws: FieldError.self) { try journal.append("never") }
      if isFailedBefore { try journal.suspend() }
      guard case .opened(let opened) = try texts.open() else {
        Issue.record("it could not be taken")
        continue
      }
      #expect(opened.cut == nil, "the failed append left nothing")
      try opened.journal.append("theirs, which is longer")
      opened.journal.close()
      #expect(code { try journal.append("late") } == .conflict)
      journal.close()
      #expect(try texts.read()?.texts == ["first", "theirs, which is longer"])
    }
  }

  @Test("a journal whose owner is suspended is recovered like any other when its owner dies")
  func ownerDies() throws {
    let files = MemoryFileSystem()
    let journal = try TextJournals(files).make()
    try journal.suspend()
    try journal.append("last")
    #expect(try TextJournals(files.afterCrash(seed: nil)).read()?.texts == ["first", "last"])
    journal.close()
  }
}
