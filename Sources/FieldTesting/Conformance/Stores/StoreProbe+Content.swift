internal import FieldCore

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
