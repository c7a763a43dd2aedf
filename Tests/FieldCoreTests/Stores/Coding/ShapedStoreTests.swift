import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A store of records in the default coding")
struct ShapedStoreTests {
  private static let path = "/data/visits.store"
  private let fileSystem = MemoryFileSystem()

  private func store<Record: StoredRecord>(of type: Record.Type) -> FileStore<Record> {
    FileStore<Record>(unsharedPath: Self.path, fileSystem: fileSystem)
  }

  // MARK: Evolution

  @Test("a store in the default coding is read by a type's current version, whichever wrote it")
  func evolution() async throws {
    try await expectReadable(Visits.V1(id: 1, note: "n"), Visits.Current(id: 1, note: "n"))
    try await expectReadable(
      Visits.V2(note: "n", id: 2), Visits.Current(id: 2, note: "n"))
    try await expectReadable(
      Visits.V3(id: 3, note: "n", stars: 4), Visits.Current(id: 3, note: "n", stars: 4))
    try await expectReadable(
      Visits.V4(id: 4, note: nil, stars: nil), Visits.Current(id: 4))
    try await expectReadable(
      Visits.V5(id: 5, gone: ["x": [1]], note: "n", alsoGone: Pair(first: 1)),
      Visits.Current(id: 5, note: "n"))
    try await expectReadable(
      Visits.V6(id: 6, stars: 5), Visits.Current(id: 6, stars: 5))
    try await expectReadable(
      Visits.V7(id: 7, place: .init(latitude: 1, longitude: 2, name: "gone")),
      Visits.Current(id: 7, place: .init(latitude: 1, longitude: 2)))
    try await expectReadable(
      Visits.V8(id: 8, tags: []), Visits.Current(id: 8, tags: []))
    try await expectReadable(
      Visits.V9(id: 9, place: .init(latitude: 1, longitude: 2), tags: ["a", "b"]),
      Visits.Current(id: 9, place: .init(latitude: 1, longitude: 2), tags: ["a", "b"]))
    try await expectReadable(
      Visits.V10(id: 10, kind: .group(size: 3)), Visits.Current(id: 10, kind: .group(size: 3)))
  }

  private func expectReadable<Old: StoredRecord>(
    _ old: Old, _ expected: Visits.Current
  ) async throws {
    fileSystem[Self.path] = nil
    try await store(of: Old.self).put(old)
    #expect(try await store(of: Visits.Current.self).all == [expected], "\(Old.self)")
    let json = try StoredJSON.decode(Visits.Current.self, from: StoredJSON.encode(old)[...])
    #expect(json == expected, "\(Old.self)")
  }

  @Test("a store is refused unchanged if a property is missing or has another type")
  func incompatible() async throws {
    try await store(of: Visits.V1.self).put(Visits.V1(id: 1, note: "n"))
    let before = fileSystem[Self.path]
    try await expectRefused(Visits.Required.self)
    try await expectRefused(Visits.Retyped.self)
    #expect(fileSystem[Self.path] == before)
  }

  private func expectRefused<Record: StoredRecord>(_ type: Record.Type) async throws {
    let error = await #expect(throws: FieldError.self) { try await store(of: type).open() }
    #expect(error?.code == .damaged)
    #expect(error?.underlying is DecodingError)
  }

  // MARK: JSON

