internal import FieldCore
internal import FieldFoundation

/// A store under test.
struct StoreProbe: Sendable {
  let store: any RecordStore<ConformanceRecord>
  let clock: any FieldClock = .system

  /// Commits the changes that `make` adds to a batch, for any revision.
  @discardableResult
  func commit(
    _ checkpoint: Checkpoint? = nil, expecting: Revision? = nil,
    _ make: (inout Changes<ConformanceRecord>) -> Void
  ) async throws -> Revision {
    var changes = Changes<ConformanceRecord>()
    make(&changes)
    return try await store.commit(changes, checkpoint: checkpoint, expecting: expecting)
  }

  @discardableResult
  func upsert(
    _ records: [ConformanceRecord], _ checkpoint: Checkpoint? = nil
  ) async throws -> Revision {
    try await store.commit(Changes(upserting: records), checkpoint: checkpoint, expecting: nil)
  }

  /// Throws unless the store contains exactly these records, in this order.
  @discardableResult
  func requireContent(
    _ expected: [ConformanceRecord], _ when: String
  ) async throws -> Snapshot<ConformanceRecord> {
    let snapshot = try await store.snapshot()
    try Self.requireRecords(expected, in: snapshot, when)
    return snapshot
  }

  /// Throws unless the snapshot contains exactly these records, in this order.
  static func requireRecords(
    _ expected: [ConformanceRecord], in snapshot: Snapshot<ConformanceRecord>, _ when: String
  ) throws {
    let seen = Array(snapshot)
    if seen == expected { return }
    guard seen.map(\.id) == expected.map(\.id) else {
      throw ConformanceMiss(
        "\(when) the ids are \(Self.list(seen.map(\.id))), not \(Self.list(expected.map(\.id)))")
    }
    let wrong = zip(seen, expected).first { $0 != $1 }
    throw ConformanceMiss(
      "\(when) there is \(wrong.map { "\($0)" } ?? "-"), not \(wrong.map { "\($1)" } ?? "-")")
  }

  private static func list(_ ids: [String]) -> String {
    let shown = ids.prefix(12).joined(separator: ", ")
    return ids.count > 12 ? "[\(shown), … \(ids.count)]" : "[\(shown)]"
  }
}

extension ConformanceRecord {
  /// Returns records with their position, whose IDs begin with `name`.
  static func numbered(_ range: Range<Int>, _ name: String = "r") -> [ConformanceRecord] {
    range.map { ConformanceRecord(id: "\(name)\($0)", text: "text \($0)", number: $0) }
  }
}

/// Calls a closure with a new folder, which is removed afterward.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "fieldkit-conformance-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer {
    // Leftovers in the temporary folder aren't failures.
    try? FileManager.default.removeItem(at: folder)
  }
  try await body(folder)
}

// MARK: - Commits

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

// MARK: - Content

extension StoreProbe {
  func emptyAtFirst() async throws {
    let snapshot = try await requireContent([], "at first")
    try require(snapshot.checkpoint == nil, "a new store has a checkpoint")
    try require(snapshot.revision == .zero, "a new store is at \(snapshot.revision), not r0")
  }

  func order() async throws {
    // The IDs aren't sorted in any way, so only the insertion results in this order.
    let ids = ["m", "z", "a", "k", "b", "y"]
    try await upsert(ids.prefix(4).map { ConformanceRecord(id: $0) })
    try await upsert(ids.suffix(2).map { ConformanceRecord(id: $0) })
    try await requireContent(ids.map { ConformanceRecord(id: $0) }, "after two insertions")
    try await upsert(["z", "m", "y"].map { ConformanceRecord(id: $0, text: "new", number: 1) })
    let expected = ids.map { id in
      ["z", "m", "y"].contains(id)
        ? ConformanceRecord(id: id, text: "new", number: 1) : ConformanceRecord(id: id)
    }
    try await requireContent(expected, "after an update")
  }

  func removal() async throws {
    let records = ConformanceRecord.numbered(0..<5)
    try await upsert(records)
    try await commit { changes in
      changes.remove("r0")
      changes.remove("r3")
      changes.remove("not there")
    }
    try await requireContent([records[1], records[2], records[4]], "after a removal")
    try await commit { $0.remove("not there either") }
    try await requireContent(
      [records[1], records[2], records[4]], "after removing what doesn't exist")
  }

  func reinsertion() async throws {
    let records = ConformanceRecord.numbered(0..<4)
    try await upsert(records)
    try await commit { $0.remove("r1") }
    try await upsert([records[1]])
    try await requireContent(
      [records[0], records[2], records[3], records[1]], "after removing and reinserting")
    try await commit { changes in
      changes.remove("r2")
      changes.upsert(records[2])
    }
    try await requireContent(
      [records[0], records[3], records[1], records[2]], "after reinserting in the same batch")
  }

