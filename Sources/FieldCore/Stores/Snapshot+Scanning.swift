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
