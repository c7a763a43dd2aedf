import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Salvaging a store", .timeLimit(.minutes(60)))
struct SalvageTests {
  private let fileSystem: MemoryFileSystem
  private let path: String

  init() { self.init("/\(UUID().uuidString)/notes.store", MemoryFileSystem()) }

  private init(_ path: String, _ fileSystem: MemoryFileSystem) {
    self.path = path
    self.fileSystem = fileSystem
  }

  private func store(_ access: StoreAccess = .readWrite) -> FileStore<Note> {
    FileStore(unsharedPath: path, access: access, fileSystem: fileSystem)
  }

  private var file: StoreFile { StoreFile(path, fileSystem: fileSystem) }

  private func ids() async throws -> [Int] { try await store().all.map(\.id) }

  /// Commits a batch for each note, and returns the offset of each batch.
  @discardableResult
  private func fill(_ count: Int = 12, checkpoint: Checkpoint? = nil) async throws -> [Int] {
    let store = store()
    var starts: [Int] = []
    for number in 1...count {
      _ = try await store.snapshot()
      starts.append(try #require(fileSystem[path]).count)
      try await store.commit(
        Changes([Note(number, "text \(number)")]), checkpoint: checkpoint, expecting: nil)
    }
    try await store.close()
    return starts
  }

  private func flip(_ place: Int, in path: String? = nil, bit: UInt8 = 1) throws {
    var bytes = try #require(fileSystem[path ?? self.path])
    bytes[place] ^= bit
    fileSystem[path ?? self.path] = bytes
  }

  @Test("salvaging a store finds nothing in a store that was rewritten before its first commit")
  func baseOfNoCommits() async throws {
    // It is unknown what is on the device of a failed first commit.
    let store = store()
    try await store.open()
    fileSystem.failNext("sync", times: 2)
    await #expect(throws: FieldError.self) { try await store.put(Note(1)) }
    try await store.open()
    try await store.put(Note(2))
    let report = try await file.examine()
    #expect(report.isIntact)
    #expect(report.parts.map(\.revision) == [.zero, Revision(number: 1)])
    let whole = fileSystem[path]
    let salvaged = try await file.salvage()
    #expect(salvaged.batchCount == 2)
    #expect(salvaged.losses == [])
    #expect(fileSystem[path] == whole)
    // Salvaging a part that is damaged leaves the rest as it is.
    try await store.put(Note(3))
    try await store.close()
    try flip(try #require(fileSystem[path]).count - 1)
    #expect(try await file.salvage().losses.count == 1)
    #expect(try await ids() == [2])
  }

  @Test("salvaging a store restores all batches except the damaged one, wherever a bit is flipped")
  func anyFlip() async throws {
    let starts = try await fill()
    let whole = try #require(fileSystem[path])
    let header = starts[0]
    var (kept, keptBefore, count) = (0, 0, 0)
    for place in Sample.of(0..<whole.count, 120, inDebug: 30) {
      for isOpenedBefore in [false, true] {
        let next = SalvageTests(path, fileSystem.afterCrash(seed: nil))
        try next.flip(place, bit: 1 << UInt8(place % 8))
        let what: Comment = "byte \(place), opened before: \(isOpenedBefore)"
        if isOpenedBefore {
          // A store with a damaged header can't be opened.
          if place < header { continue }
          let opened = next.store()
          _ = try await opened.open()
          keptBefore += try await opened.all.count
          try await opened.close()
        }
        let report = try await next.file.salvage()
        let ids = try await next.ids()
        let damaged = starts.lastIndex { $0 <= place }.map { $0 + 1 }
        // A part whose first frame has lost its kind has an unknown place: its records come first.
        let isKind = isOpenedBefore && starts.contains(place - 4)
        #expect((isKind ? ids.sorted() : ids) == (1...12).filter { $0 != damaged }, what)
        #expect(report.batchCount == ids.count, what)
        #expect(!report.originals.isEmpty, what)
        if isOpenedBefore {
          kept += ids.count
          count += 1
        }
        // It is a store like any other.
        try await next.store().put(Note(99))
        #expect(try await next.ids().last == 99, what)
        let opening = try await next.store().open()
        #expect(opening.isClean, what)
        #expect(opening.salvaged == report.originals, what)
        #expect(!opening.hasUnreadParts, what)
        #expect(try await next.file.salvage().salvagedBatchCount == 0, what)
      }
    }
    #expect(count > (Sample.isOptimized ? 100 : 20))
    #expect(kept == 11 * count)
    #expect(keptBefore < kept)
  }

  @Test("salvaging a store keeps what was committed after the damage, which is newer")
  func committedSince() async throws {
    let starts = try await fill(6)
    // Batches 4 to 6 are cut off; 4 is damaged.
    try flip(starts[3] + Frame.headerSize + 12)
    let store = store()
    try await store.put(Note(5, "newer"), Note(7, "new"))
    try await store.put(Note(2, "changed"), removing: [3])
    let report = try await store.salvage()
    #expect(report.salvagedBatchCount == 2)
    #expect(report.salvagedRecordCount == 2)
    #expect(report.losses.map(\.byteCount) == [starts[4] - starts[3]])
    #expect(
      try await store.all == [
        Note(1, "text 1"), Note(2, "changed"), Note(5, "newer"), Note(6, "text 6"),
        Note(7, "new"),
      ])
    #expect(try await store.open().salvaged == report.originals)
    #expect(try await self.store().all == store.all)
    try await store.put(Note(8))
    #expect(try await ids() == [1, 2, 5, 6, 7, 8])
  }

  @Test(
    "salvaging a store lets the store's content win if the place of the lost batches is unknown")
  func unknownPlace() async throws {
    let starts = try await fill(6)
    var bytes = try #require(fileSystem[path])
    for place in starts[2]..<starts[4] { bytes[place] = 0 }
    fileSystem[path] = bytes
    let store = store()
    try await store.put(Note(5, "newer"))
    _ = try await store.salvage()
    #expect(try await Set(store.all.map(\.id)) == [1, 2, 5, 6])
    #expect(try await store.all.first { $0.id == 5 } == Note(5, "newer"))
  }

  @Test(
    "salvaging a store lets its content win over frames after a gap that no damage leaves",
    arguments: [false, true])
  func gap(isDamaged: Bool) async throws {
    let starts = try await fill(4)
    let whole = try #require(fileSystem[path])
    fileSystem[path] = Array(whole[..<starts[0]] + whole[starts[2]...])
    // The header still shows the revision, but its checksum is wrong.
    if isDamaged { try flip(starts[0] + 36) }
    let store = store()
    #expect(try await store.open().cuts.count == 1)
    if isDamaged {
      try await store.put(Note(3, "newer"), Note(4, "newer"))
    } else {
      for number in [3, 4] { try await store.put(Note(number, "newer")) }
    }
    try await store.close()
    #expect(try await file.salvage().salvagedBatchCount == (isDamaged ? 1 : 2))
    #expect(try await Set(self.store().all.map(\.text)) == ["newer"])
  }

  @Test(
    "salvaging a store retires a part without a whole batch, so that the kits remove photos again")
  func unreadablePart() async throws {
    try await fill(2)
    let whole = try #require(fileSystem[path])
    fileSystem[path] = whole + [1, 2, 3]
    #expect(try await store().open().hasUnreadParts)
    let report = try await file.salvage()
    #expect(report.batchCount == 2)
    #expect(report.salvagedBatchCount == 0)
    #expect(report.losses.map(\.byteCount) == [3])
    #expect(report.originals.map(\.lastPathComponent) == ["notes.store.salvaged-1"])
    #expect(fileSystem[path] == whole)
    let opening = try await store().open()
    #expect(!opening.hasUnreadParts)
    #expect(opening.salvaged == report.originals)
    #expect(try await ids() == [1, 2])
    #expect(try await file.salvage().originals.isEmpty)
  }

  @Test("salvaging a store also restores removals, and restores each part only once")
  func removals() async throws {
    let first = store()
    try await first.put(Note(1), Note(2), Note(3))
    let start = try #require(fileSystem[path]).count
    try await first.put(Note(4))
    try await first.put(removing: [2])
    try await first.put(Note(5))
    try await first.close()
    try flip(start + Frame.headerSize + 9)
    #expect(try await store().open().recordCount == 3)
    _ = try await store().salvage()
    #expect(try await ids() == [1, 3, 5])
    // More damage, and a second part.
    let end = try #require(fileSystem[path]).count
    try await store().put(Note(6))
    try await store().put(Note(7))
    try flip(end + 3)
    _ = try await store().open()
    let report = try await store().salvage()
    #expect(report.salvagedBatchCount == 1)
    #expect(report.originals.map(\.lastPathComponent) == ["notes.store.salvaged-2"])
    #expect(try await ids() == [1, 3, 5, 7])
    try await store().removeSetAside()
    #expect(try await store().open().salvaged.isEmpty)
  }

  @Test("salvaging a store after a lost base restores the batches that follow it")
  func lostBase() async throws {
    let first = store()
    let large = String(repeating: "x", count: 20_000)
    for number in 1...9 { try await first.put(Note(number % 2, large + "\(number)")) }
    let base = try #require(fileSystem[path]).count
    try await first.put(Note(10))
    try await first.put(Note(11))
    try await first.close()
    #expect(fileSystem.log.count { $0.contains("rename") } >= 2, "it was compacted")
    try flip(base - 100)
    let report = try await file.salvage()
    #expect(report.losses.count == 1)
    #expect(try await Set(ids()).isSuperset(of: [10, 11]))
    let after = try await store().snapshot()
    #expect(after.revision.number >= 11)
    try await store().put(Note(12))
    #expect(try await store().open().isClean)
  }

  @Test("salvaging a store after a lost base lets later commits win, despite lower revisions")
  func lostBaseAndCommits() async throws {
    let first = store()
    _ = try await first.snapshot()
    let base = try #require(fileSystem[path]).count
    let large = String(repeating: "x", count: 20_000)
    for number in 1...9 { try await first.put(Note(number % 2, large + "\(number)")) }
    try await first.put(Note(10, "old"))
    try await first.put(Note(11, "old"))
    try await first.close()
    #expect(fileSystem.log.count { $0.contains("rename") } >= 2, "it was compacted")
    try flip(base + 100)
    #expect(try await store().open().recordCount == 0)
    try await store().put(Note(11, "new"))
    _ = try await store().salvage()
    #expect(try await store().all.suffix(2) == [Note(10, "old"), Note(11, "new")])
  }

  @Test(
    "salvaging a store makes the next refresh fetch all of a source, and keeps other checkpoints")
  func checkpoint() async throws {
    let local = Checkpoint(cursors: ["sightings.next": "7"])
    var checkpoints = [local, local, local, local]
    checkpoints[1].lastSuccess = Date(timeIntervalSince1970: 1)
    checkpoints[2].cursors["table.unit"] = "12"
    checkpoints[3].cursors["sync.stamp"] = "12"
    for checkpoint in checkpoints {
      let isOfSource = checkpoint != local
      let next = SalvageTests()
      let starts = try await next.fill(4, checkpoint: checkpoint)
      try next.flip(starts[1] + 50)
      let report = try await next.file.salvage()
      #expect(report.isCheckpointReset == isOfSource)
      let found = try await next.store().snapshot()
      #expect(found.checkpoint == local)
      #expect(found.map(\.id) == [1, 3, 4])
    }
  }

  @Test("salvaging a store is visible to processes that have the store open, and to observers")
  func openElsewhere() async throws {
    let starts = try await fill(5)
    try flip(starts[2] + 50)
    let (one, other) = (store(), store())
    #expect(try await one.all.count == 2)
    #expect(try await other.all.count == 2)
    _ = try await file.salvage()
    #expect(try await one.all.map(\.id) == [1, 2, 4, 5])
    try await other.put(Note(6))
    #expect(try await one.all.map(\.id) == [1, 2, 4, 5, 6])
  }

  @Test(
    "salvaging a store changes nothing if there is nothing to restore, or if it can't be written")
  func nothing() async throws {
    let starts = try await fill(4)
    let whole = try #require(fileSystem[path])
    #expect(try await file.salvage().salvagedBatchCount == 0)
    #expect(fileSystem[path] == whole)
    try flip(starts[1] + 50)
    let damaged = fileSystem[path]
    fileSystem.failAlways("write", ENOSPC)
    let error = await #expect(throws: FieldError.self) { try await file.salvage() }
    #expect(error?.code == .diskFull)
    #expect(fileSystem[path] == damaged)
    fileSystem.failAlways(nil)
    let other = FileStore<Stone>(unsharedPath: path, fileSystem: fileSystem)
    let wrong = await #expect(throws: FieldError.self) { try await other.salvage() }
    #expect(wrong?.code == .invalidInput)
    #expect(fileSystem[path] == damaged)
    let reading = await #expect(throws: FieldError.self) {
      try await store(.readOnly).salvage()
    }
    #expect(reading?.code == .readOnly)
  }

