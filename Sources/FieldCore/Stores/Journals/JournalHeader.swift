/// The header of a journal, which identifies its contents.
///
/// For the layout, see `Docs/store-format.md`.
package struct JournalHeader: Sendable, Equatable {
  /// The version that this code writes, and the newest one that it reads.
  package static let currentVersion: UInt16 = 1

  private static let magic: [UInt8] = Array("FKJL\r\n".utf8) + [0x1A, 0x0A]
  /// The size of the magic number, the version, the header size, and the entries' version.
  private static let fixedSize = 8 + 2 + 2 + 2

  /// The kind of the entries, such as `walk`.
  package var kind: String
  /// The version of the entries' own format.
  package var kindVersion: UInt16

  package init(kind: String, kindVersion: UInt16) {
    self.kind = kind
    self.kindVersion = kindVersion
  }

  package var bytes: [UInt8] {
    let name = Array(kind.utf8.prefix(255))
    var bytes = Self.magic
    bytes.append(fixed: Self.currentVersion)
    bytes.append(fixed: UInt16(Self.fixedSize + name.count + 4))
    bytes.append(fixed: kindVersion)
    bytes += name
    bytes.append(fixed: CRC32C.checksum(bytes, 0..<bytes.count))
    return bytes
  }

  /// Reads the header of a journal and its end.
  ///
  /// The failure is ``FieldError/Code/damaged`` if the bytes aren't a complete header, and
  /// ``FieldError/Code/newerFormat`` if only newer code can read the journal.
  package static func reading(_ bytes: [UInt8]) -> Result<Found, FieldError> {
    guard bytes.count >= fixedSize + 4, bytes.starts(with: magic) else {
      return .failure(FieldError(.damaged, "The file isn't a journal."))
    }
    let version: UInt16 = bytes.fixed(at: 8)
    let size = Int(bytes.fixed(at: 10) as UInt16)
    guard size >= fixedSize + 4, bytes.count >= size,
      bytes.fixed(at: size - 4) == CRC32C.checksum(bytes, 0..<(size - 4))
    else { return .failure(FieldError(.damaged, "The header of the journal is damaged.")) }
    guard version <= currentVersion else {
      return .failure(
        FieldError(
          .newerFormat,
          "The journal has version \(version), but \(currentVersion) is the newest known. "
            + "Update the app."))
    }
    let kind = String(decoding: bytes[fixedSize..<(size - 4)], as: UTF8.self)
    return .success(
      Found(header: JournalHeader(kind: kind, kindVersion: bytes.fixed(at: 12)), end: size))
  }

  /// A header and its end.
  package struct Found: Sendable, Equatable {
    package var header: JournalHeader
    package var end: Int
  }
}
