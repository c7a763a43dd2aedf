internal import FieldFoundation

/// How far a store has come with a ``PagedSource``, as it is kept in a ``Checkpoint``.
struct SyncCursor: Sendable, Hashable {
  /// A run that has not come to its end.
  enum Run: String, Sendable {
    /// It began at the beginning of the source.
    case full
    /// It asked for what has changed.
    case changes
  }

  /// Behind the last row that is stored.
  var reached: SyncPosition?
  /// The run that has not come to its end; nil after a whole one.
  var run: Run?
  /// When the unfinished run began, by the source's clock.
  var started: String?
  /// The time from which the unfinished run reads rows by key alone.
  var readsByKeyFrom: String?
  /// Where the next run begins, since rows may still become visible behind ``reached``.
  var overlapFrom: String?

  init() {}

  /// The cursor of a checkpoint; nil when it has none that can be used: another reader's, or one of
  /// which a part was lost or changed.
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

  /// Puts the cursor in the place of the checkpoint's; cursors of other names stay.
  func write(to checkpoint: inout Checkpoint) {
    checkpoint.cursors[Name.stamp] = reached?.stamp
    checkpoint.cursors[Name.key] = reached?.key
    checkpoint.cursors[Name.run] = run?.rawValue
    checkpoint.cursors[Name.started] = started
    checkpoint.cursors[Name.readsByKeyFrom] = readsByKeyFrom
    checkpoint.cursors[Name.overlapFrom] = overlapFrom
    checkpoint.cursors[Name.seal] = Self.seal(checkpoint.cursors)
  }

  /// A checksum of the cursor's words.
  private static func seal(_ words: [String: String]) -> String {
    let text = Array(Name.all.map { "\($0)=\(words[$0] ?? "")" }.joined(separator: "\n").utf8)
    return String(CRC32C.checksum(text, 0..<text.count), radix: 16)
  }

  /// Whether a run has to go on that did not come to its end.
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
  /// Notes the end of a run.
  ///
  /// Replicas of a source lag behind, so a row may become visible after later ones have been read. As
  /// long as that is possible behind ``reached``, the next run begins the overlap before this one did,
  /// by the source's clock and never by the device's; then it begins exactly at ``reached``.
  mutating func finish(overlap: Duration) {
    defer {
      run = nil
      started = nil
    }
    overlapFrom = nil
    if let from = readsByKeyFrom {
      // Rows of this time were read in the order of their keys: one that changed meanwhile may have
      // been missed, so the next run reads all that are later than this.
      reached = SyncPosition(stamp: from)
      readsByKeyFrom = nil
    }
    guard overlap > .zero, let stamp = reached?.stamp, let last = Self.date(stamp) else { return }
    let begun = started.flatMap(Self.date)
    let margin = Double(overlap / .seconds(1))
    if let begun, last <= begun.addingTimeInterval(-margin) { return }
    let from = min((begun ?? last).addingTimeInterval(-margin), last)
    overlapFrom = TimestampWriter.iso8601(from)
  }

  private static func date(_ text: String) -> Date? {
    TimestampParser(zone: .utc).instant(text)?.date
  }
}