  @Test(
    "salvaging a store loses nothing when the machine stops at any call",
    arguments: Sample.of([nil, 1, 2, 3] as [UInt64?], inDebug: 2))
  func crash(seed: UInt64?) async throws {
    let starts = try await fill(6)
    try flip(starts[1] + 50)
    let opened = store()
    try await opened.put(Note(9))
    try await opened.close()
    let end = try #require(fileSystem[path]).count
    try await add(10)
    try await add(11)
    try flip(end + 45)
    let expected: Set<Int> = [1, 3, 4, 5, 6, 9, 11]
    var last = 0
    for call in Sample.steps(from: 1, apart: 1, inDebug: 3) {
      last = call
      let next = SalvageTests(path, fileSystem.afterCrash(seed: nil))
      next.fileSystem.fail(at: call, .crash)
      let isDone = (try? await next.file.salvage()) != nil
      if isDone, next.fileSystem.callCount < call { break }
      let after = SalvageTests(
        path, next.fileSystem.afterCrash(seed: seed.map { $0 &+ UInt64(call) }))
      _ = try await after.file.salvage()
      #expect(try await Set(after.ids()) == expected, "call \(call)")
    }
    #expect(last > 20)
  }

  private func add(_ number: Int) async throws {
    let store = store()
    try await store.put(Note(number))
    try await store.close()
  }

