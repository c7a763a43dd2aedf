import FieldCore
import FieldTesting
import Foundation
import Testing

@testable import SharedStore

/// The database to test with; `Scripts/Checks/shared-store.sh` starts one.
let database = ProcessInfo.processInfo.environment["FIELDKIT_DATABASE_URL"]

@Suite(
  "A store in a database", .enabled(if: database != nil, "FIELDKIT_DATABASE_URL isn't set"),
  .serialized, .timeLimit(.minutes(60)))
struct SharedStoreTests {
  let url = database ?? ""
  let namespace = UUID().uuidString

  /// A store as another process would open it: with its own connection.
  func store() throws -> any RecordStore<ConformanceRecord> {
    try SharedStorage(url, namespace: namespace).records("records", of: ConformanceRecord.self)
  }

  @Test("A store in a database keeps the contract of record stores, across openings too")
  func conformance() async throws {
    try await RecordStoreConformance.run(reopening: { [url] folder in
      try SharedStorage(url, namespace: folder.lastPathComponent)
        .records("records", of: ConformanceRecord.self)
    })
  }

  @Test("Two stores that take turns have the same content in the same order as one in memory")
  func model() async throws {
    var generator = Seeded(seed: 7)
    let stores = [try store(), try store(), try store()]
    let model = InMemoryStore<ConformanceRecord>()
    for step in 0..<300 {
      var changes = Changes<ConformanceRecord>()
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let id = "\(Int.random(in: 0..<20, using: &generator))"
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: changes.removeAll()
        case 1..<8: changes.remove(id)
        default: changes.upsert(ConformanceRecord(id: id, number: step))
        }
      }
      let checkpoint = step % 5 == 0 ? Checkpoint(cursors: ["step": "\(step)"]) : nil
      let place = Int.random(in: 0..<2, using: &generator)
      let revision = try await stores[place].commit(changes, checkpoint: checkpoint, expecting: nil)
      #expect(try await model.commit(changes, checkpoint: checkpoint, expecting: nil) == revision)
      let expected = try await model.snapshot()
      // The third store looks from time to time, and then sees several commits at once.
      for store in step % 7 == 0 ? stores : Array(stores.prefix(2)) {
        let snapshot = try await store.snapshot()
        try #require(Array(snapshot) == Array(expected), "after step \(step)")
        #expect(snapshot.revision == revision)
        #expect(snapshot.checkpoint == expected.checkpoint)
      }
      if step % 50 == 0 {
        #expect(Array(try await self.store().snapshot()) == Array(expected))
      }
    }
  }

  @Test("A store that missed the rows of removed records loads everything")
  func pruning() async throws {
    let (first, late) = (try store(), try store())
    for id in ["a", "b", "c"] {
      try await first.commit(
        Changes(upserting: [ConformanceRecord(id: id)]), checkpoint: nil, expecting: nil)
    }
    #expect(try await late.snapshot().count == 3)
    for number in 1...1_010 {
      var changes = Changes(upserting: [ConformanceRecord(id: "c", number: number)])
      changes.remove(number == 1 ? "b" : "none")
      try await first.commit(changes, checkpoint: nil, expecting: nil)
    }
    let left = try await Database(url).run { [namespace] connection, _ in
      try connection.run(
        "SELECT count(*)::BIGINT FROM field_records WHERE store = $1",
        [.text("\(namespace)/records")])
    }
    #expect(left.first?.int(0) == 2)
    #expect(try await late.snapshot().map(\.id) == ["a", "c"])
  }

  @Test("Another store's commit arrives without asking")
  func notification() async throws {
    let (reader, writer) = (try store(), try store())
    var updates = reader.updates().makeAsyncIterator()
    #expect(try await updates.next()?.isEmpty == true)
    try await writer.commit(
      Changes(upserting: [ConformanceRecord(id: "a")]), checkpoint: nil, expecting: nil)
    #expect(try await updates.next()?.map(\.id) == ["a"])
  }

  @Test("Increments by two processes are all in the database")
  func processes() async throws {
    let writer = Bundle.main.executableURL?.deletingLastPathComponent()
      .appending(path: "shared-store-writer")
    let processes = try ["left", "right"].map { name in
      let process = Process()
      process.executableURL = writer
      process.arguments = [url, namespace, name, "200"]
      try process.run()
      return process
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let counters = try await SharedStorage(url, namespace: namespace)
      .records("counter", of: Counter.self).snapshot()
    #expect(counters[id: "sum"]?.value == 400)
    #expect(counters.dropFirst().map(\.value) == Array(0..<400))
  }

  @Test("A store connects again after it has lost its connection")
  func reconnection() async throws {
    let (store, other) = (try store(), Database(url))
    var updates = store.updates().makeAsyncIterator()
    _ = try await updates.next()
    _ = try await other.run { connection, _ in
      try connection.run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database()
        """)
    }
    try await store.commit(
      Changes(upserting: [ConformanceRecord(id: "a")]), checkpoint: nil, expecting: nil)
    #expect(try await updates.next()?.map(\.id) == ["a"])
    try await self.store().commit(
      Changes(upserting: [ConformanceRecord(id: "b")]), checkpoint: nil, expecting: nil)
    #expect(try await updates.next()?.map(\.id) == ["a", "b"])
  }

  @Test("Errors have codes: another type, a missing server, a closed store")
  func errors() async throws {
    let store = try store()
    try await store.commit(
      Changes(upserting: [ConformanceRecord(id: "a")]), checkpoint: nil, expecting: nil)
    await expect(.damaged) { [url, namespace] in
      _ = try await SharedStorage(url, namespace: namespace).records("records", of: Counter.self)
        .snapshot()
    }
    await expect(.connectionLost) {
      _ = try await SharedStorage("host=127.0.0.1 port=1").records("records", of: Counter.self)
        .snapshot()
    }
    try await store.close()
    await expect(.closed) { _ = try await store.snapshot() }
  }

  private func expect(_ code: FieldError.Code, _ body: () async throws -> Void) async {
    do {
      try await body()
      Issue.record("no error")
    } catch { #expect((error as? FieldError)?.code == code) }
  }

  @Test("Blobs are shared, and new ones of another process aren't removed")
  func blobs() async throws {
    let left = try SharedStorage(url, namespace: namespace).blobs("photos")
    let right = try SharedStorage(url, namespace: namespace).blobs("photos")
    let lease = try await left.put([0, 1, 255])
    #expect(try await right.bytes(of: lease.id) == [0, 1, 255])
    try await left.remove(lease.id)
    #expect(try await left.contains(lease.id))
    lease.end()
    #expect(try await right.sweep(keeping: []).isEmpty)
    #expect(try await left.sweep(keeping: []) == [lease.id])
    #expect(try await right.bytes(of: lease.id) == nil)
  }
}

struct Counter: StoredRecord {
  var id: String
  var value: Int
}

/// A generator that repeats itself (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
