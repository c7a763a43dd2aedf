import FieldCore
import FieldLibc
import Foundation
import Testing
import TestSupport

@Suite("A store whose files others change", .timeLimit(.minutes(60)))
struct StoreAttackTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func url(_ name: String) -> URL { folder.url.appending(path: name) }

  private func store(_ name: String) -> FileStore<Note> {
    FileStore(unsharedPath: url(name).path, patience: .seconds(2))
  }

  @Test("a store that is swapped with another one reads and continues the file at its path")
  func swapped() async throws {
    let (left, right) = (store("left.store"), store("right.store"))
    for number in 1...3 { try await left.put(Note(number, "left")) }
    for number in 4...8 { try await right.put(Note(number, "right")) }
    try FileManager.default.moveItem(at: url("left.store"), to: url("middle"))
    try FileManager.default.moveItem(at: url("right.store"), to: url("left.store"))
    try FileManager.default.moveItem(at: url("middle"), to: url("right.store"))
    #expect(try await left.all.map(\.id) == [4, 5, 6, 7, 8])
    try await left.put(Note(9))
    // Without a read in between.
    try await right.put(Note(10))
    #expect(try await right.all.map(\.id) == [1, 2, 3, 10])
    #expect(try await store("left.store").all.map(\.id) == [4, 5, 6, 7, 8, 9])
    #expect(try await store("right.store").open().isClean)
  }

  @Test(
    "a store that is restored from an older copy continues that copy", arguments: [true, false])
  func restored(isInPlace: Bool) async throws {
    let (running, file) = (store("notes.store"), url("notes.store"))
    for number in 1...3 { try await running.put(Note(number)) }
    let old = try Data(contentsOf: file)
    for number in 4...9 { try await running.put(Note(number)) }
    if isInPlace {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: old)
      try handle.close()
    } else {
      try old.write(to: file, options: .atomic)
    }
    try await running.put(Note(20))
    #expect(try await running.all.map(\.id) == [1, 2, 3, 20])
    #expect(try await store("notes.store").all.map(\.id) == [1, 2, 3, 20])
    #expect(try await store("notes.store").open().isClean)
  }

  @Test("a store with a hard link leaves the link a state that the store was in")
  func hardLink() async throws {
    let running = store("notes.store")
    try await running.put(Note(1))
    #expect(unsafe link(url("notes.store").path, url("other.store").path) == 0)
    let large = String(repeating: "x", count: 20_000)
    for number in 0..<20 { try await running.put(Note(2, large + "\(number)")) }
    let linked = try await store("other.store").all
    #expect(linked.first == Note(1) && linked.count == 2)
    #expect(try await running.all.count == 2)
    // Two names are two stores with two locks, so they are parted by the next compaction at the latest.
    #expect(try await store("notes.store").open().isClean)
  }

  @Test("a store in which a hole appears loses what was in the hole, and salvages the rest")
  func hole() async throws {
    let (running, file) = (store("notes.store"), url("notes.store"))
    var starts: [Int] = []
    for number in 1...20 {
      _ = try await running.snapshot()
      starts.append(try Data(contentsOf: file).count)
      try await running.put(Note(number, String(repeating: "y", count: 2_000)))
    }
    try await running.close()
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(starts[8] + 100))
    try handle.write(contentsOf: Data(count: 4_096))
    try handle.close()
    let again = store("notes.store")
    #expect(try await again.all.map(\.id) == Array(1...8))
    _ = try await again.salvage()
    // Batches 9 to 11 are in the hole.
    #expect(try await Set(again.all.map(\.id)) == Set(1...20).subtracting(9...11))
  }
}
