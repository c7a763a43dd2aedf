/// A zip archive in memory, such as a GTFS feed or a portal's compressed CSV file.
///
/// ```swift
/// let archive = try ZipArchive(bytes)
/// for entry in archive.entries { print(entry.name, entry.size) }
/// let rows = try archive.bytes(of: "stops.txt")
/// ```
///
/// Entries are stored or deflated. The central directory counts: sizes in local headers may be missing or wrong. Zip64,
/// data descriptors, folders, and data before the archive, such as a program that extracts it, are read. Nothing is ever
/// written to a file.
///
/// | code | the archive |
/// |---|---|
/// | `rows.empty`, `rows.notData` | is empty, or isn't a zip archive |
/// | `rows.cut` | is truncated, or the compressed bytes of an entry are |
/// | `rows.malformed` | is damaged, or its entries overlap |
/// | `rows.unknownFormat` | spans several files, or compresses an entry with another method |
/// | `archive.limit` | contains an entry that is larger than allowed, or than its compressed bytes can be |
/// | `archive.encrypted` | contains an encrypted entry; the others can be read |
/// | `archive.path` | names a file outside its folder |
/// | `input.invalid` | has no entry of the requested name |
public struct ZipArchive: Sendable {
  /// A file or a folder of an archive.
  public struct Entry: Sendable, Hashable {
    /// The path within the archive, with slashes; that of a folder ends in one.
    public let name: String
    /// The size, in bytes.
    public let size: Int64
    /// The compressed size, in bytes.
    public let compressedSize: Int64
    /// A Boolean value that indicates whether the entry is encrypted, so that it can't be read.
    public let isEncrypted: Bool
    /// A Boolean value that indicates whether the entry is a folder.
    public var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
    /// The name without the folders.
    public var lastPathComponent: String {
      String(name.split(separator: "/").last ?? "")
    }

    let method: UInt16
    let checksum: UInt32
    /// The offset of the local header.
    let start: Int
  }

  /// The files and folders, in the order of the central directory.
  public let entries: [Entry]
  /// The largest entry to read, in bytes.
  private let maximumEntrySize: Int
  private let bytes: [UInt8]
  /// The start of the central directory, where the data of all entries ends.
  private let directory: Int

  /// Creates an archive from its bytes, whose directory is read.
  ///
  /// - Parameters:
  ///   - bytes: The whole archive.
  ///   - maximumEntrySize: The largest entry to read, in bytes. Defaults to 1 GiB.
  /// - Throws: ``FieldError`` if the directory can't be used; see the table above.
  public init(_ bytes: [UInt8], maximumEntrySize: Int = 1 << 30) throws(FieldError) {
    let found = try bytes.withByteSpan { span throws(FieldError) in
      let place = try ZipDirectory(span)
      return (start: place.start, entries: try place.entries(span))
    }
    self.bytes = bytes
    self.maximumEntrySize = maximumEntrySize
    (directory, entries) = (found.start, found.entries)
    try checkOverlaps()
  }

  /// Returns the bytes of an entry.
  ///
  /// - Parameter name: The path within the archive. Of several entries with one name, the last one is read.
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if there is no such entry; for other
  ///   errors, see the table above.
  public func bytes(of name: String) throws(FieldError) -> [UInt8] {
    guard let entry = entries.last(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      throw FieldError(
        .invalidInput, "The archive has no file \"\(name)\". See its entries for what it has.")
    }
    return try bytes(of: entry)
  }

  /// Returns the bytes of an entry, whose length and checksum are verified.
  ///
  /// - Parameter entry: One of ``entries``.
  /// - Throws: ``FieldError`` if the entry can't be read; see the table above.
  public func bytes(of entry: Entry) throws(FieldError) -> [UInt8] {
    try FieldError.naming(entry.name) { () throws(FieldError) in
      let size = try checkedSize(of: entry)
      return try bytes.withByteSpan { span throws(FieldError) in
        let content = try Self.content(size, span.extracting(try range(of: entry, span)), entry)
        guard content.withByteSpan(CRC32.checksum) == entry.checksum else {
          throw FieldError(
            .malformed, "The checksum doesn't match: the archive is damaged. Download it again.")
        }
        return content
      }
    }
  }

