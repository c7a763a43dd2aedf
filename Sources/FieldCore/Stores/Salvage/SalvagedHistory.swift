/// The batches of a damaged store in the order in which they are replayed.
///
/// The rules hold whatever the frames contain:
/// - Batches of the store file keep their order.
/// - A part that was set aside has a place in the history. If that is known from the revision
///   of its first frame, its batches go there: before the commits that were made after the damage, which
///   therefore win. If it isn't known, they go to the very beginning, so that everything in the store wins.
/// - The result has more revisions than the store ever had, so that it can't be mistaken for an older state.
struct SalvagedHistory: Sendable {
  private struct StoredBatch: Sendable {
    var frame: Frame
    /// The frame's payload, after room for a header.
    var bytes: [UInt8]
    var isOfStore: Bool

    init(_ frame: Frame, _ bytes: [UInt8], isOfStore: Bool) {
      self.frame = frame
      self.bytes = [UInt8](repeating: 0, count: Frame.headerSize) + bytes[frame.payload]
      self.isOfStore = isOfStore
    }

    init(bytes: [UInt8], version: UInt32) {
      frame = Frame(
        kind: .batch, revision: .zero, recordVersion: version,
        payload: Frame.headerSize..<bytes.count, checksum: 0)
      self.bytes = bytes
      isOfStore = true
    }

    /// Adds the frame to the bytes of a file.
    func append(
      to file: inout [UInt8], as kind: Frame.Kind, _ revision: UInt64, _ seed: UInt32
    ) {
      var sealed = bytes
      _ = Frame.seal(
        &sealed, kind: kind, revision: Revision(number: revision),
        recordVersion: frame.recordVersion, flags: frame.flags, seed: seed, at: file.count)
      file += sealed
    }
  }

  private var batches: [StoredBatch] = []
  private(set) var salvagedCount = 0
  private(set) var salvagedRecordCount = 0

  /// Adds the frames of the store file. Those after its first damage are salvaged.
  mutating func add(_ found: FoundFrames, of bytes: [UInt8]) {
    let damage = found.lost.first?.lowerBound ?? .max
    for frame in found.frames {
      batches.append(StoredBatch(frame, bytes, isOfStore: true))
      if frame.start > damage { count(frame, bytes) }
    }
  }

  /// Adds the frames of a part that was set aside.
  ///
  /// - Parameter revisions: The revisions that the part's first frame may have had; `nil` if they are unknown.
  mutating func add(
    _ found: FoundFrames, of bytes: [UInt8], from revisions: ClosedRange<UInt64>?
  ) {
    let newest = batches.lazy.filter(\.isOfStore).map(\.frame.revision.number).max() ?? 0
    var place = 0
    // The batch that preceded the part is still in the store, or was replaced by a later base.
    if let first = revisions?.lowerBound, let last = revisions?.upperBound,
      first <= 1 || first - 1 <= newest
    {
      place =
        batches.firstIndex { $0.isOfStore && $0.frame.revision.number >= last } ?? batches.count
    }
    batches.insert(
      contentsOf: found.frames.map { StoredBatch($0, bytes, isOfStore: false) }, at: place)
    for frame in found.frames { count(frame, bytes) }
  }

  private mutating func count(_ frame: Frame, _ bytes: [UInt8]) {
    salvagedCount += 1
    salvagedRecordCount += (try? FrameOutline(bytes, frame))?.recordCount ?? 0
  }

  var batchCount: Int { batches.count }

  /// The checksums of the store's own batches by their revisions.
  var stored: [UInt64: UInt32] {
    let own = batches.lazy.filter(\.isOfStore).map(\.frame)
    return Dictionary(own.map { ($0.revision.number, $0.checksum) }) { first, _ in first }
  }

  /// Returns the bytes of a store file with these batches.
  ///
  /// The checkpoint is reset if it describes rows of a source, some of which may be lost; the next refresh
  /// then fetches all of them.
  func bytes(header: StoreFileHeader) throws -> (bytes: [UInt8], isCheckpointReset: Bool) {
    var frames = batches
    var isReset = false
    if let checkpoint = lastCheckpoint, checkpoint != checkpoint.afterLoss(),
      let version = frames.last?.frame.recordVersion
    {
      isReset = true
      frames.append(
        StoredBatch(
          bytes: try FrameOutline.bytes(checkpoint: checkpoint.afterLoss()), version: version))
    }
    let newest = batches.map(\.frame.revision.number).max() ?? 0
    guard newest <= UInt64(Int.max) else {
      throw FieldError(.damaged, "The store's revisions are out of range.")
    }
    // One more for each restored batch, and for the checkpoint.
    let added = batches.count { !$0.isOfStore } + (isReset ? 1 : 0)
    // A history that begins with revision 0 has one frame more than revisions.
    let count = UInt64(frames.count)
    var revision = max(newest + UInt64(added), count) - count
    var bytes = header.bytes
    if let first = frames.first, first.frame.kind == .batch, revision > 0 {
      let empty = try FrameOutline.bytes(checkpoint: nil)
      let base = StoredBatch(bytes: empty, version: first.frame.recordVersion)
      base.append(to: &bytes, as: .base, revision, header.seed)
    }
    for (place, frame) in frames.enumerated() {
      revision += 1
      let kind = place == 0 ? frame.frame.kind : .batch
      frame.append(to: &bytes, as: kind, revision, header.seed)
    }
    return (bytes, isReset)
  }

  private var lastCheckpoint: Checkpoint? {
    for batch in batches.reversed() {
      var frame = batch.frame
      frame.payload = Frame.headerSize..<batch.bytes.count
      if let found = try? FrameOutline(batch.bytes, frame), let checkpoint = found.checkpoint {
        return checkpoint
      }
    }
    return nil
  }
}
