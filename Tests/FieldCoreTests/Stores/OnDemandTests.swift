import FieldCore
import FieldFakes
import Synchronization
import TestSupport
import Testing

@Suite("A record that is decoded when it is used")
struct OnDemandTests {
  private static let path = "/data/counted.store"

  private func filled<Record: StoredRecord>(with records: [Record]) async throws -> MemoryFileSystem
  {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Record>(unsharedPath: Self.path, fileSystem: fileSystem)
    try await store.commit(Changes(upserting: records), checkpoint: nil, expecting: nil)
    try await store.close()
    return fileSystem
  }

  @Test(
    "a record is decoded when it is used, and with those near it when these have been used often",
    .serialized,
    arguments: [1, 64, 65, 1000])
  func laziness(count: Int) async throws {
    let fileSystem = try await filled(with: (0..<count).map { Counted(id: $0, text: "\($0)") })
    let store = FileStore<Counted>(unsharedPath: Self.path, fileSystem: fileSystem)
    let start = Counted.decodings.load(ordering: .relaxed)
    let snapshot = try await store.snapshot()
    #expect(snapshot.count == count)
    // The one that would take the place of a record that can't be decoded.
    let before = start + 1
    #expect(Counted.decodings.load(ordering: .relaxed) == before)
    #expect(snapshot[id: count - 1]?.text == "\(count - 1)")
    #expect(snapshot[id: count] == nil)
    func decoded() -> Int { Counted.decodings.load(ordering: .relaxed) - before }
    #expect(decoded() == 1)
    var texts: [Int: String] = [:]
    snapshot.scan(\.text) { reader in
      _ = try reader.int()
      return try reader.string()
    } _: {
      texts[$0] = $1
    }
    #expect(texts == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, "\($0)") }))
    #expect(decoded() == 1)
    for _ in 0..<100 { #expect(snapshot[id: 0]?.text == "0") }
    let near = min(count, 64)
    let used = decoded() - near
    #expect((1...17).contains(used))
    for record in snapshot { #expect(record.text == "\(record.id)") }
    #expect(decoded() - used == count)
    #expect(Array(snapshot) == (0..<count).map { Counted(id: $0, text: "\($0)") })
    #expect(decoded() - used == count)
    try await store.close()
  }

  @Test("a record is decoded once, however many tasks use it first")
  func races() async throws {
    let fileSystem = try await filled(with: (0..<5000).map { Stone("\($0)", mass: Double($0)) })
    for _ in 0..<Sample.rounds(200, 10, inDebug: 3) {
      let store = FileStore<Stone>(unsharedPath: Self.path, fileSystem: fileSystem)
      let snapshot = try await store.snapshot()
      let sums = await withTaskGroup(of: Double.self) { group in
        for task in 0..<8 {
          group.addTask {
            task.isMultiple(of: 2)
              ? snapshot.reduce(0) { $0 + ($1.mass ?? 0) }
              : (0..<5000).reversed().reduce(0) { $0 + (snapshot[id: "\($1)"]?.mass ?? 0) }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(sums == Array(repeating: 4999 * 5000 / 2, count: 8))
      try await store.close()
    }
  }

  @Test("a record that is decoded on demand can be read in part, beside decoded and changed ones")
  func scanning() async throws {
    let fileSystem = try await filled(with: (0..<300).map { Stone("\($0)", mass: Double($0)) })
    let store = FileStore<Stone>(unsharedPath: Self.path, fileSystem: fileSystem)
    var snapshot = try await store.snapshot()
    #expect(snapshot.first?.id == "0")
    var changes = Changes<Stone>()
    for number in stride(from: 100, to: 130, by: 3) {
      changes.remove("\(number)")
      changes.upsert(Stone("\(number + 1)", mass: -1))
    }
    snapshot = snapshot.applying(changes)
    // More often than a part is read before records are decoded.
    for _ in 0..<40 {
      var (found, counts) = ([String](), (decoded: 0, stored: 0))
      snapshot.scan { slot, stone in
        #expect(snapshot.record(at: slot) == stone)
        counts.decoded += 1
        found.append(stone.id)
        return stone.id != "250"
      } stored: { slot, reader in
        counts.stored += 1
        found.append(try reader.string())
        return slot != 250
      }
      #expect(found == Array(snapshot.map(\.id).prefix { $0 != "250" }) + ["250"])
      #expect(counts.decoded + counts.stored == found.count)
    }
    try await store.close()
  }

  @Test("a record that is decoded on demand is replaced, removed, and compacted like any other")
  func changes() async throws {
    let fileSystem = try await filled(with: (0..<300).map { Note($0, "\($0)") })
    // Long enough for the file to be compacted on the way.
    let padding = String(repeating: "x", count: 500)
    var known = Dictionary(uniqueKeysWithValues: (0..<300).map { ($0, "\($0)") })
    var chance = SeededGenerator(seed: Sample.seed())
    for round in 0..<40 {
      let store = FileStore<Note>(unsharedPath: Self.path, fileSystem: fileSystem)
      let earlier = try await store.snapshot()
      let before = known
      var changes = Changes<Note>()
      for _ in 0..<20 {
        let id = Int.random(in: 0..<400, using: &chance)
        if Bool.random(using: &chance) {
          changes.remove(id)
          known[id] = nil
        } else {
          changes.upsert(Note(id, padding + "\(round)"))
          known[id] = padding + "\(round)"
        }
      }
      try await store.commit(changes, checkpoint: nil, expecting: nil)
      let snapshot = try await store.snapshot()
      #expect(Dictionary(uniqueKeysWithValues: snapshot.map { ($0.id, $0.text) }) == known)
      #expect(Dictionary(uniqueKeysWithValues: earlier.map { ($0.id, $0.text) }) == before)
      try await store.close()
    }
  }

  @Test("a record that is decoded on demand is checked by opening, which fails as decoding would")
  func damaged() async throws {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Refused>(unsharedPath: Self.path, fileSystem: fileSystem)
    try await store.put(Refused(id: 1), Refused(id: 13))
    try await store.close()
    let again = FileStore<Refused>(unsharedPath: Self.path, fileSystem: fileSystem)
    let error = await #expect(throws: FieldError.self) { try await again.snapshot() }
    #expect(error?.code == .damaged)
  }
}

/// A record that counts how often any is decoded, for the one test that uses it.
private struct Counted: StoredRecord {
  static let decodings = Atomic(0)

  var id: Int
  var text: String

  init(id: Int, text: String) {
    self.id = id
    self.text = text
  }

  func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(text)
  }

  init(reading reader: inout RecordReader) throws {
    Self.decodings.add(1, ordering: .relaxed)
    id = try reader.int()
    text = try reader.string()
  }

  static func id(checking reader: inout RecordReader) throws -> ID? {
    let id = try reader.int()
    try reader.skipString()
    return id
  }
}

private struct Refused: StoredRecord {
  var id: Int

  static func id(checking reader: inout RecordReader) throws -> ID? {
    let id = try Refused(reading: &reader).id
    guard id != 13 else { throw FieldError(.damaged, "This record is refused.") }
    return id
  }
}
