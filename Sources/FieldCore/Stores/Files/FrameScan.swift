/// The frames of a store file from an offset on, as far as they are intact.
package struct FrameScan: Sendable {
  /// The bytes after the last intact frame.
  package struct Tail: Sendable, Equatable {
    /// The position of the first of these bytes in the file.
    package var offset: Int
    /// The number of bytes.
    package var count: Int
    /// A description of the damage.
    package var reason: String
    /// The revisions of the damaged part, as far as its headers show.
    package var revisions: ClosedRange<Revision>?
  }

  package private(set) var frames: [Frame] = []
  package private(set) var tail: Tail?

  /// Finds the frames in `bytes`, which are those of the file from `base` on.
  ///
  /// - Parameters:
  ///   - place: The offset of the first frame in `bytes`.
  ///   - size: The size of the file; `bytes` may end earlier if no frame can follow.
  ///   - revision: The revision before the first frame; `nil` if the first may have any.
  /// - Throws: ``FieldError/Code/newerFormat`` if an intact frame needs newer code.
  package init(
    _ bytes: [UInt8], from place: Int, base: Int = 0, size: Int? = nil, after revision: Revision?,
    seed: UInt32, recordVersion: Int
  ) throws(FieldError) {
    tail = try scan(
      bytes, from: place, base: base, after: revision, seed: seed, recordVersion: recordVersion)
    if let size, let offset = tail?.offset { tail?.count = size - offset }
  }

  /// Collects the intact frames, and returns the bytes after them.
  private mutating func scan(
    _ bytes: [UInt8], from place: Int, base: Int, after revision: Revision?, seed: UInt32,
    recordVersion: Int
  ) throws(FieldError) -> Tail? {
    var place = place
    var last = revision
    while place < bytes.count {
      guard bytes.count - place >= Frame.headerSize else {
        return Self.tail(bytes, place, base, "a frame header is cut off")
      }
      guard let frame = try Frame.readHeader(bytes, at: place, base: base, seed: seed) else {
        return Self.tail(bytes, place, base, "a frame header is damaged")
      }
      guard frame.end - base <= bytes.count else {
        return Self.tail(bytes, place, base, "a frame is cut off", frame.revision)
      }
      let payload = (frame.payload.lowerBound - base)..<(frame.end - base)
      guard CRC32C.checksum(bytes, payload, after: seed) == frame.checksum else {
        let beyond = try Self.lastRevision(bytes, from: payload.upperBound, base: base, seed: seed)
        return Self.tail(bytes, place, base, "a frame is damaged", frame.revision, beyond)
      }
      guard frame.follows(last) else {
        return Self.tail(
          bytes, place, base, "a frame doesn't follow the previous one", frame.revision)
      }
      guard frame.recordVersion <= recordVersion else {
        throw FieldError(
          .newerFormat,
          "The store's records have version \(frame.recordVersion), but \(recordVersion) is the "
            + "newest known. Update the app.")
      }
      frames.append(frame)
      last = frame.revision
      place = frame.end - base
    }
    return nil
  }

  private static func tail(
    _ bytes: [UInt8], _ place: Int, _ base: Int, _ reason: String, _ first: Revision? = nil,
    _ last: Revision? = nil
  ) -> Tail {
    let range = first.map { first in first...max(first, last ?? first) }
    return Tail(
      offset: base + place, count: bytes.count - place, reason: reason, revisions: range)
  }

  /// Returns the revision of the last frame after a damaged one, as far as headers can be followed.
  private static func lastRevision(
    _ bytes: [UInt8], from place: Int, base: Int, seed: UInt32
  ) throws(FieldError) -> Revision? {
    var place = place
    var last: Revision?
    while bytes.count - place >= Frame.headerSize {
      // A header that only newer code understands is an error even after damage, because this code
      // can't judge what it would cut off.
      guard let frame = try Frame.readHeader(bytes, at: place, base: base, seed: seed),
        frame.end - base <= bytes.count
      else { break }
      last = frame.revision
      place = frame.end - base
    }
    return last
  }
}

extension Frame {
  /// Returns whether a frame may follow the one with this revision; `nil` is the start of a file.
  fileprivate func follows(_ last: Revision?) -> Bool {
    guard let last else { return kind == .base || revision.number == 1 }
    return kind == .batch && last.number < .max && revision.number == last.number + 1
  }
}
