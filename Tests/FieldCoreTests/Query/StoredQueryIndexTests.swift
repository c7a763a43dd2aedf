import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Indexes that are stored beside a store", .timeLimit(.minutes(60)))
struct StoredQueryIndexTests {
  private static let path = "/data/bushes.store"
  private static let derived = path + ".derived"
  /// More reads than a stored index needs, and fewer than building one.
  private static let few = 120
  private static let count = 400

  private let files = MemoryFileSystem()

  private func store(
    program: UInt8? = 1, access: StoreAccess = .readWrite, clock: (any FieldClock)? = nil
  ) -> FileStore<Bush> {
    FileStore<Bush>(
      unsharedPath: Self.path, access: access, fileSystem: files, patience: .seconds(600),
      program: { program.map { [$0] } }, provingClock: clock)
  }

  private func fill(_ count: Int = count) async throws {
    try await store().commit(
      Changes(upserting: (0..<count).map { Bush(number: $0) }), checkpoint: nil, expecting: nil)
  }

  /// Returns the results of queries on all indexes, and how often a field was read for them.
  private func ask(_ snapshot: Snapshot<Bush>) -> (results: [[Int]], reads: Int) {
    let counter = FieldReads()
    let results = FieldReads.$current.withValue(counter) {
      Bush.results(CatalogView(of: snapshot))
    }
    return (results, counter.count)
  }

  /// Opens the store as a process does that ends in an orderly way.
  private func process(
    program: UInt8? = 1, _ changes: Changes<Bush>? = nil
  ) async throws -> (results: [[Int]], reads: Int) {
    let store = store(program: program)
    if let changes { try await store.commit(changes, checkpoint: nil, expecting: nil) }
    let asked = ask(try await store.snapshot())
    try await store.close()
    return asked
  }

  /// Returns the results without indexes.
  private func expected() async throws -> [[Int]] {
    let records = try await store(access: .readOnly).all
    return Bush.results(
      CatalogView(of: Snapshot(records), after: nil, indexes: [.text(\.name), .place(\.spot)]))
  }

  // MARK: New processes

  @Test("stored indexes are read by a new process, which reads only a few records")
  func reading() async throws {
    try await fill()
    let expected = try await expected()
    let first = try await process()
    #expect(first.results == expected && first.reads > Self.count)
    let second = try await process()
    #expect(second.results == expected && second.reads < Self.few)
    let readOnly = store(access: .readOnly)
    let reader = ask(try await readOnly.snapshot())
    #expect(reader.results == expected && reader.reads < Self.few)
    try await readOnly.close()
    #expect(files.isExcludedFromBackup(Self.derived))
    #expect(!files.paths.contains { $0.hasSuffix(".new") })
  }

  @Test("stored indexes follow the commits of processes that had no need of them")
  func following() async throws {
    try await fill()
    _ = try await process()
    var changes = Changes<Bush>()
    changes.upsert(Bush(number: 10_000))
    changes.upsert(Bush(id: 17, number: 20_000))
    changes.remove(30)
    let writer = store(program: 2)
    try await writer.commit(changes, checkpoint: nil, expecting: nil)
    // One that comes again has another slot.
    try await writer.put(Bush(number: 5), removing: [40, 41])
    try await writer.commit(
      {
        var c = Changes<Bush>(); c.remove(5); return c
      }(), checkpoint: nil, expecting: nil)
    try await writer.put(Bush(number: 5))
    try await writer.close()
    let expected = try await expected()
    let asked = try await process()
    #expect(asked.results == expected && asked.reads < Self.few)
  }

  @Test("stored indexes are written again when many commits have passed")
  func lagging() async throws {
    try await fill()
    _ = try await process()
    for number in 0..<150 {
      var changes = Changes<Bush>()
      changes.upsert(Bush(id: number, number: 1_000 + number))
      let asked = try await process(changes)
      #expect(asked.reads < 3 * Self.few, "commit \(number)")
    }
    let expected = try await expected()
    #expect(try await process().results == expected)
  }

  @Test("stored indexes aren't those of another build of the program, and those of both are kept")
  func programs() async throws {
    try await fill()
    for program in [1, 2] as [UInt8] {
      #expect(try await process(program: program).reads > Self.count)
    }
    for program in [1, 2] as [UInt8] {
      #expect(try await process(program: program).reads < Self.few)
    }
    #expect(try await process(program: nil).reads > Self.count)
  }

