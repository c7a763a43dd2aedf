import FieldCore
import Foundation
import TestSupport
import Testing

/// A store as a first-year student would write it.
private struct Model {
  var order: [Int] = []
  var records: [Int: Note] = [:]

  var all: [Note] { order.compactMap { records[$0] } }

  mutating func upsert(_ note: Note) {
    if records[note.id] == nil { order.append(note.id) }
    records[note.id] = note
  }

  mutating func remove(_ id: Int) {
    if records.removeValue(forKey: id) != nil { order.removeAll { $0 == id } }
  }

  mutating func removeAll() { self = Model() }
}

@Suite("A store and a simple model of it", .heavy, .timeLimit(.minutes(60)))
struct StoreModelTests {
  @Test(
    "a store and its model agree after any commits",
    arguments: Sample.of(1...12 as ClosedRange<UInt64>, 2, inDebug: 1))
  func random(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let fileSystem = MemoryFileSystem()
    func open() -> FileStore<Note> {
      FileStore<Note>(unsharedPath: "/m.store", fileSystem: fileSystem)
    }
    let memory = InMemoryStore<Note>()
    var store = open()
    var model = Model()
    var held: [(Snapshot<Note>, [Note])] = []
    let idLimit = [20, 400, 3000][Int(seed % 3)]
    for step in 0..<80 {
      let before = model
      var changes = Changes<Note>()
      let size = Int.random(in: 0..<3, using: &chance) == 0 ? 200 : 8
      if Int.random(in: 0..<25, using: &chance) == 0 {
        changes.removeAll()
        model.removeAll()
      }
      for _ in 0..<Int.random(in: 0...size, using: &chance) {
        let id = Int.random(in: 0..<idLimit, using: &chance)
        if Int.random(in: 0..<5, using: &chance) < 2 {
          changes.remove(id)
          model.remove(id)
        } else {
          let long = String(repeating: "x", count: Int.random(in: 0...200, using: &chance))
          let note = Note(id, Bool.random(using: &chance) ? "" : "\(step)\(long)")
          changes.upsert(note)
          model.upsert(note)
        }
      }
      let what: Comment = "seed \(seed), step \(step)"
      let revision = try await store.snapshot().revision
      let after = try await store.commit(changes, checkpoint: nil, expecting: revision)
      try await memory.commit(changes, checkpoint: nil, expecting: nil)
      if before.all == model.all {
        #expect(after.number <= revision.number + 1, what)
      } else {
        #expect(after.number == revision.number + 1, what)
      }
      let snapshot = try await store.snapshot()
      try Self.check(snapshot, model, what)
      try Self.check(try await memory.snapshot(), model, what)
      if let changed = snapshot.changedIDs(since: revision) {
        let differing = Set(before.records.keys).union(model.records.keys).filter {
          before.records[$0] != model.records[$0]
        }
        #expect(changed.isSuperset(of: differing), what)
      }
      held.append((snapshot, model.all))
      if Int.random(in: 0..<6, using: &chance) == 0 {
        if Bool.random(using: &chance) { try await store.close() }
        store = open()
        #expect(try await store.open().isClean, what)
        try Self.check(try await store.snapshot(), model, what)
      }
    }
    for (snapshot, all) in held { #expect(Array(snapshot) == all, "seed \(seed)") }
    #expect(
      seed % 3 != 1 || fileSystem.log.filter { $0.contains("rename") }.count > 1,
      "seed \(seed): nothing was compacted")
  }

  private static func check(_ snapshot: Snapshot<Note>, _ model: Model, _ what: Comment) throws {
    try #require(Array(snapshot) == model.all, what)
    #expect(snapshot.count == model.order.count, what)
    #expect(snapshot.reversed().first == model.all.last && snapshot.first == model.all.first, what)
    let wrong = stride(from: -1, to: 3000, by: 7).filter { id in
      let record = model.records[id]
      return snapshot[id: id] != record || (snapshot.slot(of: id) == nil) != (record == nil)
    }
    #expect(wrong == [], what)
    for id in model.order.prefix(50) {
      let slot = try #require(snapshot.slot(of: id), what)
      #expect(snapshot.record(at: slot)?.id == id, what)
      #expect(slot < snapshot.slotLimit, what)
    }
  }

