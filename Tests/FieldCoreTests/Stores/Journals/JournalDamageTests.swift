import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A damaged journal", .timeLimit(.minutes(60)))
struct JournalDamageTests {
  private static let path = TextJournals.path + "/a.journal"
  private static let written = ["first", "second", "third one", "4"]

  /// The bytes of a journal of four entries, and where each of them ends.
  private static func sample() throws -> (bytes: [UInt8], ends: [Int]) {
    let files = MemoryFileSystem()
    let journal = try TextJournals(files).make()
    var ends = [files[path]?.count ?? 0]
    for text in written.dropFirst() {
      try journal.append(text)
      ends.append(files[path]?.count ?? 0)
    }
    return (files[path] ?? [], ends)
  }

  private static func files(_ bytes: [UInt8]) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    try files.makeDirectories(TextJournals.path)
    files[path] = bytes
    return files
  }

  @Test(
    "a journal cut at any byte opens with the entries before it, and the rest is saved beside it")
  func cutAnywhere() throws {
    let (bytes, ends) = try Self.sample()
    let start = ends[0] - JournalScan.prefixSize - "first".utf8.count
    for count in 0..<bytes.count {
      let files = try Self.files(Array(bytes.prefix(count)))
      let opening = try TextJournals(files).open()
      let whole = ends.filter { $0 <= count }.count
      let from = count < start ? 0 : max(start, ends.last { $0 <= count } ?? 0)
      let saved = files[Self.path + ".damaged-1"]
      #expect(saved ?? [] == Array(bytes[from..<count]), "cut at \(count)")
      switch opening {
      case .opened(let opened):
        #expect(count >= start)
        #expect(opened.texts == Array(Self.written.prefix(whole)), "cut at \(count)")
        #expect(opened.cut?.byteCount == (count == from ? nil : count - from))
        try opened.journal.append("more")
        #expect(try opened.journal.texts == Self.written.prefix(whole) + ["more"])
        opened.journal.close()
        #expect(try TextJournals(files).read()?.cut == nil)
      case .setAside(let cut):
        #expect(count < start)
        #expect(cut.byteCount == count)
        #expect(files[Self.path] == nil)
      case .owned, .gone: Issue.record("cut at \(count): \(opening)")
      }
    }
  }

  @Test("a damaged journal mentions a photo wherever a quarter of its ID is")
  func mentioned() throws {
    let (id, other) = (BlobID(of: [1]), BlobID(of: [2]))
    let digits = Array(id.hexadecimal.utf8.suffix(16))
    #expect(try TextJournals(Self.files(digits)).directory.mentioned(among: [id, other]) == [id])
    // Files are read in parts of a mebibyte, of which the empty ones are skipped.
    for (offset, padding) in [(-8, 0), (-8, 120), (1, 0)] as [(Int, UInt8)] {
      let before = [UInt8](repeating: padding, count: (1 << 20) + offset)
      let texts = TextJournals(try Self.files(before + digits + [padding]))
      #expect(try texts.directory.mentioned(among: [id]) == [id], "\(offset), \(padding)")
    }
  }

  @Test("a damaged journal is closed once when it is set aside, even if closing fails")
  func failedClose() throws {
    let files = try Self.files([1, 2, 3])
    // The copy is closed first.
    files.failCalls("close", after: 1)
    guard case .setAside(let cut) = try TextJournals(files).open() else {
      Issue.record("it wasn't set aside")
      return
    }
    #expect(cut.byteCount == 3)
    #expect(files.closedTwice == [])
    #expect(files.openCount == 0)
  }

  @Test("a journal with any byte changed has nothing that wasn't written, and saves all it omits")
  func changedAnywhere() throws {
    let (bytes, ends) = try Self.sample()
    for place in bytes.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        var damaged = bytes
        damaged[place] ^= change
        let files = try Self.files(damaged)
        let opening: JournalDirectory.Opening
        do {
          opening = try TextJournals(files).open()
        } catch let error as FieldError {
          // A version number that is too high is believed only with its checksum.
          Issue.record("byte \(place): \(error)")
          continue
        }
        let whole = ends.filter { $0 <= place }.count
        switch opening {
        case .opened(let opened):
          #expect(opened.texts == Array(Self.written.prefix(whole)), "byte \(place)")
          #expect(opened.cut?.savedAs != nil)
        case .setAside(let cut): #expect(cut.byteCount == bytes.count)
        case .owned, .gone: Issue.record("byte \(place): \(opening)")
        }
        let kept = (files[Self.path] ?? []) + (files[Self.path + ".damaged-1"] ?? [])
        #expect(kept == damaged, "byte \(place)")
      }
    }
  }

  @Test("a damaged journal with entries of another journal, or in another order, omits them")
  func foreignEntries() throws {
    let (bytes, ends) = try Self.sample()
    let swapped = Array(
      bytes[..<ends[0]] + bytes[ends[1]..<ends[2]] + bytes[ends[0]..<ends[1]] + bytes[ends[2]...])
    #expect(try TextJournals(Self.files(swapped)).read()?.texts == ["first"])
    let files = MemoryFileSystem()
    try TextJournals(files).make("b").close()
    files[TextJournals.path + "/b.journal"]? += bytes[ends[0]...]
    #expect(try TextJournals(files).read("b")?.texts == ["first"])
  }

  @Test("a damaged journal with zeros at its end, after a crash of the machine, loses only them")
  func zeros() throws {
    let (bytes, _) = try Self.sample()
    let files = try Self.files(bytes + [UInt8](repeating: 0, count: 4096))
    let found = try #require(try TextJournals(files).read())
    #expect(found.texts == Self.written)
    #expect(found.cut?.byteCount == 4096)
  }

  @Test("a journal written by newer code is rejected, and left unchanged")
  func newer() throws {
    var (bytes, _) = try Self.sample()
    bytes[8] = 2
    let size = Int(bytes[10])
    bytes.put(fixed: CRC32C.checksum(bytes, 0..<(size - 4)), at: size - 4)
    let files = try Self.files(bytes)
    let error = #expect(throws: FieldError.self) { try TextJournals(files).open() }
    #expect(error?.code == .newerFormat)
    #expect(files[Self.path] == bytes)
    #expect(files.openCount == 0)
  }

  @Test("a journal of another kind is set aside")
  func otherKind() throws {
    let (bytes, _) = try Self.sample()
    let files = try Self.files(bytes)
    guard case .setAside(let cut) = try TextJournals(files).directory.open("a", kind: "walk") else {
      Issue.record("it was opened")
      return
    }
    #expect(cut.savedAs != nil)
    #expect(files[Self.path + ".damaged-1"] == bytes)
  }
}
