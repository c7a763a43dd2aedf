import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The records of a large store, which stay in its file")
struct DistantFrameTests {
  private static let path = "/data/stones.store"
  /// Whole groups of 64 records, and one that isn't full.
  private static let count = 3000

  private let files = MemoryFileSystem()
  private let pebbles = (0..<count).map { Pebble(id: "\($0)", text: "pebble \($0 % 700)") }

  private func store<Record: StoredRecord>(
    of type: Record.Type = Pebble.self, distantly: Bool = true, on other: (any FileSystem)? = nil
  ) -> FileStore<Record> {
    FileStore<Record>(
      unsharedPath: Self.path, fileSystem: other ?? files, patience: .seconds(600),
      program: { [1] }, distantSize: distantly ? 1 : .max)
  }

  /// Fills a store, and opens it once, so that this program knows the frame.
  private func fill<Record: StoredRecord>(_ records: [Record]) async throws {
    files[Self.path] = nil
    for changes in [Changes(upserting: records), Changes()] {
      let store = store(of: Record.self, distantly: false)
      try await store.commit(changes, checkpoint: Checkpoint(cursors: ["a": "1"]), expecting: nil)
      try await store.close()
      _ = try await self.store(of: Record.self, distantly: false).open()
    }
  }

  private func fill() async throws { try await fill(pebbles) }

  /// Opens a store whose records stay in the file, and returns its content.
  private func opened<Record: StoredRecord>(
    _ store: FileStore<Record>
  ) async throws -> Snapshot<Record> {
    let open = files.openCount
    let snapshot = try await store.snapshot()
    try #require(files.openCount == open + 3, "the file, its lock, and the file of the records")
    return snapshot
  }

  // MARK: Reading

