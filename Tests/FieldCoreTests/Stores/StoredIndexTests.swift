import FieldCore
import FieldFakes
import TestSupport
import Testing

@Suite("The index of IDs in a store file")
struct StoredIndexTests {
  private static let path = "/data/trees.store"

  private static func open<Record: StoredRecord>(
    _ fileSystem: MemoryFileSystem, of type: Record.Type = Tree.self
  ) -> FileStore<Record> {
    FileStore<Record>(unsharedPath: path, fileSystem: fileSystem)
  }

  /// Trees with IDs of every kind: one of 50 has no stable hash, and one of 1,000 is equal to an ASCII text.
  private static func trees(_ numbers: some Sequence<Int>, _ text: String = "") -> [Tree] {
    numbers.map { number in
      let mark = number % 50 == 7 ? "é" : number % 1000 == 8 ? "\u{212A}" : ""
      return Tree(id: "tree-\(number)\(mark)", text: "\(number)\(text)")
    }
  }

  private static func filled(_ batches: [Tree]...) async throws -> MemoryFileSystem {
    let fileSystem = MemoryFileSystem()
    let store = open(fileSystem)
    for trees in batches {
      try await store.commit(Changes(upserting: trees), checkpoint: nil, expecting: nil)
    }
    try await store.close()
    return fileSystem
  }

  /// Opens the file, and requires these trees in their order, each of them found by its ID.
  ///
  /// - Returns: The number of records that opening checked.
  @discardableResult
  private static func check(_ fileSystem: MemoryFileSystem, _ trees: [Tree]) async throws -> Int {
    let counter = Counter()
    let store = open(fileSystem)
    let snapshot = try await Tree.$checks.withValue(counter) { try await store.snapshot() }
    let checked = counter.value
    #expect(Array(snapshot) == trees)
    for tree in trees {
      #expect(snapshot[id: tree.id] == tree)
      #expect(snapshot[id: tree.id + "-"] == nil)
    }
    #expect(snapshot[id: "tree-8K"] == snapshot[id: "tree-8\u{212A}"])
    #expect(snapshot[id: "tree-7e\u{301}"] == snapshot[id: "tree-7é"])
    try await store.close()
    return checked
  }

  @Test(
    "the index of IDs in a store file spares opening the check of most records",
    arguments: [(1023, 1023), (1024, 16 + 21), (5000, 79 + 100)])
  func checks(count: Int, checked: Int) async throws {
    let trees = Self.trees(0..<count)
    #expect(try await Self.check(Self.filled(trees), trees) == checked)
  }

  @Test("the index of IDs is written when pages have added as many records as it has, or 4,096")
  func pages() async throws {
    let pages = (0..<8).map { Self.trees($0 * 1000..<($0 + 1) * 1000) }
    let fileSystem = MemoryFileSystem()
    let store = Self.open(fileSystem)
    for page in pages {
      try await store.commit(Changes(upserting: page), checkpoint: nil, expecting: nil)
    }
    try await store.close()
    #expect(fileSystem.log.count { $0.contains("rename") } == 2, "once created, once compacted")
    #expect(Self.frames(fileSystem).map(\.isIndexed) == [true, false, false, false])
    // The last 3,000 are decoded, because they may replace others.
    #expect(try await Self.check(fileSystem, pages.flatMap(\.self)) == 79 + 100)
  }

  @Test("the index of IDs in a store file is written only with a batch that contains everything")
  func whole() async throws {
    let (first, second) = (Self.trees(0..<1200), Self.trees(0..<1200, "!"))
    // A batch for all records, in another order, isn't one that contains them in their order.
    let replaced = try await Self.filled(first, second.reversed())
    #expect(try await Self.check(replaced, second) == 19 + 24)
    #expect(Self.frames(replaced).map(\.isIndexed) == [true, false])

    let repeated = try await Self.filled(first + [first[0]])
    #expect(try await Self.check(repeated, first) == 1201)

    let store = Self.open(replaced)
    var anew = Changes<Tree>()
    anew.removeAll()
    for tree in second.reversed() { anew.upsert(tree) }
    try await store.commit(anew, checkpoint: nil, expecting: nil)
    try await store.close()
    #expect(Self.frames(replaced).last?.isIndexed == true)
    #expect(try await Self.check(replaced, second.reversed()) < 1200 / 4)
  }

  @Test("the index of IDs in a store file agrees with a model after any commits and compactions")
  func model() async throws {
    var chance = SeededGenerator(seed: Sample.seed())
    var model = Self.trees(0..<1500)
    let fileSystem = try await Self.filled(model)
    for round in 0..<Sample.rounds(60, 20, inDebug: 8) {
      let store = Self.open(fileSystem)
      for _ in 0..<4 {
        var changes = Changes<Tree>()
        for _ in 0..<60 {
          let text = round.isMultiple(of: 2) ? String(repeating: "x", count: 90) : "\(round)"
          let tree = Self.trees([Int.random(in: 0..<2000, using: &chance)], text)[0]
          let place = model.firstIndex { $0.id == tree.id }
          if Bool.random(using: &chance) {
            changes.upsert(tree)
            if let place { model[place] = tree } else { model.append(tree) }
          } else {
            changes.remove(tree.id)
            if let place { model.remove(at: place) }
          }
        }
        try await store.commit(changes, checkpoint: nil, expecting: nil)
      }
      try await store.close()
      try await Self.check(fileSystem, model)
    }
  }

