import FieldCore
import Foundation
import Synchronization

/// A store of records in a database.
///
/// Reading is as fast as with a file, because the content is in memory: ``snapshot()`` asks for the revision,
/// and loads what has changed. A commit succeeds if the revision is still the one that it is based on.
final class SharedRecordStore<Record: StoredRecord>: RecordStore {
  private typealias Observer = AsyncStream<Snapshot<Record>>.Continuation

  private struct Content: Sendable {
    var snapshot = Snapshot<Record>([])
    var positions: [Record.ID: Int64] = [:]
    var ids: [Int64: Record.ID] = [:]
    var nextPosition: Int64 = 1
    var floor: Int64 = 0

    var revision: Int64 { Int64(clamping: snapshot.revision.number) }

    mutating func place(_ id: Record.ID, at position: Int64) {
      positions[id] = position
      ids[position] = id
      nextPosition = max(nextPosition, position + 1)
    }
  }

  private struct State: Sendable {
    var observers: [UUID: Observer] = [:]
    var isClosed = false
  }

  private let name: String
  private let database: Database
  private let id = UUID()
  /// Changed only on the database's thread.
  private let content = Mutex(Content())
  private let state = Mutex(State())

  init(_ name: String, in database: Database) {
    self.name = name
    self.database = database
  }

  deinit { Task { [database, id] in await database.unwatch(id) } }

  func snapshot() async throws -> Snapshot<Record> {
    try await current { _, content, _ in content.snapshot }
  }

  func commit(
    _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try await current { connection, content, notifies in
      while true {
        let before = content.snapshot
        guard expecting == nil || expecting == before.revision else {
          throw FieldError(
            .conflict, "The changes aren't based on \(before.revision), the store's revision.")
        }
        let next = before.applying(changes, checkpoint: checkpoint)
        guard next.revision != before.revision else { return before.revision }
        if let written = try self.write(next, over: content, connection, notifies) {
          content = written
          self.publish(next)
          return next.revision
        }
        try self.catchUp(&content, connection)
      }
    }
  }

  func updates() -> SnapshotUpdates<Record> { SnapshotUpdates { try await self.observe() } }

  private func observe() async throws -> AsyncStream<Snapshot<Record>> {
    try checkOpen()
    await database.watch(id, store: name) { [weak self] in _ = try? await self?.snapshot() }
    return try await current { _, content, _ in
      let (stream, observer) = AsyncStream.makeStream(
        of: Snapshot<Record>.self, bufferingPolicy: .bufferingNewest(1))
      let number = UUID()
      observer.onTermination = { [weak self] _ in
        _ = self?.state.withLock { $0.observers.removeValue(forKey: number) }
      }
      observer.yield(content.snapshot)
      self.state.withLock { $0.observers[number] = observer }
      return stream
    }
  }

  func close() async {
    let observers = state.withLock { state in
      state.isClosed = true
      return state.observers.values.map { $0 }
    }
    for observer in observers { observer.finish() }
    await database.unwatch(id)
  }

  private func checkOpen() throws {
    guard state.withLock({ !$0.isClosed }) else {
      throw FieldError(.closed, "The store has been closed. Create a new one to use it again.")
    }
  }

  private func publish(_ snapshot: Snapshot<Record>) {
    for observer in state.withLock({ Array($0.observers.values) }) { observer.yield(snapshot) }
  }

  /// Runs `body` with the newest content.
  private func current<Result: Sendable>(
    _ body: @escaping @Sendable (Connection, inout Content, _ notifies: Bool) throws -> Result
  ) async throws -> Result {
    try checkOpen()
    return try await database.run { connection, notifies in
      try self.checkOpen()
      var content = self.content.withLock { $0 }
      defer { self.content.withLock { $0 = content } }
      try self.catchUp(&content, connection)
      return try body(connection, &content, notifies)
    }
  }

  // MARK: Reading

