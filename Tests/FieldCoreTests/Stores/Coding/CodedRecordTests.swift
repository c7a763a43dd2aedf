import Foundation
import TestSupport
import Testing

@testable import FieldCore

@Suite("A record that describes its stored form once")
struct CodedRecordTests {
  @Test(
    "a coded record is read as it was written, and checked with the same result",
    arguments: 0..<40 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let specimen = Specimen(random: &random)
    let reader = try Self.reader(of: specimen)
    var (first, second) = (reader, reader)
    #expect(try Specimen(reading: &first) == specimen)
    #expect(first.remainingCount == 0)
    #expect(try Specimen.id(checking: &second) == specimen.id)
    #expect(second.remainingCount == 0)
    second.position = 0
    #expect(try Specimen(reading: &second) == specimen, "A check isn't the last use of a reader.")
  }

  @Test(
    "a coded record is rejected by a check exactly if reading rejects it, whichever byte is wrong",
    arguments: 0..<6 as Range<UInt64>)
  func damage(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let reader = try Self.reader(of: Specimen(random: &random))
    var rejected = 0
    for place in 0..<reader.bytes.count {
      for change in [0x01, 0x02, 0x80, 0xFF] as [UInt8] {
        var bytes = reader.bytes
        bytes[place] ^= change
        var read = RecordReader(bytes, 0..<bytes.count, strings: reader.strings)
        var checked = read
        let record = try? Specimen(reading: &read)
        let id = try? Specimen.id(checking: &checked)
        #expect(record?.id == id, "byte \(place) of \(bytes)")
        if record == nil { rejected += 1 } else { #expect(read.position == checked.position) }
      }
    }
    #expect(rejected > 0)
  }

  @Test("a coded record is rejected if it is cut off anywhere")
  func cut() throws {
    var random = SeededGenerator(seed: 1)
    let reader = try Self.reader(of: Specimen(random: &random))
    for end in 0..<reader.bytes.count {
      var read = RecordReader(reader.bytes, 0..<end, strings: reader.strings)
      var checked = read
      #expect(throws: FieldError.self) { try Specimen(reading: &read) }
      #expect(throws: FieldError.self) { try Specimen.id(checking: &checked) }
    }
  }

  @Test("a coded record has an ID of any type that files index")
  func ids() throws {
    func expectKept<ID: _StablyHashable>(_ ids: ID...) throws {
      for id in ids {
        var writer = RecordWriter()
        id._write(to: &writer)
        var reader = RecordReader(writer.bytes, 0..<writer.bytes.count)
        #expect(try ID(_reading: &reader) == id)
        #expect(reader.remainingCount == 0)
      }
    }
    try expectKept(Int.min, -1, 0, 127, .max)
    try expectKept(Int8.min, 0, .max)
    try expectKept(UInt16.min, .max)
    try expectKept(UInt64.min, .max)
    try expectKept(Int128.min, -1, 0, .max)
    try expectKept(UInt128.min, .max)
    try expectKept("", "石虎")
    try expectKept("a" as RecordID<Specimen>)
    try expectKept(UUID(), UUID(uuidString: "00000000-0000-0000-0000-000000000000") ?? UUID())
    var writer = RecordWriter()
    writer.write(300)
    var reader = RecordReader(writer.bytes, 0..<writer.bytes.count)
    #expect(throws: FieldError.self) { try Int8(_reading: &reader) }
  }

  @Test(
    "a coded record is read from the default coding of an earlier version of its type"
  )
  func migration() throws {
    let old = (0..<300).map {
      Plain(id: $0, kind: $0 % 3 == 0 ? nil : "kind \($0 % 5)", mass: Double($0))
    }
    let bytes = try FrameCoding<Plain>.encode([.upserts(old)], checkpoint: nil).bytes
    var content = StoreContent<Described>()
    _ = try FrameCoding<Described>.replay(
      bytes, Frame.headerSize..<bytes.count, version: 1, noting: false, into: &content)
    #expect(content.count == old.count)
    for plain in old {
      let described = try #require(content.record(id: plain.id))
      #expect(described.kind == plain.kind)
      #expect(described.mass == plain.mass)
    }
  }

  @Test("a coded record is stored, opened, and looked up like any other")
  func storing() async throws {
    let fileSystem = MemoryFileSystem()
    let described = (0..<2_000).map { Described(id: $0, kind: "kind \($0 % 5)", mass: Double($0)) }
    for opening in 0..<3 {
      let store = FileStore<Described>(
        unsharedPath: "/data/described.store", fileSystem: fileSystem)
      if opening == 0 {
        try await store.commit(Changes(upserting: described), checkpoint: nil, expecting: nil)
      }
      let snapshot = try await store.snapshot()
      #expect(snapshot[id: 1_999] == described[1_999])
      #expect(Array(snapshot) == described)
      try await store.close()
    }
  }

  private static func reader(of specimen: Specimen) throws -> RecordReader {
    var writer = RecordWriter()
    try specimen.write(to: &writer)
    let (bytes, place) = writer.finish()
    var table = RecordReader(bytes, place..<bytes.count)
    let strings = try table.array { try $0.string() }
    return RecordReader(Array(bytes[..<place]), 0..<place, strings: strings)
  }
}

/// A record with values of all kinds.
private struct Specimen: CodedRecord, Hashable {
  enum Kind: String, Codable, CaseIterable { case stone, iron, mixed }

