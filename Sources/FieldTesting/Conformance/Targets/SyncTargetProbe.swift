internal import FieldCore
internal import FieldFoundation

/// A target under test.
struct SyncTargetProbe: Sendable {
  typealias Record = ConformanceRecord

  let target: any SyncTarget<ConformanceRecord>

  /// Stores records as the engine does: it sees their IDs, compares, and then writes.
  static func store(
    _ records: [Record], in transaction: any SyncTransaction<Record>
  ) throws {
    let ids = records.map(\.id)
    try transaction.see(ids, rows: nil)
    try transaction.store(records, over: transaction.records(ids))
  }

  /// Stores records in a run of their own.
  func store(_ records: [Record], _ checkpoint: Checkpoint? = nil) async throws {
    try await target.beginRun().update { transaction in
      try Self.store(records, in: transaction)
      if let checkpoint { try transaction.store(checkpoint) }
    }
  }

  /// Returns all records by their IDs.
  func records() async throws -> [String: Record] {
    let found = try await target.beginRun().update { transaction in
      let ids = try transaction.unseenIDs(limit: .max)
      return try transaction.records(ids)
    }
    return Dictionary(found.compactMap(\.self).map { ($0.id, $0) }) { first, _ in first }
  }

  /// Throws unless the target contains exactly these records.
  func requireContent(_ expected: [Record], _ when: String) async throws {
    let seen = try await records()
    let ids = Set(expected.map(\.id))
    try require(
      Set(seen.keys) == ids,
      "\(when) there are \(seen.count) records, not \(ids.count), or others: "
        + "\(seen.keys.sorted().prefix(8).joined(separator: ", "))")
    for record in expected where seen[record.id] != record {
      throw ConformanceMiss(
        "\(when) there is \(seen[record.id].map { "\($0)" } ?? "-"), not \(record)")
    }
    let count = try await target.content().count
    try require(count == ids.count, "\(when) the content counts \(count), not \(ids.count)")
  }

  // MARK: content

  func emptyAtFirst() async throws {
    let content = try await target.content()
    try require(
      content.count == 0 && content.checkpoint == nil,
      "a new target has \(content.count) records and the checkpoint \(content.checkpoint as Any)")
    let run = try await target.beginRun()
    try require(run.base.count == 0, "a new target's run begins with \(run.base.count) records")
    try await run.update { transaction in
      try require(transaction.checkpoint == nil, "a new target's transaction has a checkpoint")
      try require(try transaction.count == 0, "a new target's transaction counts records")
      try require(try transaction.unseenIDs(limit: .max).isEmpty, "a new target has unseen IDs")
      try require(try transaction.records(["a"]) == [nil], "a new target finds a record")
    }
  }

  func storing() async throws {
    let records = Record.numbered(0..<5)
    try await store(records)
    try await target.beginRun().update { transaction in
      let found = try transaction.records(["r3", "not there", "r0", "r4"])
      try require(
        found == [records[3], nil, records[0], records[4]],
        "the IDs r3, -, r0, r4 find \(found.map { $0?.id ?? "-" })")
      try require(try transaction.records([]).isEmpty, "no IDs find records")
    }
    try await requireContent(records, "after storing")
  }

  func replacing() async throws {
    var records = Record.numbered(0..<3)
    try await store(records)
    records[1].text = "changed"
    try await store([records[1]])
    try await requireContent(records, "after replacing one")
  }

  func removal() async throws {
    let records = Record.numbered(0..<5)
    try await store(records)
    try await target.beginRun().update { try $0.remove(["r1", "r3"]) }
    try await requireContent([records[0], records[2], records[4]], "after removing two of five")
    try await store([records[3]])
    try await requireContent(
      [records[0], records[2], records[3], records[4]], "after storing a removed one again")
  }

  func count() async throws {
    try await store(Record.numbered(0..<5))
    let run = try await target.beginRun()
    let seen = try await run.update { transaction in
      let before = try transaction.count
      try transaction.remove(["r0", "r1"])
      return (before, try transaction.count)
    }
    try require(seen == (5, 5), "a transaction that removes 2 of 5 counts \(seen)")
    let later = try await run.update { try $0.count }
    try require(later == 3, "the next transaction counts \(later), not 3")
  }

  func checkpoint() async throws {
    let checkpoint = Checkpoint(
      lastSuccess: Date(timeIntervalSince1970: 1_463_392_800.125), fingerprint: "csv 石虎 ü",
      validators: [
        "https://example.org/a?b=c": HTTPValidators(
          entityTag: "W/\"1\"", lastModified: "Mon, 16 May 2016 10:00:00 GMT")
      ], cursors: ["": "", "sync.key": "7"])
    try await store(Record.numbered(0..<2), checkpoint)
    try await requireCheckpoint(checkpoint, "after the transaction that stored it")
    try await store(Record.numbered(1..<3))
    try await requireCheckpoint(checkpoint, "after a transaction without one")
    let next = Checkpoint(cursors: ["sync.key": "8"])
    let inside = try await target.beginRun().update { transaction in
      try transaction.store(next)
      return transaction.checkpoint
    }
    try require(inside == next, "a transaction doesn't return the checkpoint that it has stored")
    try await requireCheckpoint(next, "after a transaction of nothing else")
  }

