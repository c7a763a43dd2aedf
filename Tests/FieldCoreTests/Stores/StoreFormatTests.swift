import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The format of store files")
struct StoreFormatTests {
  private static let path = "/data/file.store"

  private static func store<Record: StoredRecord>(
    _ fileSystem: MemoryFileSystem, of type: Record.Type
  ) -> FileStore<Record> {
    FileStore<Record>(unsharedPath: path, fileSystem: fileSystem)
  }

  @Test("a store file of version 1 is read forever: a file of 2026 to the byte")
  func golden() async throws {
    let fileSystem = MemoryFileSystem()
    fileSystem[Self.path] = Self.goldenBytes
    let store = Self.store(fileSystem, of: Stone.self)
    let snapshot = try await store.snapshot()
    #expect(
      Array(snapshot) == [
        Stone("Aachen", kind: "L5", mass: 21, year: 1880, found: false),
        Stone("Abee", kind: "EH4", mass: nil, year: nil, found: true),
      ])
    #expect(snapshot.revision == Revision(number: 2))
    #expect(snapshot.checkpoint?.fingerprint == "f")
    #expect(fileSystem[Self.path] == Self.goldenBytes, "reading an old file changed it")
  }

  @Test("a store file of version 1 is still written")
  func goldenWriting() throws {
    var header = StoreFileHeader(recordName: "Stone")
    header.creationID = Array(0..<16)
    var file = header.bytes
    for (number, runs) in Self.goldenRuns.enumerated() {
      var frame = try FrameCoding<Stone>.encode(
        runs, checkpoint: number == 1 ? Checkpoint(fingerprint: "f") : nil
      ).bytes
      _ = Frame.seal(
        &frame, kind: .batch, revision: Revision(number: UInt64(number) + 1), recordVersion: 1,
        seed: header.seed, at: file.count)
      file += frame
    }
    #expect(file == Self.goldenBytes)
  }

  private static var goldenRuns: [[Changes<Stone>.Run]] {
    [
      [
        .upserts([
          Stone("Aachen", kind: "L5", mass: 21, year: 1880), Stone("Gone"),
          Stone("Abee", kind: "EH4", found: true),
        ])
      ],
      [.removals(["Gone"])],
    ]
  }

  // MARK: versions

  @Test("a store file of a newer version is rejected, and nothing is changed")
  func newerFile() async throws {
    var bytes = StoreFileHeader(recordName: "Note").bytes
    bytes.put(fixed: UInt16(2), at: 8)
    bytes.put(fixed: CRC32C.checksum(bytes, 0..<12), at: 12)
    bytes.put(fixed: CRC32C.checksum(bytes, 0..<(bytes.count - 4)), at: bytes.count - 4)
    bytes += [1, 2, 3]
    try await refuses(bytes, Note.self)
  }

  @Test("a store file of a newer version is rejected, however long its header is")
  func newerLongHeader() async throws {
    for size in [2048, 2049, 65_535] {
      var bytes = Array(StoreFileHeader(recordName: "Note").bytes.prefix(8))
      bytes.append(fixed: UInt16(2))
      bytes.append(fixed: UInt16(size))
      bytes.append(fixed: CRC32C.checksum(bytes, 0..<12))
      bytes += [UInt8](repeating: 7, count: size - 20)
      bytes.append(fixed: CRC32C.checksum(bytes, 0..<bytes.count))
      try await refuses(bytes + [1, 2, 3], Note.self)
    }
  }

  @Test("a store file with records of a newer version is rejected before a torn end is cut")
  func newerRecords() async throws {
    let fileSystem = MemoryFileSystem()
    try await Self.store(fileSystem, of: Versions.V2.self).put(.init(id: 1, title: "t"))
    let bytes = try #require(fileSystem[Self.path]) + [9, 9, 9]
    try await refuses(bytes, Versions.V1.self)
  }

  @Test(
    "a store file with a frame of an unknown kind, or with unknown flags, is rejected",
    arguments: [(4, 9), (5, 4), (5, 7)])
  func newerFrame(place: Int, value: UInt8) async throws {
    var header = StoreFileHeader(recordName: "Note")
    header.creationID = Array(0..<16)
    var frame = try FrameCoding<Note>.encode([.upserts([Note(1)])], checkpoint: nil).bytes
    _ = Frame.seal(
      &frame, kind: .batch, revision: Revision(number: 1), recordVersion: 1, seed: header.seed,
      at: header.bytes.count)
    frame[place] = value
    frame.put(fixed: CRC32C.checksum(frame, 0..<36, after: header.seed), at: 36)
    try await refuses(header.bytes + frame + [0, 1], Note.self)
  }

  private func refuses<Record: StoredRecord>(_ bytes: [UInt8], _ type: Record.Type) async throws {
    let fileSystem = MemoryFileSystem()
    fileSystem[Self.path] = bytes
    fileSystem[Self.path + ".new"] = [1]
    let error = await #expect(throws: FieldError.self) {
      try await Self.store(fileSystem, of: type).open()
    }
    #expect(error?.code == .newerFormat)
    #expect(fileSystem[Self.path] == bytes)
    #expect(
      fileSystem[Self.path + ".new"] == [1], "a leftover was removed before all was understood")
  }

  @Test("a store file with older records is migrated while reading, and nothing is rewritten")
  func migration() async throws {
    let fileSystem = MemoryFileSystem()
    try await Self.store(fileSystem, of: Versions.V1.self).put(.init(id: 1, text: "one"))
    let before = fileSystem[Self.path]
    let store = Self.store(fileSystem, of: Versions.V2.self)
    #expect(try await store.all == [Versions.V2(id: 1, title: "one!")])
    #expect(fileSystem[Self.path] == before)
    try await store.put(.init(id: 2, title: "two"))
    // Now the file has frames of both versions.
    #expect(
      try await Self.store(fileSystem, of: Versions.V2.self).all
        == [Versions.V2(id: 1, title: "one!"), Versions.V2(id: 2, title: "two")])
  }

  @Test("a store file with older records with their own coding is migrated through a reader")
  func compactMigration() async throws {
    let fileSystem = MemoryFileSystem()
    try await Self.store(fileSystem, of: Stone.self).commit(
      Changes((0..<100).map { Stone("s\($0)", kind: "k", mass: Double($0)) }), checkpoint: nil,
      expecting: nil)
    let all = try await Self.store(fileSystem, of: HeavyStone.self).all
    #expect(all.count == 100)
    #expect(all[7] == HeavyStone(id: "s7", grams: 7))
  }

  @Test("a store of records that can no longer be read is a clear error, and its file is untouched")
  func unreadableRecords() async throws {
    let fileSystem = MemoryFileSystem()
    try await Self.store(fileSystem, of: Versions.V1.self).put(.init(id: 1, text: "one"))
    let before = fileSystem[Self.path]
    let error = await #expect(throws: FieldError.self) {
      try await Self.store(fileSystem, of: Versions.Changed.self).open()
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("formatVersion") == true)
    #expect(error?.underlying is DecodingError)
    #expect(fileSystem[Self.path] == before)
  }

  @Test("a store file with a checkpoint that can't be decoded is a clear error, also for an export")
  func unreadableCheckpoint() async throws {
    let fileSystem = MemoryFileSystem()
    let header = StoreFileHeader(recordName: Stone.storedName)
    var frame = try FrameCoding<Stone>.encode([], checkpoint: Checkpoint(fingerprint: "f")).bytes
    let payload = Frame.headerSize + 8
    frame[try #require(frame[payload...].firstIndex(of: UInt8(ascii: "{")))] = UInt8(ascii: "x")
    _ = Frame.seal(
      &frame, kind: .batch, revision: Revision(number: 1), recordVersion: 1, seed: header.seed,
      at: header.bytes.count)
    fileSystem[Self.path] = header.bytes + frame
    let file = StoreFile(Self.path, fileSystem: fileSystem)
    #expect(try await file.examine().parts.map(\.recordCount) == [nil])
    let error = await #expect(throws: FieldError.self) { try await file.jsonLines() }
    #expect(error?.code == .damaged)
    #expect(error?.underlying is DecodingError)
  }

  @Test("a store file of records with another name is rejected")
  func otherRecords() async throws {
    let fileSystem = MemoryFileSystem()
    try await Self.store(fileSystem, of: Note.self).put(Note(1))
    let error = await #expect(throws: FieldError.self) {
      try await Self.store(fileSystem, of: Stone.self).open()
    }
    #expect(error?.code == .invalidInput)
  }

  @Test("a store file keeps numbers that JSON can't represent")
  func notFinite() async throws {
    let fileSystem = MemoryFileSystem()
    try await Self.store(fileSystem, of: Number.self).put(
      Number(id: 1, value: .infinity), Number(id: 2, value: -.infinity), Number(id: 3, value: .nan))
    let all = try await Self.store(fileSystem, of: Number.self).all
    #expect(all[0].value == .infinity && all[1].value == -.infinity && all[2].value.isNaN)
  }

  @Test("a store file rejects a record that can't be written, and changes nothing")
  func unwritable() async throws {
    let fileSystem = MemoryFileSystem()
    let store = Self.store(fileSystem, of: Unwritable.self)
    try await store.put(Unwritable(id: 1))
    let before = fileSystem[Self.path]
    let error = await #expect(throws: FieldError.self) {
      try await store.put(Unwritable(id: 2), Unwritable(id: 13))
    }
    #expect(error?.code == .invalidInput)
    #expect(fileSystem[Self.path] == before)
    #expect(try await store.all == [Unwritable(id: 1)])
  }
}

