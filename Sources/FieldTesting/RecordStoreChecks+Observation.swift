internal import FieldCore

extension Check {
  static var observation: [Check] {
    [
      Check(name: "an observer is given the present content first, and then the newest") { store in
        try await store.commit(Self.inserts([1]), checkpoint: nil, expecting: nil)
        var updates = store.updates().makeAsyncIterator()
        try requireEqual(try await updates.next()?.map(\.id), [1], "the first")
        for id in 2...50 {
          try await store.commit(Self.inserts([id]), checkpoint: nil, expecting: nil)
        }
        let newest = try await Self.next(of: &updates) { $0.count == 50 }
        try requireEqual(newest.map(\.id), Array(1...50), "the newest")
        try requireEqual(newest.revision, try await store.snapshot().revision, "its revision")
      },
      Check(name: "several observers are each given the newest") { store in
        var first = store.updates().makeAsyncIterator()
        _ = try await first.next()
        try await store.commit(Self.inserts([1]), checkpoint: nil, expecting: nil)
        var second = store.updates().makeAsyncIterator()
        try requireEqual(try await second.next()?.count, 1, "the second observer's first")
        try await store.commit(Self.inserts([2]), checkpoint: nil, expecting: nil)
        _ = try await Self.next(of: &first) { $0.count == 2 }
        _ = try await Self.next(of: &second) { $0.count == 2 }
      },
      Check(name: "an observation ends when its task is cancelled") { store in
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
          for try await _ in store.updates() { start.yield() }
        }
        for await _ in started { break }
        task.cancel()
        try await task.value
      },
    ]
  }

  /// The first content that is wanted, among the next few hundred.
  private static func next(
    of updates: inout SnapshotUpdates<Sample>.AsyncIterator,
    where isWanted: (Snapshot<Sample>) -> Bool
  ) async throws -> Snapshot<Sample> {
    for _ in 0..<500 {
      guard let snapshot = try await updates.next() else {
        throw Failure(what: "the observation ended by itself")
      }
      if isWanted(snapshot) { return snapshot }
    }
    throw Failure(what: "the newest content did not come")
  }
}

/// A part of the contract of stores that survive their process.
struct SurvivalCheck<Store: RecordStore>: Sendable
where Store.Record == RecordStoreConformance.Sample {
  typealias Sample = RecordStoreConformance.Sample

  var name: String
  var body: @Sendable (Store, (Store) async throws -> Store) async throws -> Void

  static var all: [SurvivalCheck] {
    [
      SurvivalCheck(name: "records, their order, revision and checkpoint survive") { store, reopen in
        var changes = Changes(upserting: (0..<500).map { Sample(id: $0, text: "\($0)") })
        try await store.commit(changes, checkpoint: nil, expecting: nil)
        changes = Changes()
        for id in stride(from: 0, to: 500, by: 3) { changes.remove(id) }
        for id in stride(from: 0, to: 30, by: 3) { changes.upsert(Sample(id: id, text: "back")) }
        changes.upsert(Sample(id: 100, text: "石虎", number: 0.1))
        let checkpoint = Checkpoint(fingerprint: "f", cursors: ["a": "1"])
        try await store.commit(changes, checkpoint: checkpoint, expecting: nil)
        let before = try await store.snapshot()
        let after = try await reopen(store).snapshot()
        try requireEqual(Array(after), Array(before), "the records")
        try requireEqual(after.revision, before.revision, "the revision")
        try requireEqual(after.checkpoint, checkpoint, "the checkpoint")
        for record in before { try requireEqual(after[id: record.id], record, "by id") }
      },
      SurvivalCheck(name: "an empty store survives") { store, reopen in
        let again = try await reopen(store)
        try requireEqual(try await again.snapshot().revision, .zero, "the revision")
      },
      SurvivalCheck(name: "a store that was opened again goes on where it was") { store, reopen in
        var store = store
        var last = Revision.zero
        for round in 0..<5 {
          var changes = Changes<Sample>()
          changes.upsert(Sample(id: round))
          changes.remove(round - 2)
          let revision = try await store.commit(changes, checkpoint: nil, expecting: last)
          try require(revision > last, "the revision went from \(last) to \(revision)")
          last = revision
          store = try await reopen(store)
        }
        try requireEqual(try await store.ids(), [3, 4], "the ids")
      },
      SurvivalCheck(name: "emptiness survives") { store, reopen in
        try await store.apply { changes in for id in 0..<100 { changes.upsert(Sample(id: id)) } }
        try await store.apply { $0.removeAll() }
        try requireEqual(try await reopen(store).snapshot().count, 0, "the count")
      },
    ]
  }
}
