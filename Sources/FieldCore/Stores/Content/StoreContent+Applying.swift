/// What a batch came to.
@usableFromInline
package struct AppliedChanges<Record: StoredRecord>: Sendable {
  /// The steps that changed something, in order.
  @usableFromInline
  package var steps: [Changes<Record>.Step]
  /// The ids that they touched; nil when these are too many to be remembered.
  @usableFromInline
  package var ids: [Record.ID]?

  /// Whether nothing was changed.
  package var isEmpty: Bool { steps.isEmpty }

  @inlinable
  package init(steps: [Changes<Record>.Step], ids: [Record.ID]?) {
    self.steps = steps
    self.ids = ids
  }
}

extension StoreContent {
  /// Applies the steps in order and tells which of them changed something.
  @inlinable
  package mutating func apply(_ steps: [Changes<Record>.Step]) -> AppliedChanges<Record> {
    let before = self
    var startsEmpty = false
    if case .removeAll? = steps.first { startsEmpty = true }
    if let built = bulk(steps, startsEmpty: startsEmpty) {
      self = built
    } else {
      return applyOneByOne(steps)
    }
    guard startsEmpty, before.count > 0 else {
      return AppliedChanges(steps: steps, ids: ids(of: steps, and: nil))
    }
    if before.hasSameRecords(as: self) {
      self = before
      return AppliedChanges(steps: [], ids: [])
    }
    return AppliedChanges(steps: steps, ids: ids(of: steps, and: before))
  }

  /// The content after a batch of nothing but upserts into an empty store, or nil when it is not that.
  @inlinable
  func bulk(_ steps: [Changes<Record>.Step], startsEmpty: Bool) -> StoreContent? {
    let upserts = startsEmpty ? steps.dropFirst() : steps[...]
    guard count == 0 || startsEmpty, upserts.count >= 32 || (startsEmpty && count > 0) else {
      return nil
    }
    var builder = Builder(capacity: upserts.count)
    for step in upserts {
      guard case .upsert(let record) = step else { return nil }
      builder.append(record)
    }
    var built = builder.finish()
    built.generation = generation + 1
    return built
  }

  @inlinable
  mutating func applyOneByOne(_ steps: [Changes<Record>.Step]) -> AppliedChanges<Record> {
    var effective: [Changes<Record>.Step] = []
    var ids: [Record.ID]? = []
    for step in steps {
      switch step {
      case .upsert(let record):
        guard upsert(record) else { continue }
        ids?.append(record.id)
      case .remove(let id):
        guard remove(id) else { continue }
        ids?.append(id)
      case .removeAll:
        guard count > 0 else { continue }
        if count <= Self.idLimit {
          forEachRecord { ids?.append($0.id) }
        } else {
          ids = nil
        }
        removeAll()
      }
      effective.append(step)
      if let some = ids, some.count > Self.idLimit { ids = nil }
    }
    return AppliedChanges(steps: effective, ids: ids)
  }

  /// The ids of upserts and of the records that were there before them, unless they are too many.
  @inlinable
  func ids(of steps: [Changes<Record>.Step], and before: StoreContent?) -> [Record.ID]? {
    guard steps.count + (before?.count ?? 0) <= Self.idLimit else { return nil }
    var ids: [Record.ID] = []
    for case .upsert(let record) in steps { ids.append(record.id) }
    before?.forEachRecord { ids.append($0.id) }
    return ids
  }

  /// Whether both hold equal records in the same order.
  @inlinable
  func hasSameRecords(as other: StoreContent) -> Bool {
    guard count == other.count else { return false }
    var slot = other.firstSlot
    var isSame = true
    forEachRecord { record in
      guard isSame else { return }
      isSame = other.records[slot] == record
      slot = other.slot(after: slot)
    }
    return isSame
  }

  /// Runs `body` on each record in order.
  @inlinable
  package func forEachRecord(_ body: (Record) throws -> Void) rethrows {
    for start in stride(from: 0, to: records.count, by: 64) {
      for case .some(let record) in records.leaf(of: start) { try body(record) }
    }
  }
}