private enum Versions {
  struct V1: StoredRecord {
    var id: Int
    var text: String
    static var storedName: String { "Versioned" }
  }

  struct V2: StoredRecord {
    var id: Int
    var title: String
    static var storedName: String { "Versioned" }
    static var formatVersion: Int { 2 }
    static func migrate(from older: OlderRecord) throws -> V2 {
      let first = try older.decode(as: V1.self)
      return V2(id: first.id, title: first.text + "!")
    }
  }

  struct Changed: StoredRecord {
    var id: Int
    var title: String
    static var storedName: String { "Versioned" }
  }
}

private struct HeavyStone: StoredRecord {
  var id: String
  var grams: Double
  static var storedName: String { "Stone" }
  static var formatVersion: Int { 3 }
  static func migrate(from older: OlderRecord) throws -> HeavyStone {
    #expect(older.version == 1)
    var reader = older.reader
    let stone = try Stone(reading: &reader)
    return HeavyStone(id: stone.id, grams: stone.mass ?? 0)
  }
}

private struct Number: StoredRecord {
  var id: Int
  var value: Double
}

private struct Unwritable: StoredRecord {
  struct Refusal: Error {}
  var id: Int
  func write(to writer: inout RecordWriter) throws {
    if id == 13 { throw Refusal() }
    try writer.encode(self)
  }
}

extension StoreFormatTests {
  fileprivate static let goldenBytes: [UInt8] = {
    let digits = golden.split(separator: "\n").joined()
    return stride(from: 0, to: digits.count, by: 2).compactMap { place in
      UInt8(digits.dropFirst(place).prefix(2), radix: 16)
    }
  }()

  private static let golden = """
    464b53540d0a1a0a01002b0088756868000102030405060708090a0b0c0d0e0f05005374
    6f6e650daa45384646524d0100000001000000f05afb2f01000000000000004000000000
    00000000000000444c3eb63500000000000000000103150641616368656e000100000000
    0000354001b01d000904476f6e65010000000904416265650200000103024c35024c3603
    4548344646524d0100000001000000677b5f320200000000000000450000000000000000
    0000006e0487a2440000000000000001307b22637572736f7273223a7b7d2c2266696e67
    65727072696e74223a2266222c2276616c696461746f7273223a7b7d7d02085b22476f6e
    65225d00
    """
}
