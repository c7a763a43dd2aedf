/// A large frame of which an opening keeps only what it needs; its records stay in the file until they are used.
package struct DistantFrame: Sendable {
  package let frame: Frame
  /// A reader of the steps before the first record.
  let steps: RecordReader
  let index: StoredIndex

  /// The size from which reading a frame in blocks is faster than keeping it.
  package static var smallestSize: Int { 1 << 20 }
  /// The size of the blocks, which remain in the cache of the processor.
  private static var blockSize: Int { 1 << 17 }

  /// Reads a frame once, and compares its checksum.
  ///
  /// - Parameters:
  ///   - frame: A frame with an index that this program has checked before.
  ///   - path: The file that contains it.
  ///   - status: The status of that file.
  ///   - source: The source of its records.
  /// - Returns: `nil` if the frame isn't intact, or the file can't be relied on later.
  package init?(
    _ frame: Frame, at path: String, _ status: FileStatus, seed: UInt32,
    fileSystem: any FileSystem, source: StoredSource
  ) throws {
    let file = DistantFile(try fileSystem.openFile(path, .reading), fileSystem)
    guard try file.isUsable(as: status) else { return nil }
    let payload = frame.payload
    guard payload.count >= 40 else { return nil }
    let start = try file.bytes(payload.lowerBound..<payload.lowerBound + 8)
    guard let place = Int(exactly: start.fixed(at: 0) as UInt64), 40...payload.count ~= place
    else { return nil }
    let middle = payload.lowerBound + place
    let length = try file.bytes(middle - 8..<middle)
    guard let size = Int(exactly: length.fixed(at: 0) as UInt64), 16...place - 16 ~= size
    else { return nil }
    let indexStart = middle - 8 - size
    let counts = try file.bytes(indexStart..<indexStart + 16)
    let tableStart =
      indexStart + (try StoredIndex.sizeOfNumbers(counts, at: 0, within: size))
    let numbers = try file.bytes(indexStart..<tableStart)
    var index = try StoredIndex(numbers, at: 0, recordsUpTo: place - 16 - size)
    let ends = index.ends
    let records = indexStart - (ends.last ?? 0)
    let head = try file.bytes(payload.lowerBound + 8..<records)
    let strings = try file.bytes(middle..<payload.upperBound)

    var sum = CRC32C.checksum(start + head, 0..<start.count + head.count, after: seed)
    var sums: [UInt64] = []
    sums.reserveCapacity(ends.count)
    while sums.count < ends.count {
      let from = sums.isEmpty ? 0 : ends[sums.count - 1]
      let next = ends[sums.count...].firstIndex { $0 - from > Self.blockSize } ?? ends.count
      let until = max(next, sums.count + 1)
      let block = try file.bytes(records + from..<records + ends[until - 1])
      sum = CRC32C.checksum(block, block.indices, after: sum)
      block.withByteSpan { block in
        var begin = 0
        for end in ends[sums.count..<until] {
          sums.append(Fletcher.sum(block.extracting(begin..<end - from)))
          begin = end - from
        }
      }
    }
    sum = CRC32C.checksum(numbers, numbers.indices, after: sum)
    for from in stride(from: tableStart, to: middle - 8, by: Self.blockSize) {
      let block = try file.bytes(from..<min(from + Self.blockSize, middle - 8))
      sum = CRC32C.checksum(block, block.indices, after: sum)
      index.append(block, block.indices)
    }
    sum = CRC32C.checksum(length + strings, 0..<8 + strings.count, after: sum)
    guard sum == frame.checksum else { return nil }
    self.index = index
    self.frame = frame
    var table = RecordReader(strings, strings.indices)
    var steps = RecordReader(head, head.indices, strings: try table.stringTable())
    (steps.trust, steps.source) = (.proven, source)
    steps.distant = DistantRecords(
      file, start: records, ends: ends, sums: sums, strings: steps.strings, source: source)
    self.steps = steps
  }
}