  @Test("salvaging a store survives random damage, and never returns what wasn't written", .heavy)
  func fuzz() async throws {
    try await fill(8)
    let whole = try #require(fileSystem[path])
    var chance = SeededGenerator(seed: 5)
    for round in 0..<Sample.rounds(600, 60, inDebug: 30) {
      let next = SalvageTests(path, MemoryFileSystem())
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &chance) { bytes.mutate(using: &chance) }
      next.fileSystem[path] = bytes
      if Bool.random(using: &chance) { _ = try? await next.store().open() }
      do {
        _ = try await next.file.examine()
        _ = try await next.file.jsonLines()
        _ = try await next.file.salvage()
      } catch let error as FieldError {
        #expect([.damaged, .newerFormat, .io].contains(error.code), "round \(round): \(error)")
        continue
      }
      for note in try await next.store().all {
        #expect(note.text == "text \(note.id)", "round \(round)")
      }
    }
  }

  // MARK: Examining

  @Test("salvaging a store begins with a report of what is intact and what isn't, also in JSON")
  func examination() async throws {
    let starts = try await fill(4, checkpoint: Checkpoint(fingerprint: "f"))
    #expect(try await file.examine().isIntact)
    #expect(try await file.examine().parts.map(\.offset) == starts)
    try flip(starts[1] + 50)
    let report = try await file.examine()
    #expect(!report.isIntact && !report.isJournal && !report.isHeaderDamaged)
    #expect(report.name == "Note")
    #expect(report.parts.map(\.isDamaged) == [false, true, false, false])
    #expect(report.parts.map { $0.revision?.number } == [1, nil, 3, 4])
    #expect(report.parts.map(\.recordCount) == [1, nil, 1, 1])
    let lines = try await file.jsonLines()
    #expect(lines.count == 6)
    #expect(lines[0] == #"{"revision":1,"put":{"id":1,"text":"text 1"}}"#)
    #expect(lines[1].hasPrefix(#"{"revision":1,"checkpoint":{"#))
    #expect(lines[4].hasPrefix(#"{"revision":4,"put":{"id":4"#))
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    let again = try JSONDecoder().decode(
      StoreFileReport.self, from: try JSONEncoder().encode(report))
    #expect(again == report)
  }

  @Test("salvaging a store into a copy leaves the original unchanged")
  func copied() async throws {
    let starts = try await fill(4)
    try flip(starts[1] + 50)
    let damaged = fileSystem[path]
    let copy = URL(filePath: path + ".copy")
    #expect(try await file.salvage(to: copy).batchCount == 3)
    #expect(fileSystem[path] == damaged)
    let store = FileStore<Note>(unsharedPath: copy.path, fileSystem: fileSystem)
    #expect(try await store.all.map(\.id) == [1, 3, 4])
    let error = await #expect(throws: FieldError.self) { try await file.salvage(to: copy) }
    #expect(error?.code == .io)
  }

  @Test("salvaging a store exports records with their own coding as Base64 instead of JSON")
  func coded() async throws {
    let store = FileStore<Stone>(unsharedPath: path, fileSystem: fileSystem)
    try await store.put(Stone("a"), Stone("b"))
    try await store.put(removing: ["a"])
    let lines = try await file.jsonLines()
    #expect(lines.count == 3)
    #expect(lines[0].contains("putBase64"))
    #expect(lines[2] == #"{"revision":2,"remove":["a"]}"#)
  }

  @Test("salvaging a store rejects journals, which can be examined and exported")
  func journals() async throws {
    let texts = TextJournals(fileSystem)
    let journal = try texts.make()
    for text in ["second", "third", "fourth", "fifth"] { try journal.append(text) }
    journal.close()
    let path = TextJournals.path + "/a.journal"
    let whole = try #require(fileSystem[path])
    let start = whole.count - "firstsecondthirdfourthfifth".utf8.count - 5 * 8
    let file = StoreFile(path, fileSystem: fileSystem)
    #expect(try await file.examine().isIntact)
    var lostCount = 0
    for place in start..<whole.count {
      try flip(place, in: path)
      let report = try await file.examine()
      #expect(report.isJournal && !report.isIntact, "byte \(place)")
      lostCount += 5 - report.parts.count { !$0.isDamaged }
      #expect(try await file.jsonLines().count == report.parts.count { !$0.isDamaged })
      fileSystem[path] = whole
    }
    // The damaged entry, and also the next one if the damage is in the length.
    #expect(lostCount < 2 * (whole.count - start))
    // What follows the damage in the part that an opening set aside.
    try flip(start + 8, in: path)
    _ = try texts.read()
    let part = StoreFile(path + ".damaged-1", fileSystem: fileSystem)
    #expect(try await part.examine().parts.count { !$0.isDamaged } == 4)
    let error = await #expect(throws: FieldError.self) { try await file.salvage() }
    #expect(error?.code == .invalidInput)
  }
}
