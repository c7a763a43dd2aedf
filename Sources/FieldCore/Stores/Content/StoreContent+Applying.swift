/// The effect of a batch.
@usableFromInline
package struct AppliedChanges<Record: StoredRecord>: Sendable {
  /// The steps that changed something, in order.
  @usableFromInline
  package var runs: [Changes<Record>.Run]
  /// The IDs that the steps changed, or `nil` if there are too many to remember.
  @usableFromInline
  package var ids: [Record.ID]?

  package var isEmpty: Bool { runs.isEmpty }

  @inlinable
  package init(runs: [Changes<Record>.Run] = [], ids: [Record.ID]? = []) {
    self.runs = runs
    self.ids = ids
  }
}

extension StoreContent {
  /// Applies the steps in order, and returns those that changed something.
  @inlinable
  package mutating func apply(_ runs: [Changes<Record>.Run]) -> AppliedChanges<Record> {
    var applied = AppliedChanges<Record>()
    if case .removeAll? = runs.first, count > 0 { return replaceAll(runs) }
    for run in runs {
      switch run {
      case .upserts(let records):
        let effective = upsert(records)
        guard !effective.isEmpty else { continue }
        applied.note(effective.count, effective.map { $0.id })
        applied.runs.append(.upserts(effective))
      case .removals(let ids):
        let effective = ids.filter { remove($0) }
        guard !effective.isEmpty else { continue }
        applied.note(effective.count, effective)
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

  /// Applies a batch that begins by removing everything. If the batch restores all of it in the
  /// same order, nothing changes.
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
    var builder = Builder(capacity: records.count, seed: index.seed)
    for record in records { builder.append(record) }
    adopt(builder.finish())
    return records
  }

  /// Replaces the content, whose slots are numbered anew.
  @inlinable
  mutating func adopt(_ other: StoreContent) {
    let (generation, source) = (generation, source)
    self = other
    self.generation = generation + 1
    self.source = other.source ?? source
  }

  @inlinable
  func noteAll(_ applied: inout AppliedChanges<Record>) {
    applied.note(count, [])
    if applied.ids != nil { forEachRecord { applied.ids?.append($0.id) } }
  }

  /// Returns a Boolean value that indicates whether both contain equal records in the same order.
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

  @inlinable
  package func forEachRecord(_ body: (Record) throws -> Void) rethrows {
    for leaf in 0..<((records.count + 63) / 64) {
      for case .some(let record) in records.leaf(of: leaf * 64) { try body(record) }
    }
  }
}

extension AppliedChanges {
  /// Records `count` IDs, unless the total becomes too large.
  @inlinable
  package mutating func note(_ count: Int, _ more: @autoclosure () -> [Record.ID]) {
    guard let known = ids?.count else { return }
    if known + count > StoreContent<Record>.idLimit {
      ids = nil
    } else {
      ids?.append(contentsOf: more())
    }
  }
}