  @Test("a store with JSON of an earlier version opens, and records are rewritten as they change")
  func oldJSON() async throws {
    try await store(of: Visits.AsJSON.self).put(
      .init(id: 1, note: "one"), .init(id: 2, note: "two", stars: 2))
    let json = try #require(fileSystem[Self.path])
    let current = store(of: Visits.Current.self)
    #expect(
      try await current.all == [.init(id: 1, note: "one"), .init(id: 2, note: "two", stars: 2)])
    #expect(fileSystem[Self.path] == json)
    try await current.put(.init(id: 2, note: "changed"))
    let changed = try #require(fileSystem[Self.path])
    #expect(Array(changed.prefix(json.count)) == json)
    let added = String(decoding: changed[json.count...], as: UTF8.self)
    #expect(added.contains("changed") && !added.contains("\"note\""))
    try await current.close()
    #expect(
      try await store(of: Visits.Current.self).all
        == [.init(id: 1, note: "one"), .init(id: 2, note: "changed")])
  }

  @Test("a store in the default coding gives older records to a migration in either form")
  func migration() async throws {
    for isJSON in [true, false] {
      fileSystem[Self.path] = nil
      if isJSON {
        try await store(of: Visits.AsJSON.self).put(.init(id: 1, note: "one"))
      } else {
        try await store(of: Visits.V1.self).put(.init(id: 1, note: "one"))
      }
      #expect(try await store(of: Visits.Renamed.self).all == [.init(id: 1, title: "one!")])
    }
  }

  /// The flags of all frames of the file. Earlier versions refuse a flag above 1 as one of a newer format.
  private var flags: [UInt8] {
    get throws {
      let bytes = try #require(fileSystem[Self.path])
      guard case .header(let header, let end) = try StoreFileHeader.read(bytes) else { return [] }
      let scan = try FrameScan(bytes, from: end, after: nil, seed: header.seed, recordVersion: 1)
      return scan.frames.map { bytes[$0.start + 5] }
    }
  }

  @Test(
    "a store in the default coding tells earlier versions of its newer format, also when salvaged")
  func newerFormat() async throws {
    let visits = store(of: Visits.V1.self)
    try await visits.put(Visits.V1(id: 1, note: "a"))
    try await visits.put(removing: [1])
    try await visits.put(Visits.V1(id: 2, note: "b"))
    #expect(try flags == [2, 0, 2])
    let damaged = try #require(fileSystem[Self.path])
    try await visits.core().tryCompacting(visits.snapshot())
    #expect(try flags == [2])
    try await visits.commit(
      Changes(upserting: (3..<1500).map { Visits.V1(id: $0, note: "c") }), checkpoint: nil,
      expecting: nil)
    try await visits.core().tryCompacting(visits.snapshot())
    #expect(try flags == [3])
    try await visits.close()

    fileSystem[Self.path] = damaged
    let removal = try #require(
      damaged.indices.last { damaged[$0...].starts(with: Array("[1]".utf8)) })
    fileSystem[Self.path]?[removal] ^= 1
    try await StoreFile(Self.path, fileSystem: fileSystem).salvage()
    // The first is an empty base, which makes up for the revision that is lost.
    let salvaged = try flags
    #expect(salvaged == [0, 2, 2])

    fileSystem[Self.path] = nil
    try await store(of: Visits.AsJSON.self).put(.init(id: 1, note: "JSON"))
    #expect(try flags == [0])
    fileSystem[Self.path] = nil
    try await store(of: Stone.self).put(Stone("its own coding"))
    #expect(try flags == [0])
  }

  @Test("a store in the default coding is exported as the JSON that a decoder of the type reads")
  func export() async throws {
    for value in CodingSamples.all { try await expectExport(value) }
  }

  private func expectExport<Value: CodingSamples.Value>(_ value: Value) async throws {
    fileSystem[Self.path] = nil
    let record = CodingSamples.Record(content: value)
    let store = store(of: CodingSamples.Record<Value>.self)
    try await store.put(record)
    try await store.close()
    let lines = try await StoreFile(Self.path, fileSystem: fileSystem).jsonLines()
    let line = Array(try #require(lines.first).utf8)
    let exported = try StoredJSON.decode(ExportedLine<Value>.self, from: line[...])
    #expect(exported.put == record, "\(Value.self)")
  }

  // MARK: Damage

  @Test("a store in the default coding yields a prefix or a clear error, wherever it is damaged")
  func damage() async throws {
    let store = store(of: Visits.Current.self)
    var states: [[Visits.Current]] = [[]]
    for changes in [
      Changes([Visits.Current(id: 1, note: "first"), .init(id: 2, stars: 3)]),
      Changes(
        [.init(id: 3, kind: .group(size: 2)), .init(id: 1, tags: ["a", "a"])], removing: [2]),
    ] {
      try await store.commit(changes, checkpoint: nil, expecting: nil)
      states.append(try await store.all)
    }
    try await store.close()
    let whole = try #require(fileSystem[Self.path])
    for place in Sample.of(whole.indices, 150, inDebug: 60) {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var flipped = whole
        flipped[place] ^= mask
        try await expectKnown(flipped, states, "byte \(place) ^ \(mask)")
      }
      try await expectKnown(Array(whole[..<place]), states, "cut at \(place)")
    }
  }

  private func expectKnown(
    _ bytes: [UInt8], _ states: [[Visits.Current]], _ what: Comment
  ) async throws {
    let fileSystem = MemoryFileSystem()
    fileSystem[Self.path] = bytes
    let store = FileStore<Visits.Current>(unsharedPath: Self.path, fileSystem: fileSystem)
    do {
      #expect(states.contains(try await store.all), what)
    } catch let error as FieldError {
      #expect([.damaged, .newerFormat, .invalidInput].contains(error.code), what)
      #expect(fileSystem[Self.path] == bytes, what)
    }
  }

  // MARK: Random values

  @Test("a store in the default coding keeps random records like JSON")
  func random() async throws {
    var chance = SeededGenerator(seed: Sample.seed())
    for _ in 0..<Sample.rounds(200, 20, inDebug: 5) {
      fileSystem[Self.path] = nil
      let records = (0..<Int.random(in: 1...80, using: &chance)).map { id in
        Visits.Current.random(id: id, using: &chance)
      }
      try await store(of: Visits.Current.self).commit(
        Changes(records), checkpoint: nil, expecting: nil)
      #expect(try await store(of: Visits.Current.self).all == records)
      let json = try StoredJSON.encode(records)
      #expect(try StoredJSON.decode([Visits.Current].self, from: json[...]) == records)
    }
  }
}

