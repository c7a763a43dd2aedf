/// The header of a store file, which identifies its contents.
///
/// For the layout, see `Docs/store-format.md`.
package struct StoreFileHeader: Sendable, Equatable {
  /// The version that this code writes, and the newest one that it reads.
  package static let currentVersion: UInt16 = 1

  /// The size of the part that is the same in all versions.
  package static let prefixSize = 16

  private static let magic: [UInt8] = Array("FKST\r\n".utf8) + [0x1A, 0x0A]

  package var recordName: String
  /// A random ID of the store, which compactions preserve.
  package var creationID: [UInt8]

  /// The seed of the frames' checksums, so that a frame of another store is invalid in this one.
  package var seed: UInt32 { CRC32C.checksum(creationID, 0..<creationID.count) }

  /// The seed of the stable hashes of IDs, which other stores and sources don't know.
  package var hashSeed: UInt64 { creationID.fixed(at: 0) }

  package var bytes: [UInt8] {
    let name = Array(recordName.utf8.prefix(Self.longestName))
    let size = Self.prefixSize + 16 + 2 + name.count + 4
    var bytes = Self.magic
    bytes.append(fixed: Self.currentVersion)
    bytes.append(fixed: UInt16(size))
    bytes.append(fixed: CRC32C.checksum(bytes, 0..<bytes.count))
    bytes += creationID
    bytes.append(fixed: UInt16(name.count))
    bytes += name
    bytes.append(fixed: CRC32C.checksum(bytes, 0..<bytes.count))
    return bytes
  }

  private static var longestName: Int { 1024 }

  /// The result of reading a file's header.
  package enum Reading: Equatable {
    /// The file ends before its header does.
    case tooShort
    /// The header and its end.
    case header(StoreFileHeader, end: Int)
  }

  /// Reads the header of a file.
  ///
  /// - Throws: ``FieldError/Code/damaged`` if the bytes aren't a header, or
  ///   ``FieldError/Code/newerFormat`` if only newer code can read them.
  package static func read(_ bytes: [UInt8]) throws(FieldError) -> Reading {
    guard bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)) else {
      throw FieldError(.damaged, "The file isn't a store file.")
    }
    guard bytes.count >= prefixSize else { return .tooShort }
    let version: UInt16 = bytes.fixed(at: 8)
    let size = Int(bytes.fixed(at: 10) as UInt16)
    guard bytes.fixed(at: 12) == CRC32C.checksum(bytes, 0..<12), size >= prefixSize + 4 else {
      throw FieldError(.damaged, "The header of the store file is damaged.")
    }
    guard bytes.count >= size else { return .tooShort }
    guard bytes.fixed(at: size - 4) == CRC32C.checksum(bytes, 0..<(size - 4)) else {
      throw FieldError(.damaged, "The header of the store file is damaged.")
    }
    guard version <= currentVersion else {
      throw FieldError(
        .newerFormat,
        "The store file has version \(version), but \(currentVersion) is the newest known. "
          + "Update the app.")
    }
    guard version == 1, size >= prefixSize + 22,
      Int(bytes.fixed(at: 32) as UInt16) == size - prefixSize - 22
    else { throw FieldError(.damaged, "The header of the store file is invalid.") }
    let header = StoreFileHeader(
      recordName: String(decoding: bytes[34..<(size - 4)], as: UTF8.self),
      creationID: Array(bytes[16..<32]))
    return .header(header, end: size)
  }
}

extension StoreFileHeader {
  /// Creates the header of a new store.
  package init(recordName: String) {
    var id: [UInt8] = []
    for _ in 0..<2 { id.append(fixed: UInt64.random(in: 0 ... .max)) }
    self.init(recordName: recordName, creationID: id)
  }

  /// Returns the header of a file with one flipped bit; `nil` if flipping no single bit repairs it.
  static func repaired(_ bytes: [UInt8]) -> (header: StoreFileHeader, end: Int)? {
    var start = Array(bytes.prefix(1 << 16))
    guard start.count >= prefixSize else { return nil }
    // The bytes after the prefix matter up to the size in it, unless that is larger than any header that this
    // code writes.
    let size = Int(start.fixed(at: 10) as UInt16)
    for place in 0..<min(start.count, max(prefixSize, size), prefixSize + 22 + longestName) {
      for bit in 0..<8 as Range<UInt8> {
        start[place] ^= 1 << bit
        if case .header(let header, let end)? = try? read(start), place < end {
          return (header, end)
        }
        start[place] ^= 1 << bit
      }
    }
    return nil
  }
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  package mutating func append<Number: FixedWidthInteger>(fixed number: Number) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Writes a number at a position in little-endian order.
  package mutating func put<Number: FixedWidthInteger>(fixed number: Number, at place: Int) {
    for byte in 0..<(Number.bitWidth / 8) {
      self[place + byte] = UInt8(truncatingIfNeeded: number >> Number(byte * 8))
    }
  }

  /// Returns the number at a position, in little-endian order.
  package func fixed<Number: FixedWidthInteger>(at place: Int) -> Number {
    var number: Number = 0
    for byte in 0..<(Number.bitWidth / 8) { number |= Number(self[place + byte]) << (byte * 8) }
    return number
  }
}
