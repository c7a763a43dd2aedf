import FieldCore
import Foundation
import TestSupport
import Testing

/// Two stores of one file, as two processes have it, on a device where calls fail.
@Suite("Two stores of one file on a failing device", .heavy, .timeLimit(.minutes(60)))
struct StoresTogetherTests {
  @Test(
    "two stores of one file on a failing device see the same content, and lose no known commit",
    arguments: Sample.of(1...20 as ClosedRange<UInt64>, 3, inDebug: 2))
  func random(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let files = MemoryFileSystem()
    func open(_ access: StoreAccess = .readWrite) -> FileStore<Note> {
      FileStore<Note>(
        unsharedPath: "/data/notes.store", access: access, fileSystem: files,
        patience: .milliseconds(20))
    }
    var stores = [open(), open()]
    let reader = open(.readOnly)
    var content: [Note] = []
    var held: [(Snapshot<Note>, [Note])] = []
    for step in 0..<160 {
      let what: Comment = "seed \(seed), step \(step)"
      let place = Int.random(in: 0..<2, using: &chance)
      if Int.random(in: 0..<4, using: &chance) == 0 {
        let call = files.callCount + Int.random(in: 1...14, using: &chance)
        let error = Bool.random(using: &chance) ? EIO : ENOSPC
        files.fail(
          at: call, Bool.random(using: &chance) ? .failure(error) : .partialFailure(error))
      }
      switch Int.random(in: 0..<20, using: &chance) {
      case 0: stores[place] = open()  // the process has ended, and another one begins
      case 1: try? await stores[place].close(); stores[place] = open()
      case 2: files.failNext("truncate")
      case 3: files.failNext("rename")
      default: break
      }
      var changes = Changes<Note>()
      let size = Int.random(in: 0..<5, using: &chance) == 0 ? 15_000 : 5
      changes.upsert(
        Note(
          Int.random(in: 0..<9, using: &chance),
          String(repeating: "\(step % 10)", count: size) + "\(step)"))
      if Bool.random(using: &chance) { changes.remove(Int.random(in: 0..<9, using: &chance)) }
      let next = Array(Snapshot(content).applying(changes))
      do {
        try await stores[place].commit(changes, checkpoint: nil, expecting: nil)
        content = next
      } catch let error as FieldError {
        #expect([.io, .diskFull, .needsReopening, .busy].contains(error.code), what)
        // What is in the file decides, which is the old content or the new one.
        while (try? await stores[place].open()) == nil {}
        var found: [Note]?
        while found == nil { found = try? await open().all }
        try #require(found == content || found == next, what)
        content = found ?? []
      }
      for store in stores + [reader] {
        var snapshot: Snapshot<Note>?
        while snapshot == nil {
          do {
            snapshot = try await store.snapshot()
          } catch let error as FieldError {
            #expect([.io, .diskFull].contains(error.code), what)
          }
        }
        guard let snapshot else { continue }
        try #require(Array(snapshot) == content, what)
        if step % 20 == 0 { held.append((snapshot, content)) }
      }
    }
    for (snapshot, content) in held { #expect(Array(snapshot) == content) }
    for store in stores + [reader] { try? await store.close() }
  }
}