  @Test("the index of IDs isn't used by records of another version, or by another store")
  func foreign() async throws {
    let trees = Self.trees(0..<1100)
    let fileSystem = try await Self.filled(trees)
    let newer = Self.open(fileSystem, of: NewTree.self)
    #expect(try await newer.snapshot()[id: "tree-7é"]?.text == "7, migrated")
    #expect(try await newer.snapshot().count == 1100)
    try await newer.close()

    // The same frame under the header of another store.
    let bytes = try #require(fileSystem[Self.path])
    guard case .header(_, let end) = try StoreFileHeader.read(bytes) else {
      Issue.record("no header")
      return
    }
    let header = StoreFileHeader(recordName: Tree.storedName)
    var frame = Array(bytes[end...])
    _ = Frame.seal(
      &frame, kind: .batch, revision: Revision(number: 1), recordVersion: 1, flags: .indexed,
      seed: header.seed, at: header.bytes.count)
    fileSystem[Self.path] = header.bytes + frame
    #expect(try await Self.check(fileSystem, trees) > 1100)
  }

  @Test("the index of IDs in a store file survives salvaging")
  func salvaged() async throws {
    let trees = Self.trees(0..<1300)
    let fileSystem = try await Self.filled(trees, Self.trees([1, 2], "?"), Self.trees([3], "?"))
    fileSystem[Self.path]?[Self.frames(fileSystem)[1].payload.lowerBound + 10] ^= 1
    let store = Self.open(fileSystem)
    try await store.open()
    try await store.salvage()
    try await store.close()
    var expected = trees
    expected[3] = Self.trees([3], "?")[0]
    #expect(try await Self.check(fileSystem, expected) == 21 + 26)
  }

  @Test("the index of IDs is rejected or harmless if it is invalid under a correct checksum")
  func invalid() async throws {
    let trees = Self.trees(0..<1100)
    let fileSystem = try await Self.filled(trees)
    let bytes = try #require(fileSystem[Self.path])
    guard case .header(let header, let end) = try StoreFileHeader.read(bytes) else {
      Issue.record("no header")
      return
    }
    let size = 8 * (2 + 18 + 22 + 1651 + 1)
    var outcomes: Set<String> = []
    var chance = SeededGenerator(seed: Sample.seed())
    for round in 0..<Sample.rounds(3000, 400, inDebug: 120) {
      var frame = Array(bytes[end...])
      let start = frame.count - size - 1  // the table of strings is empty, which takes a byte
      var index = Array(frame[start..<frame.count - 1])
      if round == 0 {
        // Without an empty place, a search would never end.
        for place in 0..<1651 { index.put(fixed: UInt64(1) << 32 | 1, at: 8 * (42 + place)) }
      } else if round % 2 == 0 {
        let word = round % 4 == 0 ? .random(in: 0..<42, using: &chance) : index.count / 8 - 1
        let value: UInt64 =
          [0, 1, 1100, 1101, 1 << 31, 1 << 62, .max].randomElement(using: &chance) ?? 0
        index.put(fixed: value, at: 8 * word)
      } else {
        for _ in 0..<Int.random(in: 1...3, using: &chance) { index.mutate(using: &chance) }
      }
      frame.replaceSubrange(start..<frame.count - 1, with: index)
      let strings = UInt64(frame.count - 1 - Frame.headerSize)
      frame.put(fixed: strings, at: Frame.headerSize)
      _ = Frame.seal(
        &frame, kind: .batch, revision: Revision(number: 1), recordVersion: 1, flags: .indexed,
        seed: header.seed, at: end)
      fileSystem[Self.path] = bytes[..<end] + frame
      do {
        let snapshot = try await Self.open(fileSystem).snapshot()
        #expect(Array(snapshot) == trees, "round \(round)")
        for tree in trees { #expect(snapshot[id: tree.id].map { $0 == tree } != false) }
        outcomes.insert("read")
      } catch let error as FieldError {
        #expect(error.code == .damaged, "round \(round): \(error)")
        outcomes.insert("damaged")
      }
    }
    #expect(outcomes == ["read", "damaged"])
  }

  private static func frames(_ fileSystem: MemoryFileSystem) -> [Frame] {
    guard let bytes = fileSystem[path],
      case .header(let header, let end)? = try? StoreFileHeader.read(bytes),
      let scan = try? FrameScan(
        bytes, from: end, after: nil, seed: header.seed, recordVersion: 1)
    else { return [] }
    return scan.frames
  }
}

private final class Counter: Sendable {
  private let count = Lock(0)

  var value: Int { count.withLock(\.self) }

  func increment() { count.withLock { $0 += 1 } }
}

/// A record whose files have an index.
private struct Tree: StoredRecord {
  @TaskLocal static var checks: Counter?

  var id: String
  var text: String

  init(id: String, text: String) {
    self.id = id
    self.text = text
  }

  func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(text)
  }

  init(reading reader: inout RecordReader) throws {
    id = try reader.string()
    text = try reader.string()
  }

  static func id(checking reader: inout RecordReader) throws -> ID? {
    checks?.increment()
    let id = try reader.string()
    try reader.skipString()
    return id
  }

  static var _isIndexed: Bool { true }

  static func _stableHash(of id: ID, seed: UInt64) -> UInt32? { StableHash.of(id, seed: seed) }
}

private struct NewTree: StoredRecord {
  static var storedName: String { "Tree" }
  static var formatVersion: Int { 2 }

  var id: String
  var text: String

  static func migrate(from older: OlderRecord) throws -> Self {
    var reader = older.reader
    let tree = try Tree(reading: &reader)
    return NewTree(id: tree.id, text: tree.text + ", migrated")
  }

  static var _isIndexed: Bool { true }

  static func _stableHash(of id: ID, seed: UInt64) -> UInt32? { StableHash.of(id, seed: seed) }
}
