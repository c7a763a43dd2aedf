/// A body that is a zip archive with one file of rows, or that is compressed with gzip (RFC 1952), as portals offer large tables.
enum CompressedBody {
  /// Returns the rows of a compressed body, or `nil` if the body isn't compressed.
  ///
  /// - Throws: ``FieldError`` if the body is truncated, damaged, or too large, or if several files of an archive may be meant.
  static func content(of bytes: [UInt8]) throws(FieldError) -> [UInt8]? {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0x1F, 0x8B): return try bytes.withByteSpan(decompressed)
    case (UInt8(ascii: "P"), UInt8(ascii: "K")) where bytes[2] < 0x20:
      let archive = try ZipArchive(bytes, maximumEntrySize: maximumSize)
      return try archive.bytes(of: table(of: archive))
    default: return nil
    }
  }

  /// The largest content, in bytes.
  private static let maximumSize = 512 << 20

  /// Returns the file of an archive that has the rows: the only one, the only one with separated values, or the only one with JSON.
  private static func table(of archive: ZipArchive) throws(FieldError) -> ZipArchive.Entry {
    let files = archive.entries.filter {
      // Finder adds `__MACOSX/._name` and `.DS_Store`.
      !$0.isFolder && !$0.name.hasPrefix("__MACOSX/") && !$0.lastPathComponent.hasPrefix(".")
    }
    let kinds = [[], ["csv", "tsv"], ["json", "geojson", "ndjson", "jsonl"]]
    for kind in kinds {
      let found = files.filter { kind.isEmpty || kind.contains($0.pathExtension) }
      if found.count == 1 { return found[0] }
      if !found.isEmpty, !kind.isEmpty { break }
    }
    let names = files.prefix(5).map(\.name).joined(separator: ", ")
    throw FieldError(
      .unknownFormat,
      "The body is a ZIP archive of \(files.count) files\(files.isEmpty ? "" : " (\(names))"), and it "
        + "isn't clear which of them has the rows. Extract one first.")
  }

  /// Returns the content of a gzip file of one member.
  private static func decompressed(_ bytes: Span<UInt8>) throws(FieldError) -> [UInt8] {
    let start = try headerLength(bytes)
    guard bytes.count - start > 8 else { throw isCut }
    let (checksum, size): (UInt32, UInt32) = (
      bytes.number(at: bytes.count - 8, UInt32.self), bytes.number(at: bytes.count - 4, UInt32.self)
    )
    let data = bytes.extracting(start..<bytes.count - 8)
    // The size is that of the last bytes if the body is truncated, so it proves nothing; deflate yields 1032 bytes for one at most.
    guard let count = Int(exactly: size), count <= maximumSize, count / 1032 <= data.count else {
      throw isCut
    }
    let content: [UInt8]
    do throws(Inflater.Failure) {
      content = try Inflater.bytes(data, count: count)
    } catch {
      throw isCut
    }
    guard content.withByteSpan(CRC32.checksum) == checksum else { throw isCut }
    return content
  }

  /// Returns the length of a gzip header with its optional fields.
  private static func headerLength(_ bytes: Span<UInt8>) throws(FieldError) -> Int {
    guard bytes.count >= 18 else { throw isCut }
    let flags = bytes[3]
    guard bytes[2] == 8, flags & 0xE0 == 0 else {
      throw FieldError(
        .unknownFormat, "The body is compressed by an unknown form of gzip. Decompress it first.")
    }
    var at = 10
    if flags & 4 != 0 { at += 2 + Int(bytes.number(at: at, UInt16.self)) }
    // The name and the comment end in a zero.
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      while at < bytes.count, bytes[at] != 0 { at += 1 }
      at += 1
    }
    if flags & 2 != 0 { at += 2 }
    guard at < bytes.count else { throw isCut }
    return at
  }

  private static var isCut: FieldError {
    FieldError(
      .cut,
      "The body is compressed with gzip, and is truncated or damaged. Request it again, or decompress it "
        + "if it has several members.")
  }
}

extension ZipArchive.Entry {
  /// The extension of the name in lowercase letters, such as `csv`, or an empty string.
  fileprivate var pathExtension: String {
    let name = lastPathComponent
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
