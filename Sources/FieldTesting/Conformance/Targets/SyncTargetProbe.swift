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