  private func expectSame<Record: StoredRecord>(
    _ records: [Record], _ other: Record.ID
  ) async throws {
    try await fill(records)
    for way in 0..<6 {
      let snapshot = try await opened(store(of: Record.self))
      #expect(snapshot.count == records.count)
      #expect(snapshot.checkpoint?.cursors == ["a": "1"])
      let before = files.readByteCount
      switch way {
      case 0: #expect(Array(snapshot) == records)
      case 1: #expect(snapshot.reversed() == records.reversed())
      case 2:
        for _ in 0..<20 { #expect(snapshot[id: records[1234].id] == records[1234]) }
        let size = try #require(files[Self.path]?.count)
        #expect(files.readByteCount - before < size / 10, "one group, or two with the same hash")
        #expect(snapshot[id: other] == nil)
      case 3: for record in records.shuffled() { #expect(snapshot[id: record.id] == record) }
      case 4:
        var found: [Record.ID] = []
        snapshot.scan(\.id) { found.append($1) }
        #expect(found == records.map(\.id))
      default:
        let changed = records[100..<200].map(\.id)
        let next = snapshot.applying(Changes(removing: changed))
        #expect(Array(next) == records.filter { !changed.contains($0.id) })
        #expect(Array(snapshot) == records)
      }
      #expect(snapshot.failure == nil)
    }
  }

  @Test("the records of a large store are the same as those of a store that is kept in memory")
  func reading() async throws {
    try await expectSame(pebbles, "-1")
    try await expectSame(
      pebbles.map { Pebble(id: $0.id.hasSuffix("7") ? "é\($0.id)" : $0.id, text: $0.text) }, "é")
    try await expectSame((0..<Self.count).map { Numbered(id: $0, text: "\($0)") }, -1)
    let long = (0..<Self.count).map {
      Indexed(id: $0, text: String(repeating: "\($0) ", count: 100))
    }
    try await expectSame(long, -1)
  }

  @Test("the records of a large store stay those of a snapshot, whatever stores do to its file")
  func independence() async throws {
    try await fill()
    let store = store()
    var snapshots = [try await opened(store)]
    try await store.put(Pebble(id: "7", text: "changed"))
    snapshots.append(try await store.snapshot())
    let other = self.store()
    try await other.put(removing: ["8"])
    snapshots.append(try await store.snapshot())
    try other.core().tryCompacting(try await other.snapshot())
    try #require(try other.core().compactionFailure == nil)
    try await other.put(Pebble(id: "9", text: "changed"))
    snapshots.append(try await store.snapshot())
    try await other.eraseAll()
    snapshots.append(try await store.snapshot())
    files[Self.path] = nil
    var expected = pebbles
    #expect(Array(snapshots[0]) == expected)
    expected[7].text = "changed"
    #expect(Array(snapshots[1]) == expected)
    expected.remove(at: 8)
    #expect(Array(snapshots[2]) == expected)
    expected[8].text = "changed"
    #expect(Array(snapshots[3]) == expected)
    #expect(snapshots[4].isEmpty)
    #expect(snapshots.allSatisfy { $0.failure == nil })
  }

  @Test("the records of a large store have their file closed with the last snapshot")
  func closing() async throws {
    try await fill()
    let before = files.openCount
    do {
      let store = store()
      let snapshot = try await opened(store)
      try await store.close()
      #expect(files.openCount == before + 1)
      #expect(snapshot[id: "5"] == pebbles[5])
    }
    #expect(files.openCount == before)
    #expect(files.closedTwice.isEmpty)
  }

  @Test("the records of a large store are kept in memory where its file may become unreadable")
  func placement() async throws {
    try await fill()
    for (placement, isDistant) in [
      (FilePlacement(), true), (FilePlacement(protection: .completeUnlessOpen), true),
      (FilePlacement(protection: .complete), false),
      (FilePlacement(allowsNetworkVolumes: true), false),
    ] {
      let before = files.openCount
      let store = store(on: PlacedFileSystem(files, placement))
      let snapshot = try await store.snapshot()
      #expect(files.openCount == before + (isDistant ? 3 : 2))
      #expect(Array(snapshot) == pebbles)
      try await store.close()
    }
  }

  @Test("the records of a large store are kept in memory while it is in doubt what the device has")
  func doubts() async throws {
    try await fill()
    files[Self.path + ".lock"] = [1]
    let before = files.openCount
    let store = store()
    #expect(try await store.all == pebbles)
    #expect(files.openCount == before + 2)
    try await store.put(Pebble(id: "7", text: "changed"))
    #expect(try await store.snapshot()[id: "7"]?.text == "changed")
  }

  // MARK: Damage

  /// What an opening finds, as far as it doesn't depend on where the records are.
  private func outcome(of content: [UInt8], distantly: Bool) async throws -> String {
    files[Self.path] = content
    defer {
      for path in files.paths where path.contains(".damaged") { files[path] = nil }
    }
    let store = store(distantly: distantly)
    do {
      let report = try await store.open()
      let snapshot = try await store.snapshot()
      let records = snapshot.map { "\($0.id) \($0.text)" }
      #expect(snapshot.failure == nil)
      try await store.close()
      return "\(report.recordCount) \(report.cuts) \(records.hashValue)"
    } catch let error as FieldError {
      return "\(error.code) \(error.message)"
    }
  }

  @Test("the records of a large store are damaged in the same way, wherever they are")
  func damage() async throws {
    try await fill()
    let (content, derived) = (try #require(files[Self.path]), files[Self.path + ".derived"])
    let intact = try await outcome(of: content, distantly: false)
    #expect(try await outcome(of: content, distantly: true) == intact)
    var places = Array(stride(from: 0, to: content.count, by: 1009)) + Array(40..<200)
    places += (content.count - 60)..<content.count
    for place in places {
      var damaged = content
      damaged[place] ^= 0x10
      for broken in [damaged, Array(content[..<place])] {
        files[Self.path + ".derived"] = derived
        let expected = try await outcome(of: broken, distantly: false)
        files[Self.path + ".derived"] = derived
        #expect(try await outcome(of: broken, distantly: true) == expected, "byte \(place)")
      }
    }
  }

  @Test("a record of a large store is never another one if something writes into the open file")
  func overwriting() async throws {
    try await fill()
    let (content, derived) = (try #require(files[Self.path]), files[Self.path + ".derived"])
    for place in stride(from: 300, to: content.count, by: 4999) {
      (files[Self.path], files[Self.path + ".derived"]) = (content, derived)
      let store = store()
      let snapshot = try await opened(store)
      var damaged = content
      damaged[place] ^= 0x01
      files[Self.path] = damaged
      for pebble in pebbles {
        let found = snapshot[id: pebble.id]
        #expect(found == pebble || found == nil && snapshot.failure != nil)
      }
      guard let failure = snapshot.failure else { continue }
      #expect(failure.code == .needsReopening)
      #expect((failure.underlying as? FieldError)?.message.contains("something else") == true)
      await #expect(throws: FieldError.self) { try await store.put(Pebble(id: "new", text: "")) }
      await #expect(throws: FieldError.self) { _ = try await store.snapshot() }
      #expect(files[Self.path] == damaged)
      files[Self.path] = content
      try await store.open()
      #expect(try await store.all == pebbles)
    }
  }

  @Test("a record of a large store that the device can't read isn't absent, and loses nothing")
  func failingDevice() async throws {
    for isCut in [false, true] {
      try await fill()
      let content = files[Self.path]
      let store = store()
      let snapshot = try await opened(store)
      #expect(snapshot[id: "7"] == pebbles[7])
      if isCut { files[Self.path] = [] } else { files.failAlways("read") }
      #expect(snapshot[id: "8"] == pebbles[8], "of the same group")
      #expect(snapshot[id: "2000"] == nil)
      #expect(snapshot.failure?.code == .needsReopening)
      #expect(snapshot.failure?.message.contains(Self.path) == true)
      #expect(snapshot.map(\.id).count == Self.count)
      await #expect(throws: FieldError.self) { try await store.put(removing: ["7"]) }
      try store.core().tryCompacting(snapshot)
      #expect(try store.core().compactionFailure != nil)
      files.failAlways(nil)
      files[Self.path] = content
      await #expect(throws: FieldError.self) { _ = try await store.snapshot() }
      try await store.open()
      #expect(try await store.all == pebbles)
      try await store.put(Pebble(id: "new", text: ""))
    }
  }

  @Test("opening a large store whose file can't be read blames the device, and sets nothing aside")
  func failingOpening() async throws {
    try await fill()
    let content = files[Self.path]
    let reads = files.log.count
    _ = try await opened(store())
    let count = files.log[reads...].count { $0.contains("read") }
    try #require(count > 3)
    for call in 0..<count {
      files.failCalls("read", after: call)
      do {
        let snapshot = try await store().snapshot()
        files.failAlways(nil)
        #expect(Array(snapshot) == pebbles, "call \(call)")
      } catch let error as FieldError {
        #expect(error.underlying is FileSystemError, "call \(call)")
      }
      files.failAlways(nil)
      #expect(files[Self.path] == content)
      #expect(!files.paths.contains { $0.contains(".damaged") })
    }
  }
}

private struct Pebble: StoredRecord, Hashable {
  var id: String
  var text: String
}

private struct Numbered: StoredRecord, Hashable {
  var id: Int
  var text: String
}

private struct Indexed: CodedRecord, Hashable {
  static var _isIndexed: Bool { true }
  static func _stableHash(of id: Int, seed: UInt64) -> UInt32? {
    StableHash.of(UInt64(bitPattern: Int64(id)), seed: seed)
  }

  var id: Int
  var text: String?

  init(id: Int, text: String) { (self.id, self.text) = (id, text) }

  init(id: Int) { self.id = id }

  mutating func exchange(with coder: inout some RecordCoder) throws { try coder.text(&text) }
}
