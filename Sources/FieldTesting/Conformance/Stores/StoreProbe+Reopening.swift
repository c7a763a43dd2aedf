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
      try probe.require(
        snapshot.checkpoint == checkpoint, "the checkpoint is not there after opening again")
      try probe.require(
        snapshot.revision >= revision,
        "opening again led from \(revision) back to \(snapshot.revision)")
      try probe.require(
        snapshot[id: "r3"]?.text == "back" && snapshot[id: "r300"] == nil,
        "records are not found by their ids after opening again")
      let next = try await probe.upsert([ConformanceRecord(id: "next")])
      try probe.require(
        next > snapshot.revision, "a commit after opening again led from \(revision) to \(next)")
    }
  }

  static func reopeningEmpty(_ openStore: Maker) async throws {
    for round in 0..<3 {
      try await with(openStore) { probe in
        let when = "at opening \(round + 1) of a store without commits"
        let snapshot = try await probe.requireContent([], when)
        try probe.require(snapshot.checkpoint == nil, "\(when) there is a checkpoint")
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
      try probe.require(cursor == "7", "the checkpoint after eight openings is \(cursor ?? "-")")
    }
  }

  /// Runs the body with the store, and lets go of it.
  private static func with<Result>(
    _ openStore: Maker, _ body: (StoreProbe) async throws -> Result
  ) async throws -> Result {
    try await body(StoreProbe(store: try await openStore()))
  }
}
