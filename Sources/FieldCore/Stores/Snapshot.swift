/// The content of a store at one revision, which never changes.
///
/// A snapshot is a collection of the records in the order of their first insertion, with access by
/// ID:
///
/// ```swift
/// let visits = try await store.snapshot()
/// for visit in visits { print(visit.note) }
/// print(visits[id: someID]?.note ?? "unknown")
/// ```
///
/// A snapshot is cheap to take and to copy. It shares its memory with earlier and later snapshots,
/// and retains that memory as long as it exists.
public struct Snapshot<Record: StoredRecord>: Sendable {
  @usableFromInline
  final class State: Sendable {
    @usableFromInline
    let content: StoreContent<Record>
    let revision: Revision
    let checkpoint: Checkpoint?
    let log: ChangeLog<Record.ID>
    let mark: StoreMark<Record>?

    init(
      content: StoreContent<Record>, revision: Revision, checkpoint: Checkpoint?,
      log: ChangeLog<Record.ID>, mark: StoreMark<Record>?
    ) {
      self.content = content
      self.revision = revision
      self.checkpoint = checkpoint
      self.log = log
      self.mark = mark
    }
  }

  @usableFromInline
  let state: State

  package init(
    content: StoreContent<Record>, revision: Revision, checkpoint: Checkpoint?,
    log: ChangeLog<Record.ID>, mark: StoreMark<Record>? = nil
  ) {
    state = State(
      content: content, revision: revision, checkpoint: checkpoint, log: log, mark: mark)
  }

  /// Creates a snapshot of records.
  ///
  /// If an ID occurs more than once, the last record with it is used.
  ///
  /// Use this initializer in a custom store; ``applying(_:checkpoint:)`` returns the next snapshot.
  public init(
    _ records: some Sequence<Record>, revision: Revision = .zero, checkpoint: Checkpoint? = nil
  ) {
    self.init(
      content: Record._loops.build(Array(records)), revision: revision, checkpoint: checkpoint,
      log: ChangeLog(from: revision))
  }

  /// The revision of this content.
  public var revision: Revision { state.revision }

  /// The checkpoint that was last committed.
  public var checkpoint: Checkpoint? { state.checkpoint }

  /// The error of a record that couldn't be read or decoded when it was used, or `nil` if there was none.
  ///
  /// Opening a store finds records that can't be decoded, unless their type depends on more than its code, or its
  /// ``StoredRecord/id(checking:)`` accepts what its ``StoredRecord/init(reading:)`` rejects. The records of a large file are read
  /// when they are used, which fails if the device does, or if something else than a store has written into the file since. If a record can't be
  /// read or decoded later, a look-up of its ID returns `nil`, and queries skip it or return another record in its place. The store then
  /// throws this error until it is opened again.
  ///
  /// ```swift
  /// let found = visits.filter { $0.note.isEmpty }
  /// if let failure = visits.failure { throw failure }
  /// ```
  public var failure: FieldError? { state.content.source?.failure }

  /// The record with this ID, or `nil` if there is none.
  @inlinable
  public subscript(id id: Record.ID) -> Record? { state.content.record(id: id) }

  /// Returns the IDs of the records that were inserted, replaced, or removed after `revision`.
  ///
  /// A store remembers about the last 100 commits of its process.
  ///
  /// - Returns: The IDs, or `nil` if the revision is too old. Look at all records then.
  public func changedIDs(since revision: Revision) -> Set<Record.ID>? {
    state.log.ids(since: revision)
  }

  /// Returns the snapshot after committing `changes`, or this one if they change nothing.
  ///
  /// It takes O(changes · log records) time. Use this method in a custom store. The revision
  /// `UInt64.max`, which no number of commits reaches, has no next one, so its snapshot stays as it is.
  public func applying(_ changes: Changes<Record>, checkpoint: Checkpoint? = nil) -> Snapshot {
    guard revision.number < .max else { return self }
    return advanced(by: changes.runs, checkpoint: checkpoint)?.snapshot ?? self
  }

