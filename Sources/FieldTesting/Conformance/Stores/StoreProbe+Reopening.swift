internal import FieldCore

extension StoreProbe {
  typealias Maker = RecordStoreConformance.Maker

  static func reopening(_ openStore: Maker) async throws {
    let checkpoint = Checkpoint(fingerprint: "kept", cursors: ["table": "石虎"])
    let expected =
      ConformanceRecord.numbered(0..<3) + ConformanceRecord.numbered(4..<300)
      + [ConformanceRecord(id: "r3", text: "back")]
    let revision = try await with(openStore) { probe in
      try await probe.upsert(ConformanceRecord.numbered(0..<300), checkpoint)
      try await probe.commit { $0.remove("r3") }
      try await probe.upsert([ConformanceRecord(id: "r3", text: "back")])
      return try await probe.requireContent(expected, "before opening again").revision
    }
    try await with(openStore) { probe in
      let snapshot = try await probe.requireContent(expected, "after opening again")
      try require(snapshot.checkpoint == checkpoint, "the checkpoint is missing after reopening")
      try require(
        snapshot.revision >= revision,
        "opening again led from \(revision) back to \(snapshot.revision)")
      try require(
        snapshot[id: "r3"]?.text == "back" && snapshot[id: "r300"] == nil,
        "records are not found by their ids after opening again")
      let next = try await probe.upsert([ConformanceRecord(id: "next")])
      try require(
        next > snapshot.revision, "a commit after opening again led from \(revision) to \(next)")
    }
  }

  static func reopeningEmpty(_ openStore: Maker) async throws {
    for round in 0..<3 {
      try await with(openStore) { probe in
        let when = "at opening \(round + 1) of a store without commits"
        let snapshot = try await probe.requireContent([], when)
        try require(snapshot.checkpoint == nil, "\(when) there is a checkpoint")
      }
    }
    try await with(openStore) { probe in
      try await probe.upsert([ConformanceRecord(id: "a")])
      try await probe.requireContent([ConformanceRecord(id: "a")], "after the first commit")
    }
  }

  static func reopeningOften(_ openStore: Maker) async throws {
    for round in 0..<8 {
      try await with(openStore) { probe in
        try await probe.requireContent(
          ConformanceRecord.numbered(0..<round), "at opening \(round + 1)")
        try await probe.upsert(
          ConformanceRecord.numbered(round..<round + 1),
          Checkpoint(cursors: ["round": "\(round)"]))
      }
    }
    try await with(openStore) { probe in
      let cursor = try await probe.store.snapshot().checkpoint?.cursors["round"]
      try require(cursor == "7", "the checkpoint after eight openings is \(cursor ?? "-")")
    }
  }

  /// Makes each kind of change to records stored before the last opening, and compares after the
  /// next.
  static func reopeningChanged(_ openStore: Maker) async throws {
    let records = ConformanceRecord.numbered(0..<6)
    let new = ConformanceRecord(id: "new", text: "inserted")
    let changed = ConformanceRecord(id: "r2", text: "replaced", number: 20)
    let steps: [Step] = [
      Step(name: "an insertion", leaves: records) { changes in
        for record in records { changes.upsert(record) }
      },
      Step(name: "a removal", leaves: [records[0], records[2], records[3], records[5]]) { changes in
        changes.remove("r1")
        changes.remove("r4")
      },
      Step(
        name: "an insertion after a removal",
        leaves: [records[0], records[2], records[3], records[5], new]
      ) {
        $0.upsert(new)
      },
      Step(name: "a replacement", leaves: [records[0], changed, records[3], records[5], new]) {
        $0.upsert(changed)
      },
      Step(
        name: "removal and return in one batch",
        leaves: [changed, records[3], records[5], new, records[0]]
      ) {
        $0.remove("r0")
        $0.upsert(records[0])
      },
      Step(
        name: "the return of what was removed",
        leaves: [changed, records[3], records[5], new, records[0], records[4]]
      ) {
        $0.upsert(records[4])
      },
      Step(name: "removing all and inserting", leaves: [new, records[1]]) { changes in
        changes.removeAll()
        changes.upsert(new)
        changes.upsert(records[1])
      },
      Step(name: "removing all", leaves: []) { $0.removeAll() },
      Step(name: "an insertion after removing all", leaves: [records[3], records[0]]) { changes in
        changes.upsert(records[3])
        changes.upsert(records[0])
      },
    ]
    var expected: [ConformanceRecord] = []
    for step in steps {
      try await with(openStore) { [expected] probe in
        try await probe.requireReopened(expected, "before \(step.name)")
        try await probe.commit(nil, step.change)
        try await probe.requireContent(step.leaves, "after \(step.name)")
      }
      expected = step.leaves
      try await with(openStore) { [expected] probe in
        try await probe.requireReopened(expected, "after \(step.name) and opening again")
      }
    }
    // The first steps are also tested in one opening, because removals of new records may be stored
    // differently.
    let first = steps.prefix(5)
    try await with(openStore) { probe in
      try await probe.commit { $0.removeAll() }
      for step in first { try await probe.commit(nil, step.change) }
    }
    try await with(openStore) { probe in
      try await probe.requireReopened(
        first.last?.leaves ?? [], "after several changes and opening again")
    }
  }

  private struct Step: Sendable {
    let name: String
    let leaves: [ConformanceRecord]
    let change: @Sendable (inout Changes<ConformanceRecord>) -> Void
  }

