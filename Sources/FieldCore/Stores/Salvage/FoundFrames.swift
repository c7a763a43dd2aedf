/// The whole frames of a store file, or of a part of one, wherever they stand.
///
/// Opening a store reads frames up to the first damage; this looks for those after it as well.
struct FoundFrames: Sendable {
  private(set) var frames: [Frame] = []
  /// Where the bytes between the frames are.
  private(set) var lost: [Range<Int>] = []

  /// Looks through `bytes` from `start` on.
  ///
  /// A frame counts only if its revision is higher than that of the one before it: where a device has given
  /// back older bytes, they may contain frames that were replaced.
  ///
  /// - Throws: ``FieldError/Code/newerFormat`` when a whole frame needs newer code.
  init(_ bytes: [UInt8], from start: Int, seed: UInt32) throws(FieldError) {
    var place = start
    while place < bytes.count {
      var next = place
      while next < bytes.count, try !take(bytes, at: next, seed) { next += 1 }
      if next > place { lost.append(place..<next) }
      place = next < bytes.count ? frames[frames.count - 1].end : next
    }
  }

  private mutating func take(
    _ bytes: [UInt8], at place: Int, _ seed: UInt32
  ) throws(FieldError) -> Bool {
    guard bytes.count - place >= Frame.headerSize, Frame.hasMarker(bytes, at: place),
      let frame = try Frame.readHeader(bytes, at: place, base: 0, seed: seed),
      frame.end <= bytes.count, frame.revision > frames.last?.revision ?? .zero,
      CRC32C.checksum(bytes, frame.payload, after: seed) == frame.checksum
    else { return false }
    frames.append(frame)
    return true
  }
}