/// A line of an export.
private struct ExportedLine<Value: CodingSamples.Value>: Decodable {
  var put: CodingSamples.Record<Value>
}

/// A record and its earlier versions.
private enum Visits {
  struct Place: Codable, Equatable {
    var latitude: Double
    var longitude: Double
  }

  struct NamedPlace: Codable, Equatable {
    var latitude: Double
    var longitude: Double
    var name: String
  }

  enum Kind: Codable, Equatable {
    case alone
    case group(size: Int)
  }

  enum OldKind: Codable, Equatable {
    case group(size: Int)
  }

  struct Current: StoredRecord {
    var id: Int
    var note: String?
    var stars: Double?
    var place: Place?
    var tags: [String]?
    var kind: Kind?

    static var storedName: String { "Visit" }

    static func random(id: Int, using chance: inout SeededGenerator) -> Current {
      var record = Current(id: id)
      func isPresent() -> Bool { Bool.random(using: &chance) }
      if isPresent() { record.note = ["", "石虎", "note \(id)"].randomElement(using: &chance) }
      if isPresent() { record.stars = .random(in: -1e9...1e9, using: &chance) }
      if isPresent() { record.place = Place(latitude: Double(id), longitude: -0.0) }
      if isPresent() {
        record.tags = (0..<Int.random(in: 0..<4, using: &chance)).map { "tag \($0)" }
      }
      if isPresent() { record.kind = Bool.random(using: &chance) ? .alone : .group(size: -id) }
      return record
    }
  }

  struct AsJSON: StoredRecord {
    var id: Int
    var note: String?
    var stars: Int?

    static var storedName: String { "Visit" }

    func write(to writer: inout RecordWriter) throws { try writer.encode(self) }
  }

  struct V1: StoredRecord {
    var id: Int
    var note: String
    static var storedName: String { "Visit" }
  }

  struct V2: StoredRecord {
    var note: String
    var id: Int
    static var storedName: String { "Visit" }
  }

  struct V3: StoredRecord {
    var id: Int
    var note: String
    var stars: Int
    static var storedName: String { "Visit" }
  }

  struct V4: StoredRecord {
    var id: Int
    var note: String?
    var stars: Int?
    static var storedName: String { "Visit" }
  }

  struct V5: StoredRecord {
    var id: Int
    var gone: [String: [Int]]
    var note: String
    var alsoGone: Pair?
    static var storedName: String { "Visit" }
  }

  struct V6: StoredRecord {
    var id: Int8
    var stars: Float
    static var storedName: String { "Visit" }
  }

  struct V7: StoredRecord {
    var id: Int
    var place: NamedPlace
    static var storedName: String { "Visit" }
  }

  struct V8: StoredRecord {
    var id: UInt64
    var tags: [String]
    static var storedName: String { "Visit" }
  }

  struct V9: StoredRecord {
    var id: Int
    var place: Place
    var tags: [String]
    static var storedName: String { "Visit" }
  }

  struct V10: StoredRecord {
    var id: Int
    var kind: OldKind
    static var storedName: String { "Visit" }
  }

  struct Required: StoredRecord {
    var id: Int
    var note: String
    var missing: Int
    static var storedName: String { "Visit" }
  }

  struct Retyped: StoredRecord {
    var id: Int
    var note: [String]
    static var storedName: String { "Visit" }
  }

  struct Renamed: StoredRecord {
    var id: Int
    var title: String
    static var storedName: String { "Visit" }
    static var formatVersion: Int { 2 }

    static func migrate(from older: OlderRecord) throws -> Renamed {
      let first = try older.decode(as: V1.self)
      return Renamed(id: first.id, title: first.note + "!")
    }
  }
}