  func requireCheckpoint(_ expected: Checkpoint?, _ when: String) async throws {
    let seen = try await target.content().checkpoint
    try require(
      seen == expected, "\(when) the checkpoint is \(seen.map { "\($0)" } ?? "-"), not another one")
    let base = try await target.beginRun().base.checkpoint
    try require(base == expected, "\(when) a run begins with another checkpoint")
    let inside = try await target.beginRun().update { $0.checkpoint }
    try require(inside == expected, "\(when) a transaction begins with another checkpoint")
  }

  func oddValues() async throws {
    let texts = [
      "", " ", "a/b", "it's", "\"quoted\"", "%_", "a;--", "石虎 🐆", "\u{e9}", "e\u{301}x", "NULL",
      "line\nbreak", "-1", "0x10", "1.0",
    ]
    let records = texts.map { Record(id: $0, text: $0, number: $0.utf8.count) }
    try await store(records)
    try await requireContent(records, "after storing odd texts")
    try await target.beginRun().update { transaction in
      for record in records {
        let found = try transaction.records([record.id])
        try require(found == [record], "the ID \(record.id.debugDescription) isn't found")
      }
    }
  }

  func largeTransaction() async throws {
    let records = Record.numbered(0..<5_000)
    try await store(records)
    try await requireContent(records, "after storing 5,000")
    let gone = records.filter { $0.number.isMultiple(of: 3) }
    try await target.beginRun().update { transaction in
      try transaction.see(records.filter { !gone.contains($0) }.map(\.id), rows: nil)
      let unseen = try transaction.unseenIDs(limit: .max)
      try require(Set(unseen) == Set(gone.map(\.id)), "of 5,000, \(unseen.count) are unseen")
      try transaction.remove(unseen)
    }
    try await requireContent(
      records.filter { !$0.number.isMultiple(of: 3) }, "after removing a third of 5,000")
  }

  func base() async throws {
    let checkpoint = Checkpoint(fingerprint: "before")
    try await store(Record.numbered(0..<3), checkpoint)
    let run = try await target.beginRun()
    try await run.update { transaction in
      try Self.store(Record.numbered(3..<9), in: transaction)
      try transaction.store(Checkpoint(fingerprint: "after"))
    }
    try require(
      run.base.count == 3 && run.base.checkpoint == checkpoint,
      "the facts about the beginning of a run have become \(run.base)")
  }
}

// MARK: - Runs

private struct PlannedFailure: Error {}

extension SyncTargetProbe {
  // MARK: transactions

  func failedTransaction() async throws {
    let records = Record.numbered(0..<3)
    let checkpoint = Checkpoint(fingerprint: "before")
    try await store(records, checkpoint)
    let run = try await target.beginRun()
    do {
      try await run.update { transaction in
        try Self.store(
          [Record(id: "r1", text: "changed"), Record(id: "new")], in: transaction)
        try transaction.remove(["r2"])
        try transaction.store(Checkpoint(fingerprint: "after"))
        throw PlannedFailure()
      }
      throw ConformanceMiss("a transaction whose body throws succeeds")
    } catch is PlannedFailure {}
    try await requireContent(records, "after a transaction that throws")
    try await requireCheckpoint(checkpoint, "after a transaction that throws")
  }

  func failedSightings() async throws {
    try await store(Record.numbered(0..<3))
    let run = try await target.beginRun()
    do {
      try await run.update { transaction in
        try transaction.see(["r0", "r1"], rows: [1, 2])
        throw PlannedFailure()
      }
    } catch is PlannedFailure {}
    let (unseen, repeated) = try await run.update { transaction in
      let unseen = try transaction.unseenIDs(limit: .max)
      return (unseen, try transaction.see(["r0", "r1"], rows: [8, 9]))
    }
    try require(
      unseen.count == 3 && repeated == 0,
      "after a transaction that throws, \(3 - unseen.count) IDs are seen, and \(repeated) repeated")
  }

