internal import FieldCore

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
