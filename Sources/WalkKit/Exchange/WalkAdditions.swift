/// What an import has added to a diary.
public struct WalkAdditions: Hashable, Sendable {
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
  /// The batch as it fits to pets that are there: those of a name that is taken by another are replaced
  /// by that one, also in walks and notes; as are those whose walks are here as another's.
  func adapted(
    to present: [Pet], knowing walkOwners: [Pet.ID: Pet.ID]
  ) -> (batch: WalkBatch, renamed: [Pet.ID]) {
    var owners = Dictionary(
      present.map { ($0.nameKey, $0.id) }, uniquingKeysWith: { first, _ in first })
    let presentIDs = Set(present.map(\.id))
    var (batch, renamed, places) = (self, [] as [Pet.ID], [:] as [Pet.ID: Pet.ID])
    var seenIDs = presentIDs
    // The last number behind a name, since a document may have one name any number of times.
    var numbers: [String: Int] = [:]
    batch.pets = []
    for var pet in pets where seenIDs.insert(pet.id).inserted {
      if let owner = walkOwners[pet.id], presentIDs.contains(owner) {
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
    guard !places.isEmpty else { return (batch, renamed) }
    for walk in batch.walks.indices {
      for part in batch.walks[walk].pets.indices {
        let id = batch.walks[walk].pets[part].pet
        batch.walks[walk].pets[part].pet = places[id] ?? id
      }
      var seen: Set<Pet.ID> = []
      batch.walks[walk].pets.removeAll { !seen.insert($0.pet).inserted }
      for note in batch.walks[walk].notes.indices {
        if let id = batch.walks[walk].notes[note].pet {
          batch.walks[walk].notes[note].pet = places[id] ?? id
        }
      }
    }
    return (batch, renamed)
  }
}
