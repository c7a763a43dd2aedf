internal import FieldCore
internal import FieldFoundation

/// The checkpoint of the sightings: the next number, and whether the old app's data was imported.
struct SightingCheckpoint: Sendable {
  private static let counter = "sightings.next"
  private static let takeover = "sightings.oldApp"

  private var checkpoint: Checkpoint

  init(_ snapshot: Snapshot<Sighting>) {
    checkpoint = snapshot.checkpoint ?? Checkpoint()
    // Numbers that leave no room for further ones were never given to a sighting.
    let possible = 0..<Int.max / 2
    let counter = checkpoint.cursors[Self.counter].flatMap { Int($0) } ?? 0
    nextNumber = possible.contains(counter) ? counter : 0
    // A custom store may have lost its checkpoint, but numbers must never be reused.
    for sighting in snapshot
    where sighting.number >= nextNumber && possible.contains(sighting.number) {
      nextNumber = sighting.number + 1
    }
  }

  private(set) var nextNumber: Int

  /// Skips all numbers below this one.
  mutating func skip(to number: Int) { nextNumber = max(nextNumber, number) }

  /// The checkpoint to commit, which always contains the counter.
  var updated: Checkpoint {
    var updated = checkpoint
    updated.cursors[Self.counter] = String(nextNumber)
    return updated
  }

  mutating func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// The date of the import of the old app's data as text, or `nil` if it wasn't imported.
  var takenOver: String? {
    get { checkpoint.cursors[Self.takeover] }
    set { checkpoint.cursors[Self.takeover] = newValue }
  }
}
