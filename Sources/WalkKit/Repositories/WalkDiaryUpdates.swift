public import FieldCore

/// A sequence of the changes in a diary as they happen.
///
/// ```swift
/// for try await change in diary.updates() where change.affects(mesh.id) {
///   show(try await diary.walks(of: mesh.id))
/// }
/// ```
///
/// The first element is immediate and reports that everything may have changed. If the consumer is
/// slower than the changes, several are merged into one. The sequence ends when its task is
/// canceled or the diary is closed.
public typealias WalkDiaryUpdates = FieldSequence<WalkDiaryChange, any Error>

extension WalkDiaryChange {
  /// Creates the difference between two contents of a store, or `nil` if there is none.
  init?(from old: Snapshot<WalkRecord>?, to new: Snapshot<WalkRecord>) {
    guard let old, let ids = new.changedIDs(since: old.revision) else {
      self.init(everything: true)
      return
    }
    self.init()
    for id in ids {
      let records = [old[id: id], new[id: id]]
      guard records[0] != records[1] else { continue }
      for record in records {
        switch record?.content {
        case .pet(let pet): pets.insert(pet.id)
        case .walk(let walk):
          walks.insert(walk.id)
          pets.formUnion(walk.pets.map(\.pet))
        case .place: places = true
        case .choice(let pet): if let pet { pets.insert(pet) }
        case .alias, .operation, .attachment, nil: break
        }
      }
    }
    if self == WalkDiaryChange() { return nil }
  }
}

/// A change in a diary.
public struct WalkDiaryChange: Hashable, Sendable, Codable {
  /// The pets that were added, changed, or removed, and those whose walks were.
  public var pets: Set<Pet.ID>
  /// The walks that were added, changed, or removed.
  public var walks: Set<Walk.ID>
  /// A Boolean value that indicates whether places have changed.
  public var places: Bool
  /// A Boolean value that indicates whether anything may have changed, so that you must read
  /// everything again.
  ///
  /// It is `true` for the first element of each observation, and after too many changes to list.
  public var everything: Bool

  /// Creates a change.
  public init(
    pets: Set<Pet.ID> = [], walks: Set<Walk.ID> = [], places: Bool = false,
    everything: Bool = false
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.everything = everything
  }

  /// Returns a Boolean value that indicates whether you must read a pet and its walks again.
  public func affects(_ pet: Pet.ID) -> Bool { everything || pets.contains(pet) }
}

/// A set of records that belong together.
public struct WalkBatch: Hashable, Sendable, Codable {
  /// The pets.
  public var pets: [Pet]
  /// The walks.
  public var walks: [Walk]
  /// The places.
  public var places: [Place]
  /// The IDs of the batch's pets that are in the diary under other IDs, each with the diary's ID.
  public var aliases: [Pet.ID: Pet.ID]

  /// Creates a batch.
  public init(
    pets: [Pet] = [], walks: [Walk] = [], places: [Place] = [], aliases: [Pet.ID: Pet.ID] = [:]
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.aliases = aliases
  }

  /// A Boolean value that indicates whether the batch contains no records; aliases don't count.
  public var isEmpty: Bool { pets.isEmpty && walks.isEmpty && places.isEmpty }
}
