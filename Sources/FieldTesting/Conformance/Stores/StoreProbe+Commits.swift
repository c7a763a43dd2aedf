internal import FieldCore
internal import FieldFoundation

extension StoreProbe {
  func atomicity() async throws {
    let rounds = 30
    let race = Race(readers: 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await Race.$current.withValue(race) {
          for round in 1...rounds {
            let records = ["first", "second", "third"].map {
              ConformanceRecord(id: $0, number: round)
            }
            try await upsert(records, Checkpoint(cursors: ["round": "\(round)"]))
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          // The writers must not wait for a reader that has ended.
          defer { race.endReading() }
          while true {
            let snapshot = try await store.snapshot()
            race.noteRead()
            try requireWhole(snapshot)
            if snapshot.first?.number == rounds { return }
            await Task.yield()
          }
        }
      }
      group.addTask {
        for try await snapshot in store.updates() {
          try requireWhole(snapshot)
          if snapshot.first?.number == rounds { return }
        }
      }
      try await group.waitForAll()
    }
  }

  private func requireWhole(_ snapshot: Snapshot<ConformanceRecord>) throws {
    guard let round = snapshot.first?.number else { return }  // before the first batch
    try require(
      snapshot.map(\.number) == [round, round, round],
      "a batch of three shows as \(snapshot.map(\.number))")
    let cursor = snapshot.checkpoint?.cursors["round"]
    try require(
      cursor == "\(round)", "rows of batch \(round) show with the checkpoint \(cursor ?? "-")")
  }

  func checkpoint() async throws {
    let checkpoint = Checkpoint(
      lastSuccess: Date(timeIntervalSince1970: 1_463_392_800.125), fingerprint: "csv 石虎 ü",
      validators: [
        "https://example.org/a?b=c": HTTPValidators(
          entityTag: "W/\"1\"", lastModified: "Mon, 16 May 2016 10:00:00 GMT")
      ],
      cursors: ["": "", "table": "2016-05-16T18:00:00+08:00"])
    try await upsert(ConformanceRecord.numbered(0..<2), checkpoint)
    try await requireCheckpoint(checkpoint, "after the commit that had it")
    try await upsert(ConformanceRecord.numbered(1..<3))
    try await requireCheckpoint(checkpoint, "after a commit without one")
    try await commit { $0.removeAll() }
    try await requireCheckpoint(checkpoint, "after removing all")
    let next = Checkpoint(cursors: ["table": "next"])
    let before = try await store.snapshot().revision
    let revision = try await commit(next) { _ in }
    try await requireCheckpoint(next, "after a commit of nothing else")
    try require(revision > before, "a new checkpoint left the revision at \(revision)")
  }

  private func requireCheckpoint(_ expected: Checkpoint, _ when: String) async throws {
    let seen = try await store.snapshot().checkpoint
    try require(
      seen == expected, "\(when) the checkpoint is \(seen.map { "\($0)" } ?? "-"), not \(expected)")
  }

  func revision() async throws {
    var last = try await store.snapshot().revision
    let steps: [(inout Changes<ConformanceRecord>) -> Void] = [
      { $0.upsert(ConformanceRecord(id: "a")) },
      { $0.upsert(ConformanceRecord(id: "a", number: 1)) },
      { $0.upsert(ConformanceRecord(id: "b")) },
      { $0.remove("a") },
      { $0.removeAll() },
    ]
    for (number, step) in steps.enumerated() {
      let revision = try await commit(nil, step)
      try require(revision > last, "commit \(number + 1) led from \(last) to \(revision)")
      let seen = try await store.snapshot().revision
      try require(seen == revision, "a commit returned \(revision), and its content has \(seen)")
      last = revision
    }
  }

