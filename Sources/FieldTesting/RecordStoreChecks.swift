internal import FieldCore

/// A part of the contract of record stores.
struct Check<Store: RecordStore>: Sendable where Store.Record == RecordStoreConformance.Sample {
  typealias Sample = RecordStoreConformance.Sample

  var name: String
  var body: @Sendable (Store) async throws -> Void

  static var all: [Check] { content + revisions + concurrency + observation }

  static var content: [Check] {
    [
      Check(name: "a new store is empty, at revision zero and without a checkpoint") { store in
        let snapshot = try await store.snapshot()
        try require(snapshot.isEmpty && snapshot.first == nil, "it has records")
        try requireEqual(snapshot.count, 0, "the count")
        try requireEqual(snapshot.revision, .zero, "the revision")
        try require(snapshot.checkpoint == nil, "it has a checkpoint")
      },
      Check(name: "records come back as they were given") { store in
        let records = [
          Sample(id: 1), Sample(id: -2, text: "石虎 🐆 e\u{301}", number: -0.1),
          Sample(id: .max, text: "\"\\\n\u{0}", number: 1.797_693_134_862_315_7e308),
          Sample(id: .min, text: String(repeating: "長", count: 5000), number: -.leastNonzeroMagnitude),
        ]
        try await store.commit(Changes(upserting: records), checkpoint: nil, expecting: nil)
        let snapshot = try await store.snapshot()
        try requireEqual(Array(snapshot), records, "the records")
        for record in records { try requireEqual(snapshot[id: record.id], record, "by id") }
        try require(snapshot[id: 99] == nil, "an unknown id has a record")
      },
      Check(name: "an update keeps a record's place, and one that comes back goes to the end") {
        store in
        try await store.commit(Self.inserts(1...4), checkpoint: nil, expecting: nil)
        try await store.apply { $0.upsert(Sample(id: 2, text: "new")) }
        try requireEqual(try await store.ids(), [1, 2, 3, 4], "the order after an update")
        try await store.apply { $0.remove(1) }
        try requireEqual(try await store.ids(), [2, 3, 4], "the order after a removal")
        try await store.apply { $0.upsert(Sample(id: 1)) }
        try requireEqual(try await store.ids(), [2, 3, 4, 1], "the order after the return")
      },
      Check(name: "steps are applied in order, so the last word on an id wins") { store in
        try await store.apply { changes in
          changes.upsert(Sample(id: 1, text: "a"))
          changes.upsert(Sample(id: 2, text: "b"))
          changes.upsert(Sample(id: 1, text: "c"))
          changes.remove(2)
          changes.upsert(Sample(id: 3, text: "d"))
          changes.remove(3)
          changes.upsert(Sample(id: 3, text: "e"))
        }
        try requireEqual(
          Array(try await store.snapshot()),
          [Sample(id: 1, text: "c"), Sample(id: 3, text: "e")], "the records")
      },
      Check(name: "an id that is twice in a large first batch has its last record in its first place")
      { store in
        let records = (0..<300).map { Sample(id: $0 % 200, text: "\($0)") }
        try await store.commit(Changes(upserting: records), checkpoint: nil, expecting: nil)
        let snapshot = try await store.snapshot()
        try requireEqual(snapshot.map(\.id), Array(0..<200), "the order")
        try requireEqual(snapshot[id: 7]?.text, "207", "the record")
      },
      Check(name: "removing everything leaves nothing, and what follows in the batch") { store in
        try await store.commit(Self.inserts(1...100), checkpoint: nil, expecting: nil)
        try await store.apply { changes in
          changes.removeAll()
          changes.upsert(Sample(id: 50))
        }
        let snapshot = try await store.snapshot()
        try requireEqual(snapshot.map(\.id), [50], "the records")
        try require(snapshot[id: 1] == nil, "a removed record is found")
        try await store.apply { $0.removeAll() }
        try requireEqual(try await store.snapshot().count, 0, "the count")
      },
      Check(name: "a snapshot never changes") { store in
        try await store.commit(Self.inserts(1...200), checkpoint: nil, expecting: nil)
        let snapshot = try await store.snapshot()
        let before = Array(snapshot)
        try await store.apply { changes in
          for id in 1...100 { changes.remove(id) }
          for id in 150...300 { changes.upsert(Sample(id: id, text: "later")) }
        }
        try await store.apply { $0.removeAll() }
        try requireEqual(Array(snapshot), before, "the records")
        try requireEqual(snapshot.count, 200, "the count")
        try requireEqual(snapshot[id: 1], Sample(id: 1), "by id")
        try require(snapshot[id: 300] == nil, "a later record is found")
      },
      Check(name: "a snapshot's positions go over the records in both directions") { store in
        try await store.commit(Self.inserts(1...150), checkpoint: nil, expecting: nil)
        try await store.apply { changes in for id in [1, 64, 65, 150] { changes.remove(id) } }
        let snapshot = try await store.snapshot()
        let ids = Array(snapshot).map(\.id)
        try requireEqual(snapshot.indices.map { snapshot[$0].id }, ids, "forwards")
        try requireEqual(snapshot.reversed().map(\.id), ids.reversed(), "backwards")
        try requireEqual(snapshot.first?.id, 2, "the first")
        try requireEqual(snapshot.last?.id, 149, "the last")
      },
    ]
  }

  static func inserts(_ ids: some Sequence<Int>) -> Changes<Sample> {
    Changes(upserting: ids.map { Sample(id: $0) })
  }
}

extension RecordStore where Record == RecordStoreConformance.Sample {
  func apply(_ body: (inout Changes<Record>) -> Void) async throws {
    var changes = Changes<Record>()
    body(&changes)
    try await commit(changes, checkpoint: nil, expecting: nil)
  }

  func ids() async throws -> [Int] { try await snapshot().map(\.id) }
}