  /// Throws if there can't be another revision, which only a made-up file claims.
  package func checkIsContinuable() throws(FieldError) {
    guard revision.number == .max else { return }
    throw FieldError(
      .damaged,
      """
      The store claims to have been committed \(revision.number) times, which can't be true, so nothing can be \
      added to it. Its records can still be read; delete the file to start over.
      """)
  }

  /// Returns the next snapshot and the steps that made it, or `nil` if nothing changes.
  ///
  /// Call ``checkIsContinuable()`` first.
  package func advanced(
    by runs: [Changes<Record>.Run], checkpoint: Checkpoint?
  ) -> (snapshot: Snapshot, runs: [Changes<Record>.Run])? {
    var content = state.content
    let applied = Record._loops.apply(runs, &content)
    if applied.isEmpty && (checkpoint == nil || checkpoint == self.checkpoint) { return nil }
    let next = Revision(number: revision.number + 1)
    var log = state.log
    log.append(applied.ids, revision: next)
    let snapshot = Snapshot(
      content: content, revision: next, checkpoint: checkpoint ?? self.checkpoint, log: log)
    return (snapshot, applied.runs)
  }
}

extension Snapshot {
  /// The content, for the loops of stores and indexes.
  @inlinable
  package var content: StoreContent<Record> { state.content }

  /// The IDs that the last commits changed.
  package var log: ChangeLog<Record.ID> { state.log }

  /// The place in a store file whose content this is, or `nil` if it isn't known.
  package var mark: StoreMark<Record>? { state.mark }

  /// Returns the same snapshot with its place in a store file.
  package func marked(_ mark: StoreMark<Record>?) -> Snapshot {
    Snapshot(
      content: content, revision: revision, checkpoint: checkpoint, log: log, mark: mark)
  }

  /// Returns the slot of a record, which stays the same until ``generation`` changes.
  @inlinable
  package func slot(of id: Record.ID) -> Int? { state.content.slot(of: id) }

  /// Returns the record in a slot below ``slotLimit``, or `nil` if it was removed.
  @inlinable
  package func record(at slot: Int) -> Record? { state.content.records[slot] }

  /// One more than the largest slot.
  @inlinable
  package var slotLimit: Int { state.content.records.count }

  /// The slots below ``slotLimit`` without a record, ascending.
  var holes: [Int32] { slotLimit == count ? [] : state.content.records.holes }

  /// A number that changes when the slots of a store are renumbered.
  @inlinable
  package var generation: Int { state.content.generation }
}

// MARK: - Collection

extension Snapshot: BidirectionalCollection {
  /// A position in a snapshot, valid only in that snapshot.
  public struct Index: Hashable, Comparable, Sendable {
    @usableFromInline
    let slot: Int

    @inlinable
    init(slot: Int) { self.slot = slot }

    /// Returns a Boolean value that indicates whether the left position precedes the right one.
    @inlinable
    public static func < (left: Index, right: Index) -> Bool { left.slot < right.slot }
  }

  /// The number of records.
  @inlinable
  public var count: Int { state.content.count }

  /// A Boolean value that indicates whether there are no records.
  @inlinable
  public var isEmpty: Bool { state.content.count == 0 }

  /// The position of the first record.
  @inlinable
  public var startIndex: Index { Index(slot: state.content.firstSlot) }

  /// The position after the last record.
  @inlinable
  public var endIndex: Index { Index(slot: state.content.records.count) }

  /// Returns the position of the next record.
  @inlinable
  public func index(after index: Index) -> Index {
    Index(slot: state.content.slot(after: index.slot))
  }

  /// Returns the position of the previous record.
  @inlinable
  public func index(before index: Index) -> Index {
    Index(slot: state.content.slot(before: index.slot))
  }

  /// The record at a position of this snapshot.
  @inlinable
  public subscript(index: Index) -> Record {
    guard let record = state.content.records[index.slot] else {
      preconditionFailure("The index belongs to another snapshot.")
    }
    return record
  }

