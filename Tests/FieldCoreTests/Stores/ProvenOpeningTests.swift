import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Opening a store of plain Codable records again")
struct ProvenOpeningTests {
  private static let path = "/data/plants.store"
  private static let derived = path + ".derived"
  /// Full groups of 64, so that inserting another record doesn't need one of them.
  private static let count = 3008
  /// The number of records that an opening decodes if it has a proof.
  private static let few = 1

  private let files = MemoryFileSystem()

  private func store<Record: StoredRecord>(
    of type: Record.Type = Tree.self, program: UInt8? = 1, access: StoreAccess = .readWrite
  ) -> FileStore<Record> {
    FileStore<Record>(
      unsharedPath: Self.path, access: access, fileSystem: files, patience: .seconds(600),
      program: { program.map { [$0] } })
  }

  /// Opens the store, and returns the content and the number of records that were decoded for it.
  private func open<Record: StoredRecord>(
    _ store: FileStore<Record>
  ) async throws -> (snapshot: Snapshot<Record>, decoded: Int) {
    let counter = Counter()
    let snapshot = try await Decodings.$counter.withValue(counter) { try await store.snapshot() }
    return (snapshot, counter.value)
  }

  @discardableResult
  private func fill<Record: Planted>(
    _ type: Record.Type, _ count: Int = count, _ id: (Int) -> Record.ID
  ) async throws -> [Record] {
    let plants = (0..<count).map { Record(id: id($0), text: "plant \($0)") }
    let store = store(of: type)
    try await store.commit(Changes(upserting: plants), checkpoint: nil, expecting: nil)
    try await store.close()
    return plants
  }

  @discardableResult
  private func fill() async throws -> [Tree] { try await fill(Tree.self) { "\($0)" } }

  private func expectLaziness<Record: Planted>(
    _ type: Record.Type, _ id: (Int) -> Record.ID
  ) async throws {
    files[Self.path] = nil
    let plants = try await fill(type, Self.count, id)
    let first = try await open(store(of: type))
    #expect(first.decoded == plants.count, "\(type)")
    #expect(Array(first.snapshot) == plants, "\(type)")
    let (snapshot, decoded) = try await open(store(of: type))
    #expect(decoded == Self.few, "\(type)")
    #expect(snapshot.count == plants.count)
    let counter = Counter()
    Decodings.$counter.withValue(counter) {
      #expect(snapshot[id: plants[1234].id] == plants[1234])
      // Another record only if its hash is the same.
      #expect((1...2).contains(counter.value), "\(type)")
      #expect(snapshot[id: id(-1)] == nil)
      #expect((1...3).contains(counter.value), "\(type)")
    }
    #expect(plants.allSatisfy { snapshot[id: $0.id] == $0 }, "\(type)")
    #expect(Array(snapshot) == plants, "\(type)")
  }

  @Test("opening a store again decodes no record, and later only those that are used")
  func laziness() async throws {
    try await expectLaziness(Tree.self) { "\($0)" }
    try await expectLaziness(Tree.self) { $0 % 10 == 0 ? "é\($0)" : "\($0)" }
    try await expectLaziness(Tree.self) { "樹 \($0)" }
    try await expectLaziness(NumberPlant.self) { $0 - 100 }
    try await expectLaziness(ShortPlant.self) { UInt16(truncatingIfNeeded: $0) }
    try await expectLaziness(LongPlant.self) { Int128($0) << 90 }
    try await expectLaziness(NamedPlant.self) { RecordID(rawValue: "\($0)") }
    try await expectLaziness(Plant<OwnID>.self) { OwnID(a: $0, b: "x") }
    let ids = (0...Self.count).map { _ in UUID() }
    try await expectLaziness(UniquePlant.self) { ids[$0 < 0 ? Self.count : $0] }
  }