  @Test("stored indexes aren't used by a declaration of other fields")
  func declarations() async throws {
    try await fill()
    let store = store()
    let snapshot = try await store.snapshot()
    let first: [RecordIndex<Bush>] = [.order(\.height), .value(\.kind), .text(\.name)]
    let second: [RecordIndex<Bush>] = [.order(\.girth), .value(\.otherKind), .text(\.note)]
    func results(_ view: CatalogView<Bush>) -> [[Int]] {
      [
        view.find(\.height, limit: 9).map(\.id), view.find(\.girth, limit: 9).map(\.id),
        view.find(\.kind, equals: .tall).map(\.id), view.search("bush 7").map(\.id),
        view.find(\.otherKind, equals: .tall).map(\.id), view.search("note").map(\.id),
      ]
    }
    _ = results(CatalogView(of: snapshot, after: nil, indexes: first))
    try await store.close()
    let reader = self.store()
    let again = try await reader.snapshot()
    for indexes in [first, second, first.reversed(), second.reversed()] {
      let view = CatalogView(of: again, after: nil, indexes: indexes)
      let model = CatalogView(of: Snapshot(Array(again)), after: nil, indexes: indexes)
      #expect(results(view) == results(model))
    }
    try await reader.close()
  }

  @Test("stored indexes aren't used if a field depends on more than the record, such as a language")
  func dependentFields() async throws {
    try await fill()
    _ = try await process()
    try await FieldReads.$prefix.withValue("Strauch") {
      let store = store()
      let view = CatalogView(of: try await store.snapshot())
      #expect(view.search("Strauch").count == Self.count)
      #expect(view.search("bush").isEmpty)
      // With the store.
      try await store.close()
    }
  }

  @Test("stored indexes aren't written for a small store, without a need, or in memory")
  func none() async throws {
    try await fill(200)
    _ = try await process()
    #expect(files.paths == [Self.path, Self.path + ".lock"])
    files[Self.path] = nil
    try await fill()
    try await store().close()
    #expect(files[Self.derived] == nil)
    let memory = InMemoryStore<Bush>((0..<Self.count).map { Bush(number: $0) })
    #expect(ask(try await memory.snapshot()).results == (try await expected()))
  }

  // MARK: Writing

  @Test("stored indexes are written a second after a query has built them")
  func background() async throws {
    try await fill()
    let clock = ManualClock()
    let store = store(clock: clock)
    _ = ask(try await store.snapshot())
    try await eventually { clock.sleeperCount == 1 }
    #expect(files[Self.derived] == nil)
    clock.advance(by: .seconds(1))
    try await eventually { files[Self.derived] != nil }
    #expect(try await process().reads < Self.few)
    try await store.close()
  }

  @Test("stored indexes aren't written after the records were erased")
  func erasing() async throws {
    try await fill()
    let clock = ManualClock()
    let store = store(clock: clock)
    _ = ask(try await store.snapshot())
    try await eventually { clock.sleeperCount == 1 }
    try await store.eraseAll()
    clock.advance(by: .seconds(5))
    try await letOthersRun()
    try await store.close()
    #expect(files[Self.derived] == nil)
  }