  func wholeTransactions() async throws {
    let rounds = 40
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let run = try await target.beginRun()
        for round in 1...rounds {
          try await run.update { transaction in
            let first = (round - 1) * 3
            try Self.store(Record.numbered(first..<first + 3), in: transaction)
            try transaction.store(Checkpoint(cursors: ["rows": "\(round * 3)"]))
          }
          await Task.yield()
        }
      }
      group.addTask {
        while true {
          let content = try await target.content()
          let stated = content.checkpoint?.cursors["rows"] ?? "0"
          try require(
            "\(content.count)" == stated,
            "\(content.count) records show with the checkpoint of \(stated)")
          if content.count == rounds * 3 { return }
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
  }

  func concurrentTransactions() async throws {
    try await store([Record(id: "counter")])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let run = try await target.beginRun()
        for _ in 0..<10 {
          group.addTask {
            try await run.update { transaction in
              let known = try transaction.records(["counter"])
              var counter = known[0] ?? Record(id: "counter")
              counter.number += 1
              try transaction.see(["counter"], rows: nil)
              try transaction.store([counter], over: known)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let number = try await records()["counter"]?.number
    try require(number == 20, "20 transactions have counted to \(number.map { "\($0)" } ?? "-")")
  }

  func cancellation() async throws {
    let task = Task {
      // It is canceled before it begins.
      while !Task.isCancelled { await Task.yield() }
      try await target.beginRun().update { transaction in
        try Self.store(Record.numbered(0..<3), in: transaction)
        try transaction.store(Checkpoint(fingerprint: "canceled"))
      }
    }
    task.cancel()
    do {
      try await task.value
      try await requireContent(Record.numbered(0..<3), "after a transaction of a canceled task")
      try await requireCheckpoint(
        Checkpoint(fingerprint: "canceled"), "after a transaction of a canceled task")
    } catch is CancellationError {
      try await requireContent([], "after a canceled transaction")
      try await requireCheckpoint(nil, "after a canceled transaction")
    }
    try await store(Record.numbered(0..<4))
    try await requireContent(Record.numbered(0..<4), "after the next transaction")
  }

  // MARK: sightings

  func sightings() async throws {
    try await store(Record.numbered(0..<5))
    let run = try await target.beginRun()
    _ = try await run.update { try $0.see(["r0", "r2", "not stored"], rows: nil) }
    let unseen = try await run.update { transaction in
      try transaction.see(["r4"], rows: [7])
      return try transaction.unseenIDs(limit: .max)
    }
    try require(
      Set(unseen) == ["r1", "r3"] && unseen.count == 2,
      "of r0 to r4, of which r0, r2, and r4 were seen, \(unseen.sorted()) are unseen")
    let kept = try await run.update { transaction in
      try Self.store([Record(id: "inserted")], in: transaction)
      return try transaction.unseenIDs(limit: .max)
    }
    try require(!kept.contains("inserted"), "a record that the run has stored is unseen")
  }

  func repeatedIDs() async throws {
    let run = try await target.beginRun()
    let counts = try await run.update { transaction in
      [
        try transaction.see(["a", "b", "c"], rows: [1, 2, 3]),
        try transaction.see(["a", "b", "c"], rows: [1, 2, 3]),
        try transaction.see(["a", "b", "c"], rows: [1, 20, 30]),
        try transaction.see(["a", "b"], rows: nil),
        try transaction.see(["d", "d", "d"], rows: [4, 4, 5]),
        try transaction.see(["b"], rows: [20]),
        try transaction.see(["e"], rows: [.max]),
        try transaction.see(["e"], rows: [.max]),
      ]
    }
    try require(
      counts == [0, 0, 2, 0, 1, 0, 0, 0],
      "IDs in the same and in other rows count as \(counts), not [0, 0, 2, 0, 1, 0, 0, 0]")
    let later = try await run.update { try $0.see(["a"], rows: [9]) }
    try require(later == 1, "an ID in another row of a later transaction counts as \(later)")
  }

  func forgetting() async throws {
    try await store(Record.numbered(0..<3))
    let run = try await target.beginRun()
    _ = try await run.update { try $0.see(["r0", "r1", "r2"], rows: [1, 2, 3]) }
    let (unseen, repeated) = try await run.update { transaction in
      try transaction.forgetSeen()
      let unseen = try transaction.unseenIDs(limit: .max)
      return (unseen, try transaction.see(["r0"], rows: [9]))
    }
    try require(
      unseen.count == 3 && repeated == 0,
      "after forgetting, \(3 - unseen.count) IDs are seen, and \(repeated) repeated")
  }

  func runsApart() async throws {
    try await store(Record.numbered(0..<3))
    let first = try await target.beginRun()
    _ = try await first.update { try $0.see(["r0", "r1", "r2"], rows: [1, 2, 3]) }
    let second = try await target.beginRun()
    let (unseen, repeated) = try await second.update { transaction in
      let unseen = try transaction.unseenIDs(limit: .max)
      return (unseen, try transaction.see(["r0"], rows: [9]))
    }
    try require(
      unseen.count == 3 && repeated == 0,
      "a run has seen \(3 - unseen.count) IDs of another one, and \(repeated) repeated")
    let left = try await first.update { try $0.unseenIDs(limit: .max) }
    try require(left.isEmpty, "a run forgets what it has seen when another one begins")
  }

  func limit() async throws {
    try await store(Record.numbered(0..<9))
    let run = try await target.beginRun()
    let counts = try await run.update { transaction in
      try [0, 1, 4, 100].map { try transaction.unseenIDs(limit: $0).count }
    }
    try require(counts == [0, 1, 4, 9], "limits of 0, 1, 4, and 100 return \(counts) of 9 IDs")
  }

  // MARK: reverting

  func revertedChanges() async throws {
    let records = Record.numbered(0..<3)
    try await store(records)
    let run = try await target.beginRun()
    try await run.update { transaction in
      try Self.store([Record(id: "r1", text: "changed", number: 77)], in: transaction)
    }
    try await run.update { try $0.revert(merging: nil) }
    try await requireContent(records, "after reverting a change")
  }

  func revertedInsertions() async throws {
    let records = Record.numbered(0..<3)
    try await store(records)
    let run = try await target.beginRun()
    try await run.update { transaction in
      try Self.store([Record(id: "new"), Record(id: "r0", text: "changed")], in: transaction)
    }
    try await run.update { try $0.remove(["r0"]) }
    try await run.update { try $0.revert(merging: nil) }
    try await requireContent(
      Array(records.dropFirst()), "after reverting an insertion and a change of a removed record")
  }

  func revertedTwice() async throws {
    let records = Record.numbered(0..<3)
    try await store(records)
    let run = try await target.beginRun()
    for round in 1...3 {
      try await run.update { transaction in
        try Self.store(
          [Record(id: "r1", text: "\(round)"), Record(id: "new", number: round)], in: transaction)
      }
    }
    try await run.update { try $0.revert(merging: nil) }
    try await requireContent(records, "after reverting three changes")
    // From nothing, which targets may treat in another way.
    let second = try await target.beginRun()
    try await second.update { try $0.remove(records.map(\.id)) }
    let third = try await target.beginRun()
    for round in 1...2 {
      try await third.update { transaction in
        try Self.store([Record(id: "only", number: round)], in: transaction)
      }
    }
    try await third.update { try $0.revert(merging: nil) }
    try await requireContent([], "after reverting everything")
  }

  func merging() async throws {
    try await store([Record(id: "a", text: "mine", number: 1), Record(id: "b", number: 2)])
    let run = try await target.beginRun()
    try await run.update { transaction in
      try Self.store(
        [Record(id: "a", text: "given", number: 10), Record(id: "b", text: "given", number: 20)],
        in: transaction)
    }
    try await run.update { transaction in
      try transaction.revert { current, earlier in
        Record(id: earlier.id, text: "\(earlier.text)+\(current.text)", number: earlier.number)
      }
    }
    try await requireContent(
      [Record(id: "a", text: "mine+given", number: 1), Record(id: "b", text: "+given", number: 2)],
      "after reverting with a closure")
  }

  func othersKept() async throws {
    try await store(Record.numbered(0..<3))
    let run = try await target.beginRun()
    try await run.update { transaction in
      try Self.store([Record(id: "r0", text: "changed"), Record(id: "new")], in: transaction)
    }
    let others = [Record(id: "r2", text: "another's"), Record(id: "another's")]
    try await store(others)
    try await run.update { try $0.revert(merging: nil) }
    try await requireContent(
      Record.numbered(0..<2) + others, "after reverting beside another writer")
  }

  // MARK: reopening

  static func reopening(_ open: SyncTargetConformance.Maker) async throws {
    let records = Record.numbered(0..<30)
    let checkpoint = Checkpoint(
      lastSuccess: Date(timeIntervalSince1970: 1_463_392_800), fingerprint: "f",
      cursors: ["sync.key": "7"])
    do {
      let probe = SyncTargetProbe(target: try await open())
      try await probe.store(records, checkpoint)
      // A run that doesn't end leaves nothing behind that another one would notice.
      let run = try await probe.target.beginRun()
      _ = try await run.update { transaction in
        try transaction.see(records.map(\.id), rows: records.map { UInt64($0.number) })
      }
    }
    for round in 1...2 {
      let probe = SyncTargetProbe(target: try await open())
      try await probe.requireContent(records, "after opening again")
      try await probe.requireCheckpoint(checkpoint, "after opening again")
      let repeated = try await probe.target.beginRun().update { transaction in
        try transaction.see(["r0"], rows: [UInt64(90 + round)])
      }
      try require(repeated == 0, "a run has seen IDs before the target was opened again")
    }
  }
}
