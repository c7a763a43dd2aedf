import Foundation
import TestSupport
import Testing

@testable import FieldCore

@Suite("Copies of frames in the wrong place", .timeLimit(.minutes(60)))
struct SalvagedChainTests {
  private let fileSystem = MemoryFileSystem()
  private let path = "/data/notes.store"

  private func store(on fileSystem: MemoryFileSystem? = nil) -> FileStore<Note> {
    FileStore(unsharedPath: path, fileSystem: fileSystem ?? self.fileSystem)
  }

  /// Commits a batch for each note, and returns the header and the batches.
  private func fill(
    _ count: Int, lengths: Range<Int> = 5..<6
  ) async throws -> (header: [UInt8], batches: [[UInt8]]) {
    var chance = SeededGenerator(seed: Sample.seed())
    let store = store()
    try await store.open()
    let header = try #require(fileSystem[path])
    var batches: [[UInt8]] = []
    var end = header.count
    for number in 1...count {
      let text = String(repeating: "x", count: Int.random(in: lengths, using: &chance))
      try await store.put(Note(number, text))
      let bytes = try #require(fileSystem[path])
      batches.append(Array(bytes[end...]))
      end = bytes.count
    }
    try await store.close()
    return (header, batches)
  }

  /// Returns a file system with a store file of these bytes.
  private func holding(_ bytes: [UInt8]) -> MemoryFileSystem {
    let next = fileSystem.afterCrash(seed: nil)
    next[path] = bytes
    return next
  }

  // MARK: The choice

  private func frame(_ revision: Int, at place: Int, isBase: Bool = false) -> Frame {
    Frame(
      kind: isBase ? .base : .batch, revision: Revision(number: UInt64(revision)), recordVersion: 0,
      payload: place * 50 + Frame.headerSize..<place * 50 + 50, checksum: 0)
  }

  /// Returns the number of commits in a choice, and of frames that directly follow another; `nil` if it isn't a
  /// history.
  private func value(_ frames: [Frame], _ isChosen: [Bool]) -> (Int, Int)? {
    var last: Frame?
    var (length, adjacent) = (0, 0)
    for (frame, isChosen) in zip(frames, isChosen) where isChosen {
      if let last {
        guard frame.kind == .batch, frame.revision > last.revision else { return nil }
        length += 1
        if frame.revision.number == last.revision.number + 1 { adjacent += 1 }
      } else {
        length = frame.kind == .base ? Int(frame.revision.number) + 1 : 1
      }
      last = frame
    }
    return (length, adjacent)
  }

  @Test("misplaced copies of frames leave the longest history that the frames contain")
  func bruteForce() {
    let seed = Sample.seed()
    var chance = SeededGenerator(seed: seed)
    for round in 0..<Sample.rounds(20_000, 3_000, inDebug: 400) {
      let count = Int.random(in: 0...9, using: &chance)
      // Copies of later and of earlier batches, duplicates, gaps, and bases.
      let frames = (0..<count).map { place in
        frame(
          Int.random(in: 0...8, using: &chance), at: place,
          isBase: Int.random(in: 0..<10, using: &chance) == 0)
      }
      var best = (0, 0)
      for choice in 0..<1 << count {
        if let other = value(frames, (0..<count).map { choice >> $0 & 1 == 1 }), other > best {
          best = other
        }
      }
      let found = value(frames, RisingFrames(frames).isChosen)
      #expect(found.map { $0 == best } == true, "seed \(seed), round \(round)")
    }
  }

  @Test("misplaced copies of frames are found in time that grows with their number, not its square")
  func manyFrames() {
    var chance = SeededGenerator(seed: 3)
    let count = 100_000
    var revisions = Array(1...count)
    for _ in 0..<count / 10 {
      revisions[Int.random(in: 0..<count, using: &chance)] = Int.random(
        in: 1...count, using: &chance)
    }
    let frames = revisions.enumerated().map { frame($1, at: $0) }
    // Each comparison of two frames would take 10 billion steps.
    let kept = RisingFrames(frames).isChosen.count { $0 }
    #expect(kept >= count * 9 / 10)
  }

