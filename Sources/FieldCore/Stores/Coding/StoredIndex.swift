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
    guard reader.remainingCount >= 24,
      let length = Int(exactly: reader.bytes.fixed(at: reader.end - 8) as UInt64),
      16...reader.remainingCount - 8 ~= length
    else { throw Self.damaged("is cut off") }
    let start = reader.end - 8 - length
    let size = try Self.sizeOfNumbers(reader.bytes, at: start, within: length)
    try self.init(reader.bytes, at: start, recordsUpTo: start - reader.position)
    append(reader.bytes, start + size..<reader.end - 8)
    reader.end = start
    guard reader.trust == .proven || hasConsistentTable else {
      throw Self.damaged("contradicts itself")
    }
  }

  /// Reads all but the table.
  ///
  /// - Parameter size: The largest possible size of the records.
  init(_ bytes: [UInt8], at start: Int, recordsUpTo size: Int) throws {
    var place = start
    func next() throws -> Int {
      defer { place += 8 }
      guard let number = Int(exactly: bytes.fixed(at: place) as UInt64) else {
        throw Self.damaged("contains a number that is out of range")
      }
      return number
    }
    table = []
    count = try next()
    table.reserveCapacity(SlotIndex.tableSize(for: count))
    let otherCount = try next()
    ends = try (0..<(count + 63) / 64).map { _ in try next() }
    others = try (0..<otherCount).map { _ in try next() }
    guard hasPlaces(within: size) else { throw Self.damaged("contradicts itself") }
  }

  /// Returns the size of all but the table, of which the first 16 bytes are at a position.
  ///
  /// - Parameter length: The size of the index.
  static func sizeOfNumbers(
    _ bytes: [UInt8], at start: Int, within length: Int
  ) throws -> Int {
    let words = length / 8 - 2
    guard length % 8 == 0, let count = Int(exactly: bytes.fixed(at: start) as UInt64),
      let otherCount = Int(exactly: bytes.fixed(at: start + 8) as UInt64),
      count > 0, count <= words, otherCount <= count, case let groups = (count + 63) / 64,
      words == groups + otherCount + SlotIndex.tableSize(for: count)
    else { throw damaged("has another size") }
    return 8 * (2 + groups + otherCount)
  }

  /// Adds a part of the table.
  mutating func append(_ bytes: [UInt8], _ range: Range<Int>) {
    let size = 1 << 13
    for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let part = start..<min(start + size, range.upperBound)
      unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: part.count / 8) { words in
        unsafe bytes.withUnsafeBytes {
          unsafe UnsafeMutableRawBufferPointer(words).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: $0[part]))
        }
        for place in words.indices { unsafe words[place] = UInt64(littleEndian: words[place]) }
        unsafe table.append(contentsOf: words)
      }
    }
  }

  private static func damaged(_ what: String) -> FieldError {
    FieldError(.damaged, "The index of a frame \(what).")
  }

  /// Whether all positions exist.
  private func hasPlaces(within size: Int) -> Bool {
    zip([0] + ends, ends).allSatisfy { $0 < $1 } && ends.allSatisfy { $0 <= size }
      && others.allSatisfy { $0 < count }
  }

  /// Whether all slots in the table exist, and a search in it ends.
  private var hasConsistentTable: Bool {
    // Without branches, because two thirds of the entries are used, and nothing predicts which.
    var (last, unused, withoutNumber) = (0 as UInt32, 0, 0)
    for entry in table {
      let number = UInt32(truncatingIfNeeded: entry)
      last = max(last, number)
      unused &+= entry == 0 ? 1 : 0
      withoutNumber &+= number == 0 ? 1 : 0
    }
    return withoutNumber == unused && last <= count && table.count - unused <= count
  }
}