  @Test("opening a store again writes nothing beside a small store")
  func small() async throws {
    try await fill(NumberPlant.self, 100) { $0 }
    for _ in 0..<2 { #expect(try await open(store(of: NumberPlant.self)).decoded == 100) }
    #expect(files.paths == [Self.path, Self.path + ".lock"])
  }

  // MARK: The program

  @Test(
    "opening a store again decodes all records and finds one that a changed program can't decode",
    arguments: [Decodings.Build.retyped, .fewerCases])
  func changedProgram(build: Decodings.Build) async throws {
    try await fill()
    #expect(try await open(store()).decoded == Self.count)
    let (file, proof) = (files[Self.path], files[Self.derived])
    #expect(proof != nil)
    await Decodings.$build.withValue(build) {
      let changed = store(program: 2)
      for _ in 0..<2 {
        let error = await #expect(throws: FieldError.self) { try await changed.open() }
        #expect(error?.code == .damaged)
        #expect(error?.underlying is DecodingError)
      }
    }
    #expect(files[Self.path] == file && files[Self.derived] == proof)
    #expect(
      try await open(store()).decoded == Self.few, "the earlier program still knows all of them")
  }

  @Test(
    "opening a store again decodes all records in an older app that opens the file of a newer one")
  func olderApp() async throws {
    try await Decodings.$build.withValue(.moreCases) {
      let plants = (0..<Self.count).map { Tree(id: "\($0)", text: "new", kind: .fern) }
      try await store(program: 2).commit(
        Changes(upserting: plants), checkpoint: nil, expecting: nil)
      #expect(try await open(store(program: 2)).decoded == Self.count)
      #expect(try await open(store(program: 2)).decoded == Self.few)
    }
    let error = await #expect(throws: FieldError.self) { try await store(program: 1).open() }
    #expect(error?.code == .damaged)
  }

  @Test("opening a store again as another type of the same name decodes all records")
  func otherType() async throws {
    try await fill()
    #expect(try await open(store()).decoded == Self.count)
    #expect(try await open(store()).decoded == Self.few)
    let other = try await open(store(of: Shrub.self))
    #expect(other.decoded == Self.count)
    #expect(other.snapshot[id: "7"] == Shrub(id: "7", text: "plant 7"))
    #expect(try await open(store(of: Shrub.self)).decoded == Self.few)
    #expect(try await open(store()).decoded == Self.few)
  }