  /// Throws unless the store contains exactly these records, in this order.
  private func requireReopened(_ expected: [ConformanceRecord], _ when: String) async throws {
    let snapshot = try await requireContent(expected, when)
    for id in ["r0", "r1", "r2", "r3", "r4", "r5", "new"] {
      let record = expected.first { $0.id == id }
      try require(snapshot[id: id] == record, "\(when) another record is found by the id \(id)")
    }
  }

  /// Calls a closure with the store, and releases it.
  private static func with<Result>(
    _ openStore: Maker, _ body: (StoreProbe) async throws -> Result
  ) async throws -> Result { try await body(StoreProbe(store: try await openStore())) }
}

// MARK: - Observing

extension StoreProbe {
  private typealias Updates = SnapshotUpdates<ConformanceRecord>.AsyncIterator

  func snapshotsKept() async throws {
    var kept: [(snapshot: Snapshot<ConformanceRecord>, records: [ConformanceRecord])] = []
    var records = ConformanceRecord.numbered(0..<40)
    try await upsert(records, Checkpoint(cursors: ["round": "-1"]))
    for round in 0..<10 {
      kept.append((try await store.snapshot(), records))
      records[round].text = "round \(round)"
      let (changed, gone) = (records[round], records.removeLast())
      records.append(ConformanceRecord(id: "new \(round)"))
      let added = records[records.count - 1]
      try await commit(Checkpoint(cursors: ["round": "\(round)"])) { changes in
        changes.upsert(changed)
        changes.remove(gone.id)
        changes.upsert(added)
      }
    }
    try await commit { $0.removeAll() }
    for (round, (snapshot, records)) in kept.enumerated() {
      try Self.requireRecords(records, in: snapshot, "in a kept snapshot")
      try require(
        snapshot.checkpoint?.cursors["round"] == "\(round - 1)",
        "the checkpoint of a kept snapshot changed")
      for record in records {
        try require(snapshot[id: record.id] == record, "a kept snapshot finds another record")
      }
    }
    try require(
      zip(kept, kept.dropFirst()).allSatisfy { $0.snapshot.revision < $1.snapshot.revision },
      "the revisions of kept snapshots don't increase")
  }

  func updates() async throws {
    try await upsert(ConformanceRecord.numbered(0..<2))
    var updates = store.updates().makeAsyncIterator()
    try Self.requireRecords(
      ConformanceRecord.numbered(0..<2), in: try await next(&updates), "at the first update")
    for count in 3...6 {
      let records = ConformanceRecord.numbered(0..<count)
      let revision = try await upsert(records)
      let snapshot = try await next(&updates, atLeast: revision)
      try Self.requireRecords(records, in: snapshot, "at the update after a commit")
    }
    let checkpoint = Checkpoint(fingerprint: "new")
    let revision = try await commit(checkpoint) { _ in }
    let snapshot = try await next(&updates, atLeast: revision)
    try require(snapshot.checkpoint == checkpoint, "an update came without its checkpoint")
  }

  func slowObserver() async throws {
    var updates = store.updates().makeAsyncIterator()
    _ = try await next(&updates)
    var revision = Revision.zero
    for number in 1...50 {
      revision = try await upsert([ConformanceRecord(id: "a", number: number)])
    }
    let snapshot = try await next(&updates, atLeast: revision)
    try require(snapshot[id: "a"]?.number == 50, "the newest update isn't the newest content")
  }

  func severalObservers() async throws {
    var observers = (0..<5).map { _ in store.updates().makeAsyncIterator() }
    for place in observers.indices { _ = try await next(&observers[place]) }
    for number in 0..<3 {
      let revision = try await upsert([ConformanceRecord(id: "a", number: number)])
      for place in observers.indices {
        let snapshot = try await next(&observers[place], atLeast: revision)
        try require(snapshot[id: "a"]?.number == number, "an observer was given \(Array(snapshot))")
      }
    }
  }

  func cancellation() async throws {
    try await upsert(ConformanceRecord.numbered(0..<1))
    let (starts, continuation) = AsyncStream<Void>.makeStream()
    let running = Task {
      for try await _ in store.updates() { continuation.yield() }
    }
    defer { running.cancel() }
    for await _ in starts { break }
    running.cancel()
    try await requireEnd(of: running, "while it waited")

    let late = Task {
      // The sleep ends when the task is canceled, so the reading begins in a canceled task.
      do { try await clock.sleep(for: .seconds(60)) } catch {}
      for try await _ in store.updates() {}
    }
    late.cancel()
    try await requireEnd(of: late, "before it began")

    let revision = try await upsert(ConformanceRecord.numbered(0..<4))
    var updates = store.updates().makeAsyncIterator()
    _ = try await next(&updates, atLeast: revision)
  }

  private func requireEnd(of task: Task<Void, any Error>, _ when: String) async throws {
    let result: Result<Void, any Error>
    do {
      result = try await withDeadline(.seconds(60)) { await task.result }
    } catch {
      throw ConformanceMiss("updates continued for a minute when canceled \(when)")
    }
    if case .failure(let error) = result {
      throw ConformanceMiss("updates threw \(error) when canceled \(when)")
    }
  }

  /// Returns the first content that isn't older than `revision`; earlier ones must each be newer
  /// than the last.
  private func next(
    _ updates: inout Updates, atLeast revision: Revision = .zero
  ) async throws -> Snapshot<ConformanceRecord> {
    var last = Revision.zero
    while true {
      guard let snapshot = try await updates.next() else {
        throw ConformanceMiss("updates ended by themselves")
      }
      try require(
        snapshot.revision >= last, "updates went from \(last) back to \(snapshot.revision)")
      if snapshot.revision >= revision { return snapshot }
      last = snapshot.revision
    }
  }
}