  /// An iterator over the records, about as fast as that of an array.
  public struct Iterator: IteratorProtocol {
    @usableFromInline
    let records: SlotVector<Record>
    @usableFromInline
    var leaf: [Record?]
    @usableFromInline
    var position = 0
    @usableFromInline
    var nextLeaf: Int

    @inlinable
    init(_ content: StoreContent<Record>) {
      records = content.records
      leaf = []
      nextLeaf = content.firstSlot & ~63
    }

    /// The slot of the record that was last returned.
    @inlinable
    package var slot: Int { nextLeaf - 65 + position }

    /// Returns the next record, or `nil` after the last.
    @inlinable
    public mutating func next() -> Record? {
      while true {
        while position < leaf.count {
          let record = leaf[position]
          position += 1
          if let record { return record }
        }
        guard nextLeaf < records.count else { return nil }
        leaf = records.leaf(of: nextLeaf)
        nextLeaf += 64
        position = 0
      }
    }
  }

  /// Creates an iterator over the records in order.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(state.content) }
}

// MARK: - Scanning

extension Snapshot {
  /// Calls `body` with each record and its slot, or `stored` with a reader of its stored form if the record hasn't
  /// been decoded, until one of them returns `false`.
  ///
  /// `stored` may read only a part. What it decodes isn't kept by the store. A record that it can't read is skipped, and
  /// the error is the snapshot's ``failure``.
  @inlinable
  package func scan(
    _ body: (Int, Record) -> Bool, stored: (Int, inout RecordReader) throws -> Bool
  ) {
    let records = content.records
    for first in stride(from: 0, to: records.count, by: 64) {
      func scan(_ leaf: [Record?]) -> Bool {
        for index in leaf.indices {
          if let record = leaf[index], !body(first + index, record) { return false }
        }
        return true
      }
      let goesOn = records.withLeaf(of: first) { leaf in
        guard var reader = leaf.reader() else { return scan(leaf.elements) }
        for slot in first..<Swift.min(first + 64, records.count) {
          do {
            guard try reader.peek({ try stored(slot, &$0) }) else { return false }
          } catch {
            reader.source?.fail(error)
          }
        }
        return true
      } _: {
        scan($0)
      }
      if !goesOn { return }
    }
  }

  /// Calls `body` with a value of each record and the record's slot.
  ///
  /// - Parameters:
  ///   - value: Returns the value of a record.
  ///   - stored: Reads the value from the stored form. Defaults to decoding the record, which isn't kept.
  @inlinable
  package func scan<Value>(
    _ value: (Record) -> Value, stored: ((inout RecordReader) throws -> Value)? = nil,
    _ body: (Int, Value) -> Void
  ) {
    scan { slot, record in
      body(slot, value(record))
      return true
    } stored: { slot, reader in
      body(slot, try stored.map { try $0(&reader) } ?? value(Record(reading: &reader)))
      return true
    }
  }
}

/// The current content of a store, and the newest content after each change.
///
/// Slow consumers skip intermediate states and get the newest. The sequence ends when its task is
/// canceled or the store is closed, and throws if the store can't be opened. Iterations are
/// independent of each other.
///
/// ```swift
/// for try await visits in store.updates() {
///   show(visits.count)
/// }
/// ```
public typealias SnapshotUpdates<Record: StoredRecord> = FieldSequence<Snapshot<Record>, any Error>

/// The state of a store after a commit: a number that increases with each.
public struct Revision: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// The number of commits so far; 0 is the empty store.
  public var number: UInt64

  /// Creates a revision.
  public init(number: UInt64) { self.number = number }

  /// The revision of a store without commits.
  public static var zero: Revision { Revision(number: 0) }

  /// Returns a Boolean value that indicates whether the left revision precedes the right one.
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }

  /// The letter `r`, followed by the number.
  public var description: String { "r\(number)" }
}
