import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A store that is used for years", .timeLimit(.minutes(60)))
struct AgingTests {
  private static let path = "/data/notes.store"
  private static let liveCount = 200
  private static let text = String(repeating: "x", count: 1_000)

  /// `FIELDKIT_AGING_COMMITS=100000` is the long form.
  private static let commitCount =
    ProcessInfo.processInfo.environment["FIELDKIT_AGING_COMMITS"].flatMap { Int($0) }
    ?? Sample.rounds(5_000, 5_000, inDebug: 2_500)

  private let files = MemoryFileSystem()

  private func store() -> FileStore<Note> {
    FileStore(unsharedPath: Self.path, fileSystem: files)
  }

  private var size: Int { files[Self.path]?.count ?? 0 }

  /// The number of calls that opening and closing the store takes.
  private func openingCost() async throws -> Int {
    let before = files.callCount
    let store = store()
    #expect(try await store.open().isClean)
    #expect(try await store.all.count == Self.liveCount)
    try await store.close()
    return files.callCount - before
  }

  @Test(
    "a store used for years stays within twice its content, and opens in the same few calls",
    .heavy(seconds: 1))
  func commits() async throws {
    let first = store()
    try await first.commit(
      Changes((0..<Self.liveCount).map { Note($0, Self.text) }), checkpoint: nil, expecting: nil)
    try await first.close()
    let fresh = size
    let costs = try await openingCost()
    let names = try files.names(in: "/data").count
    var largest = 0
    var number = 0
    while number < Self.commitCount {
      let store = store()
      for _ in 0..<Self.commitCount / 10 {
        number += 1
        let changes = Changes([Note(number % Self.liveCount, Self.text)])
        try await store.commit(
          changes, checkpoint: Checkpoint(cursors: ["table": "\(number)"]), expecting: nil)
        largest = max(largest, size)
        #expect(files.openCount <= 2, "the store and its lock")
      }
      try await store.close()
      #expect(files.openCount == 0)
      #expect(try await openingCost() == costs, "after \(number) commits")
      #expect(try files.names(in: "/data").count == names)
    }
    // The last commit may have made the file too large before the compaction.
    #expect(largest <= 2 * fresh + 2 * Self.text.utf8.count, "\(largest) bytes for \(fresh)")
    #expect(try await store().snapshot().revision.number >= UInt64(Self.commitCount))
  }

  @Test(
    "a store used for years stays within twice its content if its largest record changes", .heavy)
  func largeRecord() async throws {
    let large = String(repeating: "y", count: 40_000)
    let store = store()
    let notes = (0..<Self.liveCount).map { Note($0, Self.text) } + [Note(-1, large)]
    try await store.commit(Changes(notes), checkpoint: nil, expecting: nil)
    let fresh = size
    for number in 0..<40 {
      try await store.put(Note(-1, large + "\(number)"))
      #expect(size <= 2 * fresh + large.utf8.count + 1_000, "\(size) bytes for \(fresh)")
    }
    try await store.close()
  }

  @Test("a store used for years removes the marks of blobs that are added and removed", .heavy)
  func blobs() async throws {
    let blobs = FileBlobStore(path: "/data/blobs", grace: .zero, clock: .system, fileSystem: files)
    for number in 0..<300 {
      let bytes = Array("\(number)".utf8)
      let id = BlobID(of: bytes)
      _ = try await blobs.put(bytes)
      try await blobs.claim([id])
      try await blobs.sweepUnclaimed(releasing: [id]) { [] }
      #expect(files.openCount == 0)
    }
    #expect(try files.names(in: "/data/blobs").filter { $0 != ".lock" } == [])
  }

  @Test("a process has no descriptors left after many journals", .heavy)
  func journals() throws {
    let texts = TextJournals(files)
    for number in 0..<300 {
      let journal = try texts.make()
      for entry in 0..<20 { try journal.append("\(number) \(entry)") }
      try journal.flush()
      if number.isMultiple(of: 2) {
        try journal.suspend()
        try journal.append("suspended")
        try journal.resume()
      }
      if number.isMultiple(of: 3) {
        journal.close()
        guard case .opened(let opened) = try texts.open() else {
          Issue.record("it could not be opened")
          return
        }
        try opened.journal.remove()
      } else {
        try journal.remove()
      }
      #expect(files.openCount == 0)
    }
    #expect(try files.names(in: TextJournals.path).isEmpty)
  }
}
