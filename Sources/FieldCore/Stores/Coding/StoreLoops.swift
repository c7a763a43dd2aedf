/// The inner loops of the stores, compiled for one type of record.
///
/// Don't use them directly.
///
/// A store is generic and accesses its records through protocols, which costs a call for each step
/// of each record. ``StoredRecord`` has a hidden requirement of this type with an inlinable
/// default. The module that declares a record therefore compiles these loops for it once, and a
/// store in any module runs them.
@_documentation(visibility: internal)
public struct StoreLoops<Record: StoredRecord>: Sendable {
  @usableFromInline
  package typealias Runs = [Changes<Record>.Run]

  @usableFromInline
  package let apply: @Sendable (Runs, inout StoreContent<Record>) -> AppliedChanges<Record>
  @usableFromInline
  package let replay:
    @Sendable (
      Int, Int, StoredIndex?, inout RecordReader, inout StoreContent<Record>, inout [Record.ID]?
    ) throws -> Void
  @usableFromInline
  package let write: @Sendable ([Record], inout RecordWriter) throws -> Void
  @usableFromInline
  package let writeAll: @Sendable (StoreContent<Record>, inout RecordWriter) throws -> Void
  @usableFromInline
  package let index: @Sendable (StoreContent<Record>) -> StoredIndex?
  @usableFromInline
  package let proves: @Sendable (Int, StoredIndex?, RecordReader, StoreContent<Record>) -> Bool
  @usableFromInline
  package let build: @Sendable ([Record]) -> StoreContent<Record>

  @inlinable
  init() {
    apply = { runs, content in content.apply(runs) }
    replay = { count, version, index, reader, content, ids in
      try content.replay(count, version: version, index, from: &reader, ids: &ids)
    }
    write = { records, writer in
      // By index, because a loop variable is a copy that retains every reference in the record.
      for place in records.indices {
        try writer.writePrefixed { try records[place].write(to: &$0) }
      }
    }
    writeAll = { content, writer in
      try content.forEachRecord { record in
        try writer.writePrefixed { try record.write(to: &$0) }
      }
    }
    index = { content in content.storedIndex() }
    proves = { count, index, reader, content in content.proves(count, index, in: reader) }
    build = { records in
      var builder = StoreContent<Record>.Builder(
        capacity: records.count, seed: StoreContent<Record>.processSeed)
      for record in records { builder.append(record) }
      return builder.finish()
    }
  }
}

extension StoreContent {
  /// Reads `count` records that were inserted or replaced, of a version up to the current one.
  ///
  /// - Parameter stored: The index of the records, used if there are no others.
  @inlinable
  mutating func replay(
    _ count: Int, version: Int, _ stored: StoredIndex?, from reader: inout RecordReader,
    ids: inout [Record.ID]?
  ) throws {
    let isBulk = self.count == 0 && count >= Self.bulkSize
    let isCurrent = version == Record.formatVersion
    if self.count == 0, isCurrent, reader.trust != .doubted,
      let content = try Self.onDemand(count, stored, index.seed, in: &reader, ids: &ids)
    {
      return adopt(content)
    }
    var builder = Builder(capacity: isBulk ? count : 0, seed: index.seed)
    for _ in 0..<count {
      let record: Record
      if isCurrent {
        record = try reader.next { try Record(reading: &$0) }
      } else {
        let range = try reader.lengthPrefixed()
        record = try Record.migrate(
          from: OlderRecord(
            version: version, reader: RecordReader(reader.bytes, range, strings: reader.strings)))
      }
      if ids != nil { ids?.append(record.id) }
      if isBulk {
        builder.append(consume record)
      } else {
        _ = upsert(record)
      }
    }
    if isBulk { adopt(builder.finish()) }
  }

  /// Returns the content of `count` records that are decoded when they are used, or `nil` if they must be decoded
  /// to be checked.
  @inlinable
  static func onDemand(
    _ count: Int, _ stored: StoredIndex?, _ seed: UInt64, in reader: inout RecordReader,
    ids: inout [Record.ID]?
  ) throws -> StoreContent? {
    let isProven = reader.trust == .proven
    do {
      var (first, rest, noted) = (reader.group(0, []), reader, ids)
      var content: StoreContent?
      if let stored, Record._isIndexed || isProven {
        content = try Self.indexed(count, stored, seed, in: &rest, ids: &noted)
      }
      content = try content ?? Self.stored(count, seed, in: &rest, ids: &noted)
      guard content != nil, count > 0 else { return content }
      // It takes the place of a record that can't be decoded later.
      reader.source?.setStandIn(try first.next { try Record(reading: &$0) })
      content?.source = reader.source
      (reader, ids) = (rest, noted)
      return content
    } catch  where isProven {
      return nil  // The error, if it is one, occurs again.
    }
  }

