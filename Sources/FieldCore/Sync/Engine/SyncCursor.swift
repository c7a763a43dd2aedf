internal import FieldFoundation

/// The position of a store in a ``PagedSource``, as stored in a ``Checkpoint``.
struct SyncCursor: Sendable, Hashable {
  enum Run: String, Sendable {
    /// A run from the beginning of the source.
    case full
    /// A run that requests only changes.
    case changes
  }

  /// The position after the last stored row.
  var reached: SyncPosition?
  /// The unfinished run; `nil` after a complete one.
  var run: Run?
  /// The start of the unfinished run, by the source's clock.
  var started: String?
  /// The time from which the unfinished run reads rows by key alone.
  var readsByKeyFrom: String?
  /// The time from which the next run begins, because rows may still become visible before
  /// ``reached``.
  var overlapFrom: String?

  init() {}

  /// Creates the cursor of a checkpoint, or returns `nil` if it has none that can be used: it
  /// belongs to another reader, or part of it was lost or changed.
  init?(_ checkpoint: Checkpoint?, fingerprint: String) {
    guard let checkpoint, checkpoint.fingerprint == fingerprint else { return nil }
    let words = checkpoint.cursors
    guard words[Name.seal] == Self.seal(words) else { return nil }
    if words[Name.stamp] != nil || words[Name.key] != nil {
      reached = SyncPosition(stamp: words[Name.stamp], key: words[Name.key])
    }
    run = words[Name.run].flatMap(Run.init)
    started = words[Name.started]
    readsByKeyFrom = words[Name.readsByKeyFrom]
    overlapFrom = words[Name.overlapFrom]
  }

  /// Replaces the checkpoint's cursor; cursors with other names stay.
  func write(to checkpoint: inout Checkpoint) {
    checkpoint.cursors[Name.stamp] = reached?.stamp
    checkpoint.cursors[Name.key] = reached?.key
    checkpoint.cursors[Name.run] = run?.rawValue
    checkpoint.cursors[Name.started] = started
    checkpoint.cursors[Name.readsByKeyFrom] = readsByKeyFrom
    checkpoint.cursors[Name.overlapFrom] = overlapFrom
    checkpoint.cursors[Name.seal] = Self.seal(checkpoint.cursors)
  }

  /// Returns a checksum of the cursor's words.
  private static func seal(_ words: [String: String]) -> String {
    let text = Array(Name.all.map { "\($0)=\(words[$0] ?? "")" }.joined(separator: "\n").utf8)
    return String(CRC32C.checksum(text, 0..<text.count), radix: 16)
  }

  /// Returns whether a run must be continued because it didn't finish.
  static func isUnfinished(_ checkpoint: Checkpoint?) -> Bool {
    checkpoint?.cursors[Name.run] != nil
  }

  private enum Name {
    static let stamp = "sync.stamp"
    static let key = "sync.key"
    static let run = "sync.run"
    static let started = "sync.started"
    static let readsByKeyFrom = "sync.readsByKeyFrom"
    static let overlapFrom = "sync.overlapFrom"
    static let seal = "sync.seal"

    static let all = [stamp, key, run, started, readsByKeyFrom, overlapFrom]
  }
}

extension SyncCursor {
  /// Records the end of a run.
  ///
  /// Replicas of a source lag behind, so a row may become visible after later ones have been read.
  /// As long as that is possible before ``reached``, the next run begins by the overlap earlier
  /// than this one did, by the source's clock, never by the device's; after that, it begins exactly
  /// at ``reached``.
  mutating func finish(overlap: Duration) {
    defer {
      run = nil
      started = nil
    }
    overlapFrom = nil
    if let from = readsByKeyFrom {
      // Rows of this time were read in the order of their keys. One that changed in the meantime
      // may have been missed, so the next run reads all later rows.
      reached = SyncPosition(stamp: from)
      readsByKeyFrom = nil
    }
    guard overlap > .zero, let stamp = reached?.stamp, let read = Self.instant(stamp) else {
      return
    }
    let last = read.date
    let begun = started.flatMap(Self.instant)?.date
    let margin = Double(overlap / .seconds(1))
    if let begun, last <= begun.addingTimeInterval(-margin) { return }
    // A time without a zone may be hours behind the clock with which it is compared.
    let base = read.isZoneStated ? begun ?? last : min(begun ?? last, last)
    let from = min(base.addingTimeInterval(-margin), last)
    // A time in another form than the source's own would be compared or read as another one. If the
    // form isn't understood, the next run begins exactly at `reached`.
    overlapFrom = StampForm(of: stamp)?.text(of: from)
  }

  private static func instant(_ text: String) -> ParsedInstant? {
    TimestampParser(zone: .utc).instant(text)
  }
}