  func noChange() async throws {
    let records = ConformanceRecord.numbered(0..<3)
    let checkpoint = Checkpoint(fingerprint: "f")
    var last = try await upsert(records, checkpoint)
    let steps: [(inout Changes<ConformanceRecord>) -> Void] = [
      { _ in }, { $0.remove("not there") }, { $0.upsert(records[1]) },
    ]
    for step in steps {
      let revision = try await commit(nil, step)
      let snapshot = try await requireContent(records, "after a commit that changes nothing")
      try require(snapshot.checkpoint == checkpoint, "a commit of nothing lost the checkpoint")
      try require(
        revision >= last && snapshot.revision == revision,
        "a commit of nothing led from \(last) to \(snapshot.revision) and returned \(revision)")
      last = revision
    }
  }

  func expecting() async throws {
    var revision = try await store.snapshot().revision
    for number in 0..<3 {
      let expected = revision
      do {
        revision = try await commit(expecting: expected) {
          $0.upsert(ConformanceRecord(id: "a", number: number))
        }
      } catch {
        throw ConformanceMiss("a commit for the present \(expected) threw \(error)")
      }
    }
    try await requireContent([ConformanceRecord(id: "a", number: 2)], "after three commits")
  }

  func conflict() async throws {
    let checkpoint = Checkpoint(fingerprint: "kept")
    let stale = try await upsert(ConformanceRecord.numbered(0..<2), checkpoint)
    let records = ConformanceRecord.numbered(0..<3)
    let present = try await upsert(records)
    for wrong in [stale, Revision(number: present.number + 1), .zero] {
      do {
        try await commit(Checkpoint(fingerprint: "lost"), expecting: wrong) { changes in
          changes.removeAll()
          changes.upsert(ConformanceRecord(id: "lost"))
        }
        throw ConformanceMiss("a commit for \(wrong) was taken at \(present)")
      } catch let error as FieldError {
        try require(error.code == .conflict, "a commit for \(wrong) at \(present) threw \(error)")
      }
      let snapshot = try await requireContent(records, "after a conflict")
      try require(snapshot.checkpoint == checkpoint, "a conflict changed the checkpoint")
      try require(
        snapshot.revision == present, "a conflict led from \(present) to \(snapshot.revision)")
    }
  }

  func concurrentCommits() async throws {
    let count = 50
    let revisions = try await Race.run(count) { number, _ in
      try await commit(Checkpoint(cursors: ["last": "\(number)"])) { changes in
        changes.upsert(ConformanceRecord(id: "left \(number)", number: number))
        changes.upsert(ConformanceRecord(id: "right \(number)", number: number))
      }
    }
    try require(
      Set(revisions).count == count, "\(count) commits gave \(Set(revisions).count) revisions")
    let snapshot = try await store.snapshot()
    try require(snapshot.count == 2 * count, "of \(2 * count) records \(snapshot.count) landed")
    let numbers = snapshot.map(\.number)
    for place in stride(from: 0, to: numbers.count, by: 2) {
      try require(numbers[place] == numbers[place + 1], "batches are mixed: \(numbers)")
    }
    try require(snapshot.revision == revisions.max(), "the last revision isn't that of the content")
    try require(
      snapshot.checkpoint?.cursors["last"] == numbers.last.map { "\($0)" },
      "the checkpoint isn't that of the last batch")
  }

  func concurrentUpdates() async throws {
    let (tasks, rounds) = (64, 2)
    _ = try await Race.run(tasks) { _, race in
      // All tasks read before any writes, so all but one write over changed content.
      let before = try await store.snapshot()
      await race.everyParticipantStarts()
      var rest = rounds
      do {
        try await commit(expecting: before.revision) { $0.upsert(Self.counted(before)) }
        rest -= 1
      } catch let error as FieldError where error.code == .conflict {}
      for _ in 0..<rest {
        try await store.update { snapshot, changes -> Void in
          changes.upsert(Self.counted(snapshot))
        }
      }
    }
    let total = try await store.snapshot()[id: "count"]?.number ?? 0
    try require(total == tasks * rounds, "\(tasks * rounds) updates counted to \(total)")
  }

  private static func counted(_ snapshot: Snapshot<ConformanceRecord>) -> ConformanceRecord {
    ConformanceRecord(id: "count", number: (snapshot[id: "count"]?.number ?? 0) + 1)
  }
}
