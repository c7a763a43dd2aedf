/// A file store's knowledge of its file at the last check.
package struct StoreDisk<Record: StoredRecord>: Sendable {
  /// The open file, or `nil` if the store is read-only and there is none.
  package var file: OpenFile?
  /// The status of the file, used to detect changes by other processes.
  package var status: FileStatus?
  package var header: StoreFileHeader
  /// The end of the last intact frame, where the next one will start.
  package var end: Int
  /// The last frame, used to check that it is still the one that was read.
  package var last: Frame?
  /// The end of the base, or of the header if there is no base.
  package var baseEnd: Int
  /// The frames of the file.
  package var chain = FrameChain()
  /// The IDs that the last frames before the opening changed.
  package var openingLog = ChangeLog<Record.ID>(from: .zero)
  /// The amount of records in the file, including outdated ones.
  package var weight = FrameCoding<Record>.Weight()
  /// The number of records of the last frame with an index.
  package var indexedCount = 0
  /// A Boolean value that indicates whether the whole file is known to be on the device.
  package var isSynced = false
  /// A Boolean value that indicates whether the file's name is known to be on the device.
  package var isNameSynced = false
  /// The error with which commits are rejected until the store is opened again.
  package var refusal: FieldError?
  /// The size below which no compaction is tried after a failed one.
  package var compactionFloor = 0
  /// The size below which the content isn't measured again, because most of the file was live.
  package var measuringFloor = 0

  /// Adds the frame at the end of the file.
  ///
  /// - Parameters:
  ///   - content: The content after the frame.
  ///   - generation: The ``StoreContent/generation`` before it.
  mutating func add(_ frame: Frame, _ content: StoreContent<Record>, after generation: Int) {
    chain.add(frame, content, isRenumbered: content.generation != generation)
    if frame.kind == .base { baseEnd = frame.end }
    // The first batch is live as long as the others aren't larger.
    if last == nil { measuringFloor = 2 * frame.end }
    last = frame
    end = frame.end
  }

  /// Returns a Boolean value that indicates whether more records are outside an index than in one, or 4,096.
  ///
  /// Opening takes time for each of them. The index doubles each time, so this work, too, stays
  /// proportional to what is written.
  package func hasOutgrownIndex(liveCount: Int) -> Bool {
    (Record._isIndexed || Record._hashesStably) && end > compactionFloor
      && liveCount - indexedCount > max(4_096, indexedCount)
  }

  /// Returns a Boolean value that indicates whether the file has doubled in size since it was compacted.
  ///
  /// So the work stays proportional to what is written, however much of it is outdated.
  package func hasDoubled(liveCount: Int) -> Bool {
    if liveCount == 0 { return end > max(4_096, compactionFloor) }
    return end > max(65_536, 2 * baseEnd, compactionFloor)
  }

  /// Returns a Boolean value that indicates whether the outdated part of the file seems to exceed the
  /// live one.
  ///
  /// The estimate assumes that live records have the average size of all written ones. So it overlooks
  /// that a file is outdated if its largest records are those that are written most often.
  package func seemsOutdated(liveCount: Int) -> Bool {
    let live = Double(weight.bytes) * Double(liveCount) / Double(max(weight.records, 1))
    return Double(end) > 2 * live
  }
}

extension StoreDisk {
  /// The frames of a file from a position on, and the resulting content.
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

  /// Applies the frames in `bytes`, which are those of a file of `size` bytes from `base` on, and records how
  /// far they extend. Nothing changes if this throws.
  ///
  /// - Parameters:
  ///   - distant: The frame before these bytes, whose records are in the file.
  ///   - proofs: What is known about the frames; receives those that have been proven.
  ///   - source: The source of the records that are decoded when they are used.
  package mutating func replay(
    _ bytes: [UInt8], from place: Int, base: Int, size: Int, onto snapshot: Snapshot<Record>?,
    distant: DistantFrame? = nil, proofs: inout FrameProofs, source: StoredSource? = nil
  ) throws -> Replay {
    let seed = header.seed
    let scan = try FrameScan(
      bytes, from: place, base: base, size: size,
      after: distant?.frame.revision ?? last?.revision, seed: seed,
      recordVersion: Int(FrameCoding<Record>.recordVersion))
    var replay = Replay(
      content: snapshot?.content ?? StoreContent(seed: header.hashSeed),
      checkpoint: snapshot?.checkpoint, revision: snapshot?.revision ?? .zero,
      log: snapshot?.log ?? ChangeLog(from: .zero), scan: scan)
    var after = self
    for frame in (distant.map { [$0.frame] } ?? []) + scan.frames {
      let isCurrent = frame.recordVersion == FrameCoding<Record>.recordVersion
      let isConcerned = isCurrent && FrameProofs.concerns(frame, of: Record.self)
      let isKnown = isConcerned && !proofs.isDoubted && proofs.contains(frame)
      let generation = replay.content.generation
      // The index of a frame that contains everything is used only if its IDs aren't noted.
      let isNoted =
        snapshot != nil
        || replay.content.count > 0 && !frame.isIndexed && frame.payload.count < Self.mostNoted
      do {
        let replayed: FrameCoding<Record>.Replayed
        if let distant, frame == distant.frame {
          replayed = try FrameCoding<Record>.replay(distant, into: &replay.content)
        } else {
          let payload = (frame.payload.lowerBound - base)..<(frame.payload.upperBound - base)
          replayed = try FrameCoding<Record>.replay(
            bytes, payload, isIndexed: frame.isIndexed, version: Int(clamping: frame.recordVersion),
            trust: isKnown ? .proven : proofs.isDoubted ? .doubted : .checked, source: source,
            isProving: isConcerned && proofs.lacks(frame), noting: isNoted,
            into: &replay.content)
        }
        if isKnown || replayed.isProven == true { proofs.add(frame) }
        replay.checkpoint = replayed.checkpoint ?? replay.checkpoint
        replay.log.append(replayed.ids, revision: frame.revision)
        after.weight.records += replayed.weight.records
        after.weight.bytes += replayed.weight.bytes
        if frame.isIndexed { after.indexedCount = replayed.weight.records }
      } catch {
        throw FieldError(
          .damaged,
          """
          The intact batch \(frame.revision) can't be decoded. If the stored form of \
          \(header.recordName) has changed, increase its formatVersion and migrate. The file is \
          unchanged.
          """,
          underlying: error)
      }
      replay.revision = frame.revision
      after.add(frame, replay.content, after: generation)
    }
    if snapshot == nil {
      after.openingLog = replay.log
      replay.log = ChangeLog(from: replay.revision)
    }
    self = after
    return replay
  }

  /// The size of a frame that is too large for the IDs of its records to be remembered.
  private static var mostNoted: Int { 1 << 20 }
}
