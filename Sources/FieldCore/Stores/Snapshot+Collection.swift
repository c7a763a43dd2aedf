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
