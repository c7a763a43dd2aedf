/// The frames whose records this program has decoded, so that opening needn't decode them again.
///
/// A record that was decoded once can be decoded again, unless the program has changed. So the proof for a frame is
/// that of one type in one build of the program.
package struct FrameProofs {
  /// The digest of the program and the type, or `nil` if nothing can be proven.
  package private(set) lazy var owner = makeOwner()
  /// The frames of the file that are proven.
  package private(set) var frames: [Frame] = []
  /// A Boolean value that indicates whether some of them weren't proven before.
  package private(set) var isNew = false
  /// A Boolean value that indicates whether to keep proofs of other frames.
  package let isProving: Bool
  /// A Boolean value that indicates whether to decode all records, because one couldn't be decoded when it was used.
  package let isDoubted: Bool

  private let makeOwner: () -> [UInt8]?
  private let read: ([UInt8]) -> [Frame]
  private lazy var known: [Frame] = owner.map(read) ?? []

  /// - Parameters:
  ///   - owner: Returns the digest of the program and the type; called if a frame is large enough.
  ///   - read: Returns the frames that an owner has proven.
  package init(
    isProving: Bool, isDoubted: Bool = false, owner: @escaping () -> [UInt8]?,
    read: @escaping ([UInt8]) -> [Frame]
  ) {
    self.isProving = isProving
    self.isDoubted = isDoubted
    makeOwner = owner
    self.read = read
  }

  /// No proofs: everything is checked or decoded.
  package static var none: FrameProofs {
    FrameProofs(isProving: false) {
      nil
    } read: { _ in
      []
    }
  }

  /// Returns a Boolean value that indicates whether checking a frame takes longer than asking for a proof.
  package static func concerns<Record: StoredRecord>(
    _ frame: Frame, of record: Record.Type
  ) -> Bool {
    // A type with an index checks one record of 64, which only matters if the others needn't be kept in memory either.
    frame.payload.count >= (Record._isIndexed ? DistantFrame.smallestSize : 1 << 14)
  }

  package mutating func contains(_ frame: Frame) -> Bool { known.contains(frame) }

  /// Returns a Boolean value that indicates whether to prove a frame.
  package mutating func lacks(_ frame: Frame) -> Bool {
    isProving && owner != nil && !known.contains(frame)
  }

  /// Adds a proven frame.
  package mutating func add(_ frame: Frame) {
    if !known.contains(frame) { isNew = true }
    frames.append(frame)
  }
}

extension FrameProofs {
  /// Returns the digest of a type in a build of a program.
  package static func owner<Record: StoredRecord>(
    _ record: Record.Type, in program: [UInt8]
  ) -> [UInt8]? {
    guard let name = _mangledTypeName(record) else { return nil }
    var bytes = program
    bytes.append(fixed: Int64(Record.formatVersion))
    return SHA256.digest(of: bytes + Array(name.utf8))
  }
}

extension [Frame] {
  /// The frames in the form of a section of a derived file.
  package var bytes: [UInt8] {
    reduce(into: []) { bytes, frame in
      bytes.append(fixed: UInt64(frame.start))
      bytes.append(fixed: UInt64(frame.payload.count))
      bytes.append(fixed: frame.revision.number)
      bytes.append(fixed: frame.checksum)
      bytes.append(fixed: frame.recordVersion)
      bytes.append(fixed: UInt32(frame.kind.rawValue))
      bytes.append(fixed: UInt32(frame.flags.rawValue))
    }
  }

  /// Reads frames that were written as a section.
  package init(section bytes: [UInt8]) {
    self = stride(from: 0, through: bytes.count - 40, by: 40).compactMap { place in
      guard let start = Int(exactly: bytes.fixed(at: place) as UInt64),
        let count = Int(exactly: bytes.fixed(at: place + 8) as UInt64),
        start <= Int.max / 2, count <= Int.max / 4,
        let kind = Frame.Kind(rawValue: bytes[place + 32])
      else { return nil }
      let payload = start + Frame.headerSize
      return Frame(
        kind: kind, revision: Revision(number: bytes.fixed(at: place + 16)),
        recordVersion: bytes.fixed(at: place + 28), payload: payload..<payload + count,
        checksum: bytes.fixed(at: place + 24),
        flags: Frame.Flags(rawValue: bytes[place + 36]))
    }
  }
}
