internal import FieldCore
internal import FieldFoundation

/// What the checkpoint of the sightings says: which number is next, and whether the old app's data has
/// been taken over.
struct SightingCheckpoint: Sendable {
  private static let counter = "sightings.next"
  private static let takeover = "sightings.oldApp"

  private var checkpoint: Checkpoint

  /// Reads the ledger of a store's content.
  init(_ snapshot: Snapshot<Sighting>) {
    checkpoint = snapshot.checkpoint ?? Checkpoint()
    nextNumber = checkpoint.cursors[Self.counter].flatMap { Int($0) } ?? 0
    // A store of an app's own may have lost its checkpoint; a number is not given twice for all that.
    for sighting in snapshot where sighting.number >= nextNumber {
      nextNumber = sighting.number + 1
    }
  }

  /// The number of the next sighting.
  private(set) var nextNumber: Int

  /// Leaves all numbers below this one out.
  mutating func skip(to number: Int) { nextNumber = max(nextNumber, number) }

  /// The checkpoint to commit, which has the counter in any case.
  var updated: Checkpoint {
    var updated = checkpoint
    updated.cursors[Self.counter] = String(nextNumber)
    return updated
  }

  /// Gives the next number away.
  mutating func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// When the old app's data was taken over, as text; nil when it never was.
  var takenOver: String? {
    get { checkpoint.cursors[Self.takeover] }
    set { checkpoint.cursors[Self.takeover] = newValue }
  }
}