  @Test("stored indexes are written for the file that a compaction has made")
  func compaction() async throws {
    try await fill()
    for number in 0..<2 {
      let store = store()
      let snapshot = try await store.snapshot()
      _ = ask(snapshot)
      try store.core().tryCompacting(snapshot)
      try await store.close()
      let asked = try await process()
      #expect(asked.results == (try await expected()))
      if number == 0 { #expect(asked.reads < Self.few) }
      // With a hole, this process numbers slots otherwise than the next one.
      try await self.store().commit(
        {
          var c = Changes<Bush>(); c.remove(3); return c
        }(), checkpoint: nil, expecting: nil)
    }
  }

  @Test("stored indexes lose nothing if nothing can be written beside the store")
  func unwritable() async throws {
    try await fill()
    let expected = try await expected()
    for call in ["rename", "write"] {
      let store = store()
      let snapshot = try await store.snapshot()
      files.failAlways(call, ENOSPC)
      #expect(ask(snapshot).results == expected)
      _ = try? await store.close()
      files.failAlways(nil)
      #expect(files.paths == [Self.path, Self.path + ".lock"], "\(call)")
    }
    _ = try await process()
    // The derived file can't be opened, as on a locked device.
    let store = store()
    let snapshot = try await store.snapshot()
    files.failAlways("open", EPERM)
    #expect(ask(snapshot).results == expected)
    files.failAlways(nil)
    try await store.close()
  }

  // MARK: Other files

  @Test(
    "stored indexes aren't used for an older copy of the file, even if it reaches the same revision"
  )
  func restored() async throws {
    try await fill()
    let older = files[Self.path]
    var changes = Changes<Bush>()
    changes.upsert(Bush(id: 1, number: 5_000))
    _ = try await process(changes)
    let stored = files[Self.derived]
    files[Self.path] = older
    #expect(try await process().results == (try await expected()))
    files[Self.path] = older
    files[Self.derived] = stored
    changes.upsert(Bush(id: 1, number: 7_000))
    #expect(try await process(changes).results == (try await expected()))
  }

  @Test("stored indexes never change a result if any byte beside the store is changed or missing")
  func damage() async throws {
    try await fill(300)
    _ = try await process()
    let expected = try await expected()
    let stored = try #require(files[Self.derived])
    let bytes = files[Self.path]
    var chance = SeededGenerator(seed: Sample.seed())
    for place in Sample.of(0..<stored.count, 300, inDebug: 40) {
      var flipped = stored
      flipped[place] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
      for damaged in [flipped, Array(stored[..<place]), stored[..<place] + [0, 0, 0]] {
        files[Self.derived] = damaged
        let store = store(access: .readOnly)
        #expect(ask(try await store.snapshot()).results == expected, "\(place)")
        try await store.close()
      }
    }
    files[Self.derived] = Array(stored[..<(stored.count / 2)])
    #expect(try await process().results == expected)
    #expect(try await process().reads < Self.few)
    #expect(files[Self.path] == bytes)
  }

  @Test("stored indexes are stored only with slots that the next process has, too")
  func slots() async throws {
    var chance = SeededGenerator(seed: Sample.seed())
    for round in 0..<Sample.rounds(60, 12, inDebug: 3) {
      let files = MemoryFileSystem()
      func store() -> FileStore<Bush> {
        FileStore<Bush>(unsharedPath: Self.path, fileSystem: files, program: { [1] })
      }
      var writer = store()
      for _ in 0..<12 {
        var changes = Changes<Bush>()
        if Int.random(in: 0..<8, using: &chance) == 0 { changes.removeAll() }
        for _ in 0..<([1, 5, 60, 900].randomElement(using: &chance) ?? 1) {
          let id = Int.random(in: 0..<1_500, using: &chance)
          if Int.random(in: 0..<3, using: &chance) == 0 {
            changes.remove(id)
          } else {
            changes.upsert(Bush(id: id, number: .random(in: 0..<9_999, using: &chance)))
          }
        }
        try await writer.commit(changes, checkpoint: nil, expecting: nil)
        if Int.random(in: 0..<6, using: &chance) == 0 {
          try await writer.core().tryCompacting(writer.snapshot())
        }
        if Int.random(in: 0..<5, using: &chance) == 0 { writer = store() }
        let (mine, next) = (try await writer.snapshot(), try await store().snapshot())
        #expect(Array(mine) == Array(next))
        guard let link = mine.mark?.chain.links.last, let other = next.mark?.chain.links.last,
          link == other
        else { continue }
        for bush in next { #expect(mine.slot(of: bush.id) == next.slot(of: bush.id), "\(round)") }
      }
    }
  }
}

@Suite("Queries with stored indexes", .timeLimit(.minutes(60)))
struct StoredQueryModelTests {
  @Test(
    "queries with stored indexes have the results of a scan, after any changes of the file",
    arguments: Sample.of(Array<UInt64>(1...60), 12, inDebug: 2))
  func model(seed: UInt64) async throws {
    let seed = seed &+ Sample.seed()
    var chance = SeededGenerator(seed: seed)
    let files = MemoryFileSystem()
    let path = "/data/trees.store"
    func store(_ program: UInt8) -> FileStore<IndexedTree> {
      FileStore<IndexedTree>(
        unsharedPath: path, fileSystem: files, patience: .seconds(600), program: { [program] })
    }
    let all = IndexedTree.allIndexes
    var kept: [(file: [UInt8]?, derived: [UInt8]?)] = []
    var stores = [store(1), store(1), store(2)]
    try await stores[0].commit(
      Changes(upserting: (0..<500).map { .random($0, &chance) }), checkpoint: nil, expecting: nil)
    for step in 0..<30 {
      let place = Int.random(in: 0..<stores.count, using: &chance)
      switch Int.random(in: 0..<14, using: &chance) {
      case 0:
        try await stores[place].core().tryCompacting(stores[place].snapshot())
      case 1: kept.append((files[path], files[path + ".derived"]))
      case 2:
        guard let copy = kept.randomElement(using: &chance) else { break }
        for store in stores { try await store.close() }
        files[path] = copy.file
        if Bool.random(using: &chance) { files[path + ".derived"] = copy.derived }
        stores = [store(1), store(1), store(2)]
      case 3:
        if let copy = kept.randomElement(using: &chance) { files[path + ".derived"] = copy.derived }
      case 4:
        guard var bytes = files[path + ".derived"], !bytes.isEmpty else { break }
        bytes[Int.random(in: 0..<bytes.count, using: &chance)] ^= 0x10
        files[path + ".derived"] = bytes
      case 5...8:
        try await stores[place].close()
        stores[place] = store(place == 2 ? 2 : 1)
      default: break
      }
      for _ in 0..<([0, 1, 1, 3].randomElement(using: &chance) ?? 0) {
        var changes = Changes<IndexedTree>()
        for _ in 0..<([1, 1, 1, 12, 300].randomElement(using: &chance) ?? 1) {
          let id = Int.random(in: 0..<700, using: &chance)
          if Int.random(in: 0..<4, using: &chance) == 0 {
            changes.remove(id)
          } else {
            changes.upsert(.random(id, &chance))
          }
        }
        try await stores[place].commit(changes, checkpoint: nil, expecting: nil)
      }
      let snapshot = try await stores[place].snapshot()
      let trees = Array(snapshot)
      // Sometimes, other fields are declared.
      let indexes = Int.random(in: 0..<4, using: &chance) > 0 ? all : all.shuffled(using: &chance)
      let view = CatalogView(of: snapshot, after: nil, indexes: indexes)
      for _ in 0..<6 {
        let query = TreeQuery.random(&chance)
        #expect(query.run(view) == query.model(trees), "\(query), step \(step), seed \(seed)")
      }
    }
  }
}

/// A count of the reads of fields in a task, and what they depend on.
private final class FieldReads: Sendable {
  @TaskLocal static var current: FieldReads?
  @TaskLocal static var prefix = "bush"

  private let number = Lock(0)

  var count: Int { number.withLock { $0 } }

  static func note() { current?.number.withLock { $0 += 1 } }
}

/// A record whose fields count how often they are read.
private struct Bush: CatalogRecord {
  enum Kind: String, Codable { case tall, wide }

  let id: Int
  let number: Int
  let place: Coordinate?

  init(id: Int? = nil, number: Int) {
    self.id = id ?? number
    self.number = number
    place = try? Coordinate(
      latitude: Double(number * 7 % 90), longitude: Double(number * 13 % 170))
  }

  var height: Double? {
    FieldReads.note()
    return number.isMultiple(of: 5) ? nil : Double(number * 31 % 97)
  }
  var girth: Double? { number.isMultiple(of: 3) ? nil : Double(number % 50) }
  var name: String {
    FieldReads.note()
    return "\(FieldReads.prefix) \(number)"
  }
  var note: String { "note \(number % 10)" }
  var kind: Kind {
    FieldReads.note()
    return number.isMultiple(of: 2) ? .tall : .wide
  }
  var otherKind: Kind? { number.isMultiple(of: 4) ? nil : number.isMultiple(of: 3) ? .tall : .wide }
  var spot: Coordinate? {
    FieldReads.note()
    return number.isMultiple(of: 11) ? nil : place
  }

  static var indexes: [RecordIndex<Bush>] {
    [.text(\.name), .place(\.spot), .order(\.height), .value(\.kind), .value(\.otherKind)]
  }

  static func results(_ view: CatalogView<Bush>) -> [[Int]] {
    guard let here = try? Coordinate(latitude: 20, longitude: 40) else { return [] }
    return [
      view.search(FieldReads.prefix + " 1").map(\.id), view.search("7").map(\.id),
      view.find(\.height, in: 10...20, order: .descending).map(\.id),
      view.find(\.height, limit: 30).map(\.id), view.find(\.kind, equals: .tall).map(\.id),
      view.find(\.otherKind, equals: nil).map(\.id),
      view.find(\.otherKind, equals: .wide).map(\.id), [view.count(\.kind, equals: .wide)],
      view.nearest(to: here, count: 12).map(\.record.id),
      view.records(within: .kilometers(900), of: here).map(\.id),
    ]
  }
}
