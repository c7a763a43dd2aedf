/// What an import has added to a diary.
public struct WalkAdditions: Hashable, Sendable, Codable {
  /// What is new.
  public var added: WalkBatch
  /// How many pets, walks and places were there already and are left as they were.
  public var known: Int
  /// The new pets that were given a number, since the document has their names twice.
  public var renamed: [Pet.ID]
  /// What of the document could not be used.
  public var problems: [ImportProblem] = []
}

extension WalkBatch {
  /// The batch as it fits to pets that are there: those that are known to be another, or whose name is
  /// taken by another, are replaced by that one, also in walks and notes.
  func adapted(
    to present: [Pet], knowing knownOwners: [Pet.ID: Pet.ID]
  ) -> (batch: WalkBatch, renamed: [Pet.ID], problems: [ImportProblem]) {
    var owners = Dictionary(
      present.map { ($0.nameKey, $0.id) }, uniquingKeysWith: { first, _ in first })
    let presentIDs = Set(present.map(\.id))
    var (batch, renamed, places) = (self, [] as [Pet.ID], [:] as [Pet.ID: Pet.ID])
    var seenIDs = presentIDs
    // The last number behind a name, since a document may have one name any number of times.
    var numbers: [String: Int] = [:]
    batch.pets = []
    for var pet in pets where seenIDs.insert(pet.id).inserted {
      if let owner = knownOwners[pet.id], presentIDs.contains(owner) {
        places[pet.id] = owner
        continue
      }
      if let owner = owners[pet.nameKey] {
        if presentIDs.contains(owner) {
          places[pet.id] = owner
          continue
        }
        let (name, key) = (pet.name, pet.nameKey)
        while owners[pet.nameKey] != nil {
          let number = numbers[key, default: 1] + 1
          numbers[key] = number
          pet.name = "\(name) (\(number))"
        }
        renamed.append(pet.id)
      }
      owners[pet.nameKey] = pet.id
      batch.pets.append(pet)
    }
    batch.aliases = places
    let problems = batch.settleWalks(
      places: places, among: presentIDs.union(batch.pets.map(\.id)))
    return (batch, renamed, problems)
  }

  /// Puts the pets that are here in the place of those that they are, and leaves out those that are
  /// nowhere: the record of a pet may have been unreadable, and its walks with others are there.
  ///
  /// - Returns: The walks that nobody is left of, which are left out.
  private mutating func settleWalks(
    places: [Pet.ID: Pet.ID], among known: Set<Pet.ID>
  ) -> [ImportProblem] {
    var problems: [ImportProblem] = []
    walks = walks.compactMap { walk in
      var walk = walk
      for part in walk.pets.indices {
        let id = walk.pets[part].pet
        walk.pets[part].pet = places[id] ?? id
      }
      var seen: Set<Pet.ID> = []
      walk.pets.removeAll { !seen.insert($0.pet).inserted || !known.contains($0.pet) }
      for note in walk.notes.indices {
        guard let id = walk.notes[note].pet.map({ places[$0] ?? $0 }) else { continue }
        walk.notes[note].pet = known.contains(id) ? id : nil
      }
      if !walk.pets.isEmpty { return walk }
      problems.append(
        ImportProblem(
          path: "walks[\"\(walk.id)\"]", loss: .record, reason: "none of the walk's pets is there"))
      return nil
    }
    return problems
  }
}
