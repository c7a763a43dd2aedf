/// The index of a frame's records, which spares opening the work for each record.
///
/// It consists of the ends of groups of 64 records, and the hash table of a ``SlotIndex`` with stable hashes.
/// Only a frame that contains all records of the store has one. For the layout, see `Docs/store-format.md`.
@usableFromInline
package struct StoredIndex: Sendable {
  /// The ends of the groups, counted from the start of the first record.
  @usableFromInline
  package private(set) var ends: [Int] = []
  /// The slots of the records whose IDs have no stable hash and aren't in the table.
  @usableFromInline
  package private(set) var others: [Int] = []
  @usableFromInline
  package private(set) var table: [UInt64]
  @usableFromInline
  package private(set) var count = 0

  /// The number of records from which an index is worth its room.
  @usableFromInline
  package static let smallestCount = 1024

  /// Creates an index for a number of records, which are added in order.
  @usableFromInline
  package init(capacity: Int) { table = SlotIndex.emptyTable(for: capacity) }

  /// Adds the next record by the stable hash of its ID.
  @usableFromInline
  package mutating func add(_ hash: UInt32?) {
    if let hash {
      _ = SlotIndex.add(UInt64(hash) << 32 | UInt64(count + 1), to: &table)
    } else {
      others.append(count)
    }
    count += 1
  }

  /// Appends the index of the records that were written from a position on.
  package mutating func append(to writer: inout RecordWriter, recordsFrom start: Int) throws {
    var reader = RecordReader(writer.bytes, start..<writer.count)
    ends = []
    for slot in 1...count {
      _ = try reader.lengthPrefixed()
      if slot % 64 == 0 || slot == count { ends.append(reader.position - start) }
    }
    let numbers = [count, others.count] + ends + others
    writer.reserve(8 * (numbers.count + table.count + 1))
    for number in numbers { writer.append(fixed: UInt64(number)) }
    for entry in table { writer.append(fixed: entry) }
    writer.append(fixed: UInt64(8 * (numbers.count + table.count)))
  }

  /// Reads the index at the end of the reader's bytes, and excludes it from what the reader reads.
  package init(endOf reader: inout RecordReader) throws {
    let bytes = reader.bytes
    func number(_ place: Int) throws -> Int {
      guard let number = Int(exactly: bytes.fixed(at: place) as UInt64) else {
        throw reader.damaged("An index contains a number that is out of range")
      }
      return number
    }
    guard reader.remainingCount >= 24, case let size = try number(reader.end - 8),
      size >= 16, size <= reader.remainingCount - 8, size % 8 == 0
    else { throw reader.damaged("The index of a frame is cut off") }
    let start = reader.end - 8 - size
    count = try number(start)
    let otherCount = try number(start + 8)
    let words = size / 8 - 2
    guard count > 0, count <= words, otherCount <= count,
      case let groups = (count + 63) / 64,
      words == groups + otherCount + SlotIndex.tableSize(for: count)
    else { throw reader.damaged("The index of a frame has another size") }
    let place = start + 16 + 8 * (groups + otherCount)
    let numbers = try stride(from: start + 16, to: place, by: 8).map(number)
    ends = Array(numbers.prefix(groups))
    others = Array(numbers.dropFirst(groups))
    let entries = words - numbers.count
    table = unsafe [UInt64](unsafeUninitializedCapacity: entries) { table, used in
      unsafe bytes.withUnsafeBytes { bytes in
        for entry in 0..<entries {
          let word = unsafe bytes.loadUnaligned(fromByteOffset: place + 8 * entry, as: UInt64.self)
          unsafe table.initializeElement(at: entry, to: UInt64(littleEndian: word))
        }
      }
      used = entries
    }
    reader.end = start
    guard isConsistent(start - reader.position) else {
      throw reader.damaged("The index of a frame contradicts itself")
    }
  }

  /// Whether all slots and positions exist, and a search in the table ends.
  private func isConsistent(_ size: Int) -> Bool {
    // Without branches, because two thirds of the entries are used, and nothing predicts which.
    var (last, unused, withoutNumber) = (0 as UInt32, 0, 0)
    for entry in table {
      let number = UInt32(truncatingIfNeeded: entry)
      last = max(last, number)
      unused &+= entry == 0 ? 1 : 0
      withoutNumber &+= number == 0 ? 1 : 0
    }
    return withoutNumber == unused && last <= count && table.count - unused <= count
      && zip([0] + ends, ends).allSatisfy { $0 < $1 } && ends.allSatisfy { $0 <= size }
      && others.allSatisfy { $0 < count }
  }
}
