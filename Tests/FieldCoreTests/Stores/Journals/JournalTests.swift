import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A journal", .timeLimit(.minutes(60)))
struct JournalTests {
  @Test(
    "a journal returns what was appended, in order, while it is open and after", arguments: 0..<3)
  func readsBack(kind: Int) throws {
    let folder = try TemporaryFolder()
    let files: any FileSystem =
      switch kind {
      case 0: MemoryFileSystem()
      case 1: VolatileFileSystem()
      default: PosixFileSystem()
      }
    let texts = TextJournals(files, kind == 2 ? folder.url.path + "/a/b" : TextJournals.path)
    let journal = try texts.make()
    #expect(try journal.append("second"))
    #expect(try !journal.append("石虎"))
    try journal.flush()
    #expect(try journal.append("fourth"))
    let expected = ["first", "second", "石虎", "fourth"]
    #expect(try journal.texts == expected)
    journal.close()
    let found = try #require(try texts.read())
    #expect(found.texts == expected)
    #expect(found.cut == nil)
    #expect(try texts.directory.names() == ["a"])
  }

  @Test("a journal continues where it ended")
  func goesOn() throws {
    let texts = TextJournals(MemoryFileSystem())
    try texts.make().close()
    for round in 1...3 {
      guard case .opened(let opened) = try texts.open() else {
        Issue.record("not opened")
        return
      }
      #expect(opened.texts.count == round)
      #expect(opened.header == TextJournals.header)
      try opened.journal.append("round \(round)")
      opened.journal.close()
    }
    #expect(try texts.read()?.texts == ["first", "round 1", "round 2", "round 3"])
  }

  @Test("a journal has one owner at a time", arguments: [true, false])
  func oneOwner(isOnDevice: Bool) throws {
    let folder = try TemporaryFolder()
    let files: any FileSystem = isOnDevice ? PosixFileSystem() : MemoryFileSystem()
    let texts = TextJournals(files, isOnDevice ? folder.url.path : TextJournals.path)
    let journal = try texts.make()
    guard case .owned = try texts.open() else {
      Issue.record("somebody else got it")
      return
    }
    #expect(try texts.directory.peek("a")?.payloads.count == 1)
    journal.close()
    #expect(try texts.read() != nil)
    #expect(throws: FieldError.self) { try journal.append("too late") }
  }

  @Test("a journal no longer exists when it is removed, and can't be created twice")
  func removed() throws {
    let texts = TextJournals(MemoryFileSystem())
    let journal = try texts.make()
    let error = #expect(throws: FieldError.self) { try texts.make() }
    #expect(error?.code == .conflict)
    try journal.remove()
    guard case .gone = try texts.open() else {
      Issue.record("it is still there")
      return
    }
    #expect(try texts.directory.names().isEmpty)
    #expect(try texts.directory.peek("a") == nil)
    try texts.make().close()
  }

  @Test("a journal is accessible only to its owner")
  func permissions() throws {
    let folder = try TemporaryFolder()
    let texts = TextJournals(PosixFileSystem(), folder.url.path + "/j")
    try texts.make().close()
    let manager = FileManager.default
    let file = try manager.attributesOfItem(atPath: folder.url.path + "/j/a.journal")
    let directory = try manager.attributesOfItem(atPath: folder.url.path + "/j")
    #expect(file[.posixPermissions] as? Int == 0o600)
    #expect(directory[.posixPermissions] as? Int == 0o700)
  }

  @Test("a journal isn't created if access is read-only")
  func readOnly() throws {
    let directory = JournalDirectory(
      path: "/j", access: .readOnly, fileSystem: MemoryFileSystem())
    let error = #expect(throws: FieldError.self) {
      try directory.make("a", TextJournals.header, first: TextJournals.entry("first"))
    }
    #expect(error?.code == .readOnly)
  }

  @Test("a journal with a path as its name is rejected", arguments: ["../a", "", "a/b", ".a"])
  func badName(name: String) throws {
    let error = #expect(throws: FieldError.self) {
      try TextJournals(MemoryFileSystem()).make(name)
    }
    #expect(error?.code == .invalidInput)
  }

  @Test("a journal of a storage is the same for equal names, in memory and on the device")
  func storages() throws {
    let folder = try TemporaryFolder()
    for storage in [Storage.inMemory, .directory(folder.url)] {
      let journal = try storage.journals("walks").make(
        "a", TextJournals.header, first: TextJournals.entry("first"))
      #expect(try storage.journals("walks").names() == ["a"])
      #expect(try storage.journals("others").names().isEmpty)
      guard case .owned = try storage.journals("walks").open("a", kind: "text") else {
        Issue.record("it has an owner")
        continue
      }
      journal.close()
    }
    #expect(throws: FieldError.self) { try Storage.inMemory.journals("a/b") }
  }

  @Test("a journal accepts concurrent entries of two threads, each entry whole")
  func atOnce() async throws {
    let texts = TextJournals(MemoryFileSystem())
    let journal = try texts.make()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<100 {
            try journal.append("\(task) \(number)")
            if number % 10 == 0 { try journal.flush() }
          }
        }
      }
      try await group.waitForAll()
    }
    journal.close()
    let found = try #require(try texts.read()).texts.dropFirst()
    #expect(found.count == 400)
    for task in 0..<4 {
      let mine = found.filter { $0.hasPrefix("\(task) ") }
      #expect(mine == (0..<100).map { "\(task) \($0)" })
    }
  }
}