  /// Returns the content of `count` records that are decoded when they are used, or `nil` if their IDs can't be read
  /// otherwise.
  @inlinable
  static func stored(
    _ count: Int, _ seed: UInt64, in reader: inout RecordReader, ids: inout [Record.ID]?
  ) throws -> StoreContent? {
    var (rest, noted) = (reader, ids)
    var builder = Builder(capacity: count, seed: seed)
    for first in stride(from: 0, to: count, by: 64) {
      let leaf = rest
      let size = Swift.min(64, count - first)
      for _ in 0..<size {
        guard let id = try rest.next({ try Record.id(checking: &$0) }) else { return nil }
        builder.hashes.append(hash(of: id, seed: seed))
        noted?.append(id)
      }
      builder.leaves.append(.init(storing: StoredLeaf(leaf, count: size)))
    }
    (reader, ids) = (rest, noted)
    return builder.finish()
  }

  /// Returns the content of `count` records with an index, or `nil` if it isn't one of these records.
  ///
  /// The checksum of the frame covers the index and all records, which its writer encoded in this version. If there is
  /// no proof for them, one record of each group is checked, in case the type has changed without a new version.
  @inlinable
  static func indexed(
    _ count: Int, _ stored: StoredIndex, _ seed: UInt64, in reader: inout RecordReader,
    ids: inout [Record.ID]?
  ) throws -> StoreContent? {
    guard stored.count == count, ids == nil || count > idLimit,
      stored.ends.last == reader.availableCount
    else { return nil }
    var content = StoreContent(seed: seed)
    content.index = SlotIndex(stored, seed: seed)
    content.count = count
    let (all, ends) = (reader, stored.ends)
    for group in ends.indices where reader.trust != .proven {
      var first = all.group(group, ends)
      guard let id = try first.next({ try Record.id(checking: &$0) }),
        Record._stableHash(of: id, seed: seed).map({ hash in
          content.index.firstSlot(of: hash) { $0 == 64 * group } != nil
        }) != false
      else { return nil }
    }
    let nodes = stride(from: 0, to: ends.count, by: 32).map { first in
      SlotVector<Record>.Node(
        deferring: Once {
          (first..<Swift.min(first + 32, ends.count)).map { group in
            .init(
              storing: StoredLeaf(
                all, group: group, ends, count: Swift.min(64, count - 64 * group)))
          }
        })
    }
    content.records = SlotVector(nodes, shift: 6, count: count)
    var (group, next, record) = (-1, 0, all)
    for slot in stored.others {
      if slot / 64 != group || slot < next {
        (group, next) = (slot / 64, slot / 64 * 64)
        record = all.group(group, ends)
      }
      for _ in next..<slot { _ = try record.lengthPrefixed() }
      guard let id = try record.next({ try Record.id(checking: &$0) }) else { return nil }
      next = slot + 1
      content.index.insert(slot: slot, hash: hash(of: id, seed: seed))
    }
    (reader.position, reader.distant) = (reader.end, nil)
    ids = nil
    return content
  }

  /// Returns an index of the records, as if they were in slots without holes; `nil` if it isn't worth its room.
  @inlinable
  func storedIndex() -> StoredIndex? {
    guard Record._hashesStably, count >= StoredIndex.smallestCount else { return nil }
    var stored = StoredIndex(capacity: count)
    forEachRecord { stored.add(Record._stableHash(of: $0.id, seed: index.seed)) }
    // IDs without a hash are read by opening, which is faster without an index if they are many.
    return Record._isIndexed || stored.others.count <= count / 2 ? stored : nil
  }

  /// Returns a Boolean value that indicates whether an index of the records would be worth its room, judging by some
  /// of them.
  package var isIndexable: Bool {
    guard Record._hashesStably, !Record._isIndexed else { return Record._hashesStably }
    let sample = stride(from: 0, to: records.count, by: max(1, records.count / 64))
    let ids = sample.compactMap { records[$0]?.id }
    let hashed = ids.count { Record._stableHash(of: $0, seed: index.seed) != nil }
    return 2 * hashed >= ids.count
  }
}