  func lastStep() async throws {
    try await commit { changes in
      changes.upsert(ConformanceRecord(id: "a", number: 1))
      changes.upsert(ConformanceRecord(id: "b", number: 1))
      changes.upsert(ConformanceRecord(id: "a", number: 2))
      changes.remove("b")
      changes.remove("c")
      changes.upsert(ConformanceRecord(id: "c", number: 3))
    }
    try await requireContent(
      [ConformanceRecord(id: "a", number: 2), ConformanceRecord(id: "c", number: 3)],
      "after several steps on one id")
  }

  func removeAll() async throws {
    try await upsert(ConformanceRecord.numbered(0..<10))
    let after = ConformanceRecord.numbered(5..<8)
    try await commit { changes in
      changes.upsert(ConformanceRecord(id: "lost"))
      changes.removeAll()
      for record in after { changes.upsert(record) }
    }
    try await requireContent(after, "after removing all and inserting three")
    try await commit { $0.removeAll() }
    try await requireContent([], "after removing all")
    try await upsert(after)
    try await requireContent(after, "after removing all and a new insertion")
  }

  func lookup() async throws {
    let records = ConformanceRecord.numbered(0..<100)
    try await upsert(records)
    try await commit { $0.remove("r50") }
    let snapshot = try await store.snapshot()
    for record in records where record.id != "r50" {
      try require(snapshot[id: record.id] == record, "\(record.id) is not found by its id")
    }
    for id in ["r50", "r100", "", "R1"] {
      try require(snapshot[id: id] == nil, "\(id.debugDescription) is found but doesn't exist")
    }
  }

  func oddValues() async throws {
    let texts = [
      "", " ", "a/b", "..", ".", "../../etc/passwd", "a\u{0}b", "\u{0}", "line\nbreak\r\n\t",
      "\"\\",
      "石虎", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", "e\u{301}", "\u{FEFF}bom", "\u{202E}right", "%2F%00", "NULL", "null", "-1", "𝔘",
      String(repeating: "長", count: 3_000),
    ]
    let records = texts.map { ConformanceRecord(id: $0, text: $0, number: .max) }
    let lowest = ConformanceRecord(id: "lowest", number: .min)
    try await upsert(records + [lowest])
    let snapshot = try await requireContent(records + [lowest], "with odd texts")
    for text in texts {
      guard let record = snapshot[id: text] else {
        throw ConformanceMiss("the id \(text.prefix(20).debugDescription) is not found")
      }
      // Equal strings may differ in their bytes.
      try require(
        record.id.utf8.elementsEqual(text.utf8) && record.text.utf8.elementsEqual(text.utf8),
        "\(text.prefix(20).debugDescription) came back as \(record.text.prefix(20).debugDescription)"
      )
    }
    try await commit { changes in
      for text in texts { changes.remove(text) }
    }
    try await requireContent([lowest], "after removing the odd ids")
  }

  func largeBatch() async throws {
    var records = ConformanceRecord.numbered(0..<5_000)
    try await upsert(records)
    try await requireContent(records, "after 5,000 insertions")
    for place in records.indices where place % 7 == 0 { records[place].text = "new" }
    try await upsert(records.shuffled())
    try await requireContent(records, "after 5,000 updates")
  }

  func changedIDs() async throws {
    let zero = try await store.snapshot().revision
    let first = try await upsert(ConformanceRecord.numbered(0..<4))
    let second = try await commit { changes in
      changes.upsert(ConformanceRecord(id: "r1", text: "new"))
      changes.remove("r2")
      changes.upsert(ConformanceRecord(id: "r9"))
    }
    let third = try await upsert([ConformanceRecord(id: "r3", text: "new")])
    let snapshot = try await store.snapshot()
    let expectations: [(Revision, Set<String>)] = [
      (third, []), (second, ["r3"]), (first, ["r1", "r2", "r3", "r9"]),
      (zero, ["r0", "r1", "r2", "r3", "r9"]),
    ]
    for (revision, expected) in expectations {
      guard let changed = snapshot.changedIDs(since: revision) else { continue }
      // An extra ID costs a reader some work; a missing one is a record that it never sees.
      try require(
        changed.isSuperset(of: expected),
        "since \(revision) the ids \(changed.sorted()) have changed, and \(expected.sorted()) did")
    }
    let beyond = Revision(number: third.number + 1_000)
    try require(
      snapshot.changedIDs(since: beyond) == nil, "it reports what changed since a later revision")
  }
}
