import FieldKit
import Foundation

/// What the processes were asked to do, and what they have acknowledged.
struct SimulationLedger: Sendable {
  /// A value of which one of these is stored: the last one acknowledged, or a later one.
  struct Choice<Value: Hashable & Sendable>: Sendable {
    private(set) var possible: Set<Value>

    init(_ value: Value) { possible = [value] }

    /// Notes that a value may have been stored.
    mutating func offer(_ value: Value) { possible.insert(value) }

    /// Notes that a value was stored, while nothing else was going on or not.
    mutating func resolve(_ value: Value, isAlone: Bool) {
      if isAlone { possible = [value] } else { possible.insert(value) }
    }
  }

  /// A record that is there, was removed, or was perhaps removed.
  enum Presence: Sendable {
    case kept, doubtful, removed
  }

  struct PetEntry: Sendable {
    let id: Pet.ID
    var weights: Set<Double?>
    var portraits: Set<Data?>
    var presence = Presence.kept
  }

  struct WalkEntry: Sendable {
    let device: Int
    let pet: Pet.ID
    /// The times of the fixes that were offered, and how many are in the journal and on the device.
    var offered: Set<Date> = []
    var kept: Set<Date> = []
    var synced: Set<Date> = []
    /// Texts and photos, and whether they were acknowledged.
    var notes: [String: Bool] = [:]
    var photos: [Data: Bool] = [:]
    var isSaved = false
    var presence = Presence.kept
  }

  struct SightingEntry: Sendable {
    let id: Sighting.ID
    let number: Int
    var photo: Choice<Data>
    var presence = Presence.kept
  }

  var lastNumber = 0
  var pets: [Pet.ID: PetEntry] = [:]
  /// The names of pets whose registration wasn't acknowledged.
  var doubtfulPets: Set<String> = []
  var walks: [Walk.ID: WalkEntry] = [:]
  /// How many walks may have begun without an acknowledgment.
  var doubtfulStarts = 0
  /// By device.
  var sightings: [[Sighting.ID: SightingEntry]] = [[:], [:]]
  var doubtfulSightings: Set<String> = []
  /// Every mass that a stone has ever had at the source.
  var masses: [String: Set<Double>] = [:]

  mutating func number() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Forgets what a power failure may take from the walks in progress of a device.
  mutating func losePower(on device: Int) {
    for (id, walk) in walks where walk.device == device && !walk.isSaved {
      walks[id]?.kept = walk.synced
    }
  }
}
