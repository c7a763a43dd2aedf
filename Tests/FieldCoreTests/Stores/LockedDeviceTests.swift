import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("On a device that is locked", .timeLimit(.minutes(60)))
struct LockedDeviceTests {
  private static let path = "/data/notes.store"

  private static func placed(_ files: MemoryFileSystem) -> PlacedFileSystem {
    PlacedFileSystem(files, FilePlacement(protection: .complete))
  }

  private static func store(_ files: MemoryFileSystem) -> FileStore<Note> {
    FileStore(unsharedPath: path, fileSystem: placed(files), patience: .milliseconds(20))
  }

  /// Runs `body`, and returns the code of its error.
  private static func code(_ body: () async throws -> Void) async throws -> FieldError.Code? {
    do {
      try await body()
      return nil
    } catch let error as FieldError {
      return error.code
    }
  }

  /// A device with a store of one note.
  private static func device() async throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let store = store(files)
    try await store.put(Note(1))
    try await store.close()
    return files
  }

  @Test(
    "a store on a locked device says so at any call of opening or committing, and stays as it is",
    arguments: [false, true])
  func lockedStore(refusesAll: Bool) async throws {
    let files = try await Self.device()
    let start = files.callCount
    try await Self.store(files).put(Note(2))
    let count = files.callCount - start
    for call in 0..<count {
      let files = try await Self.device()
      let before = try #require(files[Self.path])
      let store = Self.store(files)
      files.lockDevice(after: call, refusesAll: refusesAll)
      let code = try await Self.code { try await store.put(Note(2)) }
      let what: Comment = "after call \(call) of \(count): \(files.log)"
      #expect(files[Self.path]?.starts(with: before) == true, what)
      #expect(!files.paths.contains { $0.contains(".damaged") || $0.contains(".salvaged") }, what)
      files.lockDevice(after: nil)
      if let code {
        #expect(code == .locked, what)
      } else {
        #expect(try await store.all == [Note(1), Note(2)], what)
      }
      // Without opening it again: the next commit finds the device unlocked.
      try await store.put(Note(3))
      let all = try await store.all
      #expect(all.first == Note(1) && all.last == Note(3) && all.count <= 3, what)
      #expect(try await Self.store(files).all == all, what)
    }
  }

  @Test("an open store can still be read while the device is locked, and takes commits afterward")
  func openStore() async throws {
    let files = try await Self.device()
    let store = Self.store(files)
    #expect(try await store.all == [Note(1)])
    files.lockDevice(after: 0)
    for number in 2...4 {
      #expect(try await Self.code { try await store.put(Note(number)) } == .locked)
      #expect(try await store.all == [Note(1)])
    }
    files.lockDevice(after: nil)
    try await store.put(Note(5))
    #expect(try await store.all == [Note(1), Note(5)])
    #expect(try await Self.store(files).all == [Note(1), Note(5)])
  }

  @Test("a torn store on a locked device isn't cut, and erasing doesn't set it aside")
  func tornStore() async throws {
    let files = try await Self.device()
    let torn = try #require(files[Self.path]) + [1, 2, 3]
    files[Self.path] = torn
    files.lockDevice(after: 0)
    let store = Self.store(files)
    #expect(try await Self.code { try await store.open() } == .locked)
    #expect(try await Self.code { try await store.eraseAll() } == .locked)
    #expect(try await Self.code { try await store.salvage() } == .locked)
    #expect(files[Self.path] == torn)
    #expect(files.paths == [Self.path, Self.path + ".lock"])
    files.lockDevice(after: nil)
    #expect(try await store.open().cuts.map(\.byteCount) == [3])
    #expect(try await store.all == [Note(1)])
  }

  @Test(
    "a journal on a locked device says so at any call of opening, and is left as it is",
    arguments: [false, true])
  func lockedJournal(refusesAll: Bool) throws {
    let files = MemoryFileSystem()
    let journals = TextJournals(Self.placed(files))
    let journal = try journals.make()
    try journal.append("second")
    journal.close()
    let start = files.callCount
    #expect(try journals.read()?.texts == ["first", "second"])
    let bytes = files[TextJournals.path + "/a.journal"]
    let count = files.callCount - start
    for call in 0..<count {
      files.lockDevice(after: call, refusesAll: refusesAll)
      do {
        if case .opened(let opened) = try journals.open() { opened.journal.close() }
      } catch let error as FieldError {
        #expect(error.code == .locked, "after call \(call)")
      }
      files.lockDevice(after: nil)
      #expect(files[TextJournals.path + "/a.journal"] == bytes, "after call \(call)")
      let found = try #require(try journals.read(), "after call \(call)")
      #expect(found.texts == ["first", "second"])
      #expect(found.cut == nil)
    }
  }

  @Test("a blob on a locked device says so, and is there afterward")
  func blob() async throws {
    let files = MemoryFileSystem()
    let blobs = FileBlobStore(
      path: "/data/notes.blobs", grace: .zero, clock: .system, fileSystem: Self.placed(files))
    let lease = try await blobs.put([1])
    files.lockDevice(after: 0)
    #expect(try await Self.code { _ = try await blobs.bytes(of: lease.id) } == .locked)
    #expect(try await Self.code { _ = try await blobs.put([2]) } == .locked)
    #expect(try await Self.code { _ = try await blobs.sweep(keeping: []) } == .locked)
    files.lockDevice(after: nil)
    #expect(try await blobs.bytes(of: lease.id) == [1])
    #expect(try await blobs.bytes(of: BlobID(of: [2])) == nil)
  }

  @Test("the error of a locked device asks the user to unlock it")
  func guidance() {
    let error = FieldError(.locked, "")
    #expect(error.isRetryable)
    #expect(error.code.guidance.group == .device)
    #expect(error.localized(in: .korean).errorDescription == "기기가 잠겨 있음")
  }

  @Test("a locked device is only suspected where files are protected")
  func unprotected() async throws {
    for protection in [nil, FileProtection.unprotected] {
      let files = MemoryFileSystem()
      let placement = FilePlacement(protection: protection)
      let store = FileStore<Note>(
        unsharedPath: Self.path, fileSystem: PlacedFileSystem(files, placement))
      files.lockDevice(after: 0)
      #expect(try await Self.code { try await store.open() } == .io)
    }
  }
}