  struct Part: Codable, Hashable {
    var name = ""
    var mass = 0.0
  }

  let id: String
  var title = ""
  var note: String?
  var shared = ""
  var sharedNote: String?
  var count = 0
  var rank: Int?
  var mass = 0.0
  var height: Double?
  var isFlat = false
  var day = Date(timeIntervalSinceReferenceDate: 0)
  var seen: Date?
  var place: Coordinate?
  var kind = Kind.stone
  var otherKind: Kind?
  var parts: [Part] = []

  init(id: String) { self.id = id }

  init(random: inout SeededGenerator) {
    func text(_ random: inout SeededGenerator) -> String {
      String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...9, using: &random)).map { _ in
            ["a", "z", "é", "\u{301}", "石", "🐆", "\u{0}"].randomElement(using: &random) ?? "a"
          }))
    }
    func maybe<Value>(_ value: Value, _ random: inout SeededGenerator) -> Value? {
      Bool.random(using: &random) ? value : nil
    }
    id = text(&random)
    title = text(&random)
    note = maybe(text(&random), &random)
    shared = text(&random)
    sharedNote = maybe(text(&random), &random)
    count = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...63, using: &random)
    rank = maybe(Int.random(in: -9...9, using: &random), &random)
    mass = Double.random(in: -1e9...1e9, using: &random)
    height = maybe(-.infinity, &random)
    isFlat = Bool.random(using: &random)
    day = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random))
    seen = maybe(day, &random)
    place =
      maybe(
        Coordinate(
          validLatitude: Double.random(in: -90...90, using: &random),
          longitude: Double.random(in: -180...180, using: &random)), &random) ?? nil
    kind = Kind.allCases.randomElement(using: &random) ?? .stone
    otherKind = maybe(kind, &random)
    parts = (0..<Int.random(in: 0...3, using: &random)).map {
      Part(name: text(&random), mass: Double($0))
    }
  }

  mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.text(&title)
    try coder.text(&note)
    try coder.sharedText(&shared)
    try coder.sharedText(&sharedNote)
    try coder.number(&count)
    try coder.number(&rank)
    try coder.number(&mass)
    try coder.number(&height)
    try coder.flag(&isFlat)
    try coder.date(&day)
    try coder.date(&seen)
    try coder.place(&place)
    try coder.name(&kind)
    try coder.name(&otherKind)
    try coder.list(&parts, of: Part()) { coder, part in
      try coder.text(&part.name)
      try coder.number(&part.mass)
    }
  }
}

/// A record as its type was before it described its form.
private struct Plain: StoredRecord {
  static let storedName = "Described"
  let id: Int
  var kind: String?
  var mass: Double
}

private struct Described: CodedRecord {
  static let storedName = "Described"
  static let formatVersion = 2
  let id: Int
  var kind: String?
  var mass = 0.0

  init(id: Int) { self.id = id }

  init(id: Int, kind: String?, mass: Double) {
    (self.id, self.kind, self.mass) = (id, kind, mass)
  }

  static func migrate(from older: OlderRecord) throws -> Self { try older.decode(as: Self.self) }

  mutating func exchange(with coder: inout some RecordCoder) throws {
    try coder.sharedText(&kind)
    try coder.number(&mass)
  }
}
