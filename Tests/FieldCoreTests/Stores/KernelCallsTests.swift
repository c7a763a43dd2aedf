import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

/// What stores do on the model of a file system and on files of the system.
///
/// `Scripts/Checks/kernel-calls.sh` lets strace record the second, and compares the calls.
@Suite("The calls that stores make", .serialized, .timeLimit(.minutes(60)))
struct KernelCallsTests {
  private static let folder = ProcessInfo.processInfo.environment["FIELDKIT_CALLS"]

  enum Workload: String, CaseIterable, Sendable {
    case store, damage, blobs, journals
  }

  @Test(
    "the calls that stores make are written down by the model",
    .enabled(if: folder != nil, "kernel-calls.sh sets the folder"),
    arguments: Workload.allCases)
  func record(workload: Workload) async throws {
    let path = "\(try #require(Self.folder))/\(workload)"
    let model = MemoryFileSystem()
    // Both have the directory.
    model["\(path)/there"] = []
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try await run(workload, path, model)
    // Marks in the trace.
    let kernel = PosixFileSystem()
    _ = try kernel.status(at: "\(path)/begin")
    try await run(workload, path, kernel)
    _ = try kernel.status(at: "\(path)/end")
    try model.log.joined(separator: "\n").write(
      toFile: path + ".model", atomically: false, encoding: .utf8)
  }

  private func run(_ workload: Workload, _ path: String, _ files: any FileSystem) async throws {
    switch workload {
    case .store: try await useStore("\(path)/made/notes.store", files)
    case .damage: try await damage("\(path)/notes.store", files)
    case .blobs: try await useBlobs("\(path)/photos.blobs", files)
    case .journals: try useJournals(TextJournals(files, "\(path)/texts.journals"))
    }
  }

  private func store(_ path: String, _ files: any FileSystem) -> FileStore<Note> {
    FileStore(unsharedPath: path, fileSystem: files)
  }

  /// Two processes commit, compact, and close.
  private func useStore(_ path: String, _ files: any FileSystem) async throws {
    let (first, second) = (store(path, files), store(path, files))
    try await first.open()
    try await first.put(Note(1, "a"), Note(2, "b"))
    try await first.put(Note(1, "a"))
    try await second.put(Note(3, "c"), removing: [2])
    try await first.update { snapshot, changes in
      if snapshot.count == 2 { changes.upsert(Note(4, "d")) }
    }
    _ = try await second.durableSnapshot()
    let long = String(repeating: "x", count: 9_000)
    for number in 0..<20 { try await first.put(Note(5, long + "\(number)")) }
    #expect(try await second.snapshot().count == 4)
    try await second.put(Note(6))
    try await first.eraseAll()
    try await first.put(Note(7))
    #expect(try await second.snapshot().count == 1)
    try await first.close()
    try await second.close()
  }

  /// Opens a file with a torn end and the leftover of a compaction.
  private func damage(_ path: String, _ files: any FileSystem) async throws {
    let first = store(path, files)
    try await first.put(Note(1, "a"))
    try await first.close()
    for (path, bytes) in [(path, Array("FFRMtorn".utf8)), (path + ".new", [1, 2, 3])] {
      let file = try files.openFile(path, .making)
      try files.write(bytes, to: file, at: try files.status(of: file).size)
      try files.closeFile(file)
    }
    let second = store(path, files)
    #expect(try await second.open().cuts.count == 1)
    try await second.put(Note(2, "b"))
    #expect(try await second.snapshot().count == 2)
    try await second.removeSetAside()
    try await second.close()
  }

  private func useBlobs(_ path: String, _ files: any FileSystem) async throws {
    let blobs = FileBlobStore(path: path, grace: .zero, clock: .system, fileSystem: files)
    // One at a time, because names are listed in no particular order.
    for number in 0..<3 as Range<UInt8> {
      let lease = try await blobs.put([number])
      lease.end()
      try await blobs.put([number]).end()
      try await blobs.claim([lease.id])
      #expect(try await blobs.bytes(of: lease.id) == [number])
      #expect(try await blobs.status(of: lease.id)?.byteCount == 1)
      try await blobs.sweepUnclaimed(releasing: []) { [lease.id] }
      switch number {
      case 0: try await blobs.sweepUnclaimed(releasing: [lease.id]) { [] }
      case 1: try await blobs.sweep(keeping: [])
      default: try await blobs.remove(lease.id)
      }
      #expect(try await !blobs.contains(lease.id))
    }
  }

  private func useJournals(_ texts: TextJournals) throws {
    let journal = try texts.make()
    for number in 0..<3 { try journal.append("\(number)") }
    try journal.flush()
    try journal.suspend()
    try journal.append("suspended")
    try journal.resume()
    try journal.flush()
    journal.close()
    guard case .opened(let opened) = try texts.open() else {
      Issue.record("it could not be opened")
      return
    }
    try opened.journal.remove()
  }
}