  @Test("opening a store again decodes all records in a program that has no identity")
  func noIdentity() async throws {
    try await fill()
    for _ in 0..<2 { #expect(try await open(store(program: nil)).decoded == Self.count) }
    #expect(files[Self.derived] == nil)
  }

  @Test("opening a store again keeps what several programs know, and forgets the oldest of many")
  func programs() async throws {
    try await fill(NumberPlant.self) { $0 }
    for program in 1...20 as ClosedRange<UInt8> {
      let decoded = try await open(store(of: NumberPlant.self, program: program)).decoded
      #expect(decoded == Self.count)
    }
    for program in 1...20 as ClosedRange<UInt8> {
      let decoded = try await open(
        store(of: NumberPlant.self, program: program, access: .readOnly)
      ).decoded
      #expect(decoded == (program > 8 ? Self.few : Self.count), "program \(program)")
    }
  }

  @Test("opening a store again decodes records again that a type encodes otherwise than it decodes")
  func unprovable() async throws {
    let shifting = store(of: Shifting.self)
    try await shifting.commit(
      Changes(upserting: (0..<Self.count).map { Shifting(id: "\($0)") }), checkpoint: nil,
      expecting: nil)
    for _ in 0..<2 {
      let (snapshot, decoded) = try await open(store(of: Shifting.self))
      #expect(decoded == Self.count)
      #expect(snapshot[id: "7, decoded"] != nil)
    }
    #expect(files[Self.derived] == nil)
  }

  // MARK: The file

  @Test("opening a store again decodes only what was committed after all records were decoded")
  func laterCommits() async throws {
    var plants = try await fill()
    #expect(try await open(store()).decoded == Self.count)
    let other = store(program: 2)
    try await other.put(Tree(id: "new", text: "n"), removing: ["5"])
    plants[9].text = "changed"
    try await other.put(plants[9])
    let (snapshot, decoded) = try await open(store())
    // Those that were replaced are decoded, too, with their neighbors.
    #expect(decoded <= 64 + 6)
    plants.remove(at: 5)
    #expect(Array(snapshot) == plants + [Tree(id: "new", text: "n")])
  }

  @Test("opening a store again sees commits and compactions of others, and no proof for a new file")
  func compaction() async throws {
    var plants = try await fill(NumberPlant.self) { $0 }
    let reader = store(of: NumberPlant.self)
    #expect(try await open(reader).decoded == Self.count)
    #expect(try await open(reader).decoded == 0)
    let writer = store(of: NumberPlant.self)
    for round in 0..<4 {
      for place in plants.indices { plants[place].text.value = "round \(round)" }
      try await writer.commit(Changes(upserting: plants), checkpoint: nil, expecting: nil)
      #expect(Array(try await reader.snapshot()) == plants)
    }
    #expect(files.log.count { $0.contains("rename") && $0.contains(".store.new") } >= 2)
    #expect(try await open(store(of: NumberPlant.self)).decoded >= Self.count)
    let last = try await open(store(of: NumberPlant.self))
    #expect(Array(last.snapshot) == plants)
  }

  @Test("opening an older copy, another store, or a changed file decodes its records")
  func otherFile() async throws {
    try await fill()
    let older = try #require(files[Self.path])
    #expect(try await open(store()).decoded == Self.count)
    let proofOfOlder = try #require(files[Self.derived])
    // Another store with as many records.
    files[Self.path] = nil
    let others = try await fill(Tree.self) { "\($0 + 1)" }
    let (snapshot, decoded) = try await open(store())
    #expect(decoded == Self.count)
    #expect(Array(snapshot) == others)
    // An older copy that is restored, and a copy with another middle under correct checksums.
    files[Self.path] = older
    #expect(try await open(store()).decoded == Self.count)
    files[Self.derived] = proofOfOlder
    #expect(try await open(store()).decoded == Self.few)
    guard case .header(let header, let end) = try StoreFileHeader.read(older) else { return }
    var frame = Array(older[end...])
    let text = Array("plant 1500".utf8)
    let place = try #require(frame.indices.first { frame[$0...].starts(with: text) })
    frame[place] = UInt8(ascii: "P")
    _ = Frame.seal(
      &frame, kind: .batch, revision: Revision(number: 1), recordVersion: 1,
      flags: [.indexed, .shaped],
      seed: header.seed, at: end)
    files[Self.path] = older[..<end] + frame
    let changed = try await open(store())
    #expect(changed.decoded == Self.count)
    #expect(changed.snapshot[id: "1500"]?.text == "Plant 1500")
  }

  @Test("opening a store again decodes JSON, and opens types with their own coding by their index")
  func otherForms() async throws {
    let json = (0..<Self.count).map { AsJSON(id: $0, text: "\($0)") }
    try await store(of: AsJSON.self).commit(
      Changes(upserting: json), checkpoint: nil, expecting: nil)
    #expect(try await open(store(of: AsJSON.self)).decoded == Self.count)
    let (snapshot, decoded) = try await open(store(of: AsJSON.self))
    #expect(decoded == Self.few && Array(snapshot) == json)

    files[Self.path] = nil
    let coded = (0..<Self.count).map { Coded(id: "\($0)", number: $0) }
    try await store(of: Coded.self).commit(
      Changes(upserting: coded), checkpoint: nil, expecting: nil)
    // Checked, and decoded once.
    #expect(try await open(store(of: Coded.self)).decoded == 2 * Self.count + Self.few)
    let again = try await open(store(of: Coded.self))
    #expect(again.decoded == Self.few && Array(again.snapshot) == coded)
  }

  // MARK: After a commit

  @Test(
    "opening a store again decodes nothing if the process that committed it had time to prepare",
    arguments: [0, 1])
  func inBackground(compactions: Int) async throws {
    let clock = ManualClock()
    let writer = FileStore<Tree>(
      unsharedPath: Self.path, fileSystem: files, program: { [1] }, provingClock: clock)
    let trees = (0..<Self.count).map { Tree(id: "\($0)", text: "tree \($0)") }
    try await writer.commit(Changes(upserting: trees), checkpoint: nil, expecting: nil)
    for _ in 0..<compactions {
      try await writer.core().tryCompacting(writer.snapshot())
    }
    try await eventually { clock.sleeperCount == 1 }
    #expect(files[Self.derived] == nil)
    clock.advance(by: .seconds(3))
    try await eventually { files[Self.derived] != nil }
    try await writer.put(Tree(id: "later", text: "after the proof"))
    #expect(try await open(store()).decoded == 1 + Self.few)
    try await writer.close()
  }

  @Test("opening isn't prepared by a store that is closed, or that can't decode what it encodes")
  func notInBackground() async throws {
    let clock = ManualClock()
    let writer = FileStore<Tree>(
      unsharedPath: Self.path, fileSystem: files, program: { [1] }, provingClock: clock)
    let trees = (0..<Self.count).map { Tree(id: "\($0)", text: "tree \($0)") }
    try await writer.commit(Changes(upserting: trees), checkpoint: nil, expecting: nil)
    try await writer.close()
    try await eventually { clock.sleeperCount == 0 }
    clock.advance(by: .seconds(3))
    try await letOthersRun()
    #expect(files[Self.derived] == nil)

    files[Self.path] = nil
    let shifting = FileStore<Shifting>(
      unsharedPath: Self.path, fileSystem: files, program: { [1] }, provingClock: clock)
    try await shifting.commit(
      Changes(upserting: (0..<Self.count).map { Shifting(id: "\($0)") }), checkpoint: nil,
      expecting: nil)
    _ = try await clock.nextSleep()
    clock.advance(by: .seconds(3))
    try await letOthersRun()
    #expect(files[Self.derived] == nil)
  }

  // MARK: The derived file

  @Test(
    "opening a store again decodes all records as long as nothing can be written beside the store")
  func unwritable() async throws {
    try await fill()
    for call in ["write", "rename", "open"] {
      // The store file and its lock are opened first.
      files.failCalls(call, after: call == "open" ? 3 : 0, ENOSPC)
      let store = store()
      #expect(try await open(store).decoded == Self.count)
      files.failAlways(nil)
      try await store.close()
      #expect(files.paths == [Self.path, Self.path + ".lock"], "\(call)")
    }
    files.isReadOnly = true
    #expect(try await open(store()).decoded == Self.count)
    files.isReadOnly = false
    #expect(try await open(store(access: .readOnly)).decoded == Self.count)
    #expect(files.paths == [Self.path, Self.path + ".lock"])
    #expect(files.closedTwice.isEmpty)
  }

  @Test("opening a store again uses a proof where the store is only read")
  func readers() async throws {
    try await fill()
    _ = try await open(store())
    let calls = files.log.count
    #expect(try await open(store(access: .readOnly)).decoded == Self.few)
    #expect(!files.log[calls...].contains { $0.contains(" write ") || $0.contains(" lock ") })
  }

  @Test(
    "opening a store again is right with a derived file of which any byte is changed or missing")
  func damagedProof() async throws {
    let plants = try await fill(Plant<OwnID>.self, 300, OwnID.long)
    let type = Plant<OwnID>.self
    _ = try await open(store(of: type))
    let proof = try #require(files[Self.derived])
    var chance = SeededGenerator(seed: Sample.seed())
    for place in Sample.of(0..<proof.count, 60, inDebug: 25) {
      var flipped = proof
      flipped[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
      for bytes in [flipped, Array(proof[..<place]), proof[..<place] + [0, 0, 0]] {
        files[Self.derived] = bytes
        let (snapshot, decoded) = try await open(store(of: type))
        #expect(decoded == plants.count || decoded == Self.few, "byte \(place)")
        #expect(Array(snapshot) == plants, "byte \(place)")
      }
    }
    files[Self.derived] = proof + [1, 2, 3]
    #expect(try await open(store(of: type)).decoded == Self.few)
  }

  @Test("opening a store again is right after a crash at any call that writes the derived file")
  func crash() async throws {
    let plants = try await fill(Plant<OwnID>.self, 300, OwnID.long)
    let type = Plant<OwnID>.self
    let bytes = try #require(files[Self.path])
    var call = 0
    while true {
      call += 1
      let files = MemoryFileSystem()
      files[Self.path] = bytes
      files[Self.path + ".lock"] = []
      files.fail(at: call, .crash)
      let first = FileStore<Plant<OwnID>>(
        unsharedPath: Self.path, fileSystem: files, program: { [1] })
      _ = try? await first.open()
      if files.callCount < call { break }
      for seed in [nil, 1, 2, 3] as [UInt64?] {
        let after = files.afterCrash(seed: seed.map { $0 &+ 31 &* UInt64(call) })
        let store = FileStore<Plant<OwnID>>(
          unsharedPath: Self.path, fileSystem: after, program: { [1] })
        #expect(try await store.all == plants, "call \(call)")
        #expect(!after.paths.contains { $0.hasSuffix(".new") })
      }
    }
    #expect(call > 15)
    // And after a power failure, in any state of what wasn't synced.
    files.keepMoments()
    _ = try await open(store(of: type))
    for moment in files.keptMoments {
      let cuts = moment.powerCuts(sectorSize: 512, limit: 40)
      for device in Sample.of(Array(cuts), 8, inDebug: 4) {
        let store = FileStore<Plant<OwnID>>(
          unsharedPath: Self.path, fileSystem: MemoryFileSystem(device), program: { [1] })
        #expect(try await store.all == plants)
      }
    }
  }

  @Test("opening a store again leaves nothing beside an erased store")
  func erasing() async throws {
    try await fill()
    let store = store()
    _ = try await open(store)
    #expect(files[Self.derived] != nil && files.isExcludedFromBackup(Self.derived))
    try await store.eraseAll()
    #expect(files.paths == [Self.path, Self.path + ".lock"])
    files[Self.path] = Array("no store file".utf8)
    files[Self.derived] = [1]
    try await self.store().eraseAll()
    #expect(files[Self.derived] == nil)
  }

  @Test(
    "opening a store again agrees with decoding everything after any commits of several programs")
  func model() async throws {
    var chance = SeededGenerator(seed: Sample.seed())
    for _ in 0..<Sample.rounds(40, 8, inDebug: 2) {
      files[Self.path] = nil
      files[Self.derived] = nil
      var model = Snapshot(try await fill(Tree.self, 1500) { "\($0)" })
      for round in 0..<12 {
        let store = store(program: .random(in: 1...2, using: &chance))
        var changes = Changes<Tree>()
        if Int.random(in: 0..<6, using: &chance) == 0 { changes.removeAll() }
        for _ in 0..<Int.random(in: 1...900, using: &chance) {
          let id = "\(Int.random(in: 0..<2500, using: &chance))"
          if Int.random(in: 0..<3, using: &chance) == 0 {
            changes.remove(id)
          } else {
            changes.upsert(Tree(id: id, text: "\(round)", height: round))
          }
        }
        try await store.commit(changes, checkpoint: nil, expecting: nil)
        model = model.applying(changes)
        #expect(Array(try await store.snapshot()) == Array(model))
        try await store.close()
        let (snapshot, _) = try await open(self.store(program: .random(in: 1...2, using: &chance)))
        #expect(Array(snapshot) == Array(model))
        for id in 0..<2500 { #expect(snapshot[id: "\(id)"] == model[id: "\(id)"]) }
      }
    }
  }

  @Test("opening a store again is undisturbed by another process that opens it at the same time")
  func together() async throws {
    let plants = try await fill()
    for _ in 0..<Sample.rounds(20, 5, inDebug: 2) {
      files[Self.derived] = nil
      try await withThrowingTaskGroup { group in
        for program in 1...4 as ClosedRange<UInt8> {
          group.addTask {
            let found = try await self.store(program: program).all
            #expect(found == plants)
          }
        }
        try await group.waitForAll()
      }
    }
  }
}

@Suite("The identity of a program")
struct ProgramIdentityTests {
  @Test("the identity of a program is the same each time, until a library is loaded")
  func loading() throws {
    guard let first = ProgramIdentity.current else {
      #if canImport(Glibc) || canImport(Darwin)
        Issue.record("There is no identity.")
      #endif
      return
    }
    #expect(first.count == 32)
    // Other tests may load a library at the same time, but not again and again.
    #expect((0..<10).contains { _ in ProgramIdentity.current == ProgramIdentity.current })
  }
}

private final class Counter: Sendable {
  private let count = Lock(0)

  var value: Int { count.withLock(\.self) }

  func increment() { count.withLock { $0 += 1 } }
}

/// What the records of these tests do when they are decoded.
enum Decodings {
  /// A build of the program, which decodes trees in its own way.
  enum Build { case first, retyped, fewerCases, moreCases }

  @TaskLocal fileprivate static var counter: Counter?
  @TaskLocal static var build = Build.first

  fileprivate static func note() { counter?.increment() }
}

private struct OwnID: Hashable, Codable, Sendable {
  var a: Int
  var b: String

  static func long(_ number: Int) -> OwnID {
    OwnID(a: number, b: String(repeating: "b", count: 50) + "\(number)")
  }
}

/// A text that counts how often any is decoded.
private struct CountedText: Codable, Hashable, Sendable {
  var value: String

  init(_ value: String) { self.value = value }

  init(from decoder: any Decoder) throws {
    Decodings.note()
    value = try decoder.singleValueContainer().decode(String.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

private protocol Planted: StoredRecord {
  init(id: ID, text: String)
}

/// A record without an index, since the hash of its ID is another one in each process.
private struct Plant<ID: Hashable & Codable & Sendable>: Planted {
  var id: ID
  var text: CountedText

  init(id: ID, text: String) { (self.id, self.text) = (id, CountedText(text)) }
}

private struct NumberPlant: Planted {
  var id: Int
  var text: CountedText

  init(id: Int, text: String) { (self.id, self.text) = (id, CountedText(text)) }
}

private struct ShortPlant: Planted {
  var id: UInt16
  var text: CountedText

  init(id: UInt16, text: String) { (self.id, self.text) = (id, CountedText(text)) }
}

private struct LongPlant: Planted {
  var id: Int128
  var text: CountedText

  init(id: Int128, text: String) { (self.id, self.text) = (id, CountedText(text)) }
}

private struct NamedPlant: Planted {
  var id: RecordID<Self>
  var text: CountedText

  init(id: RecordID<Self>, text: String) { (self.id, self.text) = (id, CountedText(text)) }
}

private struct UniquePlant: Planted {
  var id: UUID
  var text: CountedText

  init(id: UUID, text: String) { (self.id, self.text) = (id, CountedText(text)) }
}

private struct Tree: Planted {
  enum Kind: String, Codable { case tree, moss, fern }

  var id: String
  var text: String
  var height: Int?
  var kind: Kind

  init(id: String, text: String) { self.init(id: id, text: text, height: nil) }

  init(id: String, text: String, height: Int? = nil, kind: Kind? = nil) {
    (self.id, self.text, self.height) = (id, text, height)
    self.kind = kind ?? (id == "1777" ? .moss : .tree)
  }

  enum CodingKeys: CodingKey { case id, text, height, kind }

  init(from decoder: any Decoder) throws {
    Decodings.note()
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    text = try values.decode(String.self, forKey: .text)
    height = try values.decodeIfPresent(Int.self, forKey: .height)
    kind = try values.decode(Kind.self, forKey: .kind)
    if Decodings.build == .retyped { _ = try values.decode(Int.self, forKey: .text) }
    if kind == .fern && Decodings.build != .moreCases
      || kind == .moss && Decodings.build == .fewerCases
    {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: values, debugDescription: "There is no such case.")
    }
  }
}

/// Another type with the stored name of trees.
private struct Shrub: StoredRecord {
  static var storedName: String { "Tree" }

  var id: String
  var text: String

  init(id: String, text: String) { (self.id, self.text) = (id, text) }

  enum CodingKeys: CodingKey { case id, text }

  init(from decoder: any Decoder) throws {
    Decodings.note()
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    text = try values.decode(String.self, forKey: .text)
  }
}

/// A record whose ID isn't the one that was encoded.
private struct Shifting: StoredRecord {
  var id: String
  var text = "0123456789"

  init(id: String) { self.id = id }

  enum CodingKeys: CodingKey { case id, text }

  init(from decoder: any Decoder) throws {
    Decodings.note()
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id) + ", decoded"
    text = try values.decode(String.self, forKey: .text)
  }
}

private struct AsJSON: StoredRecord {
  var id: Int
  var text: String

  init(id: Int, text: String) { (self.id, self.text) = (id, text) }

  init(reading reader: inout RecordReader) throws {
    Decodings.note()
    self = try reader.decode(Self.self)
  }

  func write(to writer: inout RecordWriter) throws { try writer.encode(self) }
}

/// A record that codes itself, and knows nothing of indexes.
private struct Coded: StoredRecord {
  var id: String
  var number: Int

  init(id: String, number: Int) { (self.id, self.number) = (id, number) }

  func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(number)
    writer.write("some text to fill the file")
  }

  init(reading reader: inout RecordReader) throws {
    Decodings.note()
    id = try reader.string()
    number = try reader.int()
    try reader.skipString()
  }

  static func id(checking reader: inout RecordReader) throws -> ID? {
    try Coded(reading: &reader).id
  }
}
