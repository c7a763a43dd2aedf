internal import FieldFoundation

/// The operations of a store by ID and by lane, updated from the store's commits.
struct OutboxIndex<Record: OutboxRecord>: Sendable {
  typealias Operation = OutboxOperation<Record.Payload>

  struct Entry: Sendable {
    var operation: Operation
    /// The slot in the store, which is that of the operation's first commit.
    let slot: Int
  }

  private var snapshot: Snapshot<Record>
  private var entries: [UUID: Entry] = [:]
  /// The operations of each lane, in order.
  private var lanes: [String: [UUID]] = [:]

  init(of snapshot: Snapshot<Record>) {
    self.snapshot = snapshot
    rebuild()
  }

  /// Updates the index to a snapshot of the store.
  ///
  /// - Returns: A Boolean value that indicates whether any operation has changed.
  @discardableResult
  mutating func follow(_ next: Snapshot<Record>) -> Bool {
    let last = snapshot
    snapshot = next
    guard last.generation == next.generation, let ids = next.changedIDs(since: last.revision),
      last.revision <= next.revision
    else {
      let before = entries.mapValues(\.operation)
      rebuild()
      return before != entries.mapValues(\.operation)
    }
    var hasChanged = false
    var added: [Entry] = []
    for id in ids {
      let (old, new) = (last[id: id]?.operation, next[id: id]?.operation)
      guard old != new else { continue }
      hasChanged = true
      if let old { remove(old) }
      if let new, let slot = next.slot(of: id) { added.append(Entry(operation: new, slot: slot)) }
    }
    for entry in added { insert(entry) }
    return hasChanged
  }

  private mutating func rebuild() {
    (entries, lanes) = ([:], [:])
    for slot in 0..<snapshot.slotLimit {
      guard let operation = snapshot.record(at: slot)?.operation else { continue }
      insert(Entry(operation: operation, slot: slot))
    }
  }

  private mutating func remove(_ operation: Operation) {
    entries[operation.id] = nil
    lanes[operation.lane]?.removeAll { $0 == operation.id }
    if lanes[operation.lane]?.isEmpty == true { lanes[operation.lane] = nil }
  }

  private mutating func insert(_ entry: Entry) {
    let lane = entry.operation.lane
    let before = lanes[lane]?.lastIndex { (entries[$0]?.slot ?? .min) <= entry.slot }
    lanes[lane, default: []].insert(entry.operation.id, at: before.map { $0 + 1 } ?? 0)
    entries[entry.operation.id] = entry
  }
}

extension OutboxIndex {
  var count: Int { entries.count }

  subscript(id: UUID) -> Operation? { entries[id]?.operation }

  /// All operations, in the order in which they were added.
  var operations: [Operation] { entries.values.sorted { $0.slot < $1.slot }.map(\.operation) }

  /// The next operation of each lane, in the order in which they were added.
  ///
  /// A lane that is blocked by a rejected operation has none.
  var heads: [Operation] {
    lanes.values.compactMap { ids in
      let head = ids.lazy.compactMap { entries[$0] }.first {
        $0.operation.state != .rejected || $0.operation.blocksLane
      }
      return head?.operation.state == .rejected ? nil : head
    }.sorted { $0.slot < $1.slot }.map(\.operation)
  }

  /// Returns the IDs of the operations of a lane, in order.
  func operations(in lane: String) -> [UUID] { lanes[lane] ?? [] }
}
