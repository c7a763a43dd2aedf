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

  package let apply: @Sendable (Runs, inout StoreContent<Record>) -> AppliedChanges<Record>
  package let replay:
    @Sendable (Int, Int, inout RecordReader, inout StoreContent<Record>, inout [Record.ID]?) throws
      -> Void
  package let write: @Sendable ([Record], inout RecordWriter) throws -> Void
  package let writeAll: @Sendable (StoreContent<Record>, inout RecordWriter) throws -> Void
  package let build: @Sendable ([Record]) -> StoreContent<Record>

  @inlinable
  init() {
    self.init(
      apply: { runs, content in content.apply(runs) },
      replay: { count, version, reader, content, ids in
        try content.replay(count, version: version, from: &reader, ids: &ids)
      },
      write: { records, writer in
        // By index, because a loop variable is a copy that retains every reference in the record.
        for place in records.indices {
          try writer.writePrefixed { try records[place].write(to: &$0) }
        }
      },
      writeAll: { content, writer in
        try content.forEachRecord { record in
          try writer.writePrefixed { try record.write(to: &$0) }
        }
      },
      build: { records in
        var builder = StoreContent<Record>.Builder(capacity: records.count)
        for record in records { builder.append(record) }
        return builder.finish()
      })
  }

  @usableFromInline
  init(
    apply: @escaping @Sendable (Runs, inout StoreContent<Record>) -> AppliedChanges<Record>,
    replay:
      @escaping @Sendable (
        Int, Int, inout RecordReader, inout StoreContent<Record>, inout [Record.ID]?
      ) throws -> Void,
    write: @escaping @Sendable ([Record], inout RecordWriter) throws -> Void,
    writeAll: @escaping @Sendable (StoreContent<Record>, inout RecordWriter) throws -> Void,
    build: @escaping @Sendable ([Record]) -> StoreContent<Record>
  ) {
    self.apply = apply
    self.replay = replay
    self.write = write
    self.writeAll = writeAll
    self.build = build
  }
}

extension StoreContent {
  /// Reads `count` records that were inserted or replaced, of a version up to the current one.
  @inlinable
  mutating func replay(
    _ count: Int, version: Int, from reader: inout RecordReader, ids: inout [Record.ID]?
  ) throws {
    let isBulk = self.count == 0 && count >= Self.bulkSize
    let isCurrent = version == Record.formatVersion
    if self.count == 0, isCurrent, let stored = try Self.stored(count, in: &reader, ids: &ids) {
      return adopt(stored)
    }
    var builder = Builder(capacity: isBulk ? count : 0)
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

  /// Returns the content of `count` records that are decoded when they are used, or `nil` if their type must be
  /// decoded to be checked.
  @inlinable
  static func stored(
    _ count: Int, in reader: inout RecordReader, ids: inout [Record.ID]?
  ) throws -> StoreContent? {
    var (rest, noted) = (reader, ids)
    var builder = Builder(capacity: count)
    for first in stride(from: 0, to: count, by: 64) {
      let leaf = rest
      let size = Swift.min(64, count - first)
      for _ in 0..<size {
        guard let id = try rest.next({ try Record.id(checking: &$0) }) else { return nil }
        builder.hashes.append(hash(of: id))
        noted?.append(id)
      }
      builder.leaves.append(.init(storing: Once { leaf.records(size) }))
    }
    (reader, ids) = (rest, noted)
    return builder.finish()
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

  /// Returns the next records, which have been checked.
  @inlinable
  func records<Record: StoredRecord>(_ count: Int) -> [Record?] {
    var reader = self
    do {
      return try (0..<count).map { _ in try reader.next { try Record(reading: &$0) } }
    } catch {
      preconditionFailure(
        "\(Record.self).id(checking:) accepts what init(reading:) rejects: \(error)")
    }
  }
}
