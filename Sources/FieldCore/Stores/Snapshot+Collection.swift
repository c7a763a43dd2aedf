extension Snapshot: BidirectionalCollection {
  /// A position in a snapshot, which means nothing to another snapshot.
  public struct Index: Hashable, Comparable, Sendable {
    @usableFromInline
    let slot: Int

    @inlinable
    init(slot: Int) { self.slot = slot }

    /// Whether the left position comes before the right one.
    @inlinable
    public static func < (left: Index, right: Index) -> Bool { left.slot < right.slot }
  }

  /// How many records there are.
  @inlinable
  public var count: Int { state.content.count }

  /// Whether there are no records.
  @inlinable
  public var isEmpty: Bool { state.content.count == 0 }

  /// The position of the first record.
  @inlinable
  public var startIndex: Index { Index(slot: state.content.firstSlot) }

  /// The position after the last record.
  @inlinable
  public var endIndex: Index { Index(slot: state.content.records.count) }

  /// The position of the next record.
  @inlinable
  public func index(after index: Index) -> Index {
    Index(slot: state.content.slot(after: index.slot))
  }

  /// The position of the record before.
  @inlinable
  public func index(before index: Index) -> Index {
    Index(slot: state.content.slot(before: index.slot))
  }

  /// The record at a position of this snapshot.
  @inlinable
  public subscript(index: Index) -> Record {
    guard let record = state.content.records[index.slot] else {
      preconditionFailure("the index is not of this snapshot")
    }
    return record
  }

  /// Gives the records in order, leaf by leaf, so that it is about as fast as an array's.
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

    /// The next record, or nil after the last.
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

  /// Makes an iterator over the records in order.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(state.content) }
}