  /// Loads what other processes have committed.
  private func catchUp(_ content: inout Content, _ connection: Connection) throws {
    let head = try connection.run(
      "SELECT revision FROM field_stores WHERE name = $1", [.text(name)])
    guard (head.first?.int(0) ?? 0) != content.revision else { return }
    var loaded: Content?
    while loaded == nil {
      loaded = try connection.transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY") {
        try load(over: content, connection)
      }
    }
    content = loaded ?? content
    publish(content.snapshot)
  }

  private func load(over old: Content, _ connection: Connection) throws -> Content {
    let heads = try connection.run(
      "SELECT revision, floor, type, checkpoint FROM field_stores WHERE name = $1", [.text(name)])
    guard let head = heads.first else { return Content() }
    guard head.text(2) == Record.storedName else {
      throw FieldError(
        .damaged, "The store \(name) contains \(head.text(2)), not \(Record.storedName).")
    }
    let checkpoint = try head.bytes(3).map {
      try JSONDecoder().decode(Checkpoint.self, from: Data($0))
    }
    // Everything at first, or if rows of removed records were deleted before this process read them.
    let isWhole = old.revision < max(head.int(1), 1) || old.revision > head.int(0)
    var content = isWhole ? Content() : old
    content.floor = head.int(1)
    let rows = try connection.run(
      """
      SELECT position, version, record FROM field_records
      WHERE store = $1 AND revision > $2 ORDER BY position
      """, [.text(name), .int(content.revision)])
    var removed: [Record.ID] = []
    var records: [Record] = []
    for row in rows {
      if let record = try record(row) {
        records.append(record)
        continue
      }
      content.nextPosition = max(content.nextPosition, row.int(0) + 1)
      if let id = content.ids.removeValue(forKey: row.int(0)) {
        content.positions[id] = nil
        removed.append(id)
      }
    }
    for (record, row) in zip(records, rows.lazy.filter { $0.bytes(2) != nil }) {
      content.place(record.id, at: row.int(0))
    }
    var changes = Changes(upserting: EmptyCollection<Record>())
    for id in removed { changes.remove(id) }
    for record in records { changes.upsert(record) }
    let revision = Revision(number: UInt64(clamping: head.int(0)))
    content.snapshot = content.snapshot.applying(changes, checkpoint: checkpoint)
    if content.snapshot.revision != revision {
      content.snapshot = Snapshot(content.snapshot, revision: revision, checkpoint: checkpoint)
    }
    return content
  }

  private func record(_ row: SQLRow) throws -> Record? {
    guard let bytes = row.bytes(2) else { return nil }
    guard row.int(1) <= Record.formatVersion else {
      throw FieldError(
        .newerFormat, "A newer version of the app wrote records of \(name). Update this one.")
    }
    do { return try JSONDecoder().decode(Record.self, from: Data(bytes)) } catch {
      throw FieldError(
        .damaged, "The record at position \(row.int(0)) of \(name) can't be read.",
        underlying: error)
    }
  }

  // MARK: Writing

  /// Commits the difference between two snapshots in one transaction.
  ///
  /// - Returns: The new content, or `nil` if another process has committed in the meantime.
  private func write(
    _ next: Snapshot<Record>, over old: Content, _ connection: Connection, _ notifies: Bool
  ) throws -> Content? {
    var content = old
    let rows = try changedRows(from: old, to: next, &content)
    content.snapshot = next
    // Once in a thousand commits, the rows of removed records are deleted.
    let prunes = content.revision - content.floor > 1_000
    if prunes { content.floor = old.revision }
    let checkpoint = try next.checkpoint.map {
      SQLValue.bytes([UInt8](try JSONEncoder().encode($0)))
    }
    return try connection.transaction {
      let head: [SQLValue] = [
        .text(name), .text(Record.storedName), .int(content.revision), .int(content.floor),
        checkpoint ?? .null,
      ]
      let isFirst =
        try old.revision == 0
        && connection.change(
          """
          INSERT INTO field_stores (name, type, revision, floor, checkpoint)
          VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING
          """, head) == 1
      let isNext =
        try isFirst
        || connection.change(
          """
          UPDATE field_stores SET revision = $3, floor = $4, checkpoint = $5
          WHERE name = $1 AND type = $2 AND revision = $6
          """, head + [.int(old.revision)]) == 1
      guard isNext else { return nil }
      for start in stride(from: 0, to: rows.count, by: 1_000) {
        let part = rows[start..<min(start + 1_000, rows.count)]
        let places = (0..<part.count).map {
          "($1, $\(2 * $0 + 4)::BIGINT, $2::BIGINT, $3::BIGINT, $\(2 * $0 + 5)::BYTEA)"
        }
        try connection.run(
          """
          INSERT INTO field_records (store, position, revision, version, record)
          VALUES \(places.joined(separator: ", ")) ON CONFLICT (store, position) DO UPDATE SET
          revision = excluded.revision, version = excluded.version, record = excluded.record
          """,
          [.text(name), .int(content.revision), .int(Int64(Record.formatVersion))]
            + part.flatMap { [.int($0.position), $0.bytes] })
      }
      if prunes {
        try connection.run(
          "DELETE FROM field_records WHERE store = $1 AND record IS NULL AND revision <= $2",
          [.text(name), .int(old.revision)])
      }
      if notifies { try connection.run("SELECT pg_notify('field_stores', $1)", [.text(name)]) }
      return content
    }
  }

  /// Returns the rows that differ, and assigns positions to new records.
  ///
  /// New records, and those that were removed and inserted again, are at the end of a snapshot. A changed
  /// record there keeps its position if that is still behind all others.
  private func changedRows(
    from old: Content, to next: Snapshot<Record>, _ content: inout Content
  ) throws -> [(position: Int64, bytes: SQLValue)] {
    let encoder = JSONEncoder()
    func encoded(_ record: Record) throws -> SQLValue {
      .bytes([UInt8](try encoder.encode(record)))
    }
    var rows: [(position: Int64, bytes: SQLValue)] = []
    let changed = next.changedIDs(since: old.snapshot.revision)
    let tail =
      changed.map { ids in next.reversed().prefix { ids.contains($0.id) }.reversed() }
      ?? Array(next)
    let inTail = Set(tail.map(\.id))
    for id in changed ?? Set(old.positions.keys) where !inTail.contains(id) {
      guard let position = content.positions[id] else { continue }
      if let record = next[id: id] {
        rows.append((position, try encoded(record)))
      } else {
        rows.append((position, .null))
        content.positions[id] = nil
        content.ids[position] = nil
      }
    }
    var last = next.dropLast(tail.count).last.flatMap { content.positions[$0.id] } ?? 0
    for record in tail {
      if let position = content.positions[record.id], position > last {
        last = position
        if old.snapshot[id: record.id] != record { rows.append((position, try encoded(record))) }
        continue
      }
      if let position = content.positions[record.id] {
        rows.append((position, .null))
        content.ids[position] = nil
      }
      last = content.nextPosition
      content.place(record.id, at: last)
      rows.append((last, try encoded(record)))
    }
    return rows
  }
}