  @Test(
    "misplaced copies of frames never cost a base, which has more commits than there are frames")
  func base() {
    let stale =
      [frame(100, at: 0, isBase: true), frame(101, at: 1)] + (51...80).map { frame($0, at: $0) }
    #expect(RisingFrames(stale).isChosen.prefix(3) == [true, true, false])
  }

  // MARK: In a store file

  @Test("misplaced copies of frames hide no intact batch, wherever they are in the file")
  func strays() async throws {
    let seed = Sample.seed()
    var chance = SeededGenerator(seed: seed)
    let (header, batches) = try await fill(30, lengths: 0..<40)
    for round in 0..<Sample.rounds(400, 60, inDebug: 20) {
      var parts = Array(batches.enumerated())
      for _ in 0..<Int.random(in: 1...3, using: &chance) {
        let copy = try #require(Array(batches.enumerated()).randomElement(using: &chance))
        parts.insert(copy, at: Int.random(in: 0...parts.count, using: &chance))
      }
      let next = holding(header + parts.flatMap(\.element))
      let whole = try #require(next[path])
      let isOpened = Bool.random(using: &chance)
      if isOpened { try await store(on: next).open() }
      let report = try await StoreFile(path, fileSystem: next).salvage()
      let what: Comment =
        "seed \(seed), round \(round), opened: \(isOpened), \(parts.map(\.offset))"
      #expect(try await store(on: next).all.map(\.id) == Array(1...30), what)
      #expect(report.batchCount == 30, what)
      // The copies are lost only from the store: the original, or the part that was cut off, stays.
      #expect(!report.originals.isEmpty, what)
      if !isOpened { #expect(report.originals.map { next[$0.path] } == [whole], what) }
      #expect(try await store(on: next).open().isClean, what)
    }
  }

  @Test("misplaced copies of frames cost only the batch that they replace, and later commits win")
  func overwritten() async throws {
    let (header, batches) = try await fill(9)
    for place in 0..<8 {
      for isOpened in [false, true] {
        var parts = batches
        parts[place] = batches[8]
        let next = holding(header + parts.joined())
        if isOpened {
          let opened = store(on: next)
          try await opened.open()
          try await opened.close()
        }
        try await StoreFile(path, fileSystem: next).salvage()
        let what: Comment = "batch \(place + 1), opened: \(isOpened)"
        let ids = try await store(on: next).all.map(\.id)
        // Two equal batches after a gap don't say where they belong.
        let isUnknown = isOpened && place == 7
        #expect((isUnknown ? ids.sorted() : ids) == (1...9).filter { $0 != place + 1 }, what)
      }
    }
    // Two batches are in the store again before the others are restored.
    let inserted = holding(header + batches[..<4].joined() + batches[7] + batches[4...].joined())
    let opened = store(on: inserted)
    try await opened.put(Note(6, "newer"), Note(20, "new"))
    _ = try await opened.salvage()
    let notes = try await opened.all
    #expect(Set(notes.map(\.id)) == Set(Array(1...9) + [20]))
    #expect(notes.first { $0.id == 6 } == Note(6, "newer"))
  }

  // MARK: In a journal

  @Test("misplaced copies of frames hide no entry of a journal")
  func journalEntries() async throws {
    let texts = TextJournals(fileSystem)
    let journal = try texts.make()
    let path = TextJournals.path + "/a.journal"
    var ends: [Int] = [try #require(fileSystem[path]).count]
    for number in 1...20 {
      try journal.append("entry \(number)")
      ends.append(try #require(fileSystem[path]).count)
    }
    journal.close()
    let whole = try #require(fileSystem[path])
    for place in 0..<20 {
      for copied in [4, 12, 19] {
        let stray = whole[ends[copied - 1]..<ends[copied]]
        fileSystem[path] = Array(whole[..<ends[place]] + stray + whole[ends[place]...])
        let report = try await StoreFile(path, fileSystem: fileSystem).examine()
        #expect(report.parts.count { !$0.isDamaged } >= 21, "\(copied) before \(place + 1)")
      }
    }
  }
}