extension StoreContent {
  /// Returns whether decoding `count` records on demand, with or without their index, gives this content, which was
  /// decoded or checked when they were read.
  ///
  /// - Parameters:
  ///   - stored: The index of the records.
  ///   - reader: A reader of the records.
  @inlinable
  func proves(_ count: Int, _ stored: StoredIndex?, in reader: RecordReader) -> Bool {
    guard self.count == count, records.count == count, count > 0 else { return false }
    let stored = stored.flatMap {
      $0.count == count && $0.ends.last == reader.remainingCount ? $0 : nil
    }
    let table = stored.map { SlotIndex($0, seed: index.seed) }
    var others = stored?.others[...] ?? []
    let isDecoded = records.withLeaf(of: 0, stored: { _ in false }, { _ in true })
    // Without an index, a type that checks its records is opened in the same way with a proof.
    guard isDecoded || table != nil || reader.trust == .proven else { return false }
    var rest = reader
    rest.trust = .proven
    do {
      for slot in 0..<count {
        var form = rest
        let record: Record?
        if isDecoded {
          record = records[slot]
          _ = try rest.lengthPrefixed()
        } else {
          record = try rest.next { try Record(reading: &$0) }
        }
        guard let id = record?.id else { return false }
        if let table, let hash = Record._stableHash(of: id, seed: index.seed) {
          guard table.firstSlot(of: hash, where: { $0 == slot }) != nil else { return false }
        } else {
          guard table == nil || others.popFirst() == slot,
            try form.next({ try Record.id(checking: &$0) }) == id
          else { return false }
        }
        if let stored, slot % 64 == 63 || slot == count - 1 {
          guard rest.position - reader.position == stored.ends[slot / 64] else { return false }
        }
      }
    } catch {
      return false
    }
    return others.isEmpty
  }
}

extension RecordReader {
  /// Reads the next record, preceded by its length, with `body`, which has to read it to its end.
  @inlinable
  @inline(__always)
  mutating func next<Value>(_ body: (inout RecordReader) throws -> Value) throws -> Value {
    let outer = end
    defer { end = outer }
    let range = try lengthPrefixed()
    (position, end) = (range.lowerBound, range.upperBound)
    let value = try body(&self)
    guard position == range.upperBound else { throw damaged("A record wasn't read to its end") }
    return value
  }

  /// Returns a reader of a group of records, whose ends are counted from the next record.
  @inlinable
  func group(_ number: Int, _ ends: [Int]) -> RecordReader {
    if let distant { return distant.group(number) }
    var reader = self
    if number > 0 { reader.position += ends[number - 1] }
    return reader
  }

  /// Calls `body` to read a part of the next record, preceded by its length, and skips the rest.
  @inlinable
  @inline(__always)
  mutating func peek<Value>(_ body: (inout RecordReader) throws -> Value) throws -> Value {
    let outer = end
    let range = try lengthPrefixed()
    (position, end) = (range.lowerBound, range.upperBound)
    defer { (position, end) = (range.upperBound, outer) }
    return try body(&self)
  }

  /// Returns the next records, which an opening has accepted.
  @inlinable
  func records<Record: StoredRecord>(_ count: Int) -> [Record?] {
    var reader = self
    return (0..<count).map { _ in reader.nextAccepted() }
  }

  /// Returns one of the next records, which an opening has accepted.
  @inlinable
  func record<Record: StoredRecord>(at index: Int) -> Record {
    var reader = self
    do {
      for _ in 0..<index { _ = try reader.lengthPrefixed() }
    } catch {
      return reader.standIn(for: error)
    }
    return reader.nextAccepted()
  }

  @inlinable
  @inline(__always)
  mutating func nextAccepted<Record: StoredRecord>() -> Record {
    let start = position
    do {
      return try next { try Record(reading: &$0) }
    } catch {
      position = start
      _ = try? lengthPrefixed()
      return standIn(for: error)
    }
  }

  /// Reads the rest of a record that an opening has accepted.
  @inlinable
  package mutating func accepted<Record: StoredRecord>() -> Record {
    do {
      return try Record(reading: &self)
    } catch {
      return standIn(for: error)
    }
  }

  /// Notes that a record can't be decoded, and returns the one that takes its place.
  @usableFromInline
  func standIn<Record>(for error: any Error) -> Record {
    source?.fail(error)
    guard let record = source?.standIn(Record.self) else {
      preconditionFailure("id(checking:) accepts what init(reading:) rejects: \(error)")
    }
    return record
  }
}