  // MARK: Checks

  private func checkedSize(of entry: Entry) throws(FieldError) -> Int {
    guard !entry.isEncrypted else {
      throw FieldError(
        .archiveEncrypted,
        "The file is encrypted. Ask the publisher for an archive without a password.")
    }
    guard entry.method == 0 || entry.method == 8 else {
      throw FieldError(
        .unknownFormat,
        "The file is compressed with method \(entry.method), but only deflate (8) can be read.")
    }
    guard let size = Int(exactly: entry.size), size <= maximumEntrySize else {
      throw FieldError(
        .archiveLimit,
        "The file has \(entry.size) bytes, but only \(maximumEntrySize) are allowed. If that is "
          + "expected, increase maximumEntrySize.")
    }
    // A bit of deflate stands for a match of 258 bytes at most, so eight of them yield 1032 bytes at the most when both
    // the length and the distance take a bit.
    let isPossible =
      entry.method == 0
      ? entry.size == entry.compressedSize
      : entry.size / 1032 <= entry.compressedSize
    guard isPossible else {
      throw FieldError(
        .archiveLimit,
        "\(entry.compressedSize) compressed bytes can't contain \(entry.size) bytes. The archive is "
          + "damaged, or made to exhaust memory.")
    }
    return size
  }

  /// Returns the range of an entry's compressed bytes.
  private func range(of entry: Entry, _ span: Span<UInt8>) throws(FieldError) -> Range<Int> {
    let (start, end) = (entry.start, directory)
    guard start <= end - 30, span.number(at: start, UInt32.self) == 0x0403_4B50 else {
      throw FieldError(
        .malformed, "The file isn't where the directory says. Download the archive again.")
    }
    let first =
      start + 30 + Int(span.number(at: start + 26, UInt16.self))
      + Int(span.number(at: start + 28, UInt16.self))
    guard let count = Int(exactly: entry.compressedSize), first <= end, count <= end - first else {
      throw FieldError(
        .cut, "Its data reaches beyond that of the archive. Download the archive again.")
    }
    return first..<first + count
  }

  private static func content(
    _ size: Int, _ data: Span<UInt8>, _ entry: Entry
  ) throws(FieldError) -> [UInt8] {
    if entry.method == 0 { return unsafe data.withUnsafeBufferPointer { unsafe Array($0) } }
    do throws(Inflater.Failure) {
      return try Inflater.bytes(data, count: size)
    } catch {
      switch error {
      case .cut:
        throw FieldError(.cut, "Its data ends in the middle. Download the archive again.")
      case .length:
        throw FieldError(
          .malformed,
          "It doesn't have the \(size) bytes that the directory says. Download the archive again.")
      case .invalid:
        throw FieldError(.malformed, "Its data is damaged. Download the archive again.")
      }
    }
  }

  /// Refuses archives whose entries share bytes, which is how a small archive contains a huge amount of data.
  private func checkOverlaps() throws(FieldError) {
    var end = 0
    for entry in entries.sorted(by: { $0.start < $1.start }) {
      let count = Int(exactly: entry.compressedSize) ?? .max
      let (next, overflow) = entry.start.addingReportingOverflow(30)
      let (last, isTooLong) = next.addingReportingOverflow(count)
      guard entry.start >= end, !overflow, !isTooLong else {
        throw FieldError(
          .malformed,
          "\(entry.name) overlaps with another file of the archive. Download the archive again.")
      }
      end = last
    }
  }
}

extension Span<UInt8> {
  /// Returns a little-endian number at an offset, all of which must be there.
  func number<Number: FixedWidthInteger>(at offset: Int, _ type: Number.Type) -> Number {
    var number: Number = 0
    for place in (0..<MemoryLayout<Number>.size).reversed() {
      number = number << 8 | Number(truncatingIfNeeded: self[offset + place])
    }
    return number
  }
}
