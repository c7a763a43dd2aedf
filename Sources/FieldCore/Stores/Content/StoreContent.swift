/// The records of a store, by slot in the order of their first insertion, and by ID.
///
/// A record keeps its slot while it is in the store. The slot of a removed record stays empty until
/// there are more holes than records. All records are then renumbered, and ``generation`` changes.
@usableFromInline
package struct StoreContent<Record: StoredRecord>: Sendable {
  @usableFromInline
  package var records = SlotVector<Record>()
  @usableFromInline
  package var index: SlotIndex

  @usableFromInline
  package var count = 0

  /// The slot of the first record, or the end if there is none.
  @usableFromInline
  package var firstSlot = 0

  /// The source of the records that are decoded when they are used.
  @usableFromInline
  package var source: StoredSource?

  /// A number that changes when the slots are renumbered.
  @usableFromInline
  package var generation = 0

  /// The maximum number of IDs that a batch records for the ``ChangeLog``.
  @usableFromInline
  package static var idLimit: Int { ChangeLog<Record.ID>.idLimit }

  /// The number of records from which inserting into an empty store uses a bulk build.
  @usableFromInline
  package static var bulkSize: Int { 32 }

  /// The number by which holes may exceed records.
  @usableFromInline
  package static var spareHoles: Int { 256 }

  /// The seed of the stable hashes in content that isn't in a file.
  @usableFromInline
  package static var processSeed: UInt64 { StoredHashSeed.ofProcess }

  @inlinable
  package init(seed: UInt64 = processSeed) { index = SlotIndex(seed: seed) }

  @inlinable
  package mutating func removeAll() { adopt(StoreContent(seed: index.seed)) }

  /// Returns the stable hash of an ID, or the one of this process if there is none.
  @inlinable
  @inline(__always)
  package static func hash(of id: Record.ID, seed: UInt64) -> UInt32 {
    Record._stableHash(of: id, seed: seed) ?? UInt32(truncatingIfNeeded: id.hashValue)
  }

  @inlinable
  @inline(__always)
  func hash(of id: Record.ID) -> UInt32 { Self.hash(of: id, seed: index.seed) }

  @inlinable
  package func record(id: Record.ID) -> Record? {
    var found: Record?
    _ = index.firstSlot(of: hash(of: id)) { slot in
      guard let record = records[slot], record.id == id else { return false }
      found = record
      return true
    }
    return found
  }

  @inlinable
  package func slot(of id: Record.ID) -> Int? {
    index.firstSlot(of: hash(of: id)) { records[$0]?.id == id }
  }

  /// Inserts or replaces a record; returns `false` if an equal one exists.
  @inlinable
  package mutating func upsert(_ record: Record) -> Bool {
    let id = record.id
    let hash = hash(of: id)
    var present: Record?
    let slot = index.firstSlot(of: hash) { slot in
      guard let record = records[slot], record.id == id else { return false }
      present = record
      return true
    }
    guard let slot else {
      if count == 0 { firstSlot = records.count }
      index.insert(slot: records.count, hash: hash)
      records.append(record)
      count += 1
      return true
    }
    if present == record { return false }
    records.set(record, at: slot)
    return true
  }

  /// Removes the record with an ID; returns `false` if there is none.
  @inlinable
  package mutating func remove(_ id: Record.ID) -> Bool {
    guard let slot = slot(of: id) else { return false }
    index.remove(slot: slot, hash: hash(of: id))
    records.set(nil, at: slot)
    count -= 1
    if slot == firstSlot { firstSlot = self.slot(after: slot) }
    if records.count - count > count + Self.spareHoles { renumber() }
    return true
  }

  /// Returns the next slot that contains a record, or the end.
  @inlinable
  package func slot(after slot: Int) -> Int {
    var next = slot + 1
    while next < records.count {
      let isFound = records.withLeaf(of: next) { leaf in
        while true {
          if leaf[next & 63] != nil { return true }
          next += 1
          if next & 63 == 0 || next == records.count { return false }
        }
      }
      if isFound { return next }
    }
    return records.count
  }

  /// Returns the previous slot that contains a record, or -1.
  @inlinable
  package func slot(before slot: Int) -> Int {
    var previous = slot - 1
    while previous >= 0, records[previous] == nil { previous -= 1 }
    return previous
  }

  /// Renumbers the records without holes.
  @inlinable
  package mutating func renumber() {
    var builder = Builder(capacity: count, seed: index.seed)
    forEachRecord { builder.append($0) }
    adopt(builder.finish())
  }
}

extension StoreContent {
  /// A builder of content from consecutive records.
  @usableFromInline
  package struct Builder {
    @usableFromInline
    package var leaves: [SlotVector<Record>.Node] = []
    @usableFromInline
    package var leaf: [Record?] = []
    @usableFromInline
    package var hashes: [UInt32] = []
    @usableFromInline
    package let seed: UInt64

    @inlinable
    package init(capacity: Int, seed: UInt64) {
      self.seed = seed
      leaves.reserveCapacity(capacity / 64 + 1)
      hashes.reserveCapacity(capacity)
      leaf.reserveCapacity(Swift.min(capacity, 64))
    }

    @inlinable
    package mutating func append(_ record: consuming Record) {
      if leaf.count == 64 {
        leaves.append(.leaf(leaf))
        leaf = []
        leaf.reserveCapacity(64)
      }
      hashes.append(StoreContent.hash(of: record.id, seed: seed))
      leaf.append(.some(consume record))
    }

    /// Returns the content.
    ///
    /// An ID that was added twice has its last record at its first position.
    @inlinable
    package consuming func finish() -> StoreContent {
      if !leaf.isEmpty { leaves.append(.leaf(leaf)) }
      var content = StoreContent(seed: seed)
      content.records = SlotVector(leaves: leaves, count: hashes.count)
      var repeated: [Int] = []
      content.index = SlotIndex(hashes: hashes, seed: seed, repeated: &repeated)
      content.count = hashes.count
      let hasTwice = repeated.contains { slot in
        content.records[slot].map { content.slot(of: $0.id) != slot } ?? false
      }
      guard hasTwice else { return content }
      var distinct = StoreContent(seed: seed)
      content.forEachRecord { _ = distinct.upsert($0) }
      return distinct
    }
  }
}

/// A number outside the generic type, which can't have one.
private enum StoredHashSeed {
  static let ofProcess = UInt64.random(in: 0...UInt64.max)
}

// MARK: - Applying

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
