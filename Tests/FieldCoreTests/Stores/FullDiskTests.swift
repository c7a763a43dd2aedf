import FieldCore
import Foundation
import TestSupport
import Testing

/// A small volume that `Scripts/Checks/full-disk.sh` mounts.
private struct SmallDisk {
  static let path = ProcessInfo.processInfo.environment["FIELDKIT_SMALL_DISK"]

  let folder: URL
  private var filler: URL { folder.appending(path: "filler") }

  init() throws { folder = URL(filePath: try #require(Self.path)) }

  /// Takes everything that is free.
  func fill() throws {
    try Data().write(to: filler)
    let handle = try FileHandle(forWritingTo: filler)
    for size in [65_536, 4_096, 512, 1] {
      while (try? handle.write(contentsOf: Data(repeating: 1, count: size))) != nil {}
    }
    try handle.close()
  }

  func free() throws { try FileManager.default.removeItem(at: filler) }

  func clear() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }
}

@Suite(
  "A disk that is really full", .serialized, .timeLimit(.minutes(60)),
  .enabled(if: SmallDisk.path != nil, "Scripts/Checks/full-disk.sh mounts a small disk, as root"))
struct FullDiskTests {
  @Test("a store on a disk that is really full keeps everything, also in compaction and salvage")
  func store() async throws {
    let disk = try SmallDisk()
    let file = disk.folder.appending(path: "notes.store")
    let running = FileStore<Note>(unsharedPath: file.path, patience: .seconds(2))
    try await running.open()
    let start = try Data(contentsOf: file).count
    var model: [Note] = []
    for number in 1...30 {
      let note = Note(number, String(repeating: "z", count: 4_000))
      try await running.put(note)
      model.append(note)
    }
    try disk.fill()
    for _ in 0..<3 {
      let error = await #expect(throws: FieldError.self) {
        try await running.put(Note(99, String(repeating: "z", count: 40_000)))
      }
      #expect(error?.code == .diskFull)
      #expect(try await running.all == model)
    }
    // A compaction that finds no room costs nothing.
    try running.core().tryCompacting(try await running.snapshot())
    #expect(try running.core().compactionFailure != nil)
    #expect(try await running.all == model)
    try await running.close()
    // So does salvaging.
    let damaged = try FileHandle(forUpdating: file)
    try damaged.seek(toOffset: UInt64(start + 60))
    try damaged.write(contentsOf: Data([0xEE]))
    try damaged.close()
    let whole = try Data(contentsOf: file)
    let error = await #expect(throws: FieldError.self) { try await StoreFile(file).salvage() }
    #expect(error?.code == .diskFull)
    #expect(try Data(contentsOf: file) == whole)
    try disk.free()
    try await StoreFile(file).salvage()
    let after = FileStore<Note>(unsharedPath: file.path)
    #expect(try await after.all == Array(model.dropFirst()))
    try await after.put(Note(100))
    try disk.clear()
  }

  @Test("a journal on a disk that is really full keeps every entry, also when there is space again")
  func journal() throws {
    let disk = try SmallDisk()
    let texts = TextJournals(
      PosixFileSystem(), disk.folder.appending(path: "texts.journals").path)
    let journal = try texts.make()
    var written = ["first"]
    for number in 0..<20 {
      written.append(String(repeating: "e\(number)", count: 400))
      try journal.append(written[number + 1])
    }
    try disk.fill()
    var failed = 0
    // The last page of the file has room for a few entries.
    for number in 0..<40 {
      let text = String(repeating: "f\(number)", count: 300)
      do throws(any Error) {
        try journal.append(text)
        written.append(text)
      } catch let error as FieldError {
        #expect(error.code == .diskFull)
        failed += 1
      }
      #expect(try journal.texts == written)
    }
    #expect(failed > 0)
    let error = #expect(throws: FieldError.self) { try texts.make("b") }
    #expect(error?.code == .diskFull)
    try disk.free()
    try journal.append("after")
    written.append("after")
    journal.close()
    let read = try #require(try texts.read())
    #expect(read.texts == written && read.cut == nil)
    #expect(try texts.directory.names() == ["a"])
    try disk.clear()
  }

  @Test(
    "a blob store on a disk that is really full keeps every blob, and nothing of one without room")
  func blobs() async throws {
    let disk = try SmallDisk()
    let directory = disk.folder.appending(path: "photos.blobs")
    let blobs = FileBlobStore(directory, grace: .zero)
    let kept = (1...5).map { [UInt8](repeating: $0, count: 30_000) }
    for bytes in kept { try await blobs.put(bytes).end() }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    try disk.fill()
    let large = [UInt8](repeating: 9, count: 100_000)
    for _ in 0..<3 {
      let error = await #expect(throws: FieldError.self) { try await blobs.put(large) }
      #expect(error?.code == .diskFull)
      #expect(try await blobs.bytes(of: BlobID(of: large)) == nil)
    }
    // Replacing a blob by itself needs room, too, and must not cost it.
    let error = await #expect(throws: FieldError.self) { try await blobs.put(kept[0]) }
    #expect(error?.code == .diskFull)
    for bytes in kept { #expect(try await blobs.bytes(of: BlobID(of: bytes)) == bytes) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == names)
    // Removing needs no room.
    try await blobs.remove(BlobID(of: kept[4]))
    #expect(try await blobs.contains(BlobID(of: kept[4])) == false)
    try disk.free()
    try await blobs.put(large).end()
    #expect(try await FileBlobStore(directory).bytes(of: BlobID(of: large)) == large)
    try disk.clear()
  }
}
