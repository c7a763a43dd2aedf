/// The intact frames of a store file, or of a part of one, wherever they are.
///
/// Opening a store reads the frames up to the first damage; this also finds those after it.
struct FoundFrames: Sendable {
  private(set) var frames: [Frame] = []
  /// The ranges of the bytes between the frames.
  private(set) var lost: [Range<Int>] = []

  /// Searches `bytes` from `start` on.
  ///
  /// A frame counts only if its revision is higher than that of the previous one: if a device has returned
  /// older bytes, they may contain frames that were replaced. The first one may be a base of revision 0, which
  /// replaces a store without commits whose content was in doubt.
  ///
  /// - Throws: ``FieldError/Code/newerFormat`` if an intact frame needs newer code.
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
      frame.end <= bytes.count, frames.last.map({ frame.revision > $0.revision }) ?? true,
      CRC32C.checksum(bytes, frame.payload, after: seed) == frame.checksum
    else { return false }
    frames.append(frame)
    return true
  }
}
