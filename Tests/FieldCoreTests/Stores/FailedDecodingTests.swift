import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A record that can't be decoded when it is used")
struct FailedDecodingTests {
  private static let path = "/data/moods.store"
  private static let derived = path + ".derived"
  private static let count = 2000

  private let files = MemoryFileSystem()
  private let moods = (0..<count).map { Mood(id: "\($0)", text: "mood \($0)") }

  private func store<Record: StoredRecord>(of type: Record.Type) -> FileStore<Record> {
    FileStore<Record>(unsharedPath: Self.path, fileSystem: files, program: { [1] })
  }

  /// Returns a store whose records are decoded when they are used.
  private func provenStore() async throws -> FileStore<Mood> {
    if files[Self.path] == nil {
      let first = store(of: Mood.self)
      try await first.commit(Changes(upserting: moods), checkpoint: nil, expecting: nil)
      try await first.close()
    }
    let second = store(of: Mood.self)
    try await second.open()
    try await second.close()
    #expect(files[Self.derived] != nil)
    return store(of: Mood.self)
  }

  private func expectRefusal(_ work: () async throws -> Void) async {
    let error = await #expect(throws: FieldError.self) { try await work() }
    #expect(error?.code == .needsReopening)
    #expect(error?.underlying is DecodingError)
  }

  @Test("a record that can't be decoded isn't found, and fails its view and store until reopened")
  func reported() async throws {
    let store = try await provenStore()
    let snapshot = try await store.snapshot()
    let file = files[Self.path]
    await Mood.$unreadable.withValue(["7", "70", "1999"]) {
      #expect(snapshot[id: "8"] == moods[8])
      #expect(snapshot.failure == nil)
      #expect(snapshot[id: "7"] == nil)
      #expect(snapshot.failure?.code == .needsReopening)
      #expect(snapshot.failure?.message.contains(Self.path) == true)
      #expect(files[Self.derived] == nil)
      await expectRefusal { _ = try await store.snapshot() }
      await expectRefusal { _ = try await store.durableSnapshot() }
      await expectRefusal { try await store.put(Mood(id: "new", text: "")) }
      await expectRefusal { try await store.put(removing: ["7"]) }
      await expectRefusal { try await store.update { _, changes, _ in changes.remove("7") } }
      await expectRefusal { for try await _ in store.updates() {} }
      for store in [store, self.store(of: Mood.self)] {
        let error = await #expect(throws: FieldError.self) { try await store.open() }
        #expect(error?.code == .damaged && error?.underlying is DecodingError)
      }
    }
    #expect(files[Self.path] == file)
    await expectRefusal { _ = try await store.snapshot() }
    try await store.open()
    #expect(try await store.all == moods)
    #expect(try await store.snapshot().failure == nil)
    #expect(files[Self.derived] == nil, "a type that may fail again is decoded by the next opening")
    try await store.put(Mood(id: "new", text: ""))
  }

  @Test("a record that can't be decoded leaves the others in their places, in every iteration")
  func collection() async throws {
    for unreadable in [["0"], ["64", "65"], Set(moods.map(\.id))] as [Set<String>] {
      for way in 0..<7 {
        let store = try await provenStore()
        let snapshot = try await store.snapshot()
        try Mood.$unreadable.withValue(unreadable) {
          switch way {
          case 0: #expect(Array(snapshot).count == Self.count)
          case 1: #expect(snapshot.map(\.id).count == Self.count)
          case 2: #expect(snapshot.reversed().map(\.id).count == Self.count)
          case 3: for index in snapshot.indices { _ = snapshot[index] }
          case 4: for mood in moods { _ = snapshot[id: mood.id] }
          case 5:
            _ = (snapshot.first, snapshot.last)
            _ = snapshot[id: try #require(unreadable.first)]
          default:
            var found: [String] = []
            snapshot.scan(\.id) { found.append($1) }
            #expect(found == moods.map(\.id).filter { !unreadable.contains($0) })
          }
        }
        #expect(snapshot.failure != nil, "way \(way)")
        for (slot, mood) in snapshot.enumerated() where !unreadable.contains(moods[slot].id) {
          #expect(mood == moods[slot])
        }
        try await store.close()
      }
    }
  }

  @Test("a record that can't be decoded isn't lost when others change and the file is compacted")
  func compaction() async throws {
    let store = try await provenStore()
    let snapshot = try await store.snapshot()
    try Mood.$unreadable.withValue(["70"]) {
      try store.core().tryCompacting(snapshot)
      #expect(try store.core().compactionFailure != nil)
    }
    #expect(snapshot.failure != nil)
    #expect(try await self.store(of: Mood.self).all == moods)
  }

  @Test("a record that can't be decoded doesn't keep the store from being erased")
  func erasing() async throws {
    for isLasting in [true, false] {
      files[Self.path] = nil
      let store = try await provenStore()
      let snapshot = try await store.snapshot()
      Mood.$unreadable.withValue(["3"]) { #expect(snapshot[id: "3"] == nil) }
      try await Mood.$unreadable.withValue(isLasting ? ["3"] : []) { try await store.eraseAll() }
      #expect(try await store.snapshot().isEmpty)
      #expect(files.paths.contains { $0.contains(".damaged-") } == isLasting)
      try await store.put(moods[3])
    }
  }

  @Test("a record that can't be decoded is found if its type accepts that, without a crash")
  func wrongCheck() async throws {
    for bad in [0, 1] {
      files[Self.path] = nil
      let records = (0..<3).map { Careless(id: $0, isGood: $0 != bad) }
      try await store(of: Careless.self).commit(
        Changes(upserting: records), checkpoint: nil, expecting: nil)
      let store = store(of: Careless.self)
      if bad == 0 {
        let error = await #expect(throws: FieldError.self) { try await store.open() }
        #expect(error?.code == .damaged)
        continue
      }
      let snapshot = try await store.snapshot()
      #expect(snapshot[id: 2] == records[2] && snapshot.failure == nil)
      #expect(snapshot[id: 1] == nil)
      #expect(Array(snapshot).count == 3)
      #expect(snapshot.failure?.code == .needsReopening)
      let error = await #expect(throws: FieldError.self) { try await store.open() }
      #expect(error?.code == .damaged)
    }
  }
}

/// A plain record whose decoding depends on something outside of the program.
private struct Mood: StoredRecord {
  @TaskLocal static var unreadable: Set<String> = []

  var id: String
  var text: String

  init(id: String, text: String) { (self.id, self.text) = (id, text) }

  enum CodingKeys: CodingKey { case id, text }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(String.self, forKey: .id)
    text = try values.decode(String.self, forKey: .text)
    if Self.unreadable.contains(id) {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: values, debugDescription: "It is unreadable today.")
    }
  }
}

/// A record whose check accepts more than its decoding.
private struct Careless: StoredRecord {
  var id: Int
  var isGood: Bool

  init(id: Int, isGood: Bool) { (self.id, self.isGood) = (id, isGood) }

  func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(byte: isGood ? 1 : 2)
  }

  init(reading reader: inout RecordReader) throws {
    id = try reader.int()
    isGood = try reader.bool()
  }

  static func id(checking reader: inout RecordReader) throws -> ID? {
    let id = try reader.int()
    _ = try reader.byte()
    return id
  }
}
