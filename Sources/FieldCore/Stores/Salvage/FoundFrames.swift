/// The intact frames of a store file, or of a part of one, wherever they are.
///
/// Opening a store reads the frames up to the first damage; this also finds those after it.
struct FoundFrames: Sendable {
  /// The frames that make up a history: their revisions rise.
  private(set) var frames: [Frame] = []
  /// Intact frames that aren't part of the history, in the order of the file.
  private(set) var strays: [Frame] = []
  /// The ranges of the bytes between the frames of the history.
  private(set) var lost: [Range<Int>] = []

  /// Searches `bytes` from `start` on.
  ///
  /// A device may have returned older bytes, or bytes that belong somewhere else, and they may contain frames
  /// that were replaced. So of all intact frames, only the longest series with rising revisions counts: a single
  /// frame in the wrong place, whatever its revision, hides no other.
  ///
  /// A base contains all commits up to its revision, so it starts a series and is worth as many frames. It may have
  /// revision 0, if it replaces a store without commits whose content was in doubt.
  ///
  /// - Parameter stored: The checksums of batches that aren't part of the history because the store has them, by
  ///   their revisions.
  /// - Throws: ``FieldError/Code/newerFormat`` if an intact frame needs newer code.
  init(
    _ bytes: [UInt8], from start: Int, seed: UInt32, besides stored: [UInt64: UInt32] = [:]
  ) throws(FieldError) {
    let found = try Self.intactFrames(bytes, from: start, seed: seed)
    let isStored = found.map { stored[$0.revision.number] == $0.checksum }
    let isChosen = RisingFrames(zip(found, isStored).lazy.filter { !$0.1 }.map(\.0)).isChosen
    var end = start
    var number = 0
    for (frame, isStored) in zip(found, isStored) {
      guard !isStored else {
        strays.append(frame)
        continue
      }
      defer { number += 1 }
      guard isChosen[number] else {
        strays.append(frame)
        continue
      }
      if frame.start > end { lost.append(end..<frame.start) }
      frames.append(frame)
      end = frame.end
    }
    if end < bytes.count { lost.append(end..<bytes.count) }
  }

  private static func intactFrames(
    _ bytes: [UInt8], from start: Int, seed: UInt32
  ) throws(FieldError) -> [Frame] {
    var found: [Frame] = []
    var place = start
    while bytes.count - place >= Frame.headerSize {
      if Frame.hasMarker(bytes, at: place),
        let frame = try Frame.readHeader(bytes, at: place, base: 0, seed: seed),
        frame.end <= bytes.count,
        CRC32C.checksum(bytes, frame.payload, after: seed) == frame.checksum
      {
        found.append(frame)
        place = frame.end
      } else {
        place += 1
      }
    }
    return found
  }
}

/// The choice of a history from frames in the order of a file.
struct RisingFrames: Sendable {
  /// A series that ends in a frame.
  private struct Series: Sendable {
    var frame: Int
    /// The number of commits in the series.
    var length: UInt64
    /// The number of frames that follow the previous one without a gap.
    var adjacent: Int

    func isBetter(than other: Series?) -> Bool {
      guard let other else { return true }
      return (length, adjacent) > (other.length, other.adjacent)
    }
  }

  /// Whether each frame is in the history.
  private(set) var isChosen: [Bool]

  /// Chooses the longest series with rising revisions, and among equally long ones, one with the fewest gaps.
  ///
  /// The time is proportional to the number of frames and its logarithm.
  init(_ frames: [Frame]) {
    isChosen = [Bool](repeating: false, count: frames.count)
    let revisions = Set(frames.map(\.revision.number)).sorted()
    var ranks: [UInt64: Int] = [:]
    for (rank, revision) in revisions.enumerated() { ranks[revision] = rank + 1 }
    // A Fenwick tree: the best series that ends in one of the ranks up to a number.
    var tree = [Series?](repeating: nil, count: revisions.count + 1)
    var bestOfRank = tree
    var previous = [Int?](repeating: nil, count: frames.count)
    var best: Series?
    for (number, frame) in frames.enumerated() {
      guard let rank = ranks[frame.revision.number] else { continue }
      var series = Series(frame: number, length: 1, adjacent: 0)
      if frame.kind == .base {
        // One more, so that one of revision 0 counts.
        series.length = frame.revision.number.addingReportingOverflow(1).partialValue
        if series.length == 0 { series.length = .max }
      } else {
        var before: Series?
        var place = rank - 1
        while place > 0 {
          if let other = tree[place], other.isBetter(than: before) { before = other }
          place &= place - 1
        }
        let isAdjacent = rank > 1 && revisions[rank - 2] + 1 == frame.revision.number
        if isAdjacent, var direct = bestOfRank[rank - 1] {
          direct.adjacent += 1
          if direct.isBetter(than: before) { before = direct }
        }
        if let before {
          let length = before.length.addingReportingOverflow(1)
          series.length = length.overflow ? .max : length.partialValue
          series.adjacent = before.adjacent
          previous[number] = before.frame
        }
      }
      if series.isBetter(than: bestOfRank[rank]) { bestOfRank[rank] = series }
      var place = rank
      while place <= revisions.count {
        if series.isBetter(than: tree[place]) { tree[place] = series }
        place += place & -place
      }
      if series.isBetter(than: best) { best = series }
    }
    var last = best?.frame
    while let frame = last {
      isChosen[frame] = true
      last = previous[frame]
    }
  }
}