/// The records of a frame in a file, which are read in groups when they are used.
///
/// A group is compared with what the opening read. If the device fails, or something else has written to the file meanwhile, the group fails as
/// records do that can't be decoded: see ``StoredSource``.
@usableFromInline
package final class DistantRecords: Sendable {
  private let file: DistantFile
  /// The position of the first record in the file.
  private let start: Int
  /// The ends of the groups, counted from the first record.
  private let ends: [Int]
  /// The checksums of the groups.
  private let sums: [UInt64]
  private let strings: [String]
  private let source: StoredSource
  private let block = Lock(Block())

  /// The groups that were read last.
  private struct Block {
    var groups = 0..<0
    var bytes: [UInt8] = []
  }

  fileprivate init(
    _ file: DistantFile, start: Int, ends: [Int], sums: [UInt64], strings: [String],
    source: StoredSource
  ) {
    (self.file, self.start, self.ends, self.sums) = (file, start, ends, sums)
    (self.strings, self.source) = (strings, source)
  }

  /// The number of bytes of all records.
  @usableFromInline
  var byteCount: Int { ends.last ?? 0 }

  /// Returns a reader of the records of a group, or one of nothing if they can't be read.
  @usableFromInline
  func group(_ number: Int) -> RecordReader {
    var (bytes, range) = ([] as [UInt8], 0..<0)
    do {
      (bytes, range) = try block.withLock { block in
        if !block.groups.contains(number) { block = try read(number, after: block.groups) }
        let lower = place(of: number) - place(of: block.groups.lowerBound)
        return (block.bytes, lower..<lower + place(of: number + 1) - place(of: number))
      }
    } catch {
      source.fail(error)
    }
    var reader = RecordReader(bytes, range, strings: strings)
    (reader.trust, reader.source) = (.proven, source)
    return reader
  }

  /// Reads a group, and some more if groups are used one after another.
  private func read(_ number: Int, after last: Range<Int>) throws -> Block {
    let count = number == last.upperBound ? Self.blockSize : 1
    let groups = number..<min(number + count, ends.count)
    let first = place(of: number)
    let bytes = try file.bytes(start + first..<start + place(of: groups.upperBound))
    let isSame = bytes.withByteSpan { bytes in
      groups.allSatisfy {
        let range = place(of: $0) - first..<place(of: $0 + 1) - first
        return Fletcher.sum(bytes.extracting(range)) == sums[$0]
      }
    }
    guard isSame else {
      throw FieldError(.damaged, "The store file was changed by something else than a store.")
    }
    return Block(groups: groups, bytes: bytes)
  }

  /// The number of groups that are read at once.
  private static var blockSize: Int { 16 }

  /// Returns the position of a group, counted from the first record.
  private func place(of group: Int) -> Int { group > 0 ? ends[group - 1] : 0 }
}

/// A file that is open for reading as long as some of its records may be used.
private final class DistantFile: Sendable {
  private let file: OpenFile
  private let fileSystem: any FileSystem

  init(_ file: OpenFile, _ fileSystem: any FileSystem) {
    (self.file, self.fileSystem) = (file, fileSystem)
  }

  deinit { _ = try? fileSystem.closeFile(file) }

  func isUsable(as status: FileStatus) throws -> Bool {
    try fileSystem.status(of: file).isSameFile(as: status) && fileSystem.staysReadable(file)
  }

  func bytes(_ range: Range<Int>) throws -> [UInt8] {
    let bytes = try fileSystem.read(file, at: range.lowerBound, count: range.count)
    guard bytes.count == range.count else {
      throw FieldError(.damaged, "The store file was cut off by something else than a store.")
    }
    return bytes
  }
}

/// A checksum that finds out whether bytes are those that were read before, at the speed of memory.
///
/// It consists of Fletcher's two sums, which ZFS computes of its blocks, too, here in eight lanes of 64 bits. It never leaves the process.
/// What a file must prove by itself has a ``CRC32C``.
private enum Fletcher {
  static func sum(_ bytes: Span<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
      var (first, second) = (SIMD8<UInt64>(repeating: 1), SIMD8<UInt64>())
      let whole = bytes.count & ~63
      for place in stride(from: 0, to: whole, by: 64) {
        unsafe first &+= bytes.loadUnaligned(fromByteOffset: place, as: SIMD8<UInt64>.self)
        second &+= first
      }
      for place in whole..<bytes.count {
        let lane = (place - whole) / 8
        unsafe first[lane] &+= UInt64(bytes[place]) << UInt64(8 * (place & 7))
      }
      second &+= first
      return first.indices.reduce(StableHash.folded(UInt64(bytes.count))) { sum, lane in
        StableHash.folded(StableHash.folded(sum ^ first[lane]) ^ second[lane])
      }
    }
  }
}
