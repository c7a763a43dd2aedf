/// What a file store knows of its file, as it was when it last looked.
package struct StoreDisk<Record: StoredRecord>: Sendable {
  /// The open file; nil when the store is for reading only and there is none.
  package var file: OpenFile?
  /// The file's state, to see whether another process has changed it.
  package var status: FileStatus?
  package var header: StoreFileHeader
  /// Where the last whole frame ends, and the next will start.
  package var end: Int
  /// The last frame, to see whether it is still the one that was read.
  package var last: Frame?
  /// Where the base ends, or the header when there is no base.
  package var baseEnd: Int
  /// How much of the file is records, outdated ones included.
  package var weight = FrameCoding<Record>.Weight()
  /// Whether all of the file is known to be on the device.
  package var isSynced = false
  /// Whether the file's name is known to be on the device.
  package var isNameSynced = false
  /// Why no commit is taken until the store is opened again.
  package var refusal: FieldError?
  /// The size below which no compaction is tried, after one that failed.
  package var compactionFloor = 0

  /// Whether the outdated part of the file outweighs the live one.
  ///
  /// The live part is taken to be as heavy a record as all that were written. A file is left alone
  /// until it is twice as long as after the last compaction, so the work stays in proportion to what
  /// is written whatever the estimate.
  package func isWorthCompacting(liveCount: Int) -> Bool {
    guard end > compactionFloor else { return false }
    if liveCount == 0 { return end > 4096 }
    let live =
      weight.records == 0
      ? 0
      : Double(weight.bytes) * Double(liveCount)
        / Double(weight.records)
    return end > 65_536 && end > 2 * baseEnd && Double(end) > 2 * live
  }
}

extension StoreDisk {
  /// The frames of a file from some place on, with what they made of the content.
  package struct Replay: Sendable {
    package var content: StoreContent<Record>
    package var checkpoint: Checkpoint?
    package var revision: Revision
    package var log: ChangeLog<Record.ID>
    package var scan: FrameScan

    package var snapshot: Snapshot<Record> {
      Snapshot(content: content, revision: revision, checkpoint: checkpoint, log: log)
    }
  }

  /// Applies the frames in `bytes`, which are those of the file from `base` on, and notes how far they
  /// go. Nothing is changed when this throws.
  package mutating func replay(
    _ bytes: [UInt8], from place: Int, base: Int, onto snapshot: Snapshot<Record>?
  ) throws -> Replay {
    let seed = header.seed
    let scan = try FrameScan(
      bytes, from: place, base: base, after: last?.revision, seed: seed,
      recordVersion: Int(FrameCoding<Record>.recordVersion))
    let before = snapshot ?? Snapshot(EmptyCollection())
    var replay = Replay(
      content: before.content, checkpoint: before.checkpoint, revision: before.revision,
      log: before.log, scan: scan)
    var after = self
    for frame in scan.frames {
      let payload = (frame.payload.lowerBound - base)..<(frame.payload.upperBound - base)
      do {
        let replayed = try FrameCoding<Record>.replay(
          bytes, payload, version: Int(frame.recordVersion), noting: snapshot != nil,
          into: &replay.content)
        replay.checkpoint = replayed.checkpoint ?? replay.checkpoint
        replay.log.append(replayed.ids, revision: frame.revision)
        after.weight.records += replayed.weight.records
        after.weight.bytes += replayed.weight.bytes
      } catch {
        throw FieldError(
          .damaged,
          "\(frame.revision) is whole and cannot be read: if the stored form of \(header.recordName) has changed, raise its formatVersion and migrate; the file is untouched",
          underlying: error)
      }
      replay.revision = frame.revision
      after.last = frame
      after.end = frame.end
      if frame.kind == .base { after.baseEnd = frame.end }
    }
    if snapshot == nil { replay.log = ChangeLog(from: replay.revision) }
    self = after
    return replay
  }
}
