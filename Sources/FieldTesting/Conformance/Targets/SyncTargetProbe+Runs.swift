internal import FieldCore
internal import FieldFoundation

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
