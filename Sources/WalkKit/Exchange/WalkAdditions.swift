/// The records that an import has added to a diary.
public struct WalkAdditions: Hashable, Sendable, Codable {
  /// The new records.
  public var added: WalkBatch
  /// The number of pets, walks, and places that already existed and weren't changed.
  public var known: Int
  /// The new pets whose names received a number because the document contains them twice.
  public var renamed: [Pet.ID]
  /// The problems with the document.
  public var problems: [ImportProblem] = []
}

extension WalkBatch {
  /// Returns the batch adapted to existing pets. Pets that are known to be an existing one, or
  /// whose name an existing one has, are replaced by it, including in walks and notes.
  func adapted(
    to present: [Pet], knowing knownOwners: [Pet.ID: Pet.ID]
  ) -> (batch: WalkBatch, renamed: [Pet.ID], problems: [ImportProblem]) {
    var owners = Dictionary(
      present.map { ($0.nameKey, $0.id) }, uniquingKeysWith: { first, _ in first })
    let presentIDs = Set(present.map(\.id))
    var (batch, renamed, places) = (self, [] as [Pet.ID], [:] as [Pet.ID: Pet.ID])
    var seenIDs = presentIDs
    // The last number appended to a name, because a document may contain a name any number of
    // times.
    var numbers: [String: Int] = [:]
    batch.pets = []
    for var pet in pets where seenIDs.insert(pet.id).inserted {
      let (name, key) = (pet.name, pet.nameKey)
      let candidates = [knownOwners[pet.id], owners[key]].compactMap(\.self)
      if let owner = candidates.first(where: presentIDs.contains) {
        places[pet.id] = owner
        continue
      }
      while owners[pet.nameKey] != nil {
        let number = numbers[key, default: 1] + 1
        numbers[key] = number
        pet.name = "\(name) (\(number))"
      }
      if pet.name != name { renamed.append(pet.id) }
      owners[pet.nameKey] = pet.id
      batch.pets.append(pet)
    }
    batch.aliases = places
    let problems = batch.settleWalks(places: places, among: presentIDs.union(batch.pets.map(\.id)))
    return (batch, renamed, problems)
  }

  /// Replaces pets by the existing ones that they correspond to, and removes those that don't
  /// exist: the record of a pet may have been unreadable, while its walks with others are there.
  ///
  /// - Returns: The problems with walks that have no pets left, which are removed.
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
          path: "walks[\"\(walk.id)\"]", loss: .record, reason: "none of the walk's pets exist"))
      return nil
    }
    return problems
  }
}