  @Test("a store and its model keep slots until the generation changes")
  func slots() async throws {
    let store = InMemoryStore((0..<5000).map { Note($0) })
    var chance = SeededGenerator(seed: 5)
    var known: [Int: Int] = [:]
    var generations: Set<Int> = []
    // Debug builds look at every third slot in a round.
    let distance = Sample.rounds(1, 1, inDebug: 3)
    for round in 0..<120 {
      let snapshot = try await store.snapshot()
      if generations.insert(snapshot.generation).inserted { known = [:] }
      var moved: [Int] = []
      for id in stride(from: round % distance, to: 5000, by: distance) {
        let slot = snapshot.slot(of: id)
        if let slot, let old = known[id], old != slot { moved.append(id) }
        known[id] = slot
      }
      #expect(moved == [])
      #expect(snapshot.slotLimit <= 2 * snapshot.count + 600)
      var changes = Changes<Note>()
      for _ in 0..<60 {
        let id = Int.random(in: 0..<5000, using: &chance)
        changes.remove(id)
        known[id] = nil
      }
      for _ in 0..<5 { changes.upsert(Note(.random(in: 0..<5000, using: &chance), "new")) }
      for case .upserts(let records) in changes.runs {
        for note in records { known[note.id] = nil }
      }
      try await store.commit(changes, checkpoint: nil, expecting: nil)
    }
    #expect(generations.count > 1)
  }

  @Test(
    "a store and its model agree if a batch for an empty store contains an ID again",
    arguments: [2, 40, 5000])
  func repetitions(count: Int) async throws {
    let fileSystem = MemoryFileSystem()
    var model = Model()
    var chance = SeededGenerator(seed: UInt64(count))
    let random = (0..<count).map { Note(.random(in: 0..<count, using: &chance), "\($0)") }
    let notes = random + [Note(7), Note(7, "last")]
    for note in notes { model.upsert(note) }
    let memory = InMemoryStore<Note>()
    try await memory.commit(Changes(notes), checkpoint: nil, expecting: nil)
    try Self.check(try await memory.snapshot(), model, "in memory")
    for step in ["committed", "opened"] {
      let store = FileStore<Note>(unsharedPath: "/r.store", fileSystem: fileSystem)
      if step == "committed" {
        try await store.commit(
          Changes(notes), checkpoint: nil, expecting: nil)
      }
      try Self.check(try await store.snapshot(), model, "\(step)")
      try await store.close()
    }
  }

  @Test("a store and its model agree if all IDs have the same hash", arguments: [false, true])
  func collisions(inFile: Bool) async throws {
    let fileSystem = MemoryFileSystem()
    func open() -> any RecordStore<Colliding> {
      inFile
        ? FileStore<Colliding>(unsharedPath: "/c.store", fileSystem: fileSystem)
        : InMemoryStore<Colliding>()
    }
    var store = open()
    var model: [Int: Colliding] = [:]
    var chance = SeededGenerator(seed: 9)
    try await store.commit(
      Changes((0..<100).map { Colliding(id: .init(value: $0), text: "") }), checkpoint: nil,
      expecting: nil)
    for id in 0..<100 { model[id] = Colliding(id: .init(value: id), text: "") }
    for step in 0..<200 {
      let id = Int.random(in: 0..<120, using: &chance)
      if Bool.random(using: &chance) {
        try await store.put(removing: [.init(value: id)])
        model[id] = nil
      } else {
        model[id] = Colliding(id: .init(value: id), text: "\(step)")
        try await store.put(Colliding(id: .init(value: id), text: "\(step)"))
      }
      if inFile, step % 50 == 0 { store = open() }
    }
    let snapshot = try await store.snapshot()
    #expect(snapshot.count == model.count)
    for id in 0..<120 { #expect(snapshot[id: .init(value: id)] == model[id]) }
  }
}

private struct Colliding: StoredRecord {
  struct ID: Hashable, Codable, Sendable {
    var value: Int
    func hash(into hasher: inout Hasher) { hasher.combine(7) }
  }
  var id: ID
  var text: String

  static func id(checking reader: inout RecordReader) throws -> ID? {
    try Colliding(reading: &reader).id
  }
}
