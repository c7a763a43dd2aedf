/// What a batch came to.
@usableFromInline
package struct AppliedChanges<Record: StoredRecord>: Sendable {
  /// The steps that changed something, in order.
  @usableFromInline
  package var runs: [Changes<Record>.Run]
  /// The ids that they touched; nil when these are too many to be remembered.
  @usableFromInline
  package var ids: [Record.ID]?

  /// Whether nothing was changed.
  package var isEmpty: Bool { runs.isEmpty }

  @inlinable
  package init(runs: [Changes<Record>.Run] = [], ids: [Record.ID]? = []) {
    self.runs = runs
    self.ids = ids
  }
}

extension StoreContent {
  /// Applies the steps in order and tells which of them changed something.
  @inlinable
  package mutating func apply(_ runs: [Changes<Record>.Run]) -> AppliedChanges<Record> {
    var applied = AppliedChanges<Record>()
    if case .removeAll? = runs.first, count > 0 { return replaceAll(runs) }
    for run in runs {
      switch run {
      case .upserts(let records):
        let effective = upsert(records)
        guard !effective.isEmpty else { continue }
        applied.note(effective.lazy.map(\.id), effective.count)
        applied.runs.append(.upserts(effective))
      case .removals(let ids):
        let effective = ids.filter { remove($0) }
        guard !effective.isEmpty else { continue }
        applied.note(effective, effective.count)
        applied.runs.append(.removals(effective))
      case .removeAll:
        guard count > 0 else { continue }
        noteAll(&applied)
        removeAll()
        applied.runs.append(.removeAll)
      }
    }
    return applied
  }

  /// Applies a batch that starts by removing everything; one that brings all of it back in the same
  /// order changes nothing.
  @inlinable
  mutating func replaceAll(_ runs: [Changes<Record>.Run]) -> AppliedChanges<Record> {
    let before = self
    removeAll()
    var applied = apply(Array(runs.dropFirst()))
    if before.hasSameRecords(as: self) {
      self = before
      return AppliedChanges()
    }
    before.noteAll(&applied)
    applied.runs.insert(.removeAll, at: 0)
    return applied
  }

  /// Inserts or replaces records and returns those that changed something.
  @inlinable
  mutating func upsert(_ records: [Record]) -> [Record] {
    guard count == 0, records.count >= Self.bulkSize else { return records.filter { upsert($0) } }
    var builder = Builder(capacity: records.count)
    for record in records { builder.append(record) }
    adopt(builder.finish())
    return records
  }

  /// Takes other content in place of this.
  @inlinable
  mutating func adopt(_ other: StoreContent) {
    let generation = generation
    self = other
    self.generation = generation + 1
  }

  @inlinable
  func noteAll(_ applied: inout AppliedChanges<Record>) {
    applied.note([], count)
    if applied.ids != nil { forEachRecord { applied.ids?.append($0.id) } }
  }

  /// Whether both hold equal records in the same order.
  @inlinable
  func hasSameRecords(as other: StoreContent) -> Bool {
    guard count == other.count else { return false }
    var slot = other.firstSlot
    for leaf in 0..<((records.count + 63) / 64) {
      for case .some(let record) in records.leaf(of: leaf * 64) {
        guard other.records[slot] == record else { return false }
        slot = other.slot(after: slot)
      }
    }
    return true
  }

  /// Runs `body` on each record in order.
  @inlinable
  package func forEachRecord(_ body: (Record) throws -> Void) rethrows {
    for leaf in 0..<((records.count + 63) / 64) {
      for case .some(let record) in records.leaf(of: leaf * 64) { try body(record) }
    }
  }
}

extension AppliedChanges {
  /// Notes ids, of which there are `count`, unless they are too many with those before.
  @inlinable
  package mutating func note(_ more: some Sequence<Record.ID>, _ count: Int) {
    guard let known = ids?.count else { return }
    if known + count > StoreContent<Record>.idLimit {
      ids = nil
    } else {
      ids?.append(contentsOf: more)
    }
  }
}
