/// A commit or a compaction in a store file.
///
/// For the layout, see `Docs/store-format.md`.
package struct Frame: Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// The steps of a commit.
    case batch = 1
    /// The complete content at a revision.
    case base = 2
  }

  package static let headerSize = 40

  private static let marker: UInt32 = 0x4D52_4646  // "FFRM"

  package var kind: Kind
  package var revision: Revision
  /// The version of the record type that wrote the frame.
  package var recordVersion: UInt32
  /// The range of the payload in the file.
  package var payload: Range<Int>
  /// The checksum of the payload, which together with the header identifies the frame.
  package var checksum: UInt32
  package var flags: Flags = []

  /// A Boolean value that indicates whether the payload contains an index of its records.
  package var isIndexed: Bool { flags.contains(.indexed) }

  /// The parts of a payload that not every version of the code can read.
  package struct Flags: OptionSet, Sendable {
    /// The payload contains an index of its records.
    package static let indexed = Flags(rawValue: 1)
    /// Records are in the default coding, or in another one that contains it.
    package static let shaped = Flags(rawValue: 2)

    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    static let known: Flags = [.indexed, .shaped]
  }

  package var start: Int { payload.lowerBound - Self.headerSize }
  /// The start of the next frame.
  package var end: Int { payload.upperBound }

  /// Writes the header into the first bytes of a frame, before its payload, and returns a
  /// description of the frame at `offset`.
  package static func seal(
    _ bytes: inout [UInt8], kind: Kind, revision: Revision, recordVersion: UInt32,
    flags: Flags = [], seed: UInt32, at offset: Int
  ) -> Frame {
    let checksum = CRC32C.checksum(bytes, headerSize..<bytes.count, after: seed)
    bytes.put(fixed: marker, at: 0)
    bytes[4] = kind.rawValue
    bytes[5] = flags.rawValue
    bytes.put(fixed: recordVersion, at: 8)
    bytes.put(fixed: checksum, at: 12)
    bytes.put(fixed: revision.number, at: 16)
    bytes.put(fixed: UInt64(bytes.count - headerSize), at: 24)
    bytes.put(fixed: CRC32C.checksum(bytes, 0..<36, after: seed), at: 36)
    return Frame(
      kind: kind, revision: revision, recordVersion: recordVersion,
      payload: (offset + headerSize)..<(offset + bytes.count), checksum: checksum, flags: flags)
  }

  /// Returns whether the bytes at an offset begin like a frame.
  static func hasMarker(_ bytes: [UInt8], at place: Int) -> Bool {
    bytes.fixed(at: place) == marker
  }

  /// Reads the header of a frame in `bytes`, which are those of the file from `base` on.
  ///
  /// - Returns: The frame, or `nil` if the header is damaged.
  /// - Throws: ``FieldError/Code/newerFormat`` if the header is intact but its kind is unknown.
  package static func readHeader(
    _ bytes: [UInt8], at place: Int, base: Int, seed: UInt32
  ) throws(FieldError) -> Frame? {
    let sum = CRC32C.checksum(bytes, place..<(place + 36), after: seed)
    let length: UInt64 = bytes.fixed(at: place + 24)
    guard bytes.fixed(at: place + 36) == sum, bytes.fixed(at: place) == marker,
      length <= UInt64(Int.max / 2)
    else { return nil }
    let flags = Flags(rawValue: bytes[place + 5])
    guard let kind = Kind(rawValue: bytes[place + 4]), Flags.known.isSuperset(of: flags),
      bytes.fixed(at: place + 6) as UInt16 == 0,
      bytes.fixed(at: place + 32) as UInt32 == 0
    else {
      throw FieldError(
        .newerFormat, "The store file contains a frame of a newer format. Update the app.")
    }
    let start = base + place + headerSize
    return Frame(
      kind: kind, revision: Revision(number: bytes.fixed(at: place + 16)),
      recordVersion: bytes.fixed(at: place + 8), payload: start..<(start + Int(length)),
      checksum: bytes.fixed(at: place + 12), flags: flags)
  }
}
